import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addCounts,
  fadeCounts,
  LEARNING,
  type Letter,
  NO_COUNTS,
  posterior,
  priorOf,
  stepTowards,
} from './source-reliability.ts';

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const satisfies readonly Letter[];
const priors = fc.record({
  reliability: fc.double({ min: 0, max: 1, noNaN: true }),
  isAggregate: fc.boolean(),
});
const count = fc.double({ min: 0, max: 1e6, noNaN: true });
const counts = fc
  .tuple(count, count, count)
  .map(([conf, disp, neither]) => ({ conf, disp, seen: conf + disp + neither }));
const learned = (letter: Letter, conf: number, disp: number, seen = conf + disp) =>
  posterior({ reliability: priorOf(letter, false), isAggregate: false }, { seen, conf, disp });

describe('the reliability of a letter', () => {
  test.each([
    ['A', 0.95],
    ['B', 0.75],
    ['C', 0.5],
    ['D', 0.35],
    ['E', 0.2],
    ['F', 0.35],
  ] as const)('%s starts at %d', (letter, reliability) => {
    expect(priorOf(letter, false)).toBe(reliability);
  });

  test('an aggregate starts at 0.40 at most', () => {
    expect(LETTERS.map((letter) => priorOf(letter, true))).toEqual([0.4, 0.4, 0.4, 0.35, 0.2, 0.35]);
  });
});

describe('the posterior', () => {
  test('is the prior while no entry was judged', () => {
    for (const letter of LETTERS) expect(learned(letter, 0, 0)).toBeCloseTo(priorOf(letter, false), 10);
  });

  test.each([
    ['B', 5, 0, 20 / 25],
    ['B', 0, 5, 15 / 25],
    ['C', 10, 10, 20 / 40],
    ['E', 2, 1, 6 / 23],
  ] as const)('%s with %d confirmed and %d disputed', (letter, conf, disp, expected) => {
    expect(learned(letter, conf, disp)).toBeCloseTo(expected, 10);
  });

  test.each([
    ['B', 0.054, 0.005, 0.767],
    ['B', 0, 0.001, 0.749],
    ['B', 0, 0.1, 0.625],
    ['B', 0, 1, 0.25],
    ['C', 0.333, 0, 0.7],
    ['C', 1, 0, 0.833],
    ['D', 0, 0.012, 0.342],
    ['A', 1, 0, 0.97],
  ] as const)(
    '%s of a large list goes by the share: %d confirmed, %d disputed',
    (letter, conf, disp, expected) => {
      for (const seen of [1_000, 20_000, 1e6])
        expect(learned(letter, conf * seen, disp * seen, seen)).toBeCloseTo(expected, 3);
    },
  );

  test('weighs judged entries at most twice as much as the letter', () => {
    fc.assert(
      fc.property(priors, counts, (prior, seen) => {
        const low = posterior({ ...prior, reliability: LEARNING.min }, seen);
        const high = posterior({ ...prior, reliability: LEARNING.max }, seen);
        // The letter has 20 of at most 60 votes, so two letters keep at least a third of their distance.
        if (!prior.isAggregate && high < LEARNING.max && low > LEARNING.min)
          expect(high - low).toBeGreaterThanOrEqual((LEARNING.max - LEARNING.min) / 3 - 1e-9);
      }),
    );
  });

  test('of an aggregate is never above 0.40', () => {
    fc.assert(
      fc.property(priors, counts, (prior, seen) => {
        expect(posterior({ ...prior, isAggregate: true }, seen)).toBeLessThanOrEqual(0.4);
      }),
    );
  });

  test('stays within its bounds, never falls by a confirmation and never rises by a dispute', () => {
    fc.assert(
      fc.property(priors, counts, fc.double({ min: 0, max: 1, noNaN: true }), (prior, seen, share) => {
        const before = posterior(prior, seen);
        expect(before).toBeGreaterThanOrEqual(LEARNING.min);
        expect(before).toBeLessThanOrEqual(LEARNING.max);
        const more = (seen.seen - seen.conf - seen.disp) * share;
        const confirmed = posterior(prior, { ...seen, conf: seen.conf + more });
        const disputed = posterior(prior, { ...seen, disp: seen.disp + more });
        expect(confirmed).toBeGreaterThanOrEqual(before - 1e-9);
        expect(disputed).toBeLessThanOrEqual(before + 1e-9);
      }),
    );
  });
});

describe('counts', () => {
  test('halve in 90 days, however the days are cut', () => {
    expect(fadeCounts({ seen: 20, conf: 8, disp: 4 }, 90)).toEqual({ seen: 10, conf: 4, disp: 2 });
    fc.assert(
      fc.property(counts, fc.nat(400), fc.nat(400), (seen, a, b) => {
        const [twice, once] = [fadeCounts(fadeCounts(seen, a), b), fadeCounts(seen, a + b)];
        expect(twice.conf).toBeCloseTo(once.conf, 6);
        expect(twice.disp).toBeCloseTo(once.disp, 6);
      }),
    );
  });

  test('do not grow when a clock steps back', () => {
    expect(fadeCounts({ seen: 20, conf: 8, disp: 4 }, -30)).toEqual({ seen: 20, conf: 8, disp: 4 });
  });

  test('add up', () => {
    expect(addCounts(NO_COUNTS, { seen: 9, conf: 1, disp: 2 })).toEqual({ seen: 9, conf: 1, disp: 2 });
  });
});

describe('a night', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });

  test('moves by 0.02 at most, towards the target and never past it', () => {
    fc.assert(
      fc.property(unit, unit, (current, target) => {
        const next = stepTowards(current, target);
        // Results are rounded to thousandths, which adds at most half of one.
        expect(Math.abs(next - current)).toBeLessThanOrEqual(LEARNING.stepMax + 0.000_5 + 1e-9);
        expect(Math.abs(target - next)).toBeLessThanOrEqual(Math.abs(target - current) + 0.000_5 + 1e-9);
      }),
    );
  });

  test('moves nothing for less than 0.005', () => {
    expect(stepTowards(0.5, 0.5049)).toBe(0.5);
    expect(stepTowards(0.5, 0.4951)).toBe(0.5);
    expect(stepTowards(0.5, 0.5051)).toBe(0.505);
  });

  test('converges night by night to within 0.005 of the target', () => {
    fc.assert(
      fc.property(unit, unit, (start, target) => {
        let current = start;
        for (let night = 0; night < 60; night += 1) current = stepTowards(current, target);
        expect(Math.abs(target - current)).toBeLessThanOrEqual(LEARNING.stepMin + 0.000_5);
        expect(stepTowards(current, target)).toBe(current);
      }),
    );
  });
});
