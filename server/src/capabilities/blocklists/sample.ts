import { createHash } from 'node:crypto';

const SAMPLE_OF = 10;
const HEX_DIGITS = 8;

/** Chooses a tenth of all values by their hash, so that an added value moves no other in or out (decisions O37). */
export const isInSample = (value: string): boolean =>
  Number.parseInt(createHash('sha256').update(value).digest('hex').slice(0, HEX_DIGITS), 16) % SAMPLE_OF ===
  0;

/** The sample of a list; its first line where no line would be chosen, so that an empty file means an empty list. */
export function sampleOf<T extends { readonly value: string }>(entries: readonly T[]): readonly T[] {
  const chosen = entries.filter(({ value }) => isInSample(value));
  return chosen.length > 0 ? chosen : entries.slice(0, 1);
}
