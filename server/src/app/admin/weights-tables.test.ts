import { expect, test } from 'vitest';
import { type RatedSource, SHIPPED_BOOK, SHIPPED_TABLE } from '#domain/weights/index.ts';
import { changeLines, sideBySide, sourceLines } from './weights-tables.ts';

const rated = (id: string, given: Partial<RatedSource> = {}): RatedSource => ({
  id,
  letter: 'B',
  fpRisk: 'medium',
  category: 'phishing',
  lineage: null,
  semantics: 'state',
  keepsEntries: false,
  ...given,
});

test('a source is shown in words, with its class and the points of each age', () => {
  expect(sourceLines(SHIPPED_BOOK, rated('phishtank'))).toEqual([
    'phishtank, weights of version 2026-08-23.1.',
    'Class removes: the list takes entries back, so an entry counts fully while it is listed. Of 15,500 entries of 14 to 60 days, 33.4 % left within 30 days. Of those that left, 1.2 % came back within 30 days.',
    'About 1 in 2,700 entries listed in the last 60 days is a site people visit.',
    'About 1 in 950 entries listed for 60 days to a year is a site people visit.',
    'About 1 in 950 entries listed for more than a year is a site people visit.',
    'About 1 in 1,900 entries without a date is a site people visit.',
    '',
    'listed for        entries  visited   1 in  points',
    '----------------  -------  -------  -----  ------',
    'up to 59 days      35,235       11  2,700      63',
    '60 to 364 days      8,832        9    950      34',
    '365 days or more    8,941        8    950      34',
    'unknown                 2        0  1,900      58',
  ]);
});

test('a source without a count says after what it is weighed', () => {
  const lines = sourceLines(
    SHIPPED_BOOK,
    rated('urlhaus-hosts', { lineage: 'abuse-ch', category: 'malware' }),
  );
  expect(lines.at(-1)).toBe(
    'No count of its own. It is weighed as 1 in 440, after another list of the same operator: 26 points, before the limits of lists without a record.',
  );
});

test('both tables stand side by side, with a row for each cell of either', () => {
  const [first, ...others] = SHIPPED_TABLE.cells;
  const table = {
    ...SHIPPED_TABLE,
    cells: [...others, { source: 'zz-new', group: 'U', n: 50, h: 0, f: 0.001, points: 35 } as const],
  };
  const targets = new Map(table.cells.map((cell) => [`${cell.source} ${cell.group}`, cell.f]));
  const lines = sideBySide({ shipped: SHIPPED_TABLE, table, targets });
  expect(lines).toHaveLength(2 + SHIPPED_TABLE.cells.length + 1);
  expect(lines.find((line) => line.startsWith(first?.source ?? ''))?.trimEnd()).toMatch(/56$/);
  expect(lines.at(-1)).toMatch(/^zz-new +U +50 +0 +1,000 +35 +35$/);
});

test('changes name the cells and classes that differ', () => {
  const after = {
    ...SHIPPED_TABLE,
    cells: SHIPPED_TABLE.cells.map((cell) => (cell.source === 'urlhaus' ? { ...cell, points: 29 } : cell)),
    lists: SHIPPED_TABLE.lists.map((list) =>
      list.source === 'urlhaus' ? { ...list, class: 'removes' as const } : list,
    ),
  };
  expect(changeLines(SHIPPED_TABLE, after)).toEqual([
    'urlhaus U: 26 -> 29 points',
    'urlhaus: class unknown -> removes',
  ]);
});
