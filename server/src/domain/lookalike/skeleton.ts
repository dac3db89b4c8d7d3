import { LETTER_READ_AS, PAIRS_READ_AS } from './confusables.ts';
import { readableLabel } from './punycode.ts';

const ACCENTS = /\p{Mark}/gu;
const ENCODED = 'xn--';
const PLAIN = /^[a-z0-9-]*$/;

/** Second letters of all pairs; for most letters this check avoids the costlier lookup of the pair. */
const SECOND_LETTERS: ReadonlySet<string> = new Set([...PAIRS_READ_AS.keys()].map((pair) => pair.slice(1)));

const ASCII = 128;
const codeOf = (text: string): number => text.charCodeAt(0);
const isAscii = (text: string): boolean => Array.from(text).every((letter) => codeOf(letter) < ASCII);
/** The same rules as tables by character code: most labels are ASCII, and every judged name needs its skeleton. */
const CODE_READ_AS = Uint8Array.from({ length: ASCII }, (_, code) =>
  codeOf(LETTER_READ_AS.get(String.fromCharCode(code)) ?? String.fromCharCode(code)),
);
const PAIR_READ_AS = new Uint8Array(ASCII * ASCII);
for (const [pair, read] of PAIRS_READ_AS)
  if (isAscii(pair)) PAIR_READ_AS[codeOf(pair) * ASCII + pair.charCodeAt(1)] = codeOf(read);
const LONGEST = 256;
const read = new Uint8Array(LONGEST);

/** The skeleton of a plain ASCII label; null for a label that must first be decoded, folded or lower-cased. */
function asciiSkeletonOf(label: string): string | null {
  if (label.length > LONGEST || label.startsWith(ENCODED)) return null;
  let length = 0;
  let isSame = true;
  for (let at = 0; at < label.length; at += 1) {
    const code = label.charCodeAt(at);
    if (code >= ASCII || (code >= 65 && code <= 90)) return null;
    const now = CODE_READ_AS[code] as number;
    const pair = length === 0 ? 0 : (PAIR_READ_AS[(read[length - 1] as number) * ASCII + now] as number);
    if (pair === 0) {
      isSame &&= now === code;
      read[length] = now;
      length += 1;
    } else read[length - 1] = pair;
  }
  if (isSame && length === label.length) return label;
  return String.fromCharCode.apply(null, read.subarray(0, length) as unknown as number[]);
}

/**
 * The canonical look of a label: two labels with the same skeleton look alike. It is idempotent, and it never adds a
 * dot or removes a hyphen, so splitting a label and splitting its skeleton give matching pieces.
 */
export function skeletonOf(label: string): string {
  const ascii = asciiSkeletonOf(label);
  if (ascii !== null) return ascii;
  const shown = readableLabel(label);
  const folded = PLAIN.test(shown) ? shown : shown.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  let text = '';
  for (const letter of folded) {
    const now = LETTER_READ_AS.get(letter) ?? letter;
    const pair = SECOND_LETTERS.has(now) ? PAIRS_READ_AS.get(text.slice(-1) + now) : undefined;
    text = pair === undefined ? text + now : text.slice(0, -1) + pair;
  }
  return text;
}
