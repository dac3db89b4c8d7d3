import { expect, test } from 'vitest';
import { AGE_GROUPS } from './age-group.ts';
import { SHIPPED_BOOK, SHIPPED_TABLE } from './shipped-table.ts';
import { type RatedSource, weightBookOf } from './weight-book.ts';

const rated = (id: string, given: Partial<RatedSource> = {}): RatedSource => ({
  id,
  letter: 'B',
  fpRisk: 'medium',
  category: 'malware',
  lineage: null,
  semantics: 'state',
  keepsEntries: false,
  ...given,
});

test('a group that a source lacks lies between its younger and its older cells', () => {
  // maltrail-malware has no old cell, and its undated one is far cleaner than its mature one.
  const shares = (['F', 'M', 'O'] as const).map(
    (group) => SHIPPED_BOOK.shareOf(rated('maltrail-malware'), group).share,
  );
  expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
});

test('a younger entry of any source of the table has at most the share of an older one', () => {
  for (const source of new Set(SHIPPED_TABLE.cells.map((cell) => cell.source))) {
    const [f = 0, m = 0, o = 0] = AGE_GROUPS.map((group) => SHIPPED_BOOK.shareOf(rated(source), group).share);
    expect([source, f <= m && m <= o]).toEqual([source, true]);
  }
});

test('a learned cell is proven after 30 nights and 1,000 entries, a shipped one at once', () => {
  const cell = { source: 'new', group: 'U', n: 1_000, h: 0, f: 0.0001, points: 77 } as const;
  const isProven = (given: object): boolean => {
    const table = { ...SHIPPED_TABLE, cells: [{ ...cell, ...given }] };
    return weightBookOf(table, '00000000').shareOf(rated('new'), 'U').isProven;
  };
  expect([{}, { nights: 29 }, { nights: 30 }, { nights: 30, n: 999 }].map(isProven)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
