import { GateError, type SnapshotCounts } from '#capabilities/lists/index.ts';

export type RunHistory = {
  /** Entries of the last good runs since an operator last overruled a gate, at most seven. */
  readonly entries: readonly number[];
  /** Entries of the content that an operator released; this size is accepted even outside the catalogue's band. */
  readonly released: number | null;
};
export const NO_HISTORY: RunHistory = { entries: [], released: null };

export const HISTORY_RUNS = 7;
/** A median of one or two runs follows the last download, good or bad; until then only the catalogue's band counts. */
const HISTORY_RUNS_MIN = 3;
const SHRINK_MIN = 0.5;
const GROWTH_MAX = 3;

export type VolumeBand = {
  readonly volume: { readonly min: number; readonly max: number };
  /** The length of a delta depends on how busy the day was, so it has no usual length. */
  readonly isDelta?: boolean;
};

/** Throws a GateError when the size is outside the row's band or its history; the served content then stays. */
export function judgeVolume(
  { volume, isDelta }: VolumeBand,
  { entries, released }: RunHistory,
  found: number,
  counts: SnapshotCounts,
): void {
  const isReleasedSize = released !== null && isNear(found, released);
  if (!isReleasedSize && (found < volume.min || found > volume.max))
    throw new GateError(
      'volume',
      `${count(found)} entries are ${found < volume.min ? `fewer than the ${count(volume.min)}` : `more than the ${count(volume.max)}`} this list is known to have. Compare it with the page of the publisher; release it if it is right.`,
      true,
      counts,
    );
  if (isDelta === true || entries.length < HISTORY_RUNS_MIN) return;
  const usual = median(entries.slice(0, HISTORY_RUNS));
  if (isNear(found, usual)) return;
  throw new GateError(
    'volume',
    `${count(found)} entries are ${found < usual ? `less than half` : `more than three times`} the usual ${count(usual)} (median of the last ${Math.min(entries.length, HISTORY_RUNS)} good downloads). Compare it with the page of the publisher; release it if it is right.`,
    true,
    counts,
  );
}

const isNear = (found: number, usual: number): boolean =>
  found >= usual * SHRINK_MIN && found <= usual * GROWTH_MAX;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
