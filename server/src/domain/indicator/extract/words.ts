import { DEFANGED, HARMLESS, isWordCharacter } from './characters.ts';

export type Word = {
  readonly text: string;
  readonly before: string;
  readonly after: string;
  /** A dot or colon is in brackets, so the author meant an indicator. */
  readonly isDefanged: boolean;
  readonly previous: string;
};

const PREFIX_LENGTH = /\/\d{1,3}(?![\w/-]|\.\w)/y;
const MAY_HAVE_PREFIX = /^[0-9a-f]*[.:][0-9a-f.:]*$/i;
/** No address is longer, so a prefix length is not looked for. */
const ADDRESS_MAX = 120;
const HEX_PAIR = /%[0-9a-f]{2}/iy;
/** A line break or tab as escaped in code, and a dot as escaped in regular expressions. */
const ESCAPED_BLANK = /\\[nrt]/y;
const ESCAPED_DOT = /\\\.(?=\w)/y;
const WEAK_DOT = /[[({]\.(?=\w)|(?<=\.)[\])}](?=\w)/y;

/** Calls `take` for every word between `from` and `to`. Each character is read a fixed number of times. */
export function eachWord(text: string, from: number, to: number, take: (word: Word) => void): void {
  let start = -1;
  let previous = '';
  let at = from;
  const flush = (): void => {
    if (start < 0) return;
    const word = text.slice(start, at);
    take({
      text: word,
      before: text.slice(Math.max(0, start - 2), start),
      after: text.slice(at, at + 2),
      isDefanged: HARMLESS.test(word),
      previous,
    });
    previous = word;
    start = -1;
  };
  while (at < to) {
    if (isWordCharacter(text, at)) {
      if (start < 0) start = at;
      at += 1;
      continue;
    }
    const joined = start < 0 ? at : joinedEnd(text, start, at);
    if (joined > at && joined <= to) {
      at = joined;
      continue;
    }
    flush();
    if (text.charAt(at) === '\n') previous = '';
    at += lengthOfGap(text, at);
  }
  at = Math.min(at, to);
  flush();
}

function joinedEnd(text: string, start: number, at: number): number {
  for (const pattern of [DEFANGED, ESCAPED_DOT, WEAK_DOT]) {
    const end = endOf(pattern, text, at);
    if (end > at && (isWordCharacter(text, end) || endOf(DEFANGED, text, end) > end)) return end;
  }
  if (text.charAt(at) !== '/' || at - start > ADDRESS_MAX) return at;
  return MAY_HAVE_PREFIX.test(text.slice(start, at)) ? endOf(PREFIX_LENGTH, text, at) : at;
}

function lengthOfGap(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '%' && endOf(HEX_PAIR, text, at) > at) return 3;
  return char === '\\' && endOf(ESCAPED_BLANK, text, at) > at ? 2 : 1;
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
