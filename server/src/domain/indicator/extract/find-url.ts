import { VALUE_MAX } from '../parse-url.ts';
import { BREAK, breaksWord, DEFANGED } from './characters.ts';

/** Every scheme spelling that `refang` reads, including the slashes. Bounded, so linear on any text. */
const SCHEME =
  /(?:h(?:tt|xx|tx|xt|\*\*|--|__)ps?|meows?|f[tx]p)[[({<]?:[\])}>]?[[({<]?(?:\\?\/){2}[\])}>]?/gi;
const SCHEME_HERE = new RegExp(SCHEME.source, 'iy');
/** "…/a,status=200": the next field of a log line starts at the comma. */
const NEXT_FIELD = /,\s?[a-z_]\w{0,30}=/iy;
/** Characters that occur in the rest of a URL but not in a word or date of the next column. */
const PART_OF_ADDRESS = /[/.=&?%]/;
const FIELD_EDGE = /[,;|\t"']/;
const OPENERS = '([{';
const CLOSERS = ')]}';

export function findUrlStart(text: string, from: number): number {
  SCHEME.lastIndex = from;
  return SCHEME.exec(text)?.index ?? text.length;
}

export type UrlSpan = { readonly raw: string; readonly end: number };

/** Reads the URL up to a character that cannot be part of it or more likely belongs to the surrounding text. */
export function findUrl(text: string, start: number): UrlSpan {
  const before = text.charAt(start - 1);
  const depth = [0, 0, 0];
  let commaEnds: boolean | null = FIELD_EDGE.test(before) ? true : null;
  SCHEME_HERE.lastIndex = start;
  const schemeEnd = SCHEME_HERE.test(text) ? SCHEME_HERE.lastIndex : start + 1;
  let at = schemeEnd;
  let isHost = true;
  while (at < text.length) {
    const char = text.charAt(at);
    const defanged = isHost ? defangedEnd(text, at) : at;
    if (defanged > at) {
      at = defanged;
      continue;
    }
    if (char === '/' || char === '?' || char === '#') isHost = false;
    if (char === "'" ? endsAtQuote(text, at, before) : isEnd(text, at, depth)) break;
    if (char === ',' || char === ';') {
      if (isNextOne(text, at)) break;
      commaEnds ??= (before === '' || before === '\n') && !goesOn(text, at);
      if (commaEnds) break;
    }
    at += 1;
  }
  // `parseIndicator` refuses a URL over its length limit; no part of one is read as another indicator.
  const end = Math.max(at, schemeEnd);
  const raw = text.slice(start, Math.min(end, start + VALUE_MAX + 1));
  return { raw: raw.replace(/[([{,;:.!?]{1,8}$/, ''), end };
}

function isEnd(text: string, at: number, depth: number[]): boolean {
  const char = text.charAt(at);
  const opened = OPENERS.indexOf(char);
  if (opened >= 0) depth[opened] = (depth[opened] ?? 0) + 1;
  const closed = CLOSERS.indexOf(char);
  if (closed >= 0) {
    const open = depth[closed] ?? 0;
    depth[closed] = Math.max(0, open - 1);
    // "(see http://evil.com/a)" ends before the bracket; "evil.]com" holds a defanged dot.
    return open === 0 && !(text.charAt(at - 1) === '.' && /\w/.test(text.charAt(at + 1)));
  }
  if (char === '\\') return !/[/.]/.test(text.charAt(at + 1));
  return char === '|' || char === '"' || char === '`' || char === '<' || char === '>' || BREAK.test(char);
}

/** An apostrophe may be part of a path, except when the URL is quoted with it or nothing follows it. */
const endsAtQuote = (text: string, at: number, before: string): boolean =>
  before === "'" || !/[\w%/]/.test(text.charAt(at + 1));

function isNextOne(text: string, at: number): boolean {
  const next = text.charAt(at + 1);
  if (next === '' || FIELD_EDGE.test(next) || breaksWord(next)) return true;
  SCHEME_HERE.lastIndex = at + 1;
  if (SCHEME_HERE.test(text)) return true;
  NEXT_FIELD.lastIndex = at;
  return NEXT_FIELD.test(text);
}

/** At the start of a line a comma may begin the next column or be part of the path; the last part decides. */
function goesOn(text: string, comma: number): boolean {
  let last = comma;
  let at = comma + 1;
  for (; at < text.length && at - comma < VALUE_MAX && !breaksWord(text.charAt(at)); at++)
    if (text.charAt(at) === ',' || text.charAt(at) === ';') last = at;
  return PART_OF_ADDRESS.test(text.slice(last, at));
}

/** The end of a defanged dot such as that in "evil [.] com", which may contain spaces; otherwise `at`. */
function defangedEnd(text: string, at: number): number {
  DEFANGED.lastIndex = at;
  return DEFANGED.test(text) ? DEFANGED.lastIndex : at;
}
