import { median } from '#capabilities/datasets/index.ts';
import { GateError, type SnapshotCounts } from '#capabilities/lists/index.ts';
import { TOLD_FIELDS, type ToldCounts, type ToldField } from './count-told.ts';

/** The share of nulls, 0 to 1, of one field of one source in one past run. */
export type PastShare = {
  readonly source: string;
  readonly field: string;
  readonly share: number;
  /** True: an operator accepted this unusual share, so runs before it no longer count for the usual share. */
  readonly isReleased?: boolean;
};

/** Shares that a source is expected to have, by source and field; used until three runs are known. */
export type ExpectedNulls = Readonly<Record<string, Partial<Readonly<Record<ToldField, number>>>>>;

const POINTS_MAX = 0.1;
const RUNS_MAX = 7;
const RUNS_MIN = 3;
/** Fewer records are a delta of a quiet hour, whose shares say nothing. */
export const RECORDS_MIN = 50;
const REJECT_SHARE_MAX = 0.01;

export function judgeRefusals(counts: SnapshotCounts, rejectShareMax = REJECT_SHARE_MAX): void {
  const [worst] = counts.reasons
    .filter(({ kind }) => kind === 'rejected')
    .toSorted((a, b) => b.count - a.count);
  if (counts.accepted === 0)
    throw new GateError(
      worst === undefined ? 'empty' : 'wrong-format',
      worst === undefined
        ? 'The download names no CVE at all. Look at the page of the publisher: the file may have moved.'
        : `None of its ${counts.lines.toLocaleString('en-US')} entries could be read (most often: ${worst.reason}, ${worst.example}). Look at the page of the publisher: the format may have changed.`,
      false,
      counts,
    );
  const read = counts.accepted + counts.rejected;
  if (counts.rejected <= read * rejectShareMax) return;
  throw new GateError(
    'rejects',
    `${counts.rejected.toLocaleString('en-US')} of ${read.toLocaleString('en-US')} entries are not usable (most often: ${worst?.reason ?? ''}, ${worst?.example ?? ''}). Look at the example; release it, or load it with --accept, if the file is right.`,
    true,
    counts,
  );
}

/**
 * A publisher that stops to fill in a field still sends as many rows as before. A share of nulls ten points above the
 * median of the last seven runs is refused, whatever the number of rows.
 */
export function judgeNulls(
  counts: ToldCounts,
  past: readonly PastShare[],
  expected: ExpectedNulls,
  snapshot: SnapshotCounts,
): void {
  for (const [source, { records, nulls }] of Object.entries(counts.bySource)) {
    if (records < RECORDS_MIN) continue;
    for (const field of TOLD_FIELDS) {
      const usual =
        usualShare(past.filter((each) => each.source === source && each.field === field)) ??
        expected[source]?.[field] ??
        null;
      const share = nulls[field] / records;
      if (usual === null || share <= usual + POINTS_MAX) continue;
      throw new GateError(
        'nulls',
        `${percent(share)} of the records of ${source} have no ${field}, more than ten points above the usual ${percent(usual)}. The publisher may have stopped to fill it in; release it, or load it with --accept, if that is right.`,
        true,
        snapshot,
      );
    }
  }
}

/** The median share of nulls in past runs, given newest first; null where too few runs are known. */
function usualShare(past: readonly PastShare[]): number | null {
  const released = past.findIndex(({ isReleased }) => isReleased === true);
  const known = (released === -1 ? past : past.slice(0, released + 1)).slice(0, RUNS_MAX);
  if (released === -1 && known.length < RUNS_MIN) return null;
  return median(known.map(({ share }) => share));
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
