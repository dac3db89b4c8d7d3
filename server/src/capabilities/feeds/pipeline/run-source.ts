import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { settingsOf } from '#capabilities/catalogue/index.ts';
import { confirmFetch, findSource, registerSource, type Source } from '#capabilities/corpus/index.ts';
import {
  type FetchedDataset,
  holdDataset,
  nextRunMs,
  type Run,
  type RunOptions,
  type RunOutcome,
  runDataset,
  skipped,
} from '#capabilities/datasets/index.ts';
import { notFound } from '#platform/errors.ts';
import type { IngestReport } from '../ingest/contract.ts';
import { ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { findFetchRow } from '../submissions/find-fetch-row.ts';
import type { PipelineDeps } from './contract.ts';
import { judgeEntries, judgeSnapshot } from './gates.ts';
import { recordMerge } from './record-merge.ts';

/** Fetches, judges and merges one source. A problem of the source is an outcome; only our own stores throw. */
export async function runSource(
  deps: PipelineDeps,
  sourceId: string,
  options: RunOptions = {},
): Promise<RunOutcome<IngestReport>> {
  const row = await findFetchRow(deps, sourceId);
  if (row === undefined) throw notFound('Source', sourceId);
  const outcome = await holdDataset(deps, sourceId, () => runHeld(deps, row, options), options.workerId);
  return outcome ?? skipped(sourceId, 'Another run of this source is going on.');
}

async function runHeld(
  deps: PipelineDeps,
  row: CatalogueRow,
  options: RunOptions,
): Promise<RunOutcome<IngestReport>> {
  const source =
    (await findSource(deps.system.db, row.id)) ?? (await registerSource(deps, row.id, settingsOf(row)));
  return runDataset(
    deps,
    {
      row: { ...row, isPage: row.format.kind === 'free-text' },
      number: source.number,
      lastGood:
        source.lastFetchAtS === 0 ? null : { dataAtMs: source.dataAtS * 1_000, entries: source.entries },
      merge: (run, fetched) => merge(deps, { run, row, source, fetched }),
      confirm: (run) => confirm(deps, run),
    },
    options,
  );
}

/** Confirms in a transaction of its own: a merge locks the source before the state; the reverse could deadlock. */
const confirm = (deps: PipelineDeps, { row, options }: Run): Promise<void> =>
  deps.system.transaction(async (tx) => {
    await options.fence?.(tx);
    await confirmFetch(tx, deps, row.id);
  });

type Merging = {
  readonly run: Run;
  readonly row: CatalogueRow;
  readonly source: Source;
  readonly fetched: FetchedDataset;
};

function merge(deps: PipelineDeps, { run, row, source, fetched }: Merging): Promise<IngestReport> {
  const { history, options } = run;
  return ingestSnapshot(deps, {
    sourceId: row.id,
    files: fetched.paths.map((path) => ({ path, format: row.format })),
    // Content without a date of its own is dated by when it was first seen (scoring ruling 1).
    dataAtMs: fetched.lastModifiedMs ?? deps.clock.now(),
    judge: (counts) => judgeSnapshot(row, history, counts),
    canaries: row.canaries !== 'off',
    allowEmpty: row.volume.min === 0,
    record: async (tx, merged) => {
      judgeEntries(row, history, merged.added + merged.changed + merged.unchanged, merged.counts);
      await options.fence?.(tx);
      await recordMerge(
        tx,
        { deps, id: run.id, source, phases: run.phases },
        {
          report: merged,
          reason: null,
          nextRunAtMs: nextRunMs(row, deps.clock.now(), Math.random()),
          fetched,
        },
      );
    },
    onProgress: (lines) => options.onProgress?.({ phase: 'parse', lines }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}
