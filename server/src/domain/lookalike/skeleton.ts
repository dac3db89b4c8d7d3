import { LETTER_READ_AS, PAIRS_READ_AS } from './confusables.ts';
import { readableLabel } from './punycode.ts';

const ACCENTS = /\p{Mark}/gu;
const PLAIN = /^[a-z0-9-]*$/;

/**
 * What a label is read as: two labels with the same skeleton look alike. Applied to itself it changes nothing, and it
 * never makes a dot or takes a hyphen away, so the pieces of a label have the pieces of its skeleton.
 */
export function skeletonOf(label: string): string {
  const shown = readableLabel(label);
  const folded = PLAIN.test(shown) ? shown : shown.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  let read = '';
  for (const letter of folded) {
    const now = LETTER_READ_AS.get(letter) ?? letter;
    const pair = PAIRS_READ_AS.get(read.slice(-1) + now);
    read = pair === undefined ? read + now : read.slice(0, -1) + pair;
  }
  return read;
}
