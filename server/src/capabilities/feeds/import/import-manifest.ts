import { isCorpusEmpty } from '#capabilities/corpus/index.ts';
import { parseManifest, readManifest } from '#capabilities/datasets/index.ts';
import { expectPublications } from '#capabilities/publications/index.ts';
import { badRequest } from '#platform/errors.ts';
import { openBulkLoad } from '../ingest/bulk-load.ts';
import { syncCatalogue } from '../pipeline/sync-catalogue.ts';
import type { ManifestOptions, ManifestReport, OfflineDeps, SourceOutcome } from './contract.ts';
import { importSource, type ManifestRun, withLoaded } from './import-source.ts';
import { openHistories } from './open-histories.ts';
import { type PlannedSource, planImport } from './plan-import.ts';
import { rebaseConstantMs } from './rebase.ts';
import { readStates } from './store.ts';

/** Folders of a data set that hold lists; the others are for other features. */
const LIST_FOLDERS = ['feeds/', 'allowlists/', 'warninglists/'];

/**
 * Imports a folder of lists with its manifest into the corpus, source by source. Each list has the date that the
 * manifest gives, never the time of the import (scoring ruling 1). A source that cannot be imported is reported and the
 * others go on; an interrupted import continues where it stopped when it is started again.
 */
export async function importManifest(
  deps: OfflineDeps,
  folder: string,
  options: ManifestOptions = {},
): Promise<ManifestReport> {
  const startMs = deps.clock.monotonic();
  const { sources, ...others } = await readPlan(deps, folder);
  const dates = sources.flatMap(({ files }) => files.map(({ dateMs }) => dateMs));
  const rebaseMs = options.rebase === true ? rebaseConstantMs(dates, deps.clock.now()) : 0;
  await syncCatalogue({ ...deps, catalogue: sources.map(({ row }) => row) });
  const bulk = await openBulkLoad(deps);
  const states = await readStates(deps.system.db);
  const sightingsOf = openHistories(deps.historyFiles ?? [], folder, rebaseMs);
  const run: ManifestRun = { deps, folder, options, rebaseMs, states, sightingsOf, bulk };
  const outcomes = await importEach(run, sources);
  const final = bulk === null ? outcomes : withLoaded(outcomes, await bulk.finish());
  const seconds = (deps.clock.monotonic() - startMs) / 1_000;
  return { sources: final, ...others, rebaseMs, isFirstLoad: bulk !== null, seconds };
}

/**
 * Blocklists, collections and the address database count as missing from here on. Reading reference data comes first and
 * takes seconds, in which no status may be operational.
 */
export async function announceImport(
  deps: OfflineDeps,
  folder: string,
): Promise<{ readonly isFirst: boolean }> {
  await readPlan(deps, folder);
  await expectPublications(deps.system.db);
  return { isFirst: await isCorpusEmpty(deps.system.db) };
}

async function readPlan(deps: OfflineDeps, folder: string): Promise<ReturnType<typeof planImport>> {
  const manifest = parseManifest(await readManifest(folder), LIST_FOLDERS);
  const plan = planImport(manifest, deps.offlineFiles, deps.catalogue);
  if (plan.sources.length === 0)
    throw badRequest(
      `No file of the manifest in '${folder}' belongs to a source of the catalogue. Nothing was imported.`,
    );
  return plan;
}

async function importEach(run: ManifestRun, sources: readonly PlannedSource[]): Promise<SourceOutcome[]> {
  const { options } = run;
  const outcomes: SourceOutcome[] = [];
  const sizes = sizesOf(sources);
  const bytesTotal = sizes.reduce((sum, bytes) => sum + bytes, 0);
  let [rows, bytesDone] = [0, 0];
  for (const [at, planned] of sources.entries()) {
    options.signal?.throwIfAborted();
    const label = planned.row.id;
    const bytes = sizes[at] ?? 0;
    // The rows of an archive are not counted while its bytes are read; the manifest's count gives the progress.
    const report = (lines: number) =>
      options.onProgress?.({
        rows: rows + lines,
        bytesDone: bytesDone + bytes * Math.min(1, lines / Math.max(1, planned.rows)),
        bytesTotal,
        label,
      });
    report(0);
    const outcome = await importSource(run, planned, report);
    rows += outcome.counts?.lines ?? 0;
    bytesDone += bytes;
    outcomes.push(outcome);
    options.onSource?.(outcome);
  }
  // The duration of the sort is unknown, so no total is shown.
  if (run.bulk !== null)
    options.onProgress?.({ rows, bytesDone: 0, bytesTotal: 0, label: 'sorting into place' });
  return outcomes;
}

/** Bytes by source. An archive with several sources counts for the first, because the others use little of it. */
function sizesOf(sources: readonly PlannedSource[]): readonly number[] {
  const counted = new Set<string>();
  return sources.map(({ files }) =>
    files.reduce((sum, { path, bytes }) => {
      const size = counted.has(path) ? 0 : bytes;
      counted.add(path);
      return sum + size;
    }, 0),
  );
}
