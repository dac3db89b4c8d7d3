import { DEFANGED, HARMLESS, isWordCharacter } from './characters.ts';

/** A stretch of text that may be an address, a name, a digest or a mailbox, and what stands around it. */
export type Word = {
  readonly text: string;
  /** Two characters at most. */
  readonly before: string;
  readonly after: string;
  /** Somebody put a dot or colon of it in brackets: it was meant as an indicator. */
  readonly isDefanged: boolean;
  /** The word before it on the same line, or ''. */
  readonly previous: string;
};

/** Digits of a prefix length, and nothing that would make it a path. */
const PREFIX_LENGTH = /\/\d{1,3}(?![\w/-]|\.\w)/y;
const MAY_HAVE_PREFIX = /^[0-9a-f.:]*[.:][0-9a-f.:]*$/i;
/** Longer than the longest address: not asked. */
const ADDRESS_MAX = 120;
const HEX_PAIR = /%[0-9a-f]{2}/iy;
/** A line break or tab as programs write it, and a dot as patterns write it. */
const ESCAPED_BLANK = /\\[nrt]/y;
const ESCAPED_DOT = /\\\.(?=\w)/y;
const WEAK_DOT = /[[({]\.(?=\w)|(?<=\.)[\])}](?=\w)/y;

/** Walks `text` from `from` to `to` and hands over every word. Each character is looked at a fixed number of times. */
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

/** Where the word goes on after a dot made harmless or a prefix length; the same position when it ends here. */
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
