import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { DEFAULT_REJECT_SHARE_MAX } from '#capabilities/catalogue/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';

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
/** Lists of names do hold an address now and then; above one half it is another list. */
const STRANGE_SHARE_MAX = 0.5;
const CANARIES_FREE = 5;
const CANARY_SHARE_MAX = 0.005;

type Judged = Pick<CatalogueRow, 'volume' | 'rejectShareMax' | 'semantics' | 'entityTypes'>;

/** The gates of reliability 3.F with the row's limits. Throws a GateError; the listed content then stays. */
export function judgeSnapshot(row: Judged, history: RunHistory, counts: SnapshotCounts): void {
  judgeKinds(row, counts);
  // A row that may be empty is accepted when its format says so: only a header, or only patterns that cannot be listed.
  if (counts.accepted === 0 && (row.volume.min > 0 || counts.bytes === 0))
    throw new GateError(
      'empty',
      counts.lines === 0
        ? 'The download holds no entry at all. Look at the page of the publisher: the list may have moved or ended.'
        : `None of its ${count(counts.lines)} entries can be listed${mostOften(counts)}. Look at the page of the publisher: the list may have moved or changed its format.`,
      false,
      counts,
    );
  judgeRejects(row, counts);
  judgeCanaries(counts);
  judgeVolume(row, history, counts.accepted, counts);
}

/** Applies the same bands to the entries left after folding twins: a thousand copies of one line are one entry. */
export function judgeEntries(
  row: Judged,
  history: RunHistory,
  entries: number,
  counts: SnapshotCounts,
): void {
  const { volume } = row;
  // Only the lower bounds can fail here, because folding makes a list shorter, never longer.
  judgeVolume(
    { ...row, volume: { min: volume.min, max: Number.POSITIVE_INFINITY } },
    history,
    entries,
    counts,
  );
}

function judgeRejects({ rejectShareMax = DEFAULT_REJECT_SHARE_MAX }: Judged, counts: SnapshotCounts): void {
  const entries = counts.accepted + counts.rejected + counts.disposed;
  if (counts.rejected <= entries * rejectShareMax) return;
  throw new GateError(
    'rejects',
    `${count(counts.rejected)} of ${count(entries)} entries (${percent(counts.rejected / entries)}) are not usable, more than the ${percent(rejectShareMax)} allowed${mostOften(counts)}. Look at the examples; release it if the list is right.`,
    true,
    counts,
  );
}

/** Catches a publisher that swapped two of its files: every entry is valid, but of the wrong kind. */
function judgeKinds({ entityTypes }: Judged, counts: SnapshotCounts): void {
  const refused = Object.entries(counts.refusedKinds ?? {});
  const taken = Object.entries(counts.kinds ?? {}).filter(
    ([kind]) => !entityTypes.some((type) => type === kind),
  );
  const strange = [...taken, ...refused];
  const entries = sumOf(strange);
  const all = counts.accepted + sumOf(refused);
  if (entries <= all * STRANGE_SHARE_MAX) return;
  throw new GateError(
    'wrong-format',
    `${count(entries)} of ${count(all)} entries are of another kind (${strange.map(([kind]) => kind).join(', ')}) than this list holds (${entityTypes.join(', ')}). The publisher has most likely put another list in its place. Such entries are not listed; release it to take the others.`,
    true,
    counts,
  );
}

const sumOf = (kinds: readonly (readonly [string, number])[]): number =>
  kinds.reduce((sum, [, times]) => sum + times, 0);

function judgeCanaries(counts: SnapshotCounts): void {
  const { accepted, disposed, disposedValues: found = disposed } = counts;
  const allowed = Math.max(CANARIES_FREE, (accepted + disposed) * CANARY_SHARE_MAX);
  if (found <= allowed) return;
  throw new GateError(
    'canaries',
    `It names ${count(found)} values that are known to be good, more than the ${count(Math.floor(allowed))} that are dropped without asking. The publisher has most likely made a mistake; release it to take the rest without them.`,
    true,
    counts,
  );
}

function judgeVolume(
  { volume, semantics }: Judged,
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
  // The length of a delta depends on how busy the day was.
  if (semantics === 'delta' || entries.length < HISTORY_RUNS_MIN) return;
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

function mostOften({ reasons }: SnapshotCounts): string {
  const [worst] = reasons.filter(({ kind }) => kind !== 'unsupported').toSorted((a, b) => b.count - a.count);
  return worst === undefined ? '' : ` (most often: ${worst.reason})`;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
