import { GateError } from '#capabilities/lists/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { DatasetCursor, DatasetDeps, RunOptions, RunOutcome } from '../contract.ts';
import { contentShaOfFiles } from '../fetch/content-sha.ts';
import type { FetchedDataset } from '../fetch/fetch-dataset.ts';
import { type Run, recordGood } from '../runs/end-run.ts';
import { holdDataset, holdIdleDataset } from '../runs/hold-dataset.ts';
import { judgeVolume, NO_HISTORY } from '../runs/judge-volume.ts';
import { nextRunMs } from '../runs/pacing.ts';
import { clearQuarantine } from '../runs/quarantine.ts';
import { recordOfflineRun } from '../runs/record-offline-run.ts';
import { recordRefusedFiles } from '../runs/record-refused-files.ts';
import { runDataset, skipped } from '../runs/run-dataset.ts';
import { ensureState, readState } from '../runs/store.ts';
import type { DatasetDefinition, FinishOptions, LoadDeps, LoadReport } from './definition.ts';
import { type DatasetRow, findDataset, insertDataset, saveLoaded } from './store.ts';

/** Registers a data set where it is not yet, and gives its row. */
export async function registerDataset(
  { system }: Pick<LoadDeps, 'system'>,
  definition: DatasetDefinition,
): Promise<DatasetRow> {
  const { id, capability, name, isDefault } = definition;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const found = await findDataset(system.db, id);
    if (found !== undefined) return found;
    await insertDataset(system.db, { id, capability, name, scheduled: isDefault });
  }
  throw notFound('Data set', id);
}

/** Fetches, judges and loads one data set. A problem of the publisher is an outcome; only our own stores throw. */
export async function runDefinition(
  deps: DatasetDeps,
  definition: DatasetDefinition,
  options: RunOptions = {},
): Promise<RunOutcome<LoadReport>> {
  const outcome = await holdDataset(
    deps,
    definition.id,
    async () => {
      const row = await registerDataset(deps, definition);
      const { download } = definition;
      return runDataset(
        deps,
        {
          row: definition,
          number: row.number,
          lastGood: row.dataAtMs === null ? null : { dataAtMs: row.dataAtMs, entries: row.entries },
          ...(download === undefined
            ? {}
            : { download: (given) => download(deps, definition, given, row.cursor) }),
          merge: (run, fetched) => load(deps, definition, { run, fetched, cursor: row.cursor }),
        },
        options,
      );
    },
    options.workerId,
  );
  return outcome ?? skipped(definition.id, 'Another run of this data set is going on.');
}

function load(
  deps: DatasetDeps,
  definition: DatasetDefinition,
  {
    run,
    fetched,
    cursor,
  }: { readonly run: Run; readonly fetched: FetchedDataset; readonly cursor: DatasetCursor },
): Promise<LoadReport> {
  const { options } = run;
  const dataAtMs = fetched.lastModifiedMs ?? deps.clock.now();
  return definition.load(deps, {
    datasetId: definition.id,
    number: run.number,
    paths: fetched.paths,
    sha256: fetched.sha256,
    dataAtMs,
    cursor,
    ...(fetched.cursor === undefined ? {} : { nextCursor: fetched.cursor }),
    judge: (counts, entries) => judgeVolume(definition, run.history, entries, counts),
    record: async (tx, report) => {
      await options.fence?.(tx);
      const atMs = report.dataAtMs ?? dataAtMs;
      await saveLoaded(tx, {
        number: run.number,
        entries: report.entries,
        dataAtMs: atMs,
        cursor: report.cursor,
      });
      await recordGood(tx, run, {
        ...fetched,
        ...report,
        dataAtMs: atMs,
        reason: null,
        nextRunAtMs: nextRunMs(definition, deps.clock.now(), Math.random()),
      });
    },
    onProgress: (lines) => options.onProgress?.({ phase: 'parse', lines }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

export type FilesGiven = {
  readonly paths: readonly string[];
  readonly dataAtMs: number;
  /** True: loaded although a gate refuses it, where an operator may overrule that gate. */
  readonly accept?: boolean;
  /** Reads even content that was loaded before. */
  readonly reread?: boolean;
  /** True: the caller loads more files and calls `finish` of the definition after the last one. */
  readonly isFollowed?: boolean;
  readonly onProgress?: (records: number) => void;
  readonly signal?: AbortSignal;
};

export type FilesOutcome = {
  readonly id: string;
  readonly status: 'imported' | 'unchanged' | 'quarantined';
  readonly reason: string | null;
  readonly report: LoadReport | null;
};

/** Loads files that an operator has: recorded as a good run, without a word to the publisher. */
export const loadFiles = (
  deps: LoadDeps,
  definition: DatasetDefinition,
  given: FilesGiven,
): Promise<FilesOutcome> =>
  holdIdleDataset(deps, definition.id, async () => {
    const row = await registerDataset(deps, definition);
    await ensureState(deps.system.db, row.number);
    const state = await readState(deps.system.db, row.number);
    const sha256 = await contentShaOfFiles(given.paths);
    const { id } = definition;
    if (sha256 === state.contentSha256 && given.reread !== true) {
      // The load before may have been killed between its data and the records made of it.
      if (given.isFollowed !== true) await definition.finish?.(deps, finishOptions(given));
      return { id, status: 'unchanged', reason: 'Loaded before with the same content.', report: null };
    }
    try {
      const report = await loadHeld(deps, definition, { ...given, row, sha256 });
      return { id, status: 'imported', reason: null, report };
    } catch (error) {
      const gate = asRefusal(error);
      if (gate === null) throw error;
      await deps.system.transaction((tx) =>
        recordRefusedFiles(tx, {
          sourceNumber: row.number,
          nowMs: deps.clock.now(),
          dataAtMs: given.dataAtMs,
          contentSha256: sha256,
          rebaseMs: 0,
          gate,
        }),
      );
      return { id, status: 'quarantined', reason: gate.message, report: null };
    }
  });

const finishOptions = ({ onProgress, signal }: FilesGiven): FinishOptions => ({
  ...(onProgress === undefined ? {} : { onProgress }),
  ...(signal === undefined ? {} : { signal }),
});

function loadHeld(
  deps: LoadDeps,
  definition: DatasetDefinition,
  given: FilesGiven & { readonly row: DatasetRow; readonly sha256: string },
): Promise<LoadReport> {
  const { row, sha256, paths, dataAtMs, accept, isFollowed = false, onProgress, signal } = given;
  const { number, cursor } = row;
  const startedAtMs = deps.clock.now();
  let overruled: string | null = null;
  const overrule = (gate: GateError): boolean => {
    if (!gate.isReleasable || accept !== true) return false;
    overruled = `Accepted by an operator although: ${gate.message}`;
    return true;
  };
  return definition.load(deps, {
    datasetId: definition.id,
    number,
    paths,
    sha256,
    dataAtMs,
    cursor,
    isFollowed,
    overrule,
    judge: (counts, entries) => {
      try {
        judgeVolume(definition, NO_HISTORY, entries, counts);
      } catch (error) {
        if (!(error instanceof GateError) || !overrule(error)) throw error;
      }
    },
    record: async (tx, report) => {
      const atMs = report.dataAtMs ?? dataAtMs;
      await saveLoaded(tx, { number, entries: report.entries, dataAtMs: atMs, cursor: report.cursor });
      await clearQuarantine(tx, number);
      await recordOfflineRun(tx, {
        sourceNumber: number,
        startedAtMs,
        finishedAtMs: deps.clock.now(),
        mergedAtMs: null,
        dataAtMs: atMs,
        contentSha256: sha256,
        counts: report.counts,
        entries: report.entries,
        delta: report.delta,
        rebaseMs: 0,
        overruled,
      });
    },
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  });
}

function asRefusal(error: unknown): GateError | null {
  if (error instanceof GateError) return error;
  if (error instanceof ServiceError && error.code === 'Unprocessable Content')
    return new GateError('empty', error.message, false);
  return null;
}
