import type { Clock } from '#platform/clock.ts';
import { addressGroup } from './client-address.ts';
import { tooMany } from './too-many.ts';

/** Addresses known to be over their limit, kept by each process: about 8 MB. Beyond it the oldest is dropped. */
const SPENT_MAX = 65_536;
const BUCKET = 'wrong credentials';

/** Counts calls of an address for all processes together; while Redis is down, for this process's share. */
export type CredentialGuard = {
  readonly spend: (
    group: string,
    bucket: string,
    limits: { readonly perMinute?: number; readonly perHour?: number; readonly perMonth?: number },
  ) => Promise<{
    readonly granted: boolean;
    readonly limit: number;
    readonly resetMs: number;
    readonly retryAfterMs: number;
  }>;
};

export type AuthFailures = {
  /** Counts one wrong credential; rejects with 429 when the address has sent too many. */
  readonly count: (address: string) => Promise<void>;
};

type Spent = { readonly limit: number; readonly resetMs: number; readonly untilMs: number };

/**
 * Wrong credentials per client address, shared by all processes (reliability 3.K). A valid credential is never refused
 * because of them. An address over its limit is refused without asking Redis until a further failure would fit.
 */
export function createAuthFailures(clock: Clock, perMinute: number, guard: CredentialGuard): AuthFailures {
  const spent = new Map<string, Spent>();
  return {
    count: async (address) => {
      const group = addressGroup(address);
      const known = spent.get(group);
      const nowMs = clock.monotonic();
      if (known !== undefined && nowMs < known.untilMs) throw refusal(known, known.untilMs - nowMs);
      const { granted, limit, resetMs, retryAfterMs } = await guard.spend(group, BUCKET, { perMinute });
      spent.delete(group);
      if (granted) return;
      if (spent.size >= SPENT_MAX) forgetOldest(spent);
      const refused = { limit, resetMs, untilMs: nowMs + retryAfterMs };
      spent.set(group, refused);
      throw refusal(refused, retryAfterMs);
    },
  };
}

function forgetOldest(spent: Map<string, Spent>): void {
  for (const oldest of spent.keys()) {
    spent.delete(oldest);
    return;
  }
}

const refusal = (spent: Spent, retryAfterMs: number) =>
  tooMany(
    { ...spent, retryAfterMs },
    `Too many wrong credentials from this IP address: more than ${spent.limit} within one minute. Check your API key and secret`,
  );
