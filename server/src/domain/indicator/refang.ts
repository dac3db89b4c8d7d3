const PASSES_MAX = 12;

/** Each pattern is a literal with a fixed number of optional characters around it, so it is linear on any input. */
const DOT_TOKEN = /\s?[[({<]\s?(?:\.|dot)\s?[\])}>]\s?/gi;
const PUNCTUATION_TOKEN = /[[({<](:\/\/|:|\/\/|\/|@)[\])}>]/g;
const AT_TOKEN = /\s?[[({<]\s?at\s?[\])}>]\s?/gi;
const ESCAPED_SLASH = /\\\//g;
const SCHEME = /^(?:(?:h(?:xx|tx|xt|tt|\*\*|--|__)p|meow)(s?)|f[tx]p)(?=:)/i;
const IS_URL = /^(?:https?|ftp):/i;
/** Applied before the first slash only: in a path these characters may be literal. IDNA reads U+3002 as a dot. */
const WEAK_DOT = /\\\.| dot |[[({]\.|\.[\])}]|\u3002/gi;
const HOST_END = /[/?#]/;
const PREFIX = /^(mailto|tel):/i;

const OPENERS = '([{<';
const CLOSERS = ')]}>';
/** Bracket kind by character code, counted from 1; negative for the closing bracket. */
const BRACKET_KIND = new Int8Array(126);
for (let kind = 0; kind < OPENERS.length; kind++) {
  BRACKET_KIND[OPENERS.charCodeAt(kind)] = kind + 1;
  BRACKET_KIND[CLOSERS.charCodeAt(kind)] = -kind - 1;
}
const QUOTES = '"\'`\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb';
const TRAILING = '.,;:!?';
/** A text without any of these, and with a plain start and end, needs no change. */
const TOUCHED = /[\s()[\]{}<>\\"'`\u201c\u201d\u2018\u2019\u201e\u00ab\u00bb\u3002]/;

/** Undoes the defanging that people apply to indicators; null when 12 passes are not enough (decisions 3.1). */
export function refang(text: string): string | null {
  let current = text;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    if (isPlain(current)) return current;
    const next = refangOnce(current);
    if (next === current) return current;
    current = next;
  }
  return refangOnce(current) === current ? current : null;
}

const isPlain = (text: string): boolean =>
  !TRAILING.includes(text.slice(-1)) &&
  !TOUCHED.test(text) &&
  !PREFIX.test(text) &&
  (!SCHEME.test(text) || IS_URL.test(text));

export function refangOnce(text: string): string {
  let next = unwrap(text.trim());
  next = next.replace(PUNCTUATION_TOKEN, '$1').replace(DOT_TOKEN, '.').replace(ESCAPED_SLASH, '/');
  next = next.replace(SCHEME, (scheme, secure?: string) =>
    scheme.startsWith('f') || scheme.startsWith('F') ? 'ftp' : `http${secure ?? ''}`,
  );
  if (!IS_URL.test(next)) next = withoutPrefix(next.replace(AT_TOKEN, '@'));
  const hostEnd = endOfHost(next);
  return next.slice(0, hostEnd).replace(WEAK_DOT, '.') + next.slice(hostEnd);
}

function withoutPrefix(text: string): string {
  const prefix = PREFIX.exec(text)?.[1];
  if (prefix === undefined) return text;
  const rest = text.slice(prefix.length + 1);
  const headers = rest.indexOf('?');
  return headers < 0 ? rest : rest.slice(0, headers);
}

function endOfHost(text: string): number {
  const scheme = IS_URL.exec(text);
  let i = scheme === null ? 0 : scheme[0].length;
  if (scheme !== null) while (text[i] === '/' || (text[i] === '\\' && text[i + 1] !== '.')) i += 1;
  const length = text.slice(i).search(HOST_END);
  return length < 0 ? text.length : i + length;
}

function unwrap(text: string): string {
  const surplus = bracketSurplus(text);
  let start = 0;
  let end = text.length;
  while (start < end && QUOTES.includes(text.charAt(start))) start += 1;
  while (end > start && isSentenceEnd(text, end, surplus)) end -= 1;
  const kind = OPENERS.indexOf(text.charAt(start));
  if (start >= end || kind < 0) return text.slice(start, end);
  if ((surplus[kind] ?? 0) > 0) return text.slice(start + 1, end);
  return closesAtEnd(text, start, end) ? text.slice(start + 1, end - 1) : text.slice(start, end);
}

function bracketSurplus(text: string): number[] {
  const surplus = [0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 125) continue;
    const kind = BRACKET_KIND[code] ?? 0;
    if (kind > 0) surplus[kind - 1] = (surplus[kind - 1] ?? 0) + 1;
    else if (kind < 0) surplus[-kind - 1] = (surplus[-kind - 1] ?? 0) - 1;
  }
  return surplus;
}

function isSentenceEnd(text: string, end: number, surplus: number[]): boolean {
  const last = text.charAt(end - 1);
  if (QUOTES.includes(last) || last.trim() === '') return true;
  const closer = CLOSERS.indexOf(last);
  if (closer >= 0 && (surplus[closer] ?? 0) < 0) {
    surplus[closer] = (surplus[closer] ?? 0) + 1;
    return true;
  }
  if (!TRAILING.includes(last)) return false;
  const before = text.charAt(end - 2);
  if (last === ':') return before !== ':'; // "2001:db8::" keeps its last colon.
  // The URL parser resolves a last path segment of "." or "..", so it is kept here.
  return last !== '.' || !(before === '/' || (before === '.' && text.charAt(end - 3) === '/'));
}

function closesAtEnd(text: string, start: number, end: number): boolean {
  const opener = text.charAt(start);
  const closer = CLOSERS.charAt(OPENERS.indexOf(opener));
  let depth = 0;
  for (let i = start; i < end; i++) {
    const char = text.charAt(i);
    if (char === opener) depth += 1;
    else if (char === closer) depth -= 1;
    if (depth === 0) return i === end - 1;
  }
  return false;
}
