import { LETTER_READ_AS, PAIRS_READ_AS } from './confusables.ts';
import { readableLabel } from './punycode.ts';

const ACCENTS = /\p{Mark}/gu;
const ENCODED = 'xn--';
const PLAIN = /^[a-z0-9-]*$/;

/** Most letters end no pair, and then the costlier lookup is left out. */
const SECOND_LETTERS: ReadonlySet<string> = new Set([...PAIRS_READ_AS.keys()].map((pair) => pair.slice(1)));

const ASCII = 128;
const isAscii = (text: string): boolean => text.charCodeAt(0) < ASCII;
/** By character code: 1 where a letter is read as another one, 2 where it ends a pair that is read as one letter. */
const READ = new Uint8Array(ASCII);
for (const letter of SECOND_LETTERS) if (isAscii(letter)) READ[letter.charCodeAt(0)] = 2;
for (const letter of LETTER_READ_AS.keys()) if (isAscii(letter)) READ[letter.charCodeAt(0)] = 1;

/** True for a label of plain letters that are read as they stand: nine labels in ten, which need no new text. */
function isOwnSkeleton(label: string): boolean {
  for (let at = 0; at < label.length; at += 1) {
    const code = label.charCodeAt(at);
    if (code >= ASCII || READ[code] === 1 || (code < 97 && code !== 45)) return false;
    if (READ[code] === 2 && at > 0 && PAIRS_READ_AS.has(label.slice(at - 1, at + 1))) return false;
  }
  return !label.startsWith(ENCODED);
}

/**
 * The canonical look of a label: two labels with the same skeleton look alike. It is idempotent, and it never adds a
 * dot or removes a hyphen, so splitting a label and splitting its skeleton give matching pieces.
 */
export function skeletonOf(label: string): string {
  if (isOwnSkeleton(label)) return label;
  const shown = readableLabel(label);
  const folded = PLAIN.test(shown) ? shown : shown.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  let read = '';
  for (const letter of folded) {
    const now = LETTER_READ_AS.get(letter) ?? letter;
    const pair = SECOND_LETTERS.has(now) ? PAIRS_READ_AS.get(read.slice(-1) + now) : undefined;
    read = pair === undefined ? read + now : read.slice(0, -1) + pair;
  }
  return read;
}
