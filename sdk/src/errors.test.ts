import { describe, expect, test } from 'vitest';
import {
  AssayError,
  Conflict,
  errorOf,
  Forbidden,
  InvalidRequest,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable,
} from './errors.ts';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorOf(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
const limited = async (body: object, headers = {}) => {
  const error = await answer(429, body, headers);
  if (!(error instanceof RateLimited)) throw new Error('not RateLimited');
  return error;
};

describe('each status has its class', () => {
  test.each([
    [400, InvalidRequest],
    [401, Unauthorized],
    [403, Forbidden],
    [404, NotFound],
    [409, Conflict],
    [413, InvalidRequest],
    [502, Unavailable],
    [503, Unavailable],
    [500, AssayError],
    [418, AssayError],
  ])('%i', async (status, Kind) => {
    const error = await answer(status, { error: 'Word', message: 'Why.', requestId: 'req_1' });
    expect(error.constructor).toBe(Kind);
    expect(error).toBeInstanceOf(AssayError);
    expect(error).toMatchObject({ status, error: 'Word', message: 'Why.', requestId: 'req_1' });
  });

  test('the field problems are included', async () => {
    const details = [{ path: 'query', message: 'expected a string' }];
    expect((await answer(400, { error: 'Bad Request', message: 'm', details })).details).toEqual(details);
  });

  test('a page of a proxy is an error with a status and is not quoted', async () => {
    const error = await answer(502, '<html>secret of the proxy</html>');
    expect(error.message).toBe('The service answered 502 without a reason.');
    expect(JSON.stringify(error)).not.toContain('secret');
  });
});

describe('how long to wait', () => {
  test('seconds, a date, or the body where a proxy dropped the header', async () => {
    expect((await answer(503, {}, { 'Retry-After': '7' })).retryAfterMs).toBe(7_000);
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs } = await answer(503, {}, { 'Retry-After': date });
    expect(retryAfterMs).toBeGreaterThan(57_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect((await answer(503, { retryAfter: 3 })).retryAfterMs).toBe(3_000);
    expect((await answer(503, {}, { 'Retry-After': 'soon' })).retryAfterMs).toBeNull();
    expect((await answer(503, {}, { 'Retry-After': new Date(0).toUTCString() })).retryAfterMs).toBe(0);
  });
});

describe('the forms of 429 (decisions 1.5)', () => {
  test('the burst', async () => {
    const error = await limited({
      error: 'Rate Limited',
      message: 'm',
      plan: 'PRO',
      retryAfter: 12,
      rateLimit: { limit: 60, remaining: 0, resetAt: '2026-11-15T10:00:00.000Z' },
    });
    expect(error).toMatchObject({ usedUp: 'burst', plan: 'PRO', usage: null, retryAfterMs: 12_000 });
    expect(error.resetsAtMs).toBe(Date.parse('2026-11-15T10:00:00.000Z'));
    expect(error.upgradeRequired).toBe(false);
  });

  test('a countdown has an end by the clock of this machine, whatever the clock of the service says', async () => {
    const resetAt = '2001-01-01T00:00:00.000Z';
    const before = Date.now();
    const waits = await limited({ rateLimit: { resetAt } }, { 'Retry-After': '12' });
    expect(waits.retryAtMs).toBeGreaterThanOrEqual(before + 12_000);
    expect(waits.retryAtMs).toBeLessThanOrEqual(Date.now() + 12_000);
    expect((await limited({ rateLimit: { resetAt } })).retryAtMs).toBe(Date.parse(resetAt));
    expect((await limited({})).retryAtMs).toBeNull();
  });

  test('the month', async () => {
    const error = await limited({
      error: 'Rate Limited',
      plan: 'FREE',
      usage: { current: 500, limit: 500 },
      upgradeRequired: true,
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    expect(error).toMatchObject({
      usedUp: 'month',
      usage: { current: 500, limit: 500 },
      upgradeRequired: true,
      resetsAtMs: Date.parse('2026-12-01T00:00:00.000Z'),
    });
  });

  test('the scans, whose usage is a number', async () => {
    const error = await limited({ error: 'Scan quota exceeded', usage: 1_000, limit: 1_000 });
    expect(error).toMatchObject({ usedUp: 'scans', usage: { current: 1_000, limit: 1_000 } });
  });

  test('without a key', async () => {
    const error = await limited({ error: 'Rate Limited', plan: 'ANONYMOUS', rateLimit: { limit: 10 } });
    expect(error.usedUp).toBe('anonymous');
  });

  test('a form unknown to this version is reported as unknown', async () => {
    expect((await limited({ error: 'Rate Limited', message: 'm' })).usedUp).toBe('other');
  });
});
