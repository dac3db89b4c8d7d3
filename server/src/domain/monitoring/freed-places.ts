import { duration } from '../text/duration.ts';
import { plural } from '../text/plural.ts';

/** How long a place stays taken after unwatching, on the plans that have so few places that they would be refilled. */
export const PLACE_FREE_AFTER_MS = 24 * 3_600_000;
export const holdsFreedPlaces = (plan: string): boolean => plan === 'FREE';

export type Places = {
  readonly items: number;
  readonly limit: number;
  /** When places were freed that are still taken. */
  readonly freedAtMs: readonly number[];
};

/** Why nothing more can be watched now, with what to do; null where there is a place. */
export function refusedPlace({ items, limit, freedAtMs }: Places, nowMs: number): string | null {
  if (items >= limit)
    return `This account watches ${plural(items, 'value')}; its plan has ${limit}. Remove one, or take a larger plan.`;
  if (items + freedAtMs.length < limit) return null;
  const nextMs = Math.min(...freedAtMs) + PLACE_FREE_AFTER_MS - nowMs;
  return `This account watches ${plural(items, 'value')} of ${limit}. On FREE a place is free 24 hours after its value was removed; the next one is free in ${duration(nextMs)}.`;
}
