import { GateError } from '#capabilities/lists/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { LeaseLostError } from '#platform/jobs.ts';
import { isPostgresAway } from '#platform/postgres.ts';
import type { DatasetDeps, Fetchable, RunOptions, RunOutcome, RunPhase } from '../contract.ts';
import { type FetchedDataset, type FetchGiven, fetchDataset } from '../fetch/fetch-dataset.ts';
import { openSpool } from '../fetch/spool.ts';
import { failed, type LastGood, quarantined, type Run, stopped, unchanged } from './end-run.ts';
import { HISTORY_RUNS, type RunHistory } from './judge-volume.ts';
import { countRun } from './run-metrics.ts';
import * as store from './store.ts';

const HELD =
  'The publisher still has the content that an operator rolled back. It is taken when it changes, or by a run with --force.';

export type RunSubject<R> = {
  readonly row: Fetchable;
  /** Key of its state and runs: the number of a source, or the negative number of a data set that is no source. */
  readonly number: number;
  readonly lastGood: LastGood;
  /** Downloads the content; when absent, the URLs of the row are the parts of one snapshot. */
  readonly download?: (given: FetchGiven) => Promise<FetchedDataset>;
  /** Judges and stores the download, and calls `recordGood` in the same transaction. Throws a GateError to refuse it. */
  readonly merge: (run: Run, fetched: FetchedDataset) => Promise<R>;
  /** Called when the publisher still has the content that is served. */
  readonly confirm?: (run: Run) => Promise<void>;
};

export const skipped = (sourceId: string, reason: string): RunOutcome<never> => ({
  sourceId,
  runId: null,
  status: 'skipped',
  reason,
});

/** One run of a data set; the caller holds it (`holdDataset`). A problem of the publisher is an outcome; only our own stores throw. */
export async function runDataset<R>(
  deps: DatasetDeps,
  subject: RunSubject<R>,
  options: RunOptions,
): Promise<RunOutcome<R>> {
  const { system, clock } = deps;
  const { row, number } = subject;
  await store.ensureState(system.db, number);
  const state = await store.readState(system.db, number);
  const waitMs = (state.checkedAtMs ?? Number.NEGATIVE_INFINITY) + row.minIntervalS * 1_000 - clock.now();
  if (waitMs > 0 && options.force !== true)
    return skipped(
      row.id,
      `The publisher asks for ${row.minIntervalS} s between two requests; ${Math.ceil(waitMs / 1_000)} s are left. An operator may ask at once with --force.`,
    );
  const run: Run = {
    deps,
    row,
    number,
    lastGood: subject.lastGood,
    state,
    history: historyOf(await store.readGoodRuns(system.db, number, HISTORY_RUNS)),
    options,
    id: newId('run', clock.now()),
    startedAt: clock.monotonic(),
    phases: [],
  };
  await system.transaction(async (tx) => {
    await options.fence?.(tx);
    await store.closeInterrupted(tx, number, clock.now());
    await store.insertRun(tx, { id: run.id, sourceNumber: number, startedAtMs: clock.now() });
  });
  const outcome = await attempt(run, subject);
  countRun(row.id, outcome, (clock.monotonic() - run.startedAt) / 1_000);
  return outcome;
}

/** Good runs from the last one at which an operator overruled a gate; earlier ones say nothing about the usual size. */
function historyOf(runs: readonly store.PastRun[]): RunHistory {
  const overruled = runs.findIndex(({ isOverruled }) => isOverruled);
  const since = overruled === -1 ? runs : runs.slice(0, overruled + 1);
  return {
    entries: since.map(({ entries }) => entries),
    released: overruled === -1 ? null : (runs[overruled]?.entries ?? null),
  };
}

async function attempt<R>(run: Run, subject: RunSubject<R>): Promise<RunOutcome<R>> {
  const isAborted = () => run.options.signal?.aborted === true;
  let fetched: FetchedDataset | null = null;
  try {
    fetched = await fetchAll(run, subject);
    const outcome = await take(run, subject, fetched);
    await cleanSpool(run);
    return outcome;
  } catch (error) {
    if (isAborted()) return await stopped(run, error);
    const gate = asGate(error);
    if (gate === null && (isPostgresAway(error) || error instanceof LeaseLostError)) throw error;
    const outcome = gate === null ? await failed(run, error) : await quarantined(run, gate, fetched);
    await cleanSpool(run);
    return outcome;
  }
}

/** A merge refuses an empty snapshot with a ServiceError, which is treated as a gate too. */
function asGate(error: unknown): GateError | null {
  if (error instanceof GateError) return error;
  if (error instanceof ServiceError && error.code === 'Unprocessable Content')
    return new GateError('empty', error.message, false);
  return null;
}

async function fetchAll<R>(run: Run, subject: RunSubject<R>): Promise<FetchedDataset> {
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
  const download = subject.download ?? ((asked: FetchGiven) => fetchDataset(deps, row, asked));
  try {
    const fetched = await download(given);
    const isKnown = fetched.sha256 === state.contentSha256 || fetched.sha256 === state.heldSha256;
    // A 304 about content that is no longer listed is of no use, so the bytes are downloaded again.
    const whole = fetched.hasFiles || isKnown ? fetched : await download({ ...given, unconditional: true });
    phase('succeeded');
    return whole;
  } catch (error) {
    phase('failed');
    throw error;
  }
}

const sinceMs = ({ deps }: Run, startMs: number): number => Math.round(deps.clock.monotonic() - startMs);

async function take<R>(run: Run, subject: RunSubject<R>, fetched: FetchedDataset): Promise<RunOutcome<R>> {
  const { state, options, row, id } = run;
  if (options.force !== true && fetched.sha256 === state.heldSha256) return unchanged(run, fetched, HELD);
  if (options.force !== true && fetched.sha256 === state.contentSha256) {
    const outcome = await unchanged(run, fetched, null);
    await subject.confirm?.(run);
    return outcome;
  }
  const report = await subject.merge(run, fetched);
  return { sourceId: row.id, runId: id, status: 'succeeded', reason: null, report };
}

const cleanSpool = async ({ deps, row }: Run): Promise<void> => {
  try {
    await (await openSpool(deps.dataDir, row.id)).clear();
  } catch (error) {
    deps.log.warn({ source: row.id, err: error }, 'feed.spool.left');
  }
};
