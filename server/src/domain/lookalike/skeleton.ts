import { LETTER_READ_AS, PAIRS_READ_AS } from './confusables.ts';
import { readableLabel } from './punycode.ts';

const ACCENTS = /\p{Mark}/gu;
const PLAIN = /^[a-z0-9-]*$/;

/** Most letters end no pair, and then the costlier lookup is left out. */
const SECOND_LETTERS: ReadonlySet<string> = new Set([...PAIRS_READ_AS.keys()].map((pair) => pair.slice(1)));

/**
 * The canonical look of a label: two labels with the same skeleton look alike. It is idempotent, and it never adds a
 * dot or removes a hyphen, so splitting a label and splitting its skeleton give matching pieces.
 */
export function skeletonOf(label: string): string {
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
