import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import { addressGroup } from './client-address.ts';

const WINDOW_MS = 60_000;
/** Addresses remembered per minute: about 8 MB. Beyond it the oldest is forgotten. */
const ADDRESSES_MAX = 65_536;

export type AuthFailures = {
  /** Counts one wrong credential; throws 429 once the address has spent its minute. */
  readonly count: (address: string) => void;
};

/** Wrong credentials per client address, in process (reliability 3.K). A right one is never refused for a neighbour. */
export function createAuthFailures(clock: Clock, perMinute: number): AuthFailures {
  let window = 0;
  const failures = new Map<string, number>();
  return {
    count: (address) => {
      const nowMs = clock.now();
      const current = Math.floor(nowMs / WINDOW_MS);
      if (current !== window) {
        window = current;
        failures.clear();
      }
      const group = addressGroup(address);
      const seen = (failures.get(group) ?? 0) + 1;
      if (seen === 1 && failures.size >= ADDRESSES_MAX) forgetOldest(failures);
      failures.set(group, seen);
      if (seen > perMinute) throw tooMany(perMinute, (current + 1) * WINDOW_MS, nowMs);
    },
  };
}

function forgetOldest(failures: Map<string, number>): void {
  for (const oldest of failures.keys()) {
    failures.delete(oldest);
    return;
  }
}

/** Decisions 1.5, anonymous form. */
function tooMany(limit: number, resetAtMs: number, nowMs: number): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((resetAtMs - nowMs) / 1_000));
  return new ServiceError(
    'Rate Limited',
    `More than ${limit} wrong credentials came from this address within a minute. Check the key pair and try again in ${retryAfter} s.`,
    {
      headers: {
        'Retry-After': String(retryAfter),
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(resetAtMs),
      },
      body: {
        plan: 'ANONYMOUS',
        retryAfter,
        rateLimit: { limit, remaining: 0, resetAt: new Date(resetAtMs).toISOString() },
      },
    },
  );
}
