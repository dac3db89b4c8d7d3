import { DAY_MS } from '#platform/time-units.ts';

/**
 * The constant of `--rebase`: whole days that bring the newest day of the lists to today (UTC). Every date of a listing
 * moves by the same amount, so the age differences between lists stay the same. Never negative: dates are not moved back.
 * CVEs, ransomware claims and other facts keep their dates (O69).
 */
export function rebaseConstantMs(dates: readonly number[], nowMs: number): number {
  if (dates.length === 0) return 0;
  const newest = dates.reduce((latest, ms) => Math.max(latest, ms));
  return Math.max(0, Math.floor(nowMs / DAY_MS) - Math.floor(newest / DAY_MS)) * DAY_MS;
}

export const wholeDays = (ms: number): number => Math.round(ms / DAY_MS);
