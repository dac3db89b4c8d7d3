import { describe, expect, test } from 'vitest';
import type { ListClass } from './learned-table.ts';
import { back30Of, r30Of, type SettledClass, settleClass } from './list-class.ts';

const nights = (from: ListClass, r30s: readonly (number | null)[], share = 0.001): SettledClass => {
  let settled: SettledClass = { class: from };
  for (const r30 of r30s) settled = settleClass(settled, { r30, share });
  return settled;
};
const week = (r30: number | null) => Array.from({ length: 7 }, () => r30);

describe('what is measured', () => {
  const turnover = { judged: 15_500, left: 5_177, ended: 5_000, returned: 60 };
  test('r30 is the share of judged entries that left, back30 of leaving entries that came back', () => {
    expect([r30Of(turnover), back30Of(turnover)]).toEqual([5_177 / 15_500, 60 / 5_000]);
  });
  test('fewer than 200 entries say nothing', () => {
    expect([
      r30Of({ ...turnover, judged: 199, left: 150 }),
      back30Of({ ...turnover, ended: 199, returned: 150 }),
    ]).toEqual([null, null]);
  });
});

describe('a class', () => {
  test('changes after seven nights in a row, not after six', () => {
    expect(nights('unknown', week(0.1).slice(1)).class).toBe('unknown');
    expect(nights('unknown', week(0.1)).class).toBe('removes');
  });

  test.each([
    ['unknown', 0.055, 0.001, 'unknown', '5.5 % is not enough to become `removes`'],
    ['removes', 0.045, 0.001, 'removes', '4.5 % is enough to stay'],
    ['removes', 0.039, 0.001, 'unknown', 'below 4 % it goes'],
    ['unknown', 0.002, 0.001, 'keeps', 'nearly nothing leaves although people visit some'],
    ['unknown', 0.002, 1 / 7_000, 'unknown', 'a clean list that removes nothing stays'],
    ['unknown', 0.004, 0.001, 'unknown', '0.4 % is too much to become `keeps`'],
    ['keeps', 0.006, 1 / 9_000, 'keeps', 'inside both margins it stays'],
    ['keeps', 0.008, 0.001, 'unknown', 'above 0.7 % it goes'],
    ['keeps', 0.001, 1 / 11_000, 'unknown', 'and when its entries are clean'],
    ['keeps', 0.1, 0.001, 'removes', 'or at once to `removes`'],
    ['removes', 0.001, 0.001, 'keeps', 'and the other way round'],
  ] as const)('%s with r30 %d and a share of %d is %s: %s', (from, r30, share, to, _why) => {
    expect(nights(from, week(r30), share).class).toBe(to);
  });

  test('a night without a measurement ends the row', () => {
    const row = [...week(0.1).slice(1), null, 0.1];
    expect(nights('unknown', row)).toEqual({ class: 'unknown', asked: { class: 'removes', nights: 1 } });
  });

  test('a night that asks for another class begins another row', () => {
    expect(nights('unknown', [0.1, 0.1, 0.001])).toEqual({
      class: 'unknown',
      asked: { class: 'keeps', nights: 1 },
    });
  });

  test('a change that had to wait for a release is asked for again the next night', () => {
    const waiting = { class: 'unknown', asked: { class: 'removes', nights: 7 } } as const;
    expect(settleClass(waiting, { r30: 0.1, share: 0.001 }).class).toBe('removes');
  });
});
