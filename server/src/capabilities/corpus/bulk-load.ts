import type { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import { ServiceError } from '#platform/errors.ts';
import type { Db } from '#platform/postgres.ts';
import { appendRebuild } from '#platform/replica/change-log.ts';
import {
  COPY_INTO_LOAD,
  clearLoad,
  createLoadTimes,
  forgetLoaded,
  hasIndicators,
  insertLoaded,
  insertLoadedDigests,
  insertLoadedLinks,
  insertLoadTimes,
  isLoaded,
  loadedSources,
  lockIndicators,
  lockLoad,
  prepareSort,
  READ_LOADED_INDICATORS,
  READ_LOADED_LISTINGS,
  READ_NEW_INDICATORS,
  WRITE_INDICATORS,
  WRITE_LISTINGS,
} from './bulk-load-store.ts';
import type { Source, SourceSettings } from './contract.ts';
import {
  copyInto,
  copyOut,
  copyRows,
  copyTransaction,
  type DigestLink,
  type RowBatches,
} from './copy-rows.ts';
import { CORPUS, SOURCES } from './dataset.ts';
import { forgetFadingOf } from './fading-store.ts';
import { mergeTime } from './fetch-time.ts';
import { analyzeCorpus } from './follower-store.ts';
import { type MergeReport, newDatedBy, undatedAt } from './merge-snapshot.ts';
import { recordFetch } from './merge-store.ts';
import { insertLoadedFamilies, insertLoadedReferences } from './names-store.ts';
import { type CorpusWriteDeps, upsertSource } from './register-source.ts';
import { sourceKey } from './source-key.ts';
import { lockSource } from './store.ts';

/** The reader's summary of one snapshot. It is stored with the rows so that a resumed load need not read them again. */
export type LoadSummary = {
  readonly contentSha256: string;
  readonly dataAtMs: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Distinct indicators. */
  readonly entries: number;
  readonly details: unknown;
};

const LINKS_PER_STATEMENT = 10_000;

/** Loads one source of a first load in one transaction. Its rows wait, unsorted, until `finishBulkLoad`. */
export const inLoad = <T>(
  deps: CorpusWriteDeps,
  sourceId: string,
  settings: SourceSettings,
  work: (load: SourceLoad) => Promise<T>,
): Promise<T> =>
  copyTransaction(deps.system, async (tx, { client }) => {
    const { source } = await upsertSource(tx, sourceId, settings, deps.clock.now());
    return work(new SourceLoad(tx, client, source));
  });

class SourceLoad {
  readonly source: Source;
  readonly #tx: Db;
  readonly #client: PoolClient;
  #links: readonly DigestLink[] = [];

  constructor(tx: Db, client: PoolClient, source: Source) {
    this.source = source;
    this.#tx = tx;
    this.#client = client;
  }

  /** Writes the rows of this source, replacing those of an interrupted load. To be called once in a load. */
  async copy(batches: RowBatches): Promise<void> {
    const { number } = this.source;
    if (await isLoaded(this.#tx, number)) await forgetLoaded(this.#tx, number);
    const target = { statement: COPY_INTO_LOAD, sourceNumber: number };
    this.#links = (await copyRows(this.#client, target, batches)).links;
  }

  /** Marks the source as loaded. `allowEmpty`: a snapshot without any indicator is accepted, not refused with 422. */
  async keep(summary: LoadSummary, { allowEmpty }: { readonly allowEmpty: boolean }): Promise<void> {
    const { id, number } = this.source;
    if (summary.entries === 0 && !allowEmpty)
      throw new ServiceError('Unprocessable Content', `The snapshot of '${id}' holds no indicator.`);
    const links = this.#links;
    for (let at = 0; at < links.length; at += LINKS_PER_STATEMENT)
      await insertLoadedLinks(this.#tx, number, links.slice(at, at + LINKS_PER_STATEMENT));
    const { contentSha256, ...report } = summary;
    await insertLoaded(this.#tx, { sourceNumber: number, contentSha256, report });
  }
}

export type LoadedReport = { readonly summary: LoadSummary; readonly report: MergeReport };

/**
 * Makes everything loaded the content of the corpus, all or nothing, sorted once so that every index grows at its end.
 * Two sessions sort while a third writes, because a COPY into a table takes half the time of an INSERT. Replicas get
 * one rebuild notice instead of millions of changed keys. Content that other sources brought meanwhile stays; a source
 * of this load that got content meanwhile ends the load with an error.
 */
export function finishBulkLoad(
  deps: CorpusWriteDeps,
  sourceIds: readonly string[],
  record: (tx: Db, loaded: LoadedReport) => Promise<void>,
): Promise<readonly LoadedReport[]> {
  return copyTransaction(deps.system, async (tx, { client }) => {
    await lockLoad(tx);
    const loads = await takeLoads(deps, tx, sourceIds);
    if (loads.length === 0) return [];
    await lockIndicators(tx);
    await sortIntoPlace(deps, tx, client, loads);
    await insertLoadedDigests(tx);
    await insertLoadedFamilies(tx);
    await insertLoadedReferences(tx);
    await forgetFadingOf(
      tx,
      loads.map(({ source }) => source.number),
    );
    for (const load of loads) await recordFetch(tx, fetchOf(load));
    await clearLoad(tx);
    const keys = loads.map(({ source }) => sourceKey(source.number));
    const seq = await appendRebuild(tx, CORPUS, SOURCES, keys);
    const reports = loads.map((load) => ({ summary: load.summary, report: reportOf(load, seq) }));
    for (const loaded of reports) await record(tx, loaded);
    await analyzeCorpus(tx);
    return reports;
  });
}

async function sortIntoPlace(
  { system }: CorpusWriteDeps,
  tx: Db,
  client: PoolClient,
  loads: readonly Load[],
): Promise<void> {
  const readIndicators = (await hasIndicators(tx)) ? READ_NEW_INDICATORS : READ_LOADED_INDICATORS;
  const times = loads.map(({ source, summary, atMs }) => ({
    sourceNumber: source.number,
    atMs,
    dataAtMs: summary.dataAtMs,
    undatedAtMs: undatedAt(source, summary.dataAtMs),
    newDatedBy: newDatedBy(source),
  }));
  const sorted = <T>(statement: string, take: (rows: Readable) => Promise<T>): Promise<T> =>
    copyTransaction(system, async (sortTx, sorter) => {
      await prepareSort(sortTx);
      await createLoadTimes(sortTx);
      await insertLoadTimes(sortTx, times);
      return copyOut(sorter, statement, take);
    });
  // Both sorts start together; the rows of the second wait in PostgreSQL until the indicators are written.
  const indicatorsWritten = sorted(readIndicators, (rows) => copyInto(client, WRITE_INDICATORS, rows));
  await Promise.all([
    indicatorsWritten,
    sorted(READ_LOADED_LISTINGS, async (rows) => {
      await indicatorsWritten;
      await copyInto(client, WRITE_LISTINGS, rows);
    }),
  ]);
}

type Load = { readonly source: Source; readonly summary: LoadSummary; readonly atMs: number };

/** Locks the sources of this load, sorted by id so that concurrent loads cannot deadlock. */
async function takeLoads(
  deps: CorpusWriteDeps,
  tx: Db,
  sourceIds: readonly string[],
): Promise<readonly Load[]> {
  const waiting = new Map((await loadedSources(tx)).map((loaded) => [loaded.sourceNumber, loaded]));
  const loads: Load[] = [];
  for (const id of [...sourceIds].sort()) {
    const source = await lockSource(tx, id);
    const loaded = source === undefined ? undefined : waiting.get(source.number);
    if (source === undefined || loaded === undefined) throw interrupted(`'${id}' is no longer there`);
    if (source.entries > 0) throw interrupted(`'${id}' got content from elsewhere`);
    const summary = {
      contentSha256: loaded.contentSha256,
      ...(loaded.report as Omit<LoadSummary, 'contentSha256'>),
    };
    loads.push({ source, summary, atMs: mergeTime(deps, source) });
  }
  return loads;
}

const interrupted = (why: string): ServiceError =>
  new ServiceError('Conflict', `The first load of the corpus was interrupted: ${why}. Run the import again.`);

const versionAfter = ({ source }: Load): number => source.version + 1;

const fetchOf = (load: Load) => ({
  sourceNumber: load.source.number,
  atMs: load.atMs,
  dataAtMs: load.summary.dataAtMs,
  entries: load.summary.entries,
  version: versionAfter(load),
  added: load.summary.entries,
  removed: 0,
  changed: 0,
  duplicates: load.summary.accepted - load.summary.entries,
  rejected: load.summary.rejected,
});

const reportOf = (load: Load, seq: number): MergeReport => ({
  source: {
    ...load.source,
    entries: load.summary.entries,
    version: versionAfter(load),
    dataAtS: load.summary.dataAtMs / 1_000,
    lastFetchAtS: load.atMs / 1_000,
  },
  added: load.summary.entries,
  removed: 0,
  changed: 0,
  unchanged: 0,
  duplicates: load.summary.accepted - load.summary.entries,
  seq,
});
