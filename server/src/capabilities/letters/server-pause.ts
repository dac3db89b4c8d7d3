import type { Clock } from '#platform/clock.ts';

const FIRST_PAUSE_MS = 5_000;
const PAUSE_MAX_MS = 300_000;
/** While one letter tries whether the server is back, the others wait this long. */
const TRIAL_MS = 30_000;

/** Keeps a mail server that is away from holding every slot of the worker until its timeouts. */
export type ServerPause = {
  /** 0: send now. Otherwise how long the letter should wait. */
  readonly waitMs: () => number;
  readonly worked: () => void;
  readonly failed: () => void;
};

export function createServerPause(clock: Pick<Clock, 'monotonic'>): ServerPause {
  let failures = 0;
  let untilMs = 0;
  return {
    waitMs: () => {
      const nowMs = clock.monotonic();
      if (failures === 0) return 0;
      if (nowMs < untilMs) return untilMs - nowMs;
      untilMs = nowMs + TRIAL_MS;
      return 0;
    },
    worked: () => {
      failures = 0;
    },
    failed: () => {
      failures += 1;
      untilMs = clock.monotonic() + Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    },
  };
}
