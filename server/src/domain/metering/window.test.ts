import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conformsToGcra } from './gcra.ts';
import { EMPTY_WINDOW, spendWindow, type Window } from './window.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 15);

function grantsOf(timesMs: readonly number[], limit: number): number[] {
  let window: Window = EMPTY_WINDOW;
  return timesMs.filter((nowMs) => {
    const answer = spendWindow(window, nowMs, MINUTE_MS, limit);
    window = answer.window;
    return answer.granted;
  });
}

const calls = fc
  .array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 300 })
  .map((gaps) => gaps.map((_, i) => START_MS + gaps.slice(0, i + 1).reduce((sum, gap) => sum + gap, 0)));
const bursts = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 70_000 }), fc.integer({ min: 1, max: 30 })), { maxLength: 30 })
  .map((groups) => {
    let nowMs = START_MS;
    return groups.flatMap(([gapMs, count]) => {
      nowMs += gapMs;
      return Array.from({ length: count }, () => nowMs);
    });
  });
const limits = fc.integer({ min: 1, max: 40 });

describe('the sliding window', () => {
  test('never grants more than the limit in any sliding 60 s', () => {
    fc.assert(
      fc.property(fc.oneof(calls, bursts), limits, (timesMs, limit) => {
        const granted = grantsOf(timesMs, limit);
        for (const [i, atMs] of granted.entries())
          expect(granted.slice(i).filter((laterMs) => laterMs - atMs < MINUTE_MS).length).toBeLessThanOrEqual(
            limit,
          );
      }),
    );
  });

  test('grants only what GCRA with the same rate and a full burst would grant', () => {
    fc.assert(
      fc.property(fc.oneof(calls, bursts), limits, (timesMs, limit) => {
        expect(conformsToGcra(grantsOf(timesMs, limit), limit, MINUTE_MS)).toBe(true);
      }),
    );
  });

  test('has a full burst ready after 65 s of silence, after any history', () => {
    fc.assert(
      fc.property(fc.oneof(calls, bursts), limits, (timesMs, limit) => {
        const last = timesMs.at(-1) ?? START_MS;
        const burst = Array.from({ length: limit }, () => last + 65_000);
        const before = grantsOf(timesMs, limit).length;
        expect(grantsOf([...timesMs, ...burst], limit).length - before).toBe(limit);
      }),
    );
  });

  test('retryAfterMs is exact: refused until then, granted at that moment', () => {
    fc.assert(
      fc.property(fc.oneof(calls, bursts), limits, (timesMs, limit) => {
        let window: Window = EMPTY_WINDOW;
        for (const nowMs of timesMs) {
          const answer = spendWindow(window, nowMs, MINUTE_MS, limit);
          window = answer.window;
          if (answer.granted) continue;
          expect(answer.retryAfterMs).toBeGreaterThan(0);
          expect(spendWindow(window, nowMs + answer.retryAfterMs - 1, MINUTE_MS, limit).granted).toBe(false);
          expect(spendWindow(window, nowMs + answer.retryAfterMs, MINUTE_MS, limit).granted).toBe(true);
        }
      }),
    );
  });

  test('resetMs is later than now and at most 65 s away, and the whole burst is free then', () => {
    fc.assert(
      fc.property(fc.oneof(calls, bursts), limits, (timesMs, limit) => {
        let window: Window = EMPTY_WINDOW;
        for (const nowMs of timesMs) {
          const answer = spendWindow(window, nowMs, MINUTE_MS, limit);
          window = answer.window;
          expect(answer.resetMs).toBeGreaterThan(nowMs);
          expect(answer.resetMs).toBeLessThanOrEqual(nowMs + 65_000);
          expect(spendWindow(window, answer.resetMs, MINUTE_MS, limit).remaining).toBe(limit - 1);
        }
      }),
    );
  });

  test('with a limit of one grants one call and then nothing for a minute', () => {
    expect(
      grantsOf(
        [0, 1, 30_000, 59_999, 64_999, 65_000].map((ms) => START_MS + ms),
        1,
      ),
    ).toEqual([START_MS, START_MS + 65_000]);
  });

  test('a clock that steps back a little grants no second burst; one that jumps a day starts afresh', () => {
    const full = grantsOf(
      Array.from({ length: 10 }, () => START_MS),
      10,
    );
    expect(full).toHaveLength(10);
    const steppedBack = [...Array.from({ length: 10 }, () => START_MS), START_MS - 30_000];
    expect(grantsOf(steppedBack, 10)).toHaveLength(10);
    const jumpedBack = [...Array.from({ length: 10 }, () => START_MS), START_MS - 86_400_000];
    expect(grantsOf(jumpedBack, 10)).toHaveLength(11);
  });
});
