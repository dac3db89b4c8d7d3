import type { BulkCheckReply, BulkRow } from '@assay/sdk';
import type { Failure } from '../../service/failure.ts';
import { EMPTY_TALLY, type Tally } from './tally.ts';

/** `interrupted`: the page was closed or loaded again while the run was under way. */
export type RunPhase =
  | 'idle'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'done';

/** One run of a list. Rows that have arrived stay, also after a pause, a failure or a cancel. */
export type Run = {
  readonly phase: RunPhase;
  readonly entities: readonly string[];
  readonly tally: Tally;
  /** How many entities have been answered: the index at which the run continues. */
  readonly answered: number;
  readonly rows: readonly BulkRow[];
  readonly charged: number;
  /** The service refuses requests before this time. Survives a pause. */
  readonly waitUntilMs: number | null;
  readonly failure: Failure | null;
};

export type RunEvent =
  | { readonly type: 'started'; readonly entities: readonly string[]; readonly tally: Tally }
  | { readonly type: 'restored'; readonly run: RestoredRun }
  | { readonly type: 'forgotten' }
  | { readonly type: 'landed'; readonly asked: readonly string[]; readonly reply: BulkCheckReply }
  | { readonly type: 'limited'; readonly untilMs: number }
  | { readonly type: 'waited' }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** The part of a run that the tab's storage keeps over a reload. */
export type RestoredRun = Pick<Run, 'entities' | 'tally' | 'answered' | 'rows' | 'charged'>;

export const IDLE_RUN: Run = {
  phase: 'idle',
  entities: [],
  tally: EMPTY_TALLY,
  answered: 0,
  rows: [],
  charged: 0,
  waitUntilMs: null,
  failure: null,
};

export const isUnderWay = ({ phase }: Run): boolean => phase === 'running' || phase === 'waiting';
const canGoOn = ({ phase }: Run): boolean =>
  phase === 'paused' || phase === 'failed' || phase === 'cancelled' || phase === 'interrupted';

export function nextRun(run: Run, event: RunEvent): Run {
  switch (event.type) {
    case 'started':
      return { ...IDLE_RUN, phase: 'running', entities: event.entities, tally: event.tally };
    case 'restored':
      return run.phase === 'idle' ? restored(event.run) : run;
    case 'forgotten':
      return IDLE_RUN;
    case 'landed':
      return landed(run, event.asked, event.reply);
    case 'limited':
      // A run that was paused or cancelled meanwhile stays so; the wait applies when it continues.
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

const restored = (kept: RestoredRun): Run => ({
  ...IDLE_RUN,
  ...kept,
  phase: kept.answered >= kept.entities.length ? 'done' : 'interrupted',
});

/** A request in flight during a pause or cancel has been charged, so its rows are kept. */
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

/** An entity without a row in the reply gets one with an error, so that it is not silently missing. */
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
