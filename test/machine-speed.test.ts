import { expect, test } from 'vitest';
import { probeSpeed, type SpeedSample, slownessBetween } from './machine-speed.ts';

const every = (ms: number, cpuMs: number, count: number, fromMs = 0): SpeedSample[] =>
  Array.from({ length: count }, (_, nth) => ({ atMs: fromMs + nth * ms, cpuMs }));

test('the slowness of a file is the mean of the samples while it ran', () => {
  const samples = [...every(500, 3.4, 10), ...every(500, 10.2, 10, 5_000)];
  expect(slownessBetween(samples, 0, 4_999)).toBeCloseTo(1);
  expect(slownessBetween(samples, 5_000, 9_999)).toBeCloseTo(3);
  expect(slownessBetween(samples, 0, 9_999)).toBeCloseTo(2);
});

test('a short file has the slowness of the run, and a faster machine counts as equal', () => {
  expect(slownessBetween(every(500, 6.8, 10), 0, 600)).toBeCloseTo(2);
  expect(slownessBetween(every(500, 1, 10), 0, 10_000)).toBe(1);
  expect(slownessBetween(every(500, 34, 3), 0, 10_000)).toBe(1);
});

test('a probe takes CPU time', () => {
  const takes = Array.from({ length: 20 }, probeSpeed);
  expect(takes.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(0);
});
