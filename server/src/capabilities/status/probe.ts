import type { Clock } from '#platform/clock.ts';

const TIMEOUT_MS = 500;
const FRESH_MS = 1_000;

/** `found` is what the engine answered; false where it did not work. */
export type ProbeResult<T> = {
  readonly ok: boolean;
  readonly found: T | false;
  readonly askedAtMs: number;
};
export type Probe<T = boolean> = () => Promise<ProbeResult<T>>;

/**
 * Queries an engine at most once a second, however many callers there are, so that monitoring adds no load.
 * No reply within half a second, an exception or `false` means that the engine does not work.
 */
export function createProbe<T>(clock: Clock, ask: () => Promise<T>): Probe<T> {
  let latest: Promise<ProbeResult<T>> | null = null;
  let askedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonic();
    if (latest === null || nowMs - askedMs >= FRESH_MS) {
      askedMs = nowMs;
      const askedAtMs = clock.now();
      latest = bounded(ask).then((found) => ({ ok: found !== false, found, askedAtMs }));
    }
    return latest;
  };
}

function bounded<T>(ask: () => Promise<T>): Promise<T | false> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const answer = (found: T | false) => {
      clearTimeout(timer);
      resolve(found);
    };
    Promise.resolve()
      .then(ask)
      .then(answer, () => answer(false));
  });
}
