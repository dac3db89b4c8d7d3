import { describe, expect, test } from 'vitest';
import type { Cell, LearnedTable, ListRecord } from './learned-table.ts';
import { SHIPPED_TABLE } from './shipped-table.ts';
import { isEqualInForce, largeClassChanges, largeMoves, withClassesOf } from './version-changes.ts';

const withCell = (source: string, given: Partial<Cell>): LearnedTable => ({
  ...SHIPPED_TABLE,
  cells: SHIPPED_TABLE.cells.map((cell) => (cell.source === source ? { ...cell, ...given } : cell)),
});
const withClass = (source: string, to: 'removes' | 'keeps' | 'unknown'): LearnedTable => ({
  ...SHIPPED_TABLE,
  lists: SHIPPED_TABLE.lists.map((list) => (list.source === source ? { ...list, class: to } : list)),
});

describe('a new version', () => {
  test.each([
    ['another share', withCell('urlhaus', { f: 0.002 })],
    ['a cell that is not proven yet', withCell('urlhaus', { nights: 29 })],
    ['another class', withClass('urlhaus', 'removes')],
    ['a cell less', { ...SHIPPED_TABLE, cells: SHIPPED_TABLE.cells.slice(1) }],
    ['another platform', { ...SHIPPED_TABLE, platforms: [] }],
  ] as const)('comes from %s', (_what, table) => {
    expect(isEqualInForce(SHIPPED_TABLE, table)).toBe(false);
  });

  test('does not come from a source that is declared to keep its entries', () => {
    const declared = {
      ...SHIPPED_TABLE.lists[0],
      source: 'archive',
      class: 'keeps',
      declared: true,
    } as const;
    const table = { ...SHIPPED_TABLE, lists: [...SHIPPED_TABLE.lists, declared as ListRecord] };
    expect(isEqualInForce(SHIPPED_TABLE, table)).toBe(true);
  });

  test('does not come from counts, memory, nights of a proven cell, dates or the order of rows', () => {
    const table = {
      ...withCell('urlhaus', { n: 3_000, h: 8, asked: 2, gone: { n: 5, h: 1 }, nights: 31 }),
      version: '2026-09-01.1',
      learnedAt: '2026-09-01',
    };
    const turned = { ...table, cells: table.cells.toReversed(), lists: table.lists.toReversed() };
    expect(isEqualInForce(SHIPPED_TABLE, turned)).toBe(true);
  });
});

describe('the moves of a version', () => {
  const move = (entries: number, entering: number, leaving: number) =>
    largeMoves([{ list: 'domains-phishing', entries, entering, leaving }]).length;

  test.each([
    [100_000, 2_001, 0, 1, 'more than 2 %'],
    [100_000, 2_000, 0, 0, 'exactly 2 %'],
    [100_000, 1_001, 1_000, 1, 'entries that leave are not set off against those that enter'],
    [1_000, 500, 0, 0, 'half of a small list, but not more than 500'],
    [1_000, 501, 0, 1, '501 of a small list'],
  ])('of %d entries %d enter and %d leave: held %d, %s', (entries, entering, leaving, held) => {
    expect(move(entries, entering, leaving)).toBe(held);
  });
});

describe('a change of class', () => {
  test('is large for a source with more than 1,000 entries at block', () => {
    expect(largeClassChanges(SHIPPED_TABLE, withClass('polkadot-phishing', 'keeps'))).toEqual([
      { source: 'polkadot-phishing', from: 'unknown', to: 'keeps', entriesAtBlock: 54_014 },
    ]);
  });

  test('does not count what left the cell', () => {
    expect(largeClassChanges(SHIPPED_TABLE, withClass('phishtank', 'unknown'))[0]?.entriesAtBlock).toBe(
      7_235,
    );
  });

  test('is small where no cell of the source reaches the level', () => {
    expect(largeClassChanges(SHIPPED_TABLE, withClass('blp-phishing', 'keeps'))).toEqual([]);
  });

  test('can be taken out of a version', () => {
    const next = withClass('polkadot-phishing', 'keeps');
    expect(withClassesOf(SHIPPED_TABLE, next, new Set(['polkadot-phishing']))).toEqual(SHIPPED_TABLE);
  });
});
