import { HeaderDates } from './declared-date.ts';
import type { FormatParser, Sink } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { LINE_TOO_LONG, lineParser } from './lines.ts';
import { isLocalName, isSinkAddress, startsComment, withoutWildcard, withScheme } from './listed-name.ts';
import { UNSUPPORTED } from './not-listed.ts';

type PlainSpec = Extract<FormatSpec, { kind: 'plain' }>;

/**
 * Starts with a letter or digit and holds no blank. Comments and wildcards start differently, and blanks beyond ASCII
 * are left to trim. 0.05 us per line; a loop over the characters of a slice takes 0.12.
 */
const ONE_WORD = /^[0-9A-Za-z][!-~]*$/;
/** `=====` under a headline. */
const RULER = /^[=*~+_-]{3,}$/;
const ELLIPSIS = '\u2026';
const NOTHING: readonly string[] = [];

/**
 * One entry per line; further text on the line, such as a count in a second column, is ignored. Nearly every line holds
 * just an entry, which costs only a scan for a blank.
 */
export function plainList(sink: Sink, spec: PlainSpec): FormatParser {
  const header = new HeaderDates(sink);
  const kind = spec.entries ?? 'any';
  const isSchemeless = spec.schemelessUrls === true;
  const put = (found: string): void => {
    const text = isSchemeless ? withScheme(found) : found;
    sink.entry(kind === 'any' ? { text } : { text, kind });
  };

  const entriesOf = (text: string): readonly string[] => {
    if (kind === 'asn') return asnOf(text);
    return kind === 'phone' ? phoneOf(text) : readLine(text, sink);
  };

  return lineParser(
    (line) => {
      if (ONE_WORD.test(line)) {
        header.isOpen = false;
        put(line);
        return;
      }
      const text = line.trim();
      if (text === '' || RULER.test(text)) return;
      if (startsComment(text)) {
        header.comment(text);
        return;
      }
      header.isOpen = false;
      if (text.endsWith(ELLIPSIS)) sink.unsupported(UNSUPPORTED.cutOff, text);
      else for (const entry of entriesOf(text)) put(entry);
    },
    (start) => sink.rejected(LINE_TOO_LONG, start),
  );
}

/** The entries of one line: one, none (blank, comment, the machine's own names), or the names of a hosts line. */
export function entriesOfPlainLine(raw: string): readonly string[] {
  const text = raw.trim(); // Also strips a byte order mark, which JavaScript counts as a blank.
  return text === '' || startsComment(text) ? NOTHING : readLine(text, null);
}

function readLine(text: string, sink: Sink | null): readonly string[] {
  const [first = '', ...rest] = wordsOf(text);
  if (rest.length === 0 || !isSinkAddress(first)) return [withoutWildcard(first)];
  for (const name of rest) if (isLocalName(name)) sink?.unsupported(UNSUPPORTED.localName, name);
  return rest.filter((name) => !isLocalName(name));
}

/** The words before a comment, which needs a blank before it: `#` and `//` are parts of URLs. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(/\s+/);
  const comment = words.findIndex((word, i) => i > 0 && startsComment(word));
  return comment < 0 ? words : words.slice(0, comment);
}

/** Telephone numbers hold blanks, so only column separators end one. */
const phoneOf = (text: string): readonly string[] => [(text.split(/[\t,;|#]/)[0] ?? '').trim()];

/** `AS 64500` is one entry. */
function asnOf(text: string): readonly string[] {
  const [first = '', second = ''] = wordsOf(text);
  return [/^asn?$/i.test(first) ? first + second : first];
}
