import type { GateError, SnapshotCounts } from '#capabilities/lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { DatasetDeps, Fetchable, FetchedPart, RunOptions, RunOutcome, RunPhase } from '../contract.ts';
import { DownloadError } from '../fetch/download-error.ts';
import type { FetchedDataset } from '../fetch/fetch-dataset.ts';
import type { RunHistory } from './judge-volume.ts';
import { nextRetryMs, nextRunMs } from './pacing.ts';
import { clearQuarantine, quarantine } from './quarantine.ts';
import * as store from './store.ts';

/** The content that is served now; null: nothing has been loaded yet. */
export type LastGood = { readonly dataAtMs: number; readonly entries: number } | null;

export type Run = {
  readonly deps: DatasetDeps;
  readonly row: Fetchable;
  readonly number: number;
  readonly lastGood: LastGood;
  readonly state: store.FeedState;
  readonly history: RunHistory;
  readonly options: RunOptions;
  readonly id: string;
  readonly startedAt: number;
  readonly phases: RunPhase[];
};

/** A stopped run is retried soon, because the source had no problem. */
const STOPPED_RETRY_MS = 60_000;
/** Ends a run that found nothing new: the listed content, or (`held`) content that an operator rolled back. */
export async function unchanged(
  run: Run,
  fetched: FetchedDataset,
  held: string | null,
): Promise<RunOutcome<never>> {
  const { deps, row, number } = run;
  const nowMs = deps.clock.now();
  const reason = held ?? 'Nothing has changed since the last download.';
  await deps.system.transaction(async (tx) => {
    await run.options.fence?.(tx);
    await store.saveUnchanged(tx, {
      sourceNumber: number,
      parts: fetched.parts,
      checkedAtMs: nowMs,
      nextRunAtMs: nextRunMs(row, nowMs, Math.random()),
      problem: held,
    });
    if (held === null) await clearQuarantine(tx, number);
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
  return { sourceId: row.id, runId: run.id, status: 'unchanged', reason };
}

export type GoodContent = {
  readonly parts: readonly FetchedPart[];
  readonly sha256: string;
  readonly bytes: number;
  readonly dataAtMs: number;
  readonly mergedAtMs?: number | null;
  readonly entries: number;
  readonly counts: SnapshotCounts;
  readonly delta: { readonly added: number; readonly removed: number; readonly changed: number };
  /** Set when an operator overruled a gate. */
  readonly reason: string | null;
  readonly nextRunAtMs: number | null;
};

/** Cursor and data commit together, or a crash could lose a list until it changes again (reliability finding 8). */
export async function recordGood(
  tx: Db,
  run: Pick<Run, 'id' | 'number'> & {
    readonly deps: Pick<DatasetDeps, 'clock'>;
    readonly phases: readonly RunPhase[];
  },
  { parts, sha256, reason, nextRunAtMs, ...content }: GoodContent,
): Promise<void> {
  const nowMs = run.deps.clock.now();
  await store.saveGood(tx, {
    sourceNumber: run.number,
    parts,
    contentSha256: sha256,
    checkedAtMs: nowMs,
    nextRunAtMs,
    rebaseMs: 0,
  });
  await clearQuarantine(tx, run.number);
  await store.finishRun(tx, {
    ...content,
    id: run.id,
    finishedAtMs: nowMs,
    status: 'succeeded',
    reason,
    phases: run.phases,
    contentSha256: sha256,
  });
}

export async function quarantined(
  run: Run,
  gate: GateError,
  fetched: FetchedDataset | null,
): Promise<RunOutcome<never>> {
  const { deps, row, number, state } = run;
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    await run.options.fence?.(tx);
    await quarantine(tx, {
      sourceNumber: number,
      sourceId: row.id,
      runId: run.id,
      gate,
      fetched,
      nowMs,
    });
    await store.saveProblem(tx, {
      sourceNumber: number,
      problem: `${gate.message} ${stays(run.lastGood)}`,
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

export async function failed(run: Run, error: unknown): Promise<RunOutcome<never>> {
  const { deps, row, number, state } = run;
  const nowMs = deps.clock.now();
  const isExpected = error instanceof DownloadError;
  const reason = isExpected ? error.message : `The run failed on our side: ${(error as Error).message}`;
  if (isExpected) deps.log.warn({ source: row.id, reason }, 'feed.failed');
  else deps.log.error({ source: row.id, err: error }, 'feed.failed');
  await deps.system.transaction(async (tx) => {
    await store.saveProblem(tx, {
      sourceNumber: number,
      problem: `${reason} ${stays(run.lastGood)}`,
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
export async function stopped(run: Run, error: unknown): Promise<RunOutcome<never>> {
  const { deps, row, number } = run;
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
    if (isOurs) await store.saveNextRun(tx, number, nowMs + STOPPED_RETRY_MS);
  });
  return { sourceId: row.id, runId: run.id, status: 'failed', reason };
}

export function stays(lastGood: LastGood): string {
  if (lastGood === null) return 'Nothing has been loaded yet.';
  const day = new Date(lastGood.dataAtMs).toISOString().slice(0, 10);
  return `The last good content of ${day} (${lastGood.entries.toLocaleString('en-US')} entries) stays.`;
}
