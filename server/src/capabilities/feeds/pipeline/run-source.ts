import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { settingsOf } from '#capabilities/catalogue/index.ts';
import { findSource, registerSource } from '#capabilities/corpus/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { LeaseLostError } from '#platform/jobs.ts';
import { isPostgresAway } from '#platform/postgres.ts';
import { ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { findFetchRow } from '../submissions/find-fetch-row.ts';
import type { PipelineDeps, RunOptions, RunOutcome, RunPhase } from './contract.ts';
import { failed, quarantined, type Run, recordMerge, stopped, unchanged } from './end-run.ts';
import { countRun } from './feed-metrics.ts';
import { type FetchedSource, fetchSource } from './fetch-source.ts';
import { HISTORY_RUNS, judgeEntries, judgeSnapshot, type RunHistory } from './gates.ts';
import { holdSource } from './hold-source.ts';
import { nextRunMs } from './pacing.ts';
import { openSpool } from './spool.ts';
import * as store from './store.ts';

const HELD =
  'The publisher still has the content that an operator rolled back. It is taken when it changes, or by a run with --force.';

/** Fetches, judges and merges one source. A problem of the source is an outcome; only our own stores throw. */
export async function runSource(
  deps: PipelineDeps,
  sourceId: string,
  options: RunOptions = {},
): Promise<RunOutcome> {
  const row = await findFetchRow(deps, sourceId);
  if (row === undefined) throw notFound('Source', sourceId);
  const outcome = await holdSource(deps, sourceId, () => runHeld(deps, row, options), options.workerId);
  return outcome ?? skipped(sourceId, 'Another run of this source is going on.');
}

const skipped = (sourceId: string, reason: string): RunOutcome => ({
  sourceId,
  runId: null,
  status: 'skipped',
  reason,
});

async function runHeld(deps: PipelineDeps, row: CatalogueRow, options: RunOptions): Promise<RunOutcome> {
  const { system, clock } = deps;
  const source =
    (await findSource(system.db, row.id)) ?? (await registerSource(deps, row.id, settingsOf(row)));
  await store.ensureState(system.db, source.number);
  const state = await store.readState(system.db, source.number);
  const waitMs = (state.checkedAtMs ?? Number.NEGATIVE_INFINITY) + row.minIntervalS * 1_000 - clock.now();
  if (waitMs > 0 && options.force !== true)
    return skipped(
      row.id,
      `The publisher asks for ${row.minIntervalS} s between two requests; ${Math.ceil(waitMs / 1_000)} s are left. An operator may ask at once with --force.`,
    );
  const run: Run = {
    deps,
    row,
    source,
    state,
    history: historyOf(await store.readGoodRuns(system.db, source.number, HISTORY_RUNS)),
    options,
    id: newId('run', clock.now()),
    startedAt: clock.monotonic(),
    phases: [],
  };
  await system.transaction(async (tx) => {
    await options.fence?.(tx);
    await store.closeInterrupted(tx, source.number, clock.now());
    await store.insertRun(tx, { id: run.id, sourceNumber: source.number, startedAtMs: clock.now() });
  });
  const outcome = await attempt(run);
  countRun(row.id, outcome, (clock.monotonic() - run.startedAt) / 1_000);
  return outcome;
}

/** Good runs since an operator last overruled a gate; older ones count as another list. */
export function historyOf(runs: readonly store.PastRun[]): RunHistory {
  const overruled = runs.findIndex(({ isOverruled }) => isOverruled);
  const since = overruled === -1 ? runs : runs.slice(0, overruled + 1);
  return {
    entries: since.map(({ entries }) => entries),
    released: overruled === -1 ? null : (runs[overruled]?.entries ?? null),
  };
}

async function attempt(run: Run): Promise<RunOutcome> {
  const { deps, row } = run;
  const isAborted = () => run.options.signal?.aborted === true;
  let fetched: FetchedSource | null = null;
  try {
    fetched = await fetchAll(run);
    const outcome = await take(run, fetched);
    await cleanSpool(deps, row);
    return outcome;
  } catch (error) {
    if (isAborted()) return await stopped(run, error);
    const gate = asGate(error);
    if (gate === null && (isPostgresAway(error) || error instanceof LeaseLostError)) throw error;
    const outcome = gate === null ? await failed(run, error) : await quarantined(run, gate, fetched);
    await cleanSpool(deps, row);
    return outcome;
  }
}

/** A merge reports an empty snapshot with an error of its own. */
function asGate(error: unknown): GateError | null {
  if (error instanceof GateError) return error;
  if (error instanceof ServiceError && error.code === 'Unprocessable Content')
    return new GateError('empty', error.message, false);
  return null;
}

async function fetchAll(run: Run): Promise<FetchedSource> {
  const { deps, row, state, options } = run;
  options.onProgress?.({ phase: 'fetch', lines: 0 });
  const startMs = deps.clock.monotonic();
  const phase = (status: RunPhase['status']) =>
    run.phases.push({ id: 'fetch', status, durationMs: sinceMs(run, startMs), records: null });
  const given = {
    known: state.parts,
    unconditional: options.force === true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  try {
    const fetched = await fetchSource(deps, row, given);
    const isKnown = fetched.sha256 === state.contentSha256 || fetched.sha256 === state.heldSha256;
    // The publisher answers "unchanged" against content that is no longer listed, so the bytes are downloaded again.
    const whole =
      fetched.hasFiles || isKnown ? fetched : await fetchSource(deps, row, { ...given, unconditional: true });
    phase('succeeded');
    return whole;
  } catch (error) {
    phase('failed');
    throw error;
  }
}

const sinceMs = ({ deps }: Run, startMs: number): number => Math.round(deps.clock.monotonic() - startMs);

async function take(run: Run, fetched: FetchedSource): Promise<RunOutcome> {
  const { state, options } = run;
  if (options.force !== true && fetched.sha256 === state.heldSha256) return unchanged(run, fetched, HELD);
  if (options.force !== true && fetched.sha256 === state.contentSha256) return unchanged(run, fetched, null);
  return merge(run, fetched);
}

async function merge(run: Run, fetched: FetchedSource): Promise<RunOutcome> {
  const { deps, row, history, options } = run;
  const report = await ingestSnapshot(deps, {
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
      await recordMerge(tx, run, {
        report: merged,
        reason: null,
        nextRunAtMs: nextRunMs(row, deps.clock.now(), Math.random()),
        fetched,
      });
    },
    onProgress: (lines) => options.onProgress?.({ phase: 'parse', lines }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { sourceId: row.id, runId: run.id, status: 'succeeded', reason: null, report };
}

const cleanSpool = async ({ dataDir, log }: PipelineDeps, { id }: CatalogueRow): Promise<void> => {
  try {
    await (await openSpool(dataDir, id)).clear();
  } catch (error) {
    log.warn({ source: id, err: error }, 'feed.spool.left');
  }
};
