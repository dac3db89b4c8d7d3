import { expect, test } from 'vitest';
import { sumLine, type Tally } from './tally.ts';

const TALLY: Tally = { pasted: 212, duplicates: 9, skipped: [{ why: 'private', count: 3 }] };

test.each<[string, Tally, number, [number, number, number, number], string]>([
  [
    'finished',
    TALLY,
    200,
    [31, 12, 150, 7],
    '212 pasted, 9 duplicates, 3 private: 200 checked = 31 block + 12 look + 150 unknown + 7 ignore',
  ],
  [
    'under way',
    TALLY,
    200,
    [1, 0, 40, 9],
    '212 pasted, 9 duplicates, 3 private: 200 to check = 1 block + 0 look + 40 unknown + 9 ignore + 150 to come',
  ],
  [
    'with nothing left out',
    { pasted: 1, duplicates: 0, skipped: [] },
    1,
    [0, 1, 0, 0],
    '1 pasted: 1 checked = 0 block + 1 look + 0 unknown + 0 ignore',
  ],
])('the sum of a run that is %s', (_what, tally, sent, [block, look, unknown, ignore], line) => {
  expect(sumLine(tally, sent, { block, look, unknown, ignore })).toBe(line);
});
