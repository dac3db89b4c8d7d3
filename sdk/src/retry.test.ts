import { afterEach, describe, expect, test } from 'vitest';
import { IS_FULL_SIZE } from '../../server/test/support/lane.ts';
import { json, type Loopback, startLoopback } from '../test/loopback.ts';
import { type AssayOptions, createAssay } from './client.ts';
import { Aborted, NetworkFailure, RateLimited, TimedOut, Unavailable } from './errors.ts';
import { waitBeforeRetry } from './retry.ts';

let peer: Loopback;
afterEach(() => peer?.close());
async function open(answer: Parameters<typeof startLoopback>[0], options: Partial<AssayOptions> = {}) {
  peer = await startLoopback(answer);
  return createAssay({ baseUrl: peer.url, ...options });
}
const OK = { malicious: false, apiVersion: 'v2', enrichmentLevel: 'basic' };
const SAVED = { report: { id: 'rpt_1' } };
const result = { malicious: false, apiVersion: 'v2' };
const busy = { error: 'Service unavailable', message: 'Busy.' };
const limited = { error: 'Rate Limited', message: 'Slow down.', rateLimit: { limit: 1 } };

describe('requests that may be repeated are repeated', () => {
  test('after 503, once the time that the service named has passed', async () => {
    const at: number[] = [];
    const assay = await open((response, _request, number) => {
      at.push(performance.now());
      if (number === 1) json(response, 503, busy, { 'Retry-After': '1' });
      else json(response, 200, OK);
    });
    expect(await assay.check('a.example')).toEqual(OK);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('after the connection broke, before and inside the answer', async () => {
    const assay = await open((response, _request, number) => {
      if (number === 1) response.destroy();
      else if (number === 2) {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' });
        response.write('{"malicious":', () => response.destroy());
      } else json(response, 200, OK);
    });
    expect(await assay.check('a.example')).toEqual(OK);
    expect(peer.received).toHaveLength(3);
  });

  test('only as often as allowed, then with the failure as it was', async () => {
    const assay = await open((response) => json(response, 503, busy), { retries: 1 });
    await expect(assay.check('a.example')).rejects.toBeInstanceOf(Unavailable);
    expect(peer.received).toHaveLength(2);
    await expect(assay.check('a.example', { retries: 0 })).rejects.toBeInstanceOf(Unavailable);
    expect(peer.received).toHaveLength(3);
  });

  test('a write has one key for all its attempts, and another for the next write', async () => {
    const assay = await open((response, _request, number) => {
      if (number === 1) response.destroy();
      else if (number === 2) json(response, 503, busy);
      else if (number === 3)
        json(response, 409, { error: 'Conflict', message: 'Running.' }, { 'Retry-After': '0' });
      else json(response, 201, SAVED);
    });
    expect(await assay.reports.save({ result }, { retries: 3 })).toEqual(SAVED.report);
    await assay.reports.save({ result });
    const keys = peer.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(5);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[4]).not.toBe(keys[0]);
    expect(new Set(peer.received.map(({ body }) => body)).size).toBe(1);
  });

  test('the caller’s own Idempotency-Key is used', async () => {
    const assay = await open((response) => json(response, 201, SAVED));
    await assay.reports.save({ result }, { idempotencyKey: 'mine-1' });
    expect(peer.received[0]?.headers['idempotency-key']).toBe('mine-1');
  });
});

describe('requests that may not be repeated are not', () => {
  test('a POST without a key: not after 503 or a broken connection, which may have been carried out', async () => {
    const assay = await open((response, _request, number) => {
      if (number === 1) json(response, 503, busy);
      else response.destroy();
    });
    await expect(assay.search('paypal')).rejects.toBeInstanceOf(Unavailable);
    await expect(assay.search('paypal')).rejects.toBeInstanceOf(NetworkFailure);
    expect(peer.received).toHaveLength(2);
  });

  test('but after 429, which was refused before anything was done', async () => {
    const assay = await open((response, _request, number) => {
      if (number === 1) json(response, 429, limited, { 'Retry-After': '0' });
      else json(response, 200, { hits: [] });
    });
    await assay.search('paypal');
    expect(peer.received).toHaveLength(2);
  });

  test('a wait longer than the caller allows is thrown at once, with its length', async () => {
    const assay = await open((response) => json(response, 429, limited, { 'Retry-After': '31' }));
    const started = performance.now();
    const error = await assay.check('a.example').catch((e: unknown) => e);
    if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(1_000);
    expect(error).toBeInstanceOf(RateLimited);
    expect(error).toMatchObject({ retryAfterMs: 31_000, usedUp: 'burst' });
    expect(peer.received).toHaveLength(1);
  });

  test('400, 401, 403, 404, 409 without a wait, and 500', async () => {
    for (const status of [400, 401, 403, 404, 409, 500]) {
      const assay = await open((response) => json(response, status, { error: 'x', message: 'y' }));
      await expect(assay.reports.save({ result })).rejects.toMatchObject({ status });
      expect(peer.received, String(status)).toHaveLength(1);
      await peer.close();
    }
  });
});

describe('the caller decides how long', () => {
  test('an answer that does not come in time is TimedOut, and the connection is given up', async () => {
    const assay = await open(() => undefined);
    await expect(assay.check('a.example', { timeoutMs: 1_000 })).rejects.toBeInstanceOf(TimedOut);
    await expect.poll(() => peer.hungUp()).toBe(1);
    expect(peer.received).toHaveLength(1);
  });

  test('an answer that begins in time and does not end is TimedOut too', async () => {
    const assay = await open((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{');
    });
    await expect(assay.check('a.example', { timeoutMs: 50 })).rejects.toBeInstanceOf(TimedOut);
  });

  test('an abort ends a call: before it, in it, and in the wait for the next attempt', async () => {
    const assay = await open((response, { url }) => {
      if (url.includes('wait')) json(response, 503, busy, { 'Retry-After': '20' });
    });
    const reason = new Error('enough');
    const before = await assay.check('a', { signal: AbortSignal.abort(reason) }).catch((e: unknown) => e);
    expect(before).toBeInstanceOf(Aborted);
    expect(before).toMatchObject({ name: 'AbortError', cause: reason });
    for (const target of ['hang.example', 'wait.example']) {
      const started = performance.now();
      const signal = AbortSignal.timeout(100);
      await expect(assay.check(target, { signal })).rejects.toBeInstanceOf(Aborted);
      if (IS_FULL_SIZE) expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

test('without a Retry-After the wait grows, is randomised, and is capped', () => {
  const error = new NetworkFailure({ status: 0, error: 'x', message: 'y' });
  const rules = { retries: 99, patienceMs: 1, isRepeatable: true, hasIdempotencyKey: false };
  const most = (attempt: number) =>
    Math.max(...Array.from({ length: 300 }, () => waitBeforeRetry(error, attempt, rules) ?? Number.NaN));
  expect(most(0)).toBeLessThanOrEqual(250);
  expect(most(3)).toBeGreaterThan(1_000);
  expect(most(30)).toBeLessThanOrEqual(8_000);
  const some = Array.from({ length: 50 }, () => waitBeforeRetry(error, 3, rules));
  expect(new Set(some).size).toBeGreaterThan(40);
});
