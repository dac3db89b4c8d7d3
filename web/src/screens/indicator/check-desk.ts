import { type CheckPhase, NetworkFailure, RateLimited, StreamBroken, TimedOut } from '@assay/sdk';
import type { Opened } from '../../service/early-check.ts';
import { describeFailure } from '../../service/failure.ts';
import {
  afterHappening,
  afterPhases,
  type CheckHappening,
  type CheckState,
  type CheckTarget,
  canResume,
  started,
} from './check-state.ts';

export type OpenCheck = (
  value: string,
  options: { readonly signal: AbortSignal; readonly lastEventId: string | null },
) => Opened<CheckPhase>;

export type CheckStates = {
  readonly get: (target: CheckTarget) => CheckState | undefined;
  readonly set: (target: CheckTarget, state: CheckState) => void;
  readonly remove: (target: CheckTarget) => void;
};

export type CheckDesk = {
  /** Watches a target: starts its check unless one exists. Returns the function that stops watching. */
  readonly attend: (target: CheckTarget) => () => void;
  /** Starts a new check, which costs quota. */
  readonly again: (target: CheckTarget) => void;
  /** Continues a check that was cut, without a new charge. */
  readonly resume: (target: CheckTarget) => void;
  /** Moves a check to its canonical target: a running stream continues, so the check is not sent twice. */
  readonly rename: (from: CheckTarget, to: CheckTarget) => void;
};

type Desk = {
  readonly open: OpenCheck;
  /** True when `early.ts` has sent this check already; `open` then takes that stream over. */
  readonly isAsked: (target: CheckTarget) => boolean;
  readonly states: CheckStates;
  readonly now: () => number;
  readonly finished: (state: CheckState) => void;
};
type Run = { target: CheckTarget; readonly controller: AbortController };

/**
 * React's strict mode mounts twice, and a redirect unmounts before it mounts. An absence below 200 ms therefore does
 * not count as leaving.
 */
const LEAVE_AFTER_MS = 200;

/** Runs one check per target, however many components watch it, because each check costs quota. */
export function createCheckDesk(desk: Desk): CheckDesk {
  const { states, now } = desk;
  const runs = new Map<string, Run>();
  const watchers = new Map<string, number>();

  const begin = (state: CheckState, lastEventId: string | null): void => {
    const { target } = state;
    runs.get(keyOf(target))?.controller.abort();
    const run: Run = { target, controller: new AbortController() };
    runs.set(keyOf(target), run);
    const { arrived, rest } = desk.open(target.value, { signal: run.controller.signal, lastEventId });
    const met = afterPhases(state, arrived, now());
    if (states.get(target) !== met) states.set(target, met);
    if (met.end.kind === 'done') desk.finished(met);
    void follow(desk, run, rest).finally(() => {
      if (runs.get(keyOf(run.target)) === run) runs.delete(keyOf(run.target));
    });
  };
  const resume = (target: CheckTarget): void => {
    const state = states.get(target);
    if (state === undefined) return;
    begin(afterHappening(state, { kind: 'resumed', atMs: now() }), state.lastEventId);
  };
  const leave = (target: CheckTarget): void => {
    const run = runs.get(keyOf(target));
    if ((watchers.get(keyOf(target)) ?? 0) > 0 || run === undefined) return;
    run.controller.abort();
    runs.delete(keyOf(target));
    const state = states.get(target);
    if (state === undefined) return;
    const left = afterHappening(state, { kind: 'left' });
    if (left.lastEventId === null && Object.keys(left.phases).length === 0) states.remove(target);
    else states.set(target, left);
  };
  return {
    resume,
    attend: (target) => {
      const key = keyOf(target);
      watchers.set(key, (watchers.get(key) ?? 0) + 1);
      const state = states.get(target);
      if (!runs.has(key)) {
        if (desk.isAsked(target)) begin(state ?? started(target, now()), null);
        else if (state !== undefined && canResume(state, now()) && isLeft(state)) resume(target);
        else if (state === undefined || isWorthAsking(state)) begin(started(target, now()), null);
      }
      return () => {
        watchers.set(key, (watchers.get(key) ?? 1) - 1);
        setTimeout(() => leave(target), LEAVE_AFTER_MS);
      };
    },
    again: (target) => {
      const state = states.get(target);
      const atMs = now();
      const next =
        state === undefined ? started(target, atMs) : afterHappening(state, { kind: 'restarted', atMs });
      begin(next, null);
    },
    rename: (from, to) => {
      const state = states.get(from);
      if (state === undefined || states.get(to) !== undefined) return;
      states.set(to, { ...state, target: to });
      states.remove(from);
      const run = runs.get(keyOf(from));
      if (run === undefined) return;
      runs.delete(keyOf(from));
      run.target = to;
      runs.set(keyOf(to), run);
    },
  };
}

const keyOf = ({ type, value }: CheckTarget): string => `${type}|${value}`;

const isLeft = ({ end }: CheckState): boolean => end.kind === 'cut' && end.why === 'left';

/** Opening a page retries a refusal, which cost nothing and may have passed. A lost connection waits for the reader. */
const isWorthAsking = (state: CheckState): boolean =>
  state.end.kind === 'refused' || state.end.kind === 'running' || isLeft(state);

async function follow(desk: Desk, run: Run, rest: AsyncIterable<CheckPhase>): Promise<void> {
  const { signal } = run.controller;
  const happen = (happening: CheckHappening): void => {
    const state = desk.states.get(run.target);
    if (signal.aborted || state === undefined) return;
    const next = afterHappening(state, happening);
    desk.states.set(run.target, next);
    if (next.end.kind === 'done') desk.finished(next);
  };
  try {
    for await (const phase of rest) happen({ kind: 'phase', phase, atMs: desk.now() });
    if (desk.states.get(run.target)?.end.kind === 'running')
      throw new StreamBroken({ status: 200, error: 'Stream Broken', message: 'The stream ended early.' });
  } catch (error) {
    happen(failureOf(error, desk.now()));
  }
}

export function failureOf(error: unknown, nowMs: number): CheckHappening {
  const failure = describeFailure(error, nowMs);
  if (error instanceof StreamBroken)
    return { kind: 'lost', failure: { ...failure, kind: 'offline', title: 'The answer broke off' } };
  if (error instanceof NetworkFailure || error instanceof TimedOut) return { kind: 'lost', failure };
  if (error instanceof RateLimited)
    return {
      kind: 'refused',
      failure: { ...failure, retryAtMs: failure.retryAtMs ?? error.resetsAtMs },
      usedUp: error.usedUp,
    };
  return { kind: 'refused', failure, usedUp: null };
}
