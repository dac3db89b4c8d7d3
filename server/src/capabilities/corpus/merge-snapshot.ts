import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import type { Source, SourceSettings } from './contract.ts';
import { copyRows, copyTransaction, type ListedRow } from './copy-rows.ts';
import { CORPUS, LISTINGS, SOURCES } from './dataset.ts';
import { type CorpusWriteDeps, upsertSource } from './register-source.ts';
import { sourceKey } from './source-key.ts';
import {
  COPY_INTO_STAGING,
  changedKeys,
  computeDelta,
  countDistinctStaged,
  createDelta,
  createStaging,
  insertIndicators,
  insertListings,
  lockSource,
  moveToPast,
  prepareMerge,
  recordFetch,
} from './store.ts';

export type MergeOptions = {
  /** The date of the data: the publisher's, else the file's; never the time of the import (scoring ruling 1). */
  readonly dataAtMs: number;
  /** Registers the source in the same transaction, or changes what is given of it. */
  readonly settings?: SourceSettings;
  /** Asked once all rows are staged: lines that were no row, for the fetch log. */
  readonly rejected?: () => number;
  /** An empty snapshot is nearly always a broken one; only a caller that knows better may empty a source. */
  readonly allowEmpty?: boolean;
};

export type MergeReport = {
  readonly source: Source;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  /** Position in the change log: a replica at or past it shows this merge. */
  readonly seq: number;
};

/**
 * Makes `rows` the content of one source: COPY, diff, apply the difference, all or nothing. If `rows` throws, nothing
 * changed. A million rows on two busy cores, reading them included: first load 28 s, a refetch with 1 % of change 5 s.
 */
export function mergeSnapshot(
  deps: CorpusWriteDeps,
  sourceId: string,
  rows: AsyncIterable<ListedRow> | Iterable<ListedRow>,
  options: MergeOptions,
): Promise<MergeReport> {
  return copyTransaction(deps.system, async (tx, client) => {
    const source = await takeSource(deps, tx, sourceId, options);
    await prepareMerge(tx);
    await createStaging(tx);
    const snapshot = source.semantics === 'window' ? withDates(rows, options.dataAtMs) : rows;
    const staged = await copyRows(client, COPY_INTO_STAGING, snapshot);
    if (staged === 0 && options.allowEmpty !== true)
      throw new ServiceError(
        'Unprocessable Content',
        `The snapshot of '${sourceId}' holds no indicator; its last good content was kept.`,
      );
    const rejected = options.rejected?.() ?? 0;
    return applySnapshot(tx, source, { atMs: mergeTime(deps, source), staged, rejected, options });
  });
}

async function takeSource(
  deps: CorpusWriteDeps,
  tx: Db,
  id: string,
  { settings }: MergeOptions,
): Promise<Source> {
  if (settings !== undefined) return upsertSource(tx, id, settings, deps.clock.now());
  const source = await lockSource(tx, id);
  if (source === undefined) throw notFound('Source', id);
  return source;
}

/** A clock that stands still or steps back must not make periods empty or overlapping. */
const mergeTime = ({ clock }: CorpusWriteDeps, source: Source): number =>
  Math.max(Math.trunc(clock.now()), Math.round(source.lastFetchAtS * 1_000) + 1);

const absenceDelists = ({ semantics }: Source): boolean => semantics === 'state' || semantics === 'archive';

/** The last appearance is the clock of a window entry (scoring finding 3), so an undated row gets the data's date. */
async function* withDates(
  rows: AsyncIterable<ListedRow> | Iterable<ListedRow>,
  dataAtMs: number,
): AsyncGenerator<ListedRow> {
  for await (const row of rows) yield row.lastSeenMs === undefined ? { ...row, lastSeenMs: dataAtMs } : row;
}

type Staged = {
  readonly atMs: number;
  readonly staged: number;
  readonly rejected: number;
  readonly options: MergeOptions;
};

async function applySnapshot(
  tx: Db,
  source: Source,
  { atMs, staged, rejected, options }: Staged,
): Promise<MergeReport> {
  const { dataAtMs } = options;
  await createDelta(tx);
  const { added, removed, changed } = await computeDelta(tx, {
    sourceNumber: source.number,
    dataAtMs,
    absenceDelists: absenceDelists(source),
  });
  // By state the counts follow from the number of entries before; otherwise the snapshot itself must be counted.
  const unchanged = absenceDelists(source)
    ? source.entries - removed - changed
    : (await countDistinctStaged(tx)) - added - changed;
  const duplicates = staged - added - changed - unchanged;
  const entries = source.entries + added - removed;
  if (added > 0) await insertIndicators(tx);
  if (removed + changed > 0) await moveToPast(tx, source.number, atMs);
  if (added + changed > 0) await insertListings(tx, source.number, atMs);
  await recordFetch(tx, {
    sourceNumber: source.number,
    atMs,
    dataAtMs,
    entries,
    added,
    removed,
    changed,
    duplicates,
    rejected,
  });
  await appendChangesFrom(tx, CORPUS, LISTINGS, changedKeys());
  const seq = await appendChanges(tx, CORPUS, SOURCES, [sourceKey(source.number)]);
  const merged = { ...source, entries, dataAtS: dataAtMs / 1_000, lastFetchAtS: atMs / 1_000 };
  return { source: merged, added, removed, changed, unchanged, duplicates, seq };
}
