import type { Clock } from '#platform/clock.ts';

const WINDOW_MS = 500;
/** A caller whose bodies took more than this share of the loop's time in one window delays the others. */
const HEAVY_SHARE = 0.25;
/** A caller stays marked as heavy for this many windows (3 s), which is the longest Retry-After of a refusal. */
const HEAVY_WINDOWS = 6;
const CALLERS_MAX = 10_000;

export type LoopWork = {
  /** Time that reading, parsing and judging the body of one request held the loop. */
  readonly add: (caller: string, ms: number) => void;
  readonly isHeavy: (caller: string) => boolean;
  /** The share of the last window that heavy callers took, from 0 to 1. */
  readonly heavyShare: () => number;
  readonly stop: () => void;
};

/** Attributes loop time to the callers that cause it. Requests without a body are not measured: they are short. */
export function measureLoopWork(clock: Pick<Clock, 'monotonic'>): LoopWork & { readonly turn: () => void } {
  const spent = new Map<string, number>();
  const heavy = new Map<string, number>();
  let beganMs = clock.monotonic();
  let share = 0;
  /** Ends a window. */
  const turn = (): void => {
    const nowMs = clock.monotonic();
    const elapsedMs = Math.max(1, nowMs - beganMs);
    beganMs = nowMs;
    for (const [caller, windowsLeft] of heavy)
      if (windowsLeft <= 1) heavy.delete(caller);
      else heavy.set(caller, windowsLeft - 1);
    share = 0;
    for (const [caller, ms] of spent)
      if (ms > elapsedMs * HEAVY_SHARE || heavy.has(caller)) {
        heavy.set(caller, HEAVY_WINDOWS);
        share += ms / elapsedMs;
      }
    share = Math.min(1, share);
    spent.clear();
  };
  const timer = setInterval(turn, WINDOW_MS);
  timer.unref();
  return {
    add: (caller, ms) => {
      const before = spent.get(caller);
      if (before !== undefined || spent.size < CALLERS_MAX) spent.set(caller, (before ?? 0) + ms);
    },
    isHeavy: (caller) => heavy.size > 0 && heavy.has(caller),
    heavyShare: () => share,
    turn,
    stop: () => clearInterval(timer),
  };
}
