import { skeletonOf } from './skeleton.ts';

/** A text as it looks to a reader, and the tricks by which it hides that look from a program. */
export type FoldedText = {
  /** Plain letters in lower case, styled letters replaced, invisible ones removed. */
  readonly plain: string;
  /** The words of `plain` as skeletons: two words with one skeleton look alike. */
  readonly words: readonly string[];
  /** Invisible characters between two letters or digits. Emoji are joined by such characters too, letters are not. */
  readonly invisible: number;
  /** Letters of the mathematical, enclosed or small-capital sets, which stand for Latin letters. */
  readonly styled: number;
  /** A word has Latin letters and letters of another alphabet that look like Latin ones. */
  readonly isMixed: boolean;
};

const TEXT_MAX = 1_000;
const WORDS_MAX = 40;
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  Array.from('ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpꞯqʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz')
    .map((_, at, all) => [all[at] ?? '', all[at + 1] ?? ''] as [string, string])
    .filter((_, at) => at % 2 === 0),
);
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u;
const LETTER = /[\p{L}\p{N}]/u;
const LATIN = /\p{Script=Latin}/u;
const FOREIGN = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Cherokee}\p{Script=Armenian}\p{Script=Lisu}]/u;
const MARKS = /\p{Mark}/gu;
const APART = /[^\p{L}\p{N}]+/u;

/** Mathematical alphanumeric, enclosed and regional letters: one code point of decoration for each plain letter. */
const isStyledCode = (code: number): boolean =>
  (code >= 0x1d400 && code <= 0x1d7ff) ||
  (code >= 0x1f130 && code <= 0x1f189) ||
  (code >= 0x24b6 && code <= 0x24e9);

export function foldText(text: string): FoldedText {
  const letters = Array.from(text.slice(0, TEXT_MAX));
  let shown = '';
  let invisible = 0;
  let styled = 0;
  for (const [at, letter] of letters.entries()) {
    if (INVISIBLE.test(letter)) {
      if (LETTER.test(shown.slice(-1)) && LETTER.test(nextShown(letters, at))) invisible += 1;
      continue;
    }
    const capital = SMALL_CAPITALS.get(letter);
    if (capital !== undefined || isStyledCode(letter.codePointAt(0) ?? 0)) styled += 1;
    shown += capital ?? letter;
  }
  const folded = shown.normalize('NFKD').replace(MARKS, '');
  const words = folded.split(APART).filter((word) => word !== '');
  return {
    plain: folded.toLowerCase(),
    words: words.slice(0, WORDS_MAX).map((word) => skeletonOf(word)),
    invisible,
    styled,
    isMixed: words.some((word) => LATIN.test(word) && FOREIGN.test(word)),
  };
}

const LOOK_AHEAD = 20;
/** The next visible character, looking ahead at most LOOK_AHEAD characters. */
function nextShown(letters: readonly string[], at: number): string {
  for (let next = at + 1; next < Math.min(letters.length, at + LOOK_AHEAD); next += 1) {
    const letter = letters[next] ?? '';
    if (!INVISIBLE.test(letter)) return letter;
  }
  return '';
}
