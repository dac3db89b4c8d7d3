import { DAY_MS } from '#platform/time-units.ts';
import type { Source } from '../contract.ts';
import { FADE_DAYS_MAX, fadingOf } from '../fade.ts';

/** Until when a dropped listing fades; 0 when it does not fade. Computes the same as the merge that dropped it. */
export function fadesUntilMs(
  key: Uint8Array,
  source: Source,
  { lastSeenS, listedToMs }: { readonly lastSeenS: number | null; readonly listedToMs: number },
): number {
  const fade = fadingOf(source).find(({ kind }) => kind === key[0]);
  if (fade === undefined) return 0;
  const seenAtMs = lastSeenS === null ? listedToMs : lastSeenS * 1_000;
  return Math.min(seenAtMs + fade.days * DAY_MS, listedToMs + FADE_DAYS_MAX * DAY_MS);
}
