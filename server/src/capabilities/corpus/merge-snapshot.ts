import type { PoolClient } from 'pg';
import type { Listable } from '#domain/indicator/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import { accuses, type Source, type SourceSettings } from './contract.ts';
import { copyRows, copyTransaction, type DigestLink, type RowBatches } from './copy-rows.ts';
import { ALIASES, CORPUS, LISTINGS, RELATED, SOURCES } from './dataset.ts';
import { fadingOf } from './fade.ts';
import { forgetRelisted } from './fading-store.ts';
import { isFetchDue, mergeTime } from './fetch-time.ts';
import { createKeyWriter } from './indicator-key.ts';
import {
  COPY_INTO_STAGING,
  changedKeys,
  computeDelta,
  computeNamedDelta,
  countDistinctStaged,
  createDelta,
  createStaging,
  type DeltaCounts,
  insertDigestLinks,
  insertGoneKeys,
  insertIndicators,
  insertListings,
  moveToPast,
  preferIndexJoins,
  prepareMerge,
  recordFetch,
  type SnapshotFacts,
  stageTwins,
} from './merge-store.ts';
import { type CorpusWriteDeps, type UpsertedSource, upsertSource } from './register-source.ts';
import { changedParents, parentsOfSource } from './related-store.ts';
import { sourceKey } from './source-key.ts';
import { lockSource, recordRevision, updateSource } from './store.ts';

export type MergeOptions = {
  /** The date of the data: the publisher's, else the file's; never the time of the import (scoring ruling 1). */
  readonly dataAtMs: number | (() => number);
  /** Registers the source in the same transaction, or changes what is given of it. */
  readonly settings?: SourceSettings;
  /** Asked once all rows are staged: lines that were no row, for the fetch log. */
  readonly rejected?: () => number;
  /** An empty snapshot is nearly always a broken one; only a caller that knows better may empty a source. */
  readonly allowEmpty?: boolean;
  /** True: what the rows leave out is delisted whatever the source's semantics. A rollback knows the whole content. */
  readonly isWhole?: boolean;
  /** Asked once all rows are staged and nothing is changed: throws to keep the last good content. */
  readonly judge?: (source: Source) => void;
  /** What the list itself says of a source that never had one; asked once all rows are staged. */
  readonly describe?: () => SourceSettings;
  /** In the same transaction, after everything else. */
  readonly record?: (tx: Db, report: MergeReport) => Promise<void>;
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

/** A snapshot whose reader knows something of what the source lists, so that not every row has to be handed over. */
export type SnapshotRows = {
  readonly batches: RowBatches;
  /** Entries that belong to the snapshot and are in no batch. Asked after the last batch. */
  readonly entriesLeftOut: () => number;
  /** Null: every key of the snapshot is in the batches. Otherwise the rest of the truth, asked after the last batch. */
  readonly named: (() => NamedKeys) | null;
};
export type NamedKeys = {
  /** Listed so far and not in the snapshot. */
  readonly gone: Iterable<Listable>;
  /** In the snapshot as they are listed, and in the batches too, as something else. */
  readonly twins: Iterable<{ readonly indicator: Listable; readonly hasFirstSeen: boolean }>;
};

/** The reader named a listing that is not there: what it knows of the source is not what PostgreSQL has. */
export class OutOfStep extends Error {
  constructor(sourceId: string) {
    super(`What is known of '${sourceId}' is out of step with the corpus.`);
    this.name = 'OutOfStep';
  }
}

/** Entries whose absence from the latest snapshot means that they are no longer listed. */
export const absenceDelists = ({ semantics }: Pick<Source, 'semantics'>): boolean =>
  semantics === 'state' || semantics === 'archive';

const DAY_MS = 86_400_000;
const KEYS_PER_STATEMENT = 10_000;
/** Below this many staged rows, looking each one up beats reading all listings of the source. */
const LOOKUPS_MAX = 200_000;

/**
 * Makes the rows the content of one source: COPY, diff, apply the difference, all or nothing. If reading them throws,
 * nothing changed. `rows` may be a function: it is called with the source as it stands, locked until the commit.
 */
export function mergeSnapshot(
  deps: CorpusWriteDeps,
  sourceId: string,
  rows: RowBatches | ((source: Source) => SnapshotRows | Promise<SnapshotRows>),
  options: MergeOptions,
): Promise<MergeReport> {
  return copyTransaction(deps.system, async (tx, client) => {
    const { source, isChanged, hasTurned } = await takeSource(deps, tx, sourceId, options);
    const snapshot = typeof rows === 'function' ? await rows(source) : wholeOf(rows);
    const staged = await stage(tx, client, snapshot);
    // Asked before the check below: it can say what was wrong with an empty snapshot.
    options.judge?.(source);
    if (staged.entries === 0 && options.allowEmpty !== true)
      throw new ServiceError(
        'Unprocessable Content',
        `The snapshot of '${sourceId}' holds no indicator; its last good content was kept.`,
      );
    const described = await describe(deps, tx, source, options);
    const facts = { ...staged, isDescribed: isChanged, hasTurned, atMs: mergeTime(deps, source) };
    const report = await applySnapshot(tx, described, snapshot, facts, options);
    await options.record?.(tx, report);
    return report;
  });
}

const wholeOf = (batches: RowBatches): SnapshotRows => ({ batches, entriesLeftOut: () => 0, named: null });

async function takeSource(
  deps: CorpusWriteDeps,
  tx: Db,
  id: string,
  { settings }: MergeOptions,
): Promise<UpsertedSource> {
  if (settings !== undefined) return upsertSource(tx, id, settings, deps.clock.now());
  const source = await lockSource(tx, id);
  if (source === undefined) throw notFound('Source', id);
  return { source, isChanged: false, hasTurned: false };
}

type Merging = { readonly atMs: number; readonly isDescribed: boolean; readonly hasTurned: boolean };

type Staged = {
  readonly rows: number;
  readonly entries: number;
  readonly links: readonly DigestLink[];
};

async function stage(tx: Db, client: PoolClient, snapshot: SnapshotRows): Promise<Staged> {
  await prepareMerge(tx);
  await createStaging(tx);
  const { rows, links } = await copyRows(client, { statement: COPY_INTO_STAGING }, snapshot.batches);
  return { rows, entries: rows + snapshot.entriesLeftOut(), links };
}

async function describe(
  deps: CorpusWriteDeps,
  tx: Db,
  source: Source,
  { describe: say }: MergeOptions,
): Promise<Source> {
  if (source.lastFetchAtS > 0 || say === undefined) return source;
  const settings = say();
  await updateSource(tx, source.id, settings);
  // A replay reads the registry from its revisions (scoring ruling 12).
  await recordRevision(tx, source.number, deps.clock.now());
  return { ...source, ...(settings as Partial<Source>) };
}

/**
 * The last appearance is the clock of a window entry (scoring finding 3), so an undated row gets the data's day. The
 * day and not the hour: a list fetched every hour would else write all its entries anew 24 times a day.
 */
export const undatedAt = ({ semantics }: Pick<Source, 'semantics'>, dataAtMs: number): number | null =>
  semantics === 'window' ? Math.floor(dataAtMs / DAY_MS) * DAY_MS : null;

async function applySnapshot(
  tx: Db,
  source: Source,
  snapshot: SnapshotRows,
  staged: Staged & Merging,
  options: MergeOptions,
): Promise<MergeReport> {
  const { atMs, links, entries: given } = staged;
  const dataAtMs = typeof options.dataAtMs === 'function' ? options.dataAtMs() : options.dataAtMs;
  const facts = { sourceNumber: source.number, dataAtMs, undatedAtMs: undatedAt(source, dataAtMs) };
  const delists = options.isWhole === true || absenceDelists(source);
  const delta = await differenceOf(tx, source, snapshot, staged.rows, { ...facts, delists });
  const { added, removed, changed } = delta;
  // By state the counts follow from the number of entries before; otherwise the snapshot itself must be counted.
  const unchanged = delists
    ? source.entries - removed - changed
    : (await countDistinctStaged(tx)) - added - changed;
  const duplicates = given - added - changed - unchanged;
  const isWritten = added + removed + changed > 0;
  const entries = source.entries + added - removed;
  const version = source.version + (isWritten ? 1 : 0);
  if (added > 0) await insertIndicators(tx);
  const leaving = { sourceNumber: source.number, atMs, fading: fadingOf(source) };
  const closed = removed + changed > 0 ? await moveToPast(tx, leaving) : 0;
  if (closed !== removed + changed) throw new OutOfStep(source.id);
  if (added + changed > 0) await insertListings(tx, source.number, atMs);
  if (added > 0) await forgetRelisted(tx, source.number);
  const linked = await writeLinks(tx, source.number, links);
  const rejected = options.rejected?.() ?? 0;
  const counts = { entries, version, ...delta, duplicates, rejected };
  // Nothing to say: neither the record nor the replicas hear of a fetch that was confirmed a short while ago.
  const isSilent =
    !isWritten && !staged.isDescribed && source.dataAtS * 1_000 === dataAtMs && !isFetchDue(source, atMs);
  if (!isSilent) await recordFetch(tx, { sourceNumber: source.number, atMs, dataAtMs, ...counts });
  await appendChangesFrom(tx, CORPUS, LISTINGS, changedKeys());
  if (isWritten && accuses(source)) await appendChangesFrom(tx, CORPUS, RELATED, changedParents());
  if (staged.hasTurned) await appendChangesFrom(tx, CORPUS, RELATED, parentsOfSource(source.number));
  await appendChanges(tx, CORPUS, ALIASES, linked);
  const seq = await appendChanges(tx, CORPUS, SOURCES, isSilent ? [] : [sourceKey(source.number)]);
  const lastFetchAtS = isSilent ? source.lastFetchAtS : atMs / 1_000;
  const merged = { ...source, entries, version, dataAtS: dataAtMs / 1_000, lastFetchAtS };
  return { source: merged, ...delta, unchanged, duplicates, seq };
}

async function differenceOf(
  tx: Db,
  source: Source,
  snapshot: SnapshotRows,
  rows: number,
  { delists, ...facts }: SnapshotFacts & { readonly delists: boolean },
): Promise<DeltaCounts> {
  await createDelta(tx);
  if (snapshot.named === null) return computeDelta(tx, { ...facts, absenceDelists: delists });
  const { gone, twins } = snapshot.named();
  let removed = 0;
  for (const keys of keysOf(gone)) {
    removed += keys.length;
    await insertGoneKeys(tx, keys);
  }
  if (rows + removed < LOOKUPS_MAX) await preferIndexJoins(tx);
  const listed = [...twins];
  for (const hasFirstSeen of [true, false])
    for (const keys of keysOf(listed.filter((t) => t.hasFirstSeen === hasFirstSeen).map((t) => t.indicator)))
      await stageTwins(tx, keys, { sourceNumber: source.number, hasFirstSeen });
  return { ...(await computeNamedDelta(tx, facts)), removed };
}

function* keysOf(indicators: Iterable<Listable>): Generator<Buffer[]> {
  const writer = createKeyWriter();
  let keys: Buffer[] = [];
  for (const indicator of indicators) {
    keys.push(Buffer.from(writer.of(indicator)));
    if (keys.length < KEYS_PER_STATEMENT) continue;
    yield keys;
    keys = [];
  }
  if (keys.length > 0) yield keys;
}

async function writeLinks(
  tx: Db,
  sourceNumber: number,
  links: readonly DigestLink[],
): Promise<readonly Buffer[]> {
  const linked: Buffer[] = [];
  for (let at = 0; at < links.length; at += KEYS_PER_STATEMENT)
    linked.push(...(await insertDigestLinks(tx, sourceNumber, links.slice(at, at + KEYS_PER_STATEMENT))));
  return linked;
}
