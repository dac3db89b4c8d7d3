import { type BulkCheckReply, RateLimited } from '@assay/sdk';
import { describeFailure } from '../../service/failure.ts';
import { batchAt, type RunPlan } from './run-plan.ts';
import { IDLE_RUN, nextRun, type RestoredRun, type Run, type RunEvent } from './run-state.ts';

export type RunnerNeeds = {
  readonly send: (entities: readonly string[]) => Promise<BulkCheckReply>;
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Runner = {
  readonly run: () => Run;
  readonly subscribe: (listener: () => void) => () => void;
  readonly start: (plan: RunPlan, cap: number) => void;
  /** Takes over a run from before a reload; `resume` continues it. Ignored when there is a run already. */
  readonly restore: (run: RestoredRun, cap: number) => void;
  /** Ends the run and drops its rows. */
  readonly forget: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly cancel: () => void;
};

/** The longest Retry-After that the runner waits for by itself. A longer one stops the run until the reader resumes. */
const PATIENCE_MS = 10 * 60_000;
/** Waits at least this long, because Retry-After can be 0: the burst window slides. */
const WAIT_MIN_MS = 1_000;

/** Sends a list in requests one after another. The run continues while the dashboard shows other pages. */
export function createRunner({ send, nowMs, wait }: RunnerNeeds): Runner {
  let run = IDLE_RUN;
  let cap = 1;
  /** Identifies the current list: a reply to an older list is ignored. */
  let list = Symbol('list');
  let loopOf: symbol | null = null;
  let waiting = new AbortController();
  const listeners = new Set<() => void>();

  const apply = (event: RunEvent): void => {
    const next = nextRun(run, event);
    if (next === run) return;
    run = next;
    for (const listener of listeners) listener();
  };

  const waitUntil = async (untilMs: number): Promise<void> => {
    waiting = new AbortController();
    apply({ type: 'limited', untilMs });
    await wait(untilMs - nowMs(), waiting.signal);
  };

  /** Sends the next request. Any failure but a burst limit stops the run until the reader continues it. */
  const step = async (mine: symbol): Promise<void> => {
    if (run.waitUntilMs !== null) {
      if (run.waitUntilMs > nowMs()) await waitUntil(run.waitUntilMs);
      if (mine === list) apply({ type: 'waited' });
      return;
    }
    const asked = batchAt(run.entities, run.answered, cap);
    try {
      const reply = await send(asked);
      if (mine === list) apply({ type: 'landed', asked, reply });
    } catch (error) {
      if (mine !== list) return;
      const waitMs = queueOf(error);
      if (waitMs === null) apply({ type: 'failed', failure: describeFailure(error, nowMs()) });
      else apply({ type: 'limited', untilMs: nowMs() + waitMs });
    }
  };

  const loop = async (mine: symbol): Promise<void> => {
    if (loopOf === mine) return;
    loopOf = mine;
    while (mine === list && (run.phase === 'running' || run.phase === 'waiting')) await step(mine);
    if (loopOf === mine) loopOf = null;
  };

  return {
    run: () => run,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: ({ entities, tally }, most) => {
      if (entities.length === 0) return;
      waiting.abort();
      cap = most;
      list = Symbol('list');
      apply({ type: 'started', entities, tally });
      void loop(list);
    },
    restore: (kept, most) => {
      if (run.phase !== 'idle') return;
      cap = most;
      list = Symbol('list');
      apply({ type: 'restored', run: kept });
    },
    forget: () => {
      list = Symbol('list');
      apply({ type: 'forgotten' });
      waiting.abort();
    },
    pause: () => {
      apply({ type: 'paused' });
      waiting.abort();
    },
    resume: () => {
      apply({ type: 'resumed' });
      void loop(list);
    },
    cancel: () => {
      apply({ type: 'cancelled' });
      waiting.abort();
    },
  };
}

/** A burst refusal costs nothing and passes, so the run waits. A used-up month does not pass, so the run stops. */
function queueOf(error: unknown): number | null {
  if (!(error instanceof RateLimited) || error.usedUp === 'month' || error.retryAfterMs === null) return null;
  return error.retryAfterMs > PATIENCE_MS ? null : Math.max(WAIT_MIN_MS, error.retryAfterMs);
}
