import { expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { createAuthFailures } from './auth-failures.ts';

const at = { ms: 1_800_000_030_000 };
const clock = { now: () => at.ms, monotonic: () => 0 };

test('the address that spent its minute is refused with 429, its neighbour is not, and the next minute starts anew', () => {
  const failures = createAuthFailures(clock, 3);
  for (let i = 0; i < 3; i += 1) failures.count('203.0.113.9');
  let refusal: unknown;
  try {
    failures.count('203.0.113.9');
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ServiceError);
  expect(refusal).toMatchObject({
    code: 'Rate Limited',
    options: {
      headers: { 'Retry-After': '30', 'X-RateLimit-Limit': '3', 'X-RateLimit-Remaining': '0' },
      body: { plan: 'ANONYMOUS', retryAfter: 30 },
    },
  });
  failures.count('203.0.113.10');
  at.ms += 30_000;
  failures.count('203.0.113.9');
});

test('addresses of one IPv6 customer share one allowance', () => {
  const failures = createAuthFailures(clock, 1);
  failures.count('2001:db8:1:2::1');
  expect(() => failures.count('2001:db8:1:2::2')).toThrow(ServiceError);
  failures.count('2001:db8:1:3::1');
});
