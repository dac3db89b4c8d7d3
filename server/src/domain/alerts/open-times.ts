/**
 * Times are counted in buckets that are two percent wide, so that percentiles over a million alerts read some hundred rows.
 * A figure is then within one percent of the true one. The triggers of the migration count in the same buckets.
 */
const BUCKETS_A_FACTOR_E = 50;
const HOUR_S = 3_600;

export const bucketOf = (seconds: number): number =>
  Math.floor(BUCKETS_A_FACTOR_E * Math.log(1 + Math.max(0, seconds)));

/** The middle of a bucket of open times, in hours. */
export const hoursAt = (bucket: number): number =>
  (Math.exp((bucket + 0.5) / BUCKETS_A_FACTOR_E) - 1) / HOUR_S;

export type Counted = { readonly bucket: number; readonly count: number };

/** For each percentile the hours below which that share of alerts stayed; null for all if nothing was counted. */
export function percentilesOf(
  counted: readonly Counted[],
  shares: readonly number[],
): readonly (number | null)[] {
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  if (total <= 0) return shares.map(() => null);
  const sorted = counted.toSorted((a, b) => a.bucket - b.bucket);
  return shares.map((share) => {
    const wanted = Math.max(1, Math.ceil((share / 100) * total));
    let seen = 0;
    for (const { bucket, count } of sorted) {
      seen += count;
      if (seen >= wanted) return round(hoursAt(bucket));
    }
    return null;
  });
}

const round = (hours: number): number => Math.round(hours * 1_000) / 1_000;
