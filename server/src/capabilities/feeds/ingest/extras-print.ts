import type { Extras } from './admit.ts';
import { hashOf, mixed, NO_PRINT, PRINT_GONE } from './known-values.ts';

const HAS_FIRST_SEEN = 1;
const TWO_32 = 0x1_0000_0000;

/**
 * A 32-bit fingerprint of an entry's facts besides its value. Two different sets of facts collide with a chance of 1 in
 * 2^31; the entry then keeps its old facts until the next comparison of the whole source, within a week.
 */
export function printOf(extras: Extras | null): number {
  if (extras === null) return NO_PRINT;
  const { firstSeenMs, lastSeenMs, sightedMs, confidence, reference, family, rank, siblings } = extras;
  let hash = reference === undefined ? 0 : hashOfReference(reference);
  if (firstSeenMs !== undefined) hash = hashOfNumber(firstSeenMs, hash ^ 4);
  if (lastSeenMs !== undefined) hash = hashOfNumber(lastSeenMs, hash ^ 5);
  if (sightedMs !== undefined) hash = hashOfNumber(sightedMs, hash ^ 8);
  if (confidence !== undefined) hash = hashOfNumber(confidence, hash ^ 6);
  if (rank !== undefined) hash = hashOfNumber(rank, hash ^ 7);
  if (family !== undefined) hash = hashOf(family, hash ^ 2);
  if (siblings !== undefined) for (const { value } of siblings) hash = hashOf(value, hash ^ 3);
  const print = ((hash & ~HAS_FIRST_SEEN) | (firstSeenMs === undefined ? 0 : HAS_FIRST_SEEN)) >>> 0;
  // Moves prints that would equal a reserved value (NO_PRINT, PRINT_GONE, PRINT_UNKNOWN).
  if (print === NO_PRINT) return 2;
  return print >= PRINT_GONE ? print - 2 : print;
}

let lastReference = '';
let lastHash = hashOf('');

/** The same reference often occurs in many lines in a row. */
function hashOfReference(reference: string): number {
  if (reference !== lastReference) {
    lastHash = hashOf(reference);
    lastReference = reference;
  }
  return lastHash;
}

const hashOfNumber = (value: number, start: number): number =>
  mixed(mixed(start ^ (value >>> 0)) ^ Math.trunc(value / TWO_32));

export const hasFirstSeen = (print: number): boolean => (print & HAS_FIRST_SEEN) !== 0;
