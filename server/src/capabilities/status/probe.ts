import type { Clock } from '#platform/clock.ts';

const TIMEOUT_MS = 500;
const FRESH_MS = 1_000;

export type ProbeResult = { readonly ok: boolean; readonly askedAtMs: number };
export type Probe = () => Promise<ProbeResult>;

/**
 * Queries an engine at most once a second, however many callers there are, so that monitoring adds no load.
 * No reply within half a second counts as false.
 */
export function createProbe(clock: Clock, ask: () => Promise<boolean>): Probe {
  let latest: Promise<ProbeResult> | null = null;
  let askedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonic();
    if (latest === null || nowMs - askedMs >= FRESH_MS) {
      askedMs = nowMs;
      const askedAtMs = clock.now();
      latest = bounded(ask).then((ok) => ({ ok, askedAtMs }));
    }
    return latest;
  };
}

function bounded(ask: () => Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const answer = (ok: boolean) => {
      clearTimeout(timer);
      resolve(ok);
    };
    Promise.resolve()
      .then(ask)
      .then(answer, () => answer(false));
  });
}
