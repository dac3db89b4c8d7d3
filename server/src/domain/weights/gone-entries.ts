import { threePlaces } from './six-digits.ts';

/** Entries, and visited hosts among them. Both may be fractions. */
export type EntryCount = { readonly n: number; readonly h: number };

export const NO_ENTRIES: EntryCount = { n: 0, h: 0 };

const HALF_LIFE_DAYS = 90;

/**
 * What left a cell and still counts. Fresh cells hold few entries at a time, so entries that left them count on and are
 * halved every 90 days. Decay counts days and not runs, so a night without a run changes nothing.
 */
export function goneAfter(before: EntryCount, days: number, left: EntryCount): EntryCount {
  const kept = 2 ** (-Math.max(0, days) / HALF_LIFE_DAYS);
  return { n: threePlaces(before.n * kept + left.n), h: threePlaces(before.h * kept + left.h) };
}
