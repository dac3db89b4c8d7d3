import { describe, expect, test } from 'vitest';
import { createSecrets } from '#platform/secrets.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { newSecret } from './key-format.ts';
import { decodeKeyRecord, type KeyRecord } from './key-records.ts';
import { verifySecret } from './verify-secret.ts';

const OLD = '1:an-old-pepper-of-more-than-32-characters';
const NEW = '2:a-newer-pepper-of-more-than-32-characters';
const oldPepper = createSecrets(OLD);
const pepper = createSecrets(`${NEW},${OLD}`);
const NOW_MS = 1_800_000_000_000;

type Stored = { readonly secret: string; readonly pepper: number };

function recordOf(current: Stored, previous?: Stored & { untilMs: number }): KeyRecord {
  const hmac = (stored: Stored) => pepper.hmacUnder(stored.pepper, stored.secret)?.toString('hex');
  const entry = {
    id: 'key_1',
    account: 'usr_1',
    user: 'usr_1',
    organization: null,
    role: null,
    plan: 'PRO',
    billing: 'YEARLY',
    status: 'active',
    limits: { checksPerMonth: 7 },
    hmac: hmac(current),
    pepper: current.pepper,
    previousHmac: previous === undefined ? null : hmac(previous),
    previousPepper: previous?.pepper ?? null,
    previousUntilMs: previous?.untilMs ?? null,
    cidrs: [],
  };
  return decodeKeyRecord(Buffer.from(JSON.stringify(entry)));
}

describe('verifySecret', () => {
  const secret = newSecret();

  test('the right secret passes, a wrong one and an unknown key do not', () => {
    const record = recordOf({ secret, pepper: 2 });
    expect(verifySecret(pepper, record, secret, NOW_MS)).toBe(true);
    expect(verifySecret(pepper, record, newSecret(), NOW_MS)).toBe(false);
    expect(verifySecret(pepper, undefined, secret, NOW_MS)).toBe(false);
  });

  test('after the pepper was rotated, keys stored under the old one still verify', () => {
    const stored = recordOf({ secret, pepper: 1 });
    expect(verifySecret(oldPepper, stored, secret, NOW_MS)).toBe(true);
    expect(verifySecret(pepper, stored, secret, NOW_MS)).toBe(true);
  });

  test('a key whose pepper was retired refuses every secret', () => {
    expect(verifySecret(createSecrets(NEW), recordOf({ secret, pepper: 1 }), secret, NOW_MS)).toBe(false);
  });

  test('the previous secret passes until its overlap ends, to the millisecond', () => {
    const previous = { secret: newSecret(), pepper: 1, untilMs: NOW_MS + 1_000 };
    const record = recordOf({ secret, pepper: 2 }, previous);
    expect(verifySecret(pepper, record, secret, NOW_MS)).toBe(true);
    expect(verifySecret(pepper, record, previous.secret, NOW_MS + 999)).toBe(true);
    expect(verifySecret(pepper, record, previous.secret, NOW_MS + 1_000)).toBe(false);
    expect(verifySecret(pepper, record, newSecret(), NOW_MS)).toBe(false);
  });

  test('an unknown key costs the same as a wrong secret: one HMAC and one comparison', () => {
    let comparisons = 0;
    const counting: typeof pepper = {
      ...pepper,
      matchesUnder: (...compared) => {
        comparisons += 1;
        return pepper.matchesUnder(...compared);
      },
    };
    const costOf = (known: KeyRecord | undefined) => {
      comparisons = 0;
      verifySecret(counting, known, newSecret(), NOW_MS);
      return comparisons;
    };
    expect([costOf(undefined), costOf(recordOf({ secret, pepper: 2 }))]).toEqual([1, 1]);
  });

  test.runIf(IS_FULL_SIZE)('an unknown key takes as long as a wrong secret', () => {
    const random = seededRandom('the order of unknown and wrong');
    const record = recordOf({ secret, pepper: 2 });
    const wrong = newSecret();
    const samples = { unknown: [] as number[], wrong: [] as number[] };
    const once = (known: KeyRecord | undefined) => {
      const startNs = process.hrtime.bigint();
      for (let i = 0; i < 10; i += 1) verifySecret(pepper, known, wrong, NOW_MS);
      return Number(process.hrtime.bigint() - startNs);
    };
    for (let i = 0; i < 6_000; i += 1) {
      // The two sides are timed in random order, so that drift of the machine affects both.
      const first = random() < 0.5;
      const a = once(first ? undefined : record);
      const b = once(first ? record : undefined);
      if (i < 1_000) continue;
      samples.unknown.push(first ? a : b);
      samples.wrong.push(first ? b : a);
    }
    // 4.5 is the usual bound of such tests; 10 leaves room for a busy machine. Without the dummy HMAC the
    // value is several hundred.
    expect(Math.abs(welch(cropped(samples.unknown), cropped(samples.wrong)))).toBeLessThan(10);
  });
});

/** Keeps the fastest nine tenths, because delays of the scheduler say nothing about the code. */
const cropped = (samples: readonly number[]): readonly number[] =>
  samples.toSorted((a, b) => a - b).slice(0, Math.floor(samples.length * 0.9));

function welch(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  const variance = (list: readonly number[], m: number) =>
    list.reduce((sum, x) => sum + (x - m) ** 2, 0) / (list.length - 1);
  return (ma - mb) / Math.sqrt(variance(a, ma) / a.length + variance(b, mb) / b.length);
}

test('a record grants its plan, its own limits where it has them, and nothing else', () => {
  const { caller } = recordOf({ secret: newSecret(), pepper: 2 });
  expect(caller).toMatchObject({
    kind: 'key',
    keyId: 'key_1',
    accountId: 'usr_1',
    plan: 'PRO',
    billing: 'YEARLY',
    limits: { checksPerMonth: 7, burstPerMinute: 60 },
  });
});
