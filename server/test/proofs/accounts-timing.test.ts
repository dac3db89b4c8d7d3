import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccounts, type TestAccounts } from '#test/accounts.ts';
import { newVisitor } from '#test/factors.ts';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';

/**
 * Whether the time of an answer tells known addresses from unknown ones, or those with a second factor from those
 * without. Both kinds are asked in random order, so that load falls on both alike. 4.5 standard errors are a leak.
 */
const SAMPLES = bySize(400, 20_000);
const WARM_UP = bySize(20, 200);
const PEOPLE = 20;
const T_MAX = 4.5;
const PASSWORD = 'a sentence of ten words';

let t: TestAccounts;
const random = seededRandom('accounts-timing');

beforeAll(async () => {
  t = await createTestAccounts({ PUBLIC_PER_MINUTE: '1000000' });
  for (let i = 0; i < PEOPLE; i += 1) {
    await t.newPerson(`person${i}@example.com`, PASSWORD);
    const strong = await newVisitor(t, `strong${i}@example.com`);
    await strong.addTotp();
  }
});
afterAll(() => t?.close());

type Times = { n: number; mean: number; squares: number };
const noTimes = (): Times => ({ n: 0, mean: 0, squares: 0 });

/** Welford: mean and squares in one pass. */
function add(times: Times, value: number): void {
  times.n += 1;
  const delta = value - times.mean;
  times.mean += delta / times.n;
  times.squares += delta * (value - times.mean);
}
const errorOf = ({ n, squares }: Times): number => squares / (n - 1) / n;
const welch = (a: Times, b: Times): number => (a.mean - b.mean) / Math.sqrt(errorOf(a) + errorOf(b));

/** 20,000 hashes take a quarter of an hour of one core, and more where other programs use it. */
const TEST_MS = 3 * 3_600_000;
const TOLD_EVERY = 2_000;

test.each([
  ['forgotten password', '/api/auth/forgot', 200, 'absent'],
  ['repeated letter', '/api/auth/resend-verification', 200, 'absent'],
  ['sign-in', '/api/auth/login', 401, 'absent'],
  ['registration', '/api/auth/register', 200, 'absent'],
  ['sign-in beside a second factor', '/api/auth/login', 401, 'strong'],
] as const)(
  '%s takes as long for both kinds of addresses',
  { timeout: TEST_MS },
  async (name, path, status, other) => {
    const [known, unknown] = [noTimes(), noTimes()];
    for (let i = 0; i < SAMPLES + WARM_UP; i += 1) {
      const isKnown = random() < 0.5;
      // Known and other addresses are equally long, and there are equally many of them.
      const email = `${isKnown ? 'person' : other}${Math.floor(random() * PEOPLE)}@example.com`;
      const startedAt = performance.now();
      const answer = await t.post(path, { email, password: 'another password' });
      const ms = performance.now() - startedAt;
      expect(answer.statusCode).toBe(status);
      if (i < WARM_UP) continue;
      add(isKnown ? known : unknown, ms);
      if (i % TOLD_EVERY === 0)
        process.stdout.write(
          `${name}: t ${welch(known, unknown).toFixed(2)} after ${known.n + unknown.n} samples\n`,
        );
    }
    const value = welch(known, unknown);
    keepResult(`accounts-timing.${name.replaceAll(' ', '-')}`, {
      samples: known.n + unknown.n,
      knownMs: known.mean,
      unknownMs: unknown.mean,
      welchT: value,
    });
    expect(Math.abs(value)).toBeLessThan(T_MAX);
  },
);
