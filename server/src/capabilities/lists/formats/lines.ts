import { type FormatParser, LINE_CHARS_MAX } from './format.ts';

const BYTE_ORDER_MARK = 0xfeff;
const LINE_FEED = 10;
const START_CHARS = 200;
const NOWHERE = Number.POSITIVE_INFINITY;

/** The reason under which every format counts an overlong line. */
export const LINE_TOO_LONG = `The line is longer than ${LINE_CHARS_MAX} characters.`;

/**
 * Splits text in pieces cut anywhere into lines. LF, CRLF and a lone CR each end a line, the last line needs no end,
 * and a byte order mark at the very start is dropped. A line over `charsMax` is reported once, by its start, and the
 * rest of it is skipped without being kept. A new member of an archive ends the line before it.
 */
export function lineParser(
  onLine: (line: string) => void,
  onTooLong: (start: string) => void = nothing,
  onEnd: () => void = nothing,
  charsMax: number = LINE_CHARS_MAX,
): FormatParser & { readonly member: (path: string) => void } {
  let tail = '';
  let isSkipping = false;
  let isAtStart = true;
  /** The last piece ended in CR, so an LF at the start of the next one belongs to it. */
  let isAfterCr = false;

  const finish = (rest: string): void => {
    const line = tail === '' ? rest : tail + rest;
    tail = '';
    if (isSkipping) isSkipping = false;
    else if (line.length > charsMax) onTooLong(line.slice(0, START_CHARS));
    else onLine(line);
  };

  const keep = (rest: string): void => {
    if (isSkipping) return;
    tail += rest;
    if (tail.length <= charsMax) return;
    onTooLong(tail.slice(0, START_CHARS));
    tail = '';
    isSkipping = true;
  };

  const flush = (): void => {
    if (tail !== '') finish('');
    isSkipping = false;
    isAtStart = true;
    isAfterCr = false;
  };

  const write = (text: string): void => {
    if (text === '') return;
    let from = 0;
    if (isAtStart && text.charCodeAt(0) === BYTE_ORDER_MARK) from = 1;
    if (isAfterCr && text.charCodeAt(0) === LINE_FEED) from = 1;
    isAtStart = false;
    isAfterCr = false;
    let lf = indexOf(text, '\n', from);
    let cr = indexOf(text, '\r', from);
    for (;;) {
      if (lf < from) lf = indexOf(text, '\n', from);
      if (cr < from) cr = indexOf(text, '\r', from);
      const end = Math.min(lf, cr);
      if (end === NOWHERE) break;
      finish(text.slice(from, end));
      from = end + 1;
      if (end === cr && lf === from) from += 1;
      else if (end === cr && from === text.length) isAfterCr = true;
    }
    if (from < text.length) keep(text.slice(from));
  };

  return {
    member: flush,
    write,
    end: () => {
      flush();
      onEnd();
    },
  };
}

function indexOf(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? NOWHERE : found;
}

function nothing(): void {}
