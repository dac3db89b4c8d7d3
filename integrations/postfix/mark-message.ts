/** A header that the bridge adds: name and value without line breaks. */
export type Mark = readonly [name: string, value: string];

const LF = 0x0a;
const CR = 0x0d;
const OWN_PREFIX = 'x-assay-';
const VALUE_MAX = 900;
/** Recommended length of a line (RFC 5322 section 2.1.1). */
const FOLD_AT = 76;

/** The message with the marks on top, and without the X-Assay headers that it came with: a sender can forge those. */
export function markMessage(message: Buffer, marks: readonly Mark[]): Buffer {
  const head = marks.map(([name, value]) => `${fold(`${name}: ${printable(value)}`)}\r\n`).join('');
  return Buffer.concat([Buffer.from(head, 'latin1'), ...withoutOwnHeaders(message)]);
}

/**
 * Reads up to the first empty line, even past lines that are no header, because mail programs differ in where they see the
 * end of malformed headers.
 */
function withoutOwnHeaders(message: Buffer): readonly Buffer[] {
  const kept: Buffer[] = [];
  let keptFrom = 0;
  let isOwn = false;
  for (let at = 0; at < message.length && !isEmptyLine(message, at); ) {
    const end = endOfLine(message, at);
    const isContinued = message[at] === 0x20 || message[at] === 0x09;
    if (!isContinued) isOwn = startsOwn(message, at);
    if (isOwn) {
      kept.push(message.subarray(keptFrom, at));
      keptFrom = end;
    }
    at = end;
  }
  kept.push(message.subarray(keptFrom));
  return kept;
}

function endOfLine(message: Buffer, at: number): number {
  const lineFeed = message.indexOf(LF, at);
  return lineFeed === -1 ? message.length : lineFeed + 1;
}

const isEmptyLine = (message: Buffer, at: number): boolean =>
  message[at] === LF || (message[at] === CR && message[at + 1] === LF);

const startsOwn = (message: Buffer, at: number): boolean =>
  message.toString('latin1', at, at + OWN_PREFIX.length).toLowerCase() === OWN_PREFIX;

const printable = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?').slice(0, VALUE_MAX);

/** Breaks a header at its spaces. */
function fold(header: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of header.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > FOLD_AT) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.join('\r\n ');
}
