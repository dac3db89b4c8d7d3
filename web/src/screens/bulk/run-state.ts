import type { BulkCheckReply, BulkRow } from '@assay/sdk';
import type { Failure } from '../../service/failure.ts';

export type RunPhase = 'idle' | 'running' | 'waiting' | 'paused' | 'failed' | 'cancelled' | 'done';

/** One list on its way through the service. Rows that came are kept whatever happens next. */
export type Run = {
  readonly phase: RunPhase;
  readonly entities: readonly string[];
  /** How many of them have been answered: where it goes on. */
  readonly answered: number;
  readonly rows: readonly BulkRow[];
  /** Checks of the month that this run has cost so far. */
  readonly charged: number;
  /** Before this the service would refuse. Kept over a pause. */
  readonly waitUntilMs: number | null;
  readonly failure: Failure | null;
};

export type RunEvent =
  | { readonly type: 'started'; readonly entities: readonly string[] }
  | { readonly type: 'landed'; readonly asked: readonly string[]; readonly reply: BulkCheckReply }
  | { readonly type: 'limited'; readonly untilMs: number }
  | { readonly type: 'waited' }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly failure: Failure };

export const IDLE_RUN: Run = {
  phase: 'idle',
  entities: [],
  answered: 0,
  rows: [],
  charged: 0,
  waitUntilMs: null,
  failure: null,
};

export const isUnderWay = ({ phase }: Run): boolean => phase === 'running' || phase === 'waiting';
const canGoOn = ({ phase }: Run): boolean =>
  phase === 'paused' || phase === 'failed' || phase === 'cancelled';

export function nextRun(run: Run, event: RunEvent): Run {
  switch (event.type) {
    case 'started':
      return { ...IDLE_RUN, phase: 'running', entities: event.entities };
    case 'landed':
      return landed(run, event.asked, event.reply);
    case 'limited':
      // Whoever has paused or cancelled meanwhile keeps that; the wait holds when the run goes on.
      return { ...run, phase: run.phase === 'running' ? 'waiting' : run.phase, waitUntilMs: event.untilMs };
    case 'waited':
      return isUnderWay(run) ? { ...run, phase: 'running', waitUntilMs: null } : run;
    case 'paused':
      return isUnderWay(run) ? { ...run, phase: 'paused' } : run;
    case 'resumed':
      return canGoOn(run) ? { ...run, phase: 'running', failure: null } : run;
    case 'cancelled':
      return isUnderWay(run) || canGoOn(run) ? { ...run, phase: 'cancelled', failure: null } : run;
    case 'failed':
      return isUnderWay(run) ? { ...run, phase: 'failed', failure: event.failure, waitUntilMs: null } : run;
  }
}

/** A request that was on its way when somebody paused or cancelled has been charged: its rows count all the same. */
function landed(run: Run, asked: readonly string[], reply: BulkCheckReply): Run {
  const answered = run.answered + asked.length;
  return {
    ...run,
    answered,
    rows: [...run.rows, ...reply.results, ...unanswered(asked, reply.results)],
    charged: run.charged + reply.processed,
    waitUntilMs: null,
    phase: answered >= run.entities.length ? 'done' : run.phase,
  };
}

/** Nothing that was asked may silently be missing from the answer. */
function unanswered(asked: readonly string[], rows: readonly BulkRow[]): readonly BulkRow[] {
  if (rows.length === asked.length) return [];
  const told = new Set(rows.map(({ entity }) => entity));
  return asked
    .filter((entity) => !told.has(entity))
    .map((entity) => ({
      entity,
      type: 'unknown',
      isMalicious: false,
      sources: 0,
      categories: [],
      evidence: null,
      error: 'The service gave no row for this. Check it alone.',
    }));
}
