import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '#platform/errors.ts';
import { plainRoute } from '#test/http-app.ts';
import { bySize } from '#test/lane.ts';
import { testCaller } from '#test/meter.ts';
import { type MeteredApp, policyOf, startMeteredApp } from '#test/metered-app.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = bySize(40, 500);

let metered: MeteredApp;
let watched: Set<string>;
let lookups = 0;
const query = z.object({ v: z.string().max(8_192), fails: z.coerce.number().optional() });
type Query = z.output<typeof query>;
const valueIn = (input: { readonly query: unknown }): string => (input.query as Query).v;

function answer({ query: { fails } }: { readonly query: Query }) {
  if (fails === 404) throw new ServiceError('Not Found', 'no such page');
  if (fails === 500) throw new ServiceError('Internal Server Error', 'broken on purpose');
  return { ok: true };
}

beforeAll(async () => {
  const more = { query, handle: answer };
  metered = await startMeteredApp([
    plainRoute({
      ...more,
      path: '/check',
      policy: policyOf('checks', { receipts: (input) => ({ checks: [valueIn(input)] }) }),
    }),
    plainRoute({
      ...more,
      path: '/batch',
      policy: policyOf('checks', {
        cost: (input) => valueIn(input).split(' ').length,
        receipts: (input) => ({ checks: valueIn(input).split(' ') }),
      }),
    }),
    plainRoute({
      ...more,
      path: '/page',
      policy: policyOf('checks', {
        receipts: (input) => ({ opens: `page ${valueIn(input)}` }),
        refundOn: [404],
      }),
    }),
    plainRoute({
      ...more,
      path: '/history',
      policy: policyOf('checks', {
        receipts: (input) => ({ opens: `history ${valueIn(input)}`, freeIfChecked: valueIn(input) }),
        isFree: async (input) => {
          lookups += 1;
          return watched.has(valueIn(input));
        },
      }),
    }),
  ]);
});
afterAll(() => metered?.close());
beforeEach(() => {
  metered.nextCaller();
  watched = new Set();
  lookups = 0;
});

const get = (url: string) => metered.app.inject({ method: 'GET', url });
const usedAfter = async (url: string) => Number((await get(url)).headers['x-monthly-usage']);
const callWith = (limits: Parameters<typeof testCaller>[2]) => {
  metered.principal = testCaller('FREE', { accountId: metered.principal.accountId }, limits);
};

describe('a page', () => {
  test('costs one check, and the same page nothing for 24 hours', async () => {
    expect(await usedAfter('/page?v=a')).toBe(1);
    metered.nowMs += 23 * HOUR_MS;
    expect(await usedAfter('/page?v=a')).toBe(1);
    expect(await usedAfter('/page?v=b')).toBe(2);
    metered.nowMs += HOUR_MS;
    expect(await usedAfter('/page?v=a')).toBe(3);
  });

  test('is free for the keys and sessions of the account, and for no other account', async () => {
    expect(await usedAfter('/page?v=a')).toBe(1);
    const { accountId } = metered.principal;
    metered.principal = testCaller('FREE', { accountId, kind: 'session', id: 'ses_1' });
    expect(await usedAfter('/page?v=a')).toBe(1);
    metered.nextCaller();
    expect(await usedAfter('/page?v=a')).toBe(1);
  });

  test('stays open when the month is used up, and costs the burst', async () => {
    callWith({ checksPerMonth: 1, burstPerMinute: 3 });
    expect((await get('/page?v=a')).statusCode).toBe(200);
    const refused = await get('/page?v=b');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      usage: { current: 1, limit: 1 },
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    expect((await get('/page?v=a')).statusCode).toBe(200);
    expect((await get('/page?v=a')).statusCode).toBe(200);
    expect((await get('/page?v=a')).statusCode).toBe(429);
  });

  test.each([404, 500])('that answers %i costs nothing, and is not free afterwards', async (fails) => {
    expect(await usedAfter(`/page?v=a&fails=${fails}`)).toBe(0);
    expect(await usedAfter('/page?v=x')).toBe(1);
    expect(await usedAfter('/page?v=a')).toBe(2);
  });
});

describe('the history of a value', () => {
  test('is free for 30 days after a check of it, across the turn of the month', async () => {
    expect(await usedAfter('/check?v=a')).toBe(1);
    expect(await usedAfter('/history?v=a')).toBe(1);
    metered.nowMs += 29 * DAY_MS;
    expect(await usedAfter('/history?v=a')).toBe(0);
    metered.nowMs += 2 * DAY_MS;
    expect(await usedAfter('/history?v=a')).toBe(1);
  });

  test(`is free for each of ${BATCH} values of a batch`, async () => {
    const values = Array.from({ length: BATCH }, (_, nth) => `v${nth}`);
    expect(await usedAfter(`/batch?v=${values.join('+')}`)).toBe(BATCH);
    callWith({ burstPerMinute: 10_000, checksPerMonth: 1_000 });
    for (const value of values) expect(await usedAfter(`/history?v=${value}`), value).toBe(BATCH);
    expect(await usedAfter('/history?v=other')).toBe(BATCH + 1);
  });

  test('costs one check for another value, and is free again for 24 hours only', async () => {
    expect(await usedAfter('/history?v=b')).toBe(1);
    expect(await usedAfter('/history?v=b')).toBe(1);
    metered.nowMs += DAY_MS;
    expect(await usedAfter('/history?v=b')).toBe(2);
  });

  test('is free for a value that is watched, also when the month is used up', async () => {
    watched.add('w');
    expect(await usedAfter('/history?v=w')).toBe(0);
    callWith({ checksPerMonth: 1 });
    expect((await get('/check?v=a')).statusCode).toBe(200);
    expect((await get('/history?v=w')).statusCode).toBe(200);
    expect((await get('/history?v=u')).statusCode).toBe(429);
  });

  test('is not looked up more often than the burst allows', async () => {
    callWith({ checksPerMonth: 0, burstPerMinute: 5 });
    for (let nth = 0; nth < 30; nth += 1) expect((await get(`/history?v=u${nth}`)).statusCode).toBe(429);
    expect(lookups).toBe(5);
  });

  test('costs a check when the check of its value failed', async () => {
    expect(await usedAfter('/check?v=a&fails=500')).toBe(0);
    expect(await usedAfter('/page?v=x')).toBe(1);
    expect(await usedAfter('/history?v=a')).toBe(2);
  });
});
