import { createHash } from 'node:crypto';
import {
  type LoadContent,
  type LoadDeps,
  type LoadReport,
  overrulable,
} from '#capabilities/datasets/index.ts';
import type { ToldCve } from '#domain/cve/index.ts';
import { mergePending } from '../merge/merge-pending.ts';
import type { CveSourceRow } from '../sources/source-row.ts';
import { countTold, NOTHING_COUNTED, snapshotCounts, type ToldCounts } from './count-told.ts';
import { judgeDoubles } from './judge-doubles.ts';
import { judgeEdition } from './judge-edition.ts';
import { judgeNulls, judgeRefusals, RECORDS_MIN } from './judge-told.ts';
import { readDocuments } from './read-documents.ts';
import * as store from './stage-store.ts';

const ROWS_PER_BATCH = 1_000;
const CHARS_PER_BATCH = 8_000_000;
const DIGEST_BYTES = 16;
const HISTORY_RUNS = 7;
const KEV = 'kev';
const DOCUMENT_CHARS_MAX = 400;

/**
 * Stages what the files tell, judges it, and writes the difference in one transaction with the run's record. Staged rows
 * are committed in batches with the number of documents read, so a load that was killed goes on after the last batch.
 */
export async function loadTold(
  deps: LoadDeps,
  source: CveSourceRow,
  content: LoadContent,
  rowsPerBatch = ROWS_PER_BATCH,
): Promise<LoadReport> {
  const staging = new Staging(deps, source, content, rowsPerBatch);
  await staging.open();
  for (const path of content.paths) await staging.read(path);
  await staging.flush();
  const { counts } = staging;
  const snapshot = snapshotCounts(counts, null);
  const isEmptyDelta = source.isDelta === true && counts.told === 0 && snapshot.rejected === 0;
  let isReleased = false;
  if (!isEmptyDelta) {
    overrulable(content, () => judgeRefusals(snapshot, source.rejectShareMax));
    content.judge(snapshot, counts.told);
    const past = await store.readPastShares(deps.system.db, content.number, {
      runs: HISTORY_RUNS,
      recordsMin: RECORDS_MIN,
    });
    isReleased = overrulable(content, () => judgeNulls(counts, past, source.expectedNulls, snapshot));
  }
  judgeEdition(content, counts.declaredAt ?? null, deps.clock.now());
  await makeRecords(deps, content);
  const report = await apply(deps, source, content, { counts, isReleased });
  await makeRecords(deps, content);
  return report;
}

/**
 * Makes the records of changed CVEs. It runs before a load too, for records that a killed load left unmade, so that
 * each step is among the changes of a record. In an import of several files it runs only after the last one.
 */
export async function makeRecords(
  deps: LoadDeps,
  { isFollowed, signal, onProgress }: LoadContent,
): Promise<void> {
  if (isFollowed === true) return;
  await mergePending(deps, {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
}

async function apply(
  deps: LoadDeps,
  source: CveSourceRow,
  content: LoadContent,
  { counts, isReleased }: { readonly counts: ToldCounts; readonly isReleased: boolean },
): Promise<LoadReport> {
  const { number } = content;
  const declaredAt = counts.declaredAt ?? null;
  const isWhole = source.isDelta !== true;
  return deps.system.transaction(async (tx) => {
    await store.allowMemory(tx);
    const { doubled, ...delta } = await store.applyStage(tx, number, isWhole);
    // Only a whole snapshot must not repeat a key; a load of changes may tell of one CVE on several days.
    if (isWhole) overrulable(content, () => judgeDoubles(counts.told, doubled));
    if (source.changesIn !== undefined) await store.pruneChanges(tx, number, source.changesIn);
    if (source.id === KEV) await store.markDisputedKev(tx);
    await store.clearStage(tx, number);
    await store.deleteLoad(tx, number);
    await store.saveQuality(tx, { dataset: number, loadedAtMs: deps.clock.now(), counts, isReleased });
    const report: LoadReport = {
      entries: await store.countTold(tx, number),
      counts: snapshotCounts(counts, declaredAt === null ? null : Date.parse(declaredAt)),
      delta,
      cursor: {
        ...content.cursor,
        ...content.nextCursor,
        ...(declaredAt === null ? {} : { declaredAt }),
      },
      ...(declaredAt === null ? {} : { dataAtMs: Date.parse(declaredAt) }),
    };
    await content.record(tx, report);
    return report;
  });
}

class Staging {
  counts: ToldCounts = NOTHING_COUNTED;
  readonly #deps: LoadDeps;
  readonly #source: CveSourceRow;
  readonly #content: LoadContent;
  readonly #rowsPerBatch: number;
  /** Number of rows since the position was last saved. */
  #unsaved = 0;
  #rows: store.StagedRow[] = [];
  #chars = 0;
  #documents = 0;
  #place = 0;
  /** Documents in the files read so far, which are subtracted from those to skip (`#skip`). */
  #seen = 0;
  #skip = 0;

  constructor(deps: LoadDeps, source: CveSourceRow, content: LoadContent, rowsPerBatch: number) {
    this.#rowsPerBatch = rowsPerBatch;
    this.#deps = deps;
    this.#source = source;
    this.#content = content;
  }

  async open(): Promise<void> {
    const { system } = this.#deps;
    const { number, sha256 } = this.#content;
    const found = await store.findLoad(system.db, number);
    if (found !== undefined && found.contentSha256 === sha256) {
      this.counts = found.counts;
      this.#skip = found.documents;
      this.#documents = found.documents;
      this.#place = found.place;
      await store.trimStage(system.db, number, found.place);
      return;
    }
    await system.transaction(async (tx) => {
      await store.clearStage(tx, number);
      await store.deleteLoad(tx, number);
    });
  }

  async read(path: string): Promise<void> {
    const { signal, onProgress } = this.#content;
    const skip = Math.max(0, this.#skip - this.#seen);
    const { documents } = await readDocuments(
      path,
      { wants: this.#source.wants, skip, ...(signal === undefined ? {} : { signal }) },
      async (document, chars) => {
        const { told, refused } = this.#source.read(document.path, document.text);
        this.counts = countTold(this.counts, told, refused, chars);
        this.#declare(this.#source.declaredAt?.(document.text) ?? null);
        this.#documents += 1;
        for (const row of told) {
          this.#push(row);
          if (this.#rows.length >= this.#rowsPerBatch) await this.#write(this.#documents - 1);
        }
        if (this.#unsaved >= this.#rowsPerBatch || this.#chars >= CHARS_PER_BATCH) await this.flush();
        onProgress?.(this.counts.told);
      },
    );
    this.#seen += documents;
  }

  /** Saves the newest date with the counts, because a load that resumes after a kill skips the document. */
  #declare(date: string | null): void {
    const { declaredAt = null } = this.counts;
    if (date !== null && (declaredAt === null || date > declaredAt))
      this.counts = { ...this.counts, declaredAt: date };
  }

  #push(row: ToldCve): void {
    const told = JSON.stringify(row);
    this.#chars += told.length;
    this.#unsaved += 1;
    this.#rows.push({
      cveId: row.cveId,
      source: row.source,
      document: row.document.slice(0, DOCUMENT_CHARS_MAX),
      digest: createHash('sha256').update(told).digest().subarray(0, DIGEST_BYTES),
      told,
    });
  }

  flush(): Promise<void> {
    return this.#write(this.#documents);
  }

  /** Stages the rows. Inside a large document the position stays before it, so that it is read again after a kill. */
  async #write(documents: number): Promise<void> {
    const rows = this.#rows;
    [this.#rows, this.#chars] = [[], 0];
    const isWhole = documents === this.#documents;
    if (rows.length === 0 && !isWhole) return;
    const { number, sha256 } = this.#content;
    await this.#deps.system.transaction(async (tx) => {
      if (rows.length > 0) await store.stageRows(tx, number, this.#place, rows);
      if (isWhole)
        await store.saveLoad(tx, number, {
          contentSha256: sha256,
          documents,
          place: this.#place + rows.length,
          counts: this.counts,
        });
    });
    this.#place += rows.length;
    if (isWhole) this.#unsaved = 0;
  }
}
