import { expect, test } from 'vitest';
import { createAuthFailures } from './auth-failures.ts';

const at = { ms: 0 };
const clock = { now: () => 1_800_000_000_000 + at.ms, monotonic: () => at.ms };

/** The counter that all processes share: grants `limit` failures of a group, then refuses with a wait of 30 s. */
function sharedCount(limit: number) {
  const seen = new Map<string, number>();
  const asked = { times: 0 };
  return {
    asked,
    seen,
    guard: {
      spend: async (group: string) => {
        asked.times += 1;
        const count = (seen.get(group) ?? 0) + 1;
        seen.set(group, count);
        return { granted: count <= limit, limit, resetMs: clock.now() + 30_000, retryAfterMs: 30_000 };
      },
    },
  };
}

test('an address over its limit is refused with 429 in every process, and its neighbour in none', async () => {
  const { guard } = sharedCount(3);
  const [one, other] = [createAuthFailures(clock, 3, guard), createAuthFailures(clock, 3, guard)];
  for (const failures of [one, other, one]) await failures.count('203.0.113.9');
  for (const failures of [one, other])
    await expect(failures.count('203.0.113.9')).rejects.toMatchObject({
      code: 'Rate Limited',
      options: {
        headers: { 'Retry-After': '30', 'X-RateLimit-Limit': '3', 'X-RateLimit-Remaining': '0' },
        body: { plan: 'ANONYMOUS', retryAfter: 30 },
      },
    });
  await one.count('203.0.113.10');
});

test('an address known to be over its limit costs no further call until one would fit', async () => {
  const { guard, asked, seen } = sharedCount(1);
  const failures = createAuthFailures(clock, 1, guard);
  await failures.count('203.0.113.9');
  for (let i = 0; i < 100; i += 1) await expect(failures.count('203.0.113.9')).rejects.toThrow();
  expect(asked.times).toBe(2);
  at.ms += 30_000;
  seen.clear();
  await failures.count('203.0.113.9');
  expect(asked.times).toBe(3);
});

test('addresses of one IPv6 customer share one limit', async () => {
  const failures = createAuthFailures(clock, 1, sharedCount(1).guard);
  await failures.count('2001:db8:1:2::1');
  await expect(failures.count('2001:db8:1:2::2')).rejects.toThrow();
  await failures.count('2001:db8:1:3::1');
});
