import { expect, test } from 'vitest';
import { type Answer, judgeAttempt, type Place, RETRY_MS, readRetryAfter } from './judge-attempt.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 1);
const answer = (status: number | null, retryAfterMs: number | null = null): Answer => ({
  status,
  retryAfterMs,
});
const judge = (place: Place, given: Answer, random = 0) => judgeAttempt(place, given, { nowMs: NOW, random });
const lane = (step = 0, refusals = 0): Place => ({ kind: 'lane', step, refusals });

test('every 2xx is delivered, and 410 ends the endpoint', () => {
  for (const status of [200, 201, 202, 204, 299])
    expect(judge(lane(3), answer(status)).kind).toBe('delivered');
  expect(judge(lane(), answer(410)).kind).toBe('gone');
});

test('a failing endpoint holds its lane at the published pauses, 10 attempts in all', () => {
  const pauses: number[] = [];
  let step = 0;
  for (;;) {
    const next = judge(lane(step), answer(500));
    if (next.kind === 'failed') break;
    if (next.kind !== 'again') throw new Error(next.kind);
    pauses.push(next.nextAtMs - NOW);
    ({ step } = next);
  }
  expect(pauses).toEqual(RETRY_MS);
  expect(pauses).toHaveLength(9);
});

test.each([null, 301, 307, 408, 425, 429, 500, 503])(
  '%s says something of the endpoint, not of the message',
  (status) => {
    expect(judge(lane(0, 2), answer(status))).toEqual({
      kind: 'again',
      nextAtMs: NOW + 5_000,
      step: 1,
      refusals: 2,
    });
  },
);

test('a message that is refused three times is parked, and goes on after 5 minutes', () => {
  expect(judge(lane(), answer(400))).toEqual({ kind: 'again', nextAtMs: NOW + 5_000, step: 0, refusals: 1 });
  expect(judge(lane(0, 1), answer(404))).toMatchObject({ kind: 'again', refusals: 2 });
  expect(judge(lane(0, 2), answer(422))).toEqual({ kind: 'park', nextAtMs: NOW + 300_000, step: 2 });
  expect(judge({ kind: 'parked', step: 2 }, answer(422))).toMatchObject({ kind: 'again', step: 3 });
  expect(judge({ kind: 'parked', step: 9 }, answer(422)).kind).toBe('failed');
});

test('after the last attempt the next message inherits the longest pause', () => {
  expect(judge(lane(9), answer(null))).toEqual({ kind: 'failed', nextAtMs: NOW + 24 * HOUR_MS, step: 9 });
});

test('a message that was sent by request is sent once', () => {
  expect(judge({ kind: 'once' }, answer(503)).kind).toBe('failed');
});

test('jitter only lengthens a pause, by at most a tenth', () => {
  expect(judge(lane(), answer(500), 1)).toMatchObject({ nextAtMs: NOW + 5_500 });
});

test('Retry-After lengthens a pause, up to a day', () => {
  expect(judge(lane(), answer(429, 60_000))).toMatchObject({ nextAtMs: NOW + 60_000 });
  expect(judge(lane(1), answer(503, 1_000))).toMatchObject({ nextAtMs: NOW + 300_000 });
  expect(judge(lane(), answer(503, 90 * HOUR_MS))).toMatchObject({ nextAtMs: NOW + 24 * HOUR_MS });
});

test('Retry-After is read as seconds or as a date', () => {
  expect(readRetryAfter('120', NOW)).toBe(120_000);
  expect(readRetryAfter(new Date(NOW + 7_000).toUTCString(), NOW)).toBe(7_000);
  expect(readRetryAfter(new Date(NOW - 7_000).toUTCString(), NOW)).toBe(0);
  for (const text of [undefined, '', '-1', 'soon', '1e9', '2026-11-01'])
    expect(readRetryAfter(text, NOW)).toBeNull();
});
