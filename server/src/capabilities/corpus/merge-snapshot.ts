import type { PoolClient } from 'pg';
import type { Listable } from '#domain/indicator/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { appendChanges, appendChangesFrom } from '#platform/replica/change-log.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { accuses, type Source, type SourceSettings } from './contract.ts';
import { type Copied, copyRows, copyTransaction, type DigestLink, type RowBatches } from './copy-rows.ts';
import { ALIASES, CORPUS, FAMILIES, LISTINGS, REFERENCES, RELATED, SOURCES } from './dataset.ts';
import { fadingOf } from './fade.ts';
import { forgetRelisted } from './fading-store.ts';
import { isFetchDue, mergeTime } from './fetch-time.ts';
import { foldMerge } from './fold-store.ts';
import { createKeyWriter } from './indicator-key.ts';
import { DATINGS } from './listing-value.ts';
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
import { insertFamilies, insertReferences } from './names-store.ts';
import { type CorpusWriteDeps, type UpsertedSource, upsertSource } from './register-source.ts';
import { changedParents, parentsOfSource } from './related-store.ts';
import { sourceKey } from './source-key.ts';
import { lockSource, recordRevision, updateSource } from './store.ts';

/** What is known of a snapshot once its rows are staged. */
export type MergeContent = {
  /** The date of the data: the publisher's, else the file's; never the time of the import (scoring ruling 1). */
  readonly dataAtMs: number;
  /** Number of lines that could not be read as rows, for the fetch log. */
  readonly rejected?: number;
  /** An empty snapshot is nearly always a broken one; only a caller that knows better may empty a source. */
  readonly allowEmpty?: boolean;
  /** True: an operator released it from quarantine, so it is told as one summary (O13). */
  readonly isReleased?: boolean;
  /** True: entries missing from the rows are delisted under any semantics, because a rollback has the whole content. */
  readonly isWhole?: boolean;
  /** Settings that the list itself gives for its source; applied only if the source never had content. */
  readonly described?: SourceSettings;
  /** Number of entries of the snapshot that were not staged, because they are unchanged or repeat a staged one. */
  readonly entriesLeftOut?: number;
  /** What the reader knows about keys that it did not stage; null: every key of the snapshot was staged. */
  readonly named?: NamedKeys | null;
};

export type MergeReport = {
  readonly source: Source;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  /** Position in the change log; a replica at or past it contains this merge. */
  readonly seq: number;
};

/** Given by a reader that knows the source's listings, so that only rows that may differ need to be staged. */
export type NamedKeys = {
  /** Indicators that are listed but are missing from the snapshot. */
  readonly gone: Iterable<Listable>;
  /** Indicators of which one row equals the listing and is not staged, while other rows, which differ, are staged. */
  readonly twins: Iterable<{ readonly indicator: Listable; readonly hasFirstSeen: boolean }>;
};

/** The reader named a listing that does not exist, so its copy of the source differs from PostgreSQL. */
export class OutOfStep extends Error {
  constructor(sourceId: string) {
    super(`The reader's copy of '${sourceId}' differs from the corpus.`);
    this.name = 'OutOfStep';
  }
}

/** Whether absence from the latest snapshot means that an entry is no longer listed. */
export const absenceDelists = ({ semantics }: Pick<Source, 'semantics'>): boolean =>
  semantics === 'state' || semantics === 'archive';

const KEYS_PER_STATEMENT = 10_000;
/** Up to this many staged rows, looking up each one is faster than reading all listings of the source. */
const LOOKUPS_MAX = 200_000;

/**
 * Makes the rows the content of one source: COPY, diff, apply the difference, all or nothing. If reading the rows
 * throws, nothing changes. A function as `rows` is called with the source's current row, which stays locked until the
 * commit.
 */
export const inMerge = <T>(
  deps: CorpusWriteDeps,
  sourceId: string,
  work: (merge: Merge) => Promise<T>,
  settings?: SourceSettings,
): Promise<T> =>
  copyTransaction(deps.system, async (tx, { client }) =>
    work(new Merge(deps, tx, client, await takeSource(deps, tx, sourceId, settings))),
  );

/** A merge of rows alone, for callers who need nothing else in its transaction. */
export const mergeSnapshot = (
  deps: CorpusWriteDeps,
  sourceId: string,
  rows: RowBatches,
  { settings, ...content }: MergeContent & { readonly settings?: SourceSettings },
): Promise<MergeReport> =>
  inMerge(
    deps,
    sourceId,
    async (merge) => {
      await merge.stage(rows);
      return merge.apply(content);
    },
    settings,
  );

class Merge {
  /** The transaction of the merge, in which the caller may write its own records. */
  readonly tx: Db;
  /** The source before the merge, locked until the commit. */
  readonly source: Source;
  readonly #deps: CorpusWriteDeps;
  readonly #client: PoolClient;
  readonly #taken: UpsertedSource;
  #staged: Copied = { rows: 0, links: [] };

  constructor(deps: CorpusWriteDeps, tx: Db, client: PoolClient, taken: UpsertedSource) {
    this.tx = tx;
    this.source = taken.source;
    this.#deps = deps;
    this.#client = client;
    this.#taken = taken;
  }

  /** Copies the rows into the staging table; nothing is listed yet. To be called once in a merge. */
  async stage(batches: RowBatches): Promise<void> {
    await prepareMerge(this.tx);
    await createStaging(this.tx);
    this.#staged = await copyRows(this.#client, { statement: COPY_INTO_STAGING }, batches);
  }

  /** Writes the difference between what is staged and what the source lists. */
  async apply(content: MergeContent): Promise<MergeReport> {
    const { source, tx } = this;
    const entries = this.#staged.rows + (content.entriesLeftOut ?? 0);
    if (entries === 0 && content.allowEmpty !== true)
      throw new ServiceError(
        'Unprocessable Content',
        `The snapshot of '${source.id}' holds no indicator; its last good content was kept.`,
      );
    const described = await describe(this.#deps, tx, source, content.described);
    const { isChanged, hasTurned } = this.#taken;
    const atMs = mergeTime(this.#deps, source);
    const staged = { ...this.#staged, entries, isDescribed: isChanged, hasTurned, atMs };
    return applySnapshot(tx, described, staged, content);
  }
}

async function takeSource(
  deps: CorpusWriteDeps,
  tx: Db,
  id: string,
  settings: SourceSettings | undefined,
): Promise<UpsertedSource> {
  if (settings !== undefined) return upsertSource(tx, id, settings, deps.clock.now());
  const source = await lockSource(tx, id);
  if (source === undefined) throw notFound('Source', id);
  return { source, isChanged: false, hasTurned: false };
}

type Staged = Copied & {
  readonly entries: number;
  readonly atMs: number;
  readonly isDescribed: boolean;
  readonly hasTurned: boolean;
};

async function describe(
  deps: CorpusWriteDeps,
  tx: Db,
  source: Source,
  settings: SourceSettings | undefined,
): Promise<Source> {
  if (source.lastFetchAtS > 0 || settings === undefined) return source;
  await updateSource(tx, source.id, settings);
  // A replay reads the registry from its revisions (scoring ruling 12).
  await recordRevision(tx, source.number, deps.clock.now());
  return { ...source, ...(settings as Partial<Source>) };
}

/**
 * Last sighting of rows without one. An entry of a window list ages from its last appearance (scoring finding 3), so it
 * gets the day of the data. Not the hour: an hourly list would rewrite all its entries 24 times a day.
 */
export const undatedAt = ({ semantics }: Pick<Source, 'semantics'>, dataAtMs: number): number | null =>
  semantics === 'window' ? Math.floor(dataAtMs / DAY_MS) * DAY_MS : null;

/** `dated_by` of new entries without a date: sighted now, except in a list that is read for the first time. */
export const newDatedBy = ({ version, entries }: Pick<Source, 'version' | 'entries'>): number =>
  DATINGS.indexOf(version > 0 || entries > 0 ? 'sighted' : 'undated');

async function applySnapshot(
  tx: Db,
  source: Source,
  staged: Staged,
  { dataAtMs, isWhole = false, isReleased = false, rejected = 0, named = null }: MergeContent,
): Promise<MergeReport> {
  const { atMs, links, entries: given } = staged;
  const facts = {
    sourceNumber: source.number,
    dataAtMs,
    undatedAtMs: undatedAt(source, dataAtMs),
    newDatedBy: newDatedBy(source),
    isWhole,
  };
  const delists = isWhole || absenceDelists(source);
  const delta = await differenceOf(tx, source, named, staged.rows, { ...facts, delists });
  const { added, removed, changed } = delta;
  // Where absence delists, the previous number of entries gives this count; else the staged keys are counted.
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
  const families = added + changed > 0 ? await insertFamilies(tx) : [];
  const references = added + changed > 0 ? await insertReferences(tx) : [];
  const counts = { entries, version, ...delta, duplicates, rejected };
  // Nothing changed and the last recorded fetch is recent enough, so this fetch is not recorded. An import of an own list
  // always is, because it starts the period of the list again (O81).
  const isSilent =
    !isWritten &&
    source.ownList !== true &&
    !staged.isDescribed &&
    source.dataAtS * 1_000 === dataAtMs &&
    !isFetchDue(source, atMs);
  if (!isSilent) await recordFetch(tx, { sourceNumber: source.number, atMs, dataAtMs, ...counts });
  await appendChangesFrom(tx, CORPUS, LISTINGS, changedKeys());
  if (isWritten && accuses(source)) await appendChangesFrom(tx, CORPUS, RELATED, changedParents());
  if (staged.hasTurned) await appendChangesFrom(tx, CORPUS, RELATED, parentsOfSource(source.number));
  await appendChanges(tx, CORPUS, ALIASES, linked);
  await appendChanges(tx, CORPUS, FAMILIES, families);
  await appendChanges(tx, CORPUS, REFERENCES, references);
  const seq = await appendChanges(tx, CORPUS, SOURCES, isSilent ? [] : [sourceKey(source.number)]);
  if (isWritten && (source.version === 0 || isReleased))
    await foldMerge(tx, {
      sourceNumber: source.number,
      reason: source.version === 0 ? 'first-load' : 'release',
      throughSeq: seq,
    });
  const lastFetchAtS = isSilent ? source.lastFetchAtS : atMs / 1_000;
  const merged = { ...source, entries, version, dataAtS: dataAtMs / 1_000, lastFetchAtS };
  return { source: merged, ...delta, unchanged, duplicates, seq };
}

async function differenceOf(
  tx: Db,
  source: Source,
  named: NamedKeys | null,
  rows: number,
  { delists, ...facts }: SnapshotFacts & { readonly delists: boolean },
): Promise<DeltaCounts> {
  await createDelta(tx);
  if (named === null) return computeDelta(tx, { ...facts, absenceDelists: delists });
  const { gone, twins } = named;
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
