import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { confirmFetch, type Source } from '#capabilities/corpus/index.ts';
import type { GateError } from '#capabilities/lists/index.ts';
import { emit } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import type { IngestReport } from '../ingest/contract.ts';
import {
  type PipelineDeps,
  type RunOptions,
  type RunOutcome,
  type RunPhase,
  SourceUpdated,
} from './contract.ts';
import { DownloadError } from './download-error.ts';
import type { FetchedSource } from './fetch-source.ts';
import type { RunHistory } from './gates.ts';
import { nextRetryMs, nextRunMs } from './pacing.ts';
import { clearQuarantine, quarantine } from './quarantine.ts';
import * as store from './store.ts';

export type Run = {
  readonly deps: PipelineDeps;
  readonly row: CatalogueRow;
  readonly source: Source;
  readonly state: store.FeedState;
  readonly history: RunHistory;
  readonly options: RunOptions;
  readonly id: string;
  readonly startedAt: number;
  readonly phases: RunPhase[];
};

/** A stopped run is retried soon, because the source had no problem. */
const STOPPED_RETRY_MS = 60_000;
/** Ends a run whose publisher still has the listed content, or (`held`) content that an operator rolled back. */
export async function unchanged(run: Run, fetched: FetchedSource, held: string | null): Promise<RunOutcome> {
  const { deps, row, source } = run;
  const nowMs = deps.clock.now();
  const reason = held ?? 'Nothing has changed since the last download.';
  await deps.system.transaction(async (tx) => {
    await run.options.fence?.(tx);
    await store.saveUnchanged(tx, {
      sourceNumber: source.number,
      parts: fetched.parts,
      checkedAtMs: nowMs,
      nextRunAtMs: nextRunMs(row, nowMs, Math.random()),
      problem: held,
    });
    if (held === null) await clearQuarantine(tx, source.number);
    await store.finishRun(tx, {
      id: run.id,
      finishedAtMs: nowMs,
      status: 'unchanged',
      reason,
      phases: run.phases,
      bytes: fetched.bytes,
      contentSha256: fetched.sha256,
    });
  });
  if (held === null) await confirm(run);
  return { sourceId: row.id, runId: run.id, status: 'unchanged', reason };
}

/** In its own transaction: a merge locks the source before it writes the state, so the reverse could deadlock. */
const confirm = ({ deps, row, options }: Run): Promise<void> =>
  deps.system.transaction(async (tx) => {
    await options.fence?.(tx);
    await confirmFetch(tx, deps, row.id);
  });

type MergeRecord = {
  readonly report: IngestReport;
  readonly reason: string | null;
  readonly nextRunAtMs: number | null;
  readonly fetched: Pick<FetchedSource, 'parts' | 'sha256' | 'bytes'>;
};

/** Cursor and data commit together, or a crash could lose a list until it changes again (reliability finding 8). */
export async function recordMerge(
  tx: Db,
  run: Pick<Run, 'deps' | 'id' | 'source'> & { readonly phases: readonly RunPhase[] },
  { report, reason, nextRunAtMs, fetched }: MergeRecord,
): Promise<void> {
  const { source, added, removed, changed } = report;
  const nowMs = run.deps.clock.now();
  await store.saveGood(tx, {
    sourceNumber: source.number,
    parts: fetched.parts,
    contentSha256: fetched.sha256,
    checkedAtMs: nowMs,
    nextRunAtMs,
    rebaseMs: 0,
  });
  await clearQuarantine(tx, source.number);
  await store.finishRun(tx, {
    id: run.id,
    finishedAtMs: nowMs,
    status: 'succeeded',
    reason,
    phases: [...run.phases, ...phasesOf(report)],
    bytes: fetched.bytes,
    contentSha256: fetched.sha256,
    dataAtMs: report.dataAtMs,
    mergedAtMs: Math.round(source.lastFetchAtS * 1_000),
    entries: added + changed + report.unchanged,
    counts: report.counts,
    delta: { added, removed, changed },
  });
  if (added + removed + changed === 0) return;
  const firstLoad = run.source.lastFetchAtS === 0;
  const payload = { sourceId: source.id, version: source.version, added, removed, changed, firstLoad };
  await emit(tx, { type: SourceUpdated, accountId: null, payload, occurredAt: new Date(nowMs) });
}

/** Reading, parsing and normalizing are one pass over the text; its time is shown under parse. */
const phasesOf = ({ timings, counts, ...report }: IngestReport): readonly RunPhase[] => [
  { id: 'parse', status: 'succeeded', durationMs: Math.round(timings.readMs), records: counts.lines },
  { id: 'normalize', status: 'succeeded', durationMs: 0, records: counts.accepted },
  {
    id: 'dedupe',
    status: 'succeeded',
    durationMs: Math.round(timings.mergeMs),
    records: report.added + report.changed + report.unchanged,
  },
];

export async function quarantined(
  run: Run,
  gate: GateError,
  fetched: FetchedSource | null,
): Promise<RunOutcome> {
  const { deps, row, source, state } = run;
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    await run.options.fence?.(tx);
    await quarantine(tx, {
      sourceNumber: source.number,
      sourceId: row.id,
      runId: run.id,
      gate,
      fetched,
      nowMs,
    });
    await store.saveProblem(tx, {
      sourceNumber: source.number,
      problem: `${gate.message} ${stays(source)}`,
      failures: state.failures + 1,
      checkedAtMs: nowMs,
      nextRunAtMs: gate.isReleasable ? nextRunMs(row, nowMs, Math.random()) : retryMs(run, null),
    });
    await store.finishRun(tx, {
      id: run.id,
      finishedAtMs: nowMs,
      status: 'quarantined',
      reason: gate.message,
      phases: run.phases,
      bytes: fetched?.bytes ?? null,
      contentSha256: fetched?.sha256 ?? null,
      counts: gate.counts,
    });
  });
  deps.log.warn({ source: row.id, gate: gate.gate, reason: gate.message }, 'feed.quarantined');
  return { sourceId: row.id, runId: run.id, status: 'quarantined', reason: gate.message, gate: gate.gate };
}

const retryMs = (run: Run, retryAfterMs: number | null): number =>
  nextRetryMs(run.row, run.deps.clock.now(), {
    failures: run.state.failures + 1,
    retryAfterMs,
    random: Math.random(),
  });

export async function failed(run: Run, error: unknown): Promise<RunOutcome> {
  const { deps, row, source, state } = run;
  const nowMs = deps.clock.now();
  const isExpected = error instanceof DownloadError;
  const reason = isExpected ? error.message : `The run failed on our side: ${(error as Error).message}`;
  if (isExpected) deps.log.warn({ source: row.id, reason }, 'feed.failed');
  else deps.log.error({ source: row.id, err: error }, 'feed.failed');
  await deps.system.transaction(async (tx) => {
    await store.saveProblem(tx, {
      sourceNumber: source.number,
      problem: `${reason} ${stays(source)}`,
      failures: state.failures + 1,
      checkedAtMs: nowMs,
      nextRunAtMs: retryMs(run, isExpected ? error.retryAfterMs : null),
    });
    await store.finishRun(tx, {
      id: run.id,
      finishedAtMs: nowMs,
      status: 'failed',
      reason,
      phases: run.phases,
    });
  });
  return { sourceId: row.id, runId: run.id, status: 'failed', reason };
}

/** Ends a run that was told to stop. The spool stays, so that the next run need not download again. */
export async function stopped(run: Run, error: unknown): Promise<RunOutcome> {
  const { deps, row, source } = run;
  const reason = 'The run was stopped before it ended; it starts again soon.';
  const nowMs = deps.clock.now();
  deps.log.info({ source: row.id, err: error }, 'feed.stopped');
  await deps.system.transaction(async (tx) => {
    const isOurs = await store.finishRun(tx, {
      id: run.id,
      finishedAtMs: nowMs,
      status: 'failed',
      reason,
      phases: run.phases,
    });
    if (isOurs) await store.saveNextRun(tx, source.number, nowMs + STOPPED_RETRY_MS);
  });
  return { sourceId: row.id, runId: run.id, status: 'failed', reason };
}

export function stays(source: Pick<Source, 'dataAtS' | 'entries' | 'lastFetchAtS'>): string {
  if (source.lastFetchAtS === 0) return 'Nothing has been loaded yet.';
  const day = new Date(source.dataAtS * 1_000).toISOString().slice(0, 10);
  return `The last good content of ${day} (${source.entries.toLocaleString('en-US')} entries) stays.`;
}
