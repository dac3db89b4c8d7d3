import { expect, test } from 'vitest';
import { weightsData } from './weights-data.ts';

const NOW_MS = Date.UTC(2026, 7, 24, 12);
const QUIET = { lastRunAtMs: NOW_MS - 3_600_000, held: null, alarms: [] };

test('weights are no line of the report while nothing is to be done', () => {
  expect(weightsData(null, NOW_MS)).toEqual([]);
  expect(weightsData(QUIET, NOW_MS)).toEqual([]);
});

test('a version that waits is failing, says why, and names the command', () => {
  const held = { version: '2026-08-24.1', reasons: ['domains-all: 9 entries would be added.'] };
  const [data] = weightsData({ ...QUIET, held }, NOW_MS);
  expect(data).toMatchObject({
    isFailing: true,
    message: 'Version 2026-08-24.1 waits for an operator: domains-all: 9 entries would be added.',
  });
  expect(data?.action).toContain('npm run admin -- weights release');
});

test('an alarm of the top lists names at most five sources', () => {
  const [data] = weightsData({ ...QUIET, alarms: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, NOW_MS);
  expect(data?.message).toBe(
    'Weighed less, because many of their names are on top lists: a, b, c, d, e and 2 more.',
  );
});

test('three days without a run are late', () => {
  const [data] = weightsData({ ...QUIET, lastRunAtMs: NOW_MS - 3 * 86_400_000 - 1 }, NOW_MS);
  expect(data).toMatchObject({ isFailing: false, message: null, staleAfterMs: 3 * 86_400_000 });
});
