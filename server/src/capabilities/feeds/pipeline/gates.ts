import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { DEFAULT_REJECT_SHARE_MAX } from '#capabilities/catalogue/index.ts';
import { judgeVolume, type RunHistory, type VolumeBand } from '#capabilities/datasets/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';

/** Lists of names hold an address now and then; more than half of another kind means that it is another list. */
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
  judgeVolume(bandOf(row), history, counts.accepted, counts);
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
    { ...bandOf(row), volume: { min: volume.min, max: Number.POSITIVE_INFINITY } },
    history,
    entries,
    counts,
  );
}

const bandOf = ({ volume, semantics }: Judged): VolumeBand => ({ volume, isDelta: semantics === 'delta' });

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

function mostOften({ reasons }: SnapshotCounts): string {
  const [worst] = reasons.filter(({ kind }) => kind !== 'unsupported').toSorted((a, b) => b.count - a.count);
  return worst === undefined ? '' : ` (most often: ${worst.reason})`;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
