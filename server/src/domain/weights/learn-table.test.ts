import { describe, expect, test } from 'vitest';
import type { AgeGroup } from './age-group.ts';
import { textOfTable } from './canonical-table.ts';
import { learnTable } from './learn-table.ts';
import type { LearnedTable } from './learned-table.ts';
import type { GroupCount, Learning, SourceCount } from './learning.ts';
import { SHIPPED_TABLE } from './shipped-table.ts';
import type { RatedSource } from './weight-book.ts';

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
const group = (name: AgeGroup, n: number, h: number, left = { n: 0, h: 0 }): GroupCount => ({
  group: name,
  n,
  h,
  left,
});
const count = (source: RatedSource, groups: readonly GroupCount[], topHits = 0): SourceCount => ({
  source,
  groups,
  topHits,
  turnover: null,
});
const OWN = { id: 'own-1', hosts: 200_000 };
/** Gives a scale of one: the counts of the shipped table, cell by cell. */
const ANCHOR = count(rated('blp-phishing'), [group('U', 190_166, 513)]);
const learn = (given: Partial<Learning> = {}) =>
  learnTable({
    shipped: SHIPPED_TABLE,
    before: null,
    inForce: SHIPPED_TABLE,
    counts: [],
    reference: null,
    day: '2026-08-24',
    version: '2026-08-24.1',
    ...given,
  });
const cellOf = (table: LearnedTable, source: string, name: AgeGroup) =>
  table.cells.find((cell) => cell.source === source && cell.group === name);
const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** One night after another, each put into force. */
function nights(first: Learning, many: number): LearnedTable {
  let { table } = learnTable(first);
  for (let night = 1; night < many; night += 1)
    table = learnTable({ ...first, before: table, inForce: table, day: nextDay(table.learnedAt) }).table;
  return table;
}
const first = (given: Partial<Learning>): Learning => ({
  shipped: SHIPPED_TABLE,
  before: null,
  inForce: SHIPPED_TABLE,
  counts: [],
  reference: null,
  day: '2026-08-24',
  version: '2026-08-24.1',
  ...given,
});

test('the same counts give the same bytes, in whatever order they come', () => {
  const counts = [
    ANCHOR,
    count(rated('phishtank'), [group('F', 7_000, 1), group('M', 9_000, 9)]),
    count(rated('new'), [group('U', 3_000, 3)]),
  ];
  const [one, other] = [counts, counts.toReversed()].map((each) =>
    textOfTable(learn({ counts: each, reference: OWN }).table),
  );
  expect(one).toBe(other);
});

describe('without a reference', () => {
  const polkadot = rated('polkadot-phishing', { fpRisk: 'low' });

  test('the shipped cells stay, and a source that is not in the table gets none', () => {
    const { table } = learn({ counts: [count(rated('new'), [group('U', 60_000, 0)])] });
    expect(table.cells).toEqual(SHIPPED_TABLE.cells);
  });

  test('a list that is padded with 60,000 invented names becomes no stronger, however long', () => {
    const table = nights(first({ counts: [count(polkadot, [group('U', 114_014, 0)])] }), 40);
    expect(cellOf(table, 'polkadot-phishing', 'U')).toEqual(cellOf(SHIPPED_TABLE, 'polkadot-phishing', 'U'));
  });

  test('no count lowers the share of a shipped cell', () => {
    const counts = SHIPPED_TABLE.lists.map(({ source }, at) =>
      count(rated(source), [group('F', 10_000, 0), group('U', 90_000, 0)], at % 3 === 0 ? 9_000 : 0),
    );
    const table = nights(first({ counts }), 30);
    for (const { source, group: name, f } of SHIPPED_TABLE.cells)
      expect(cellOf(table, source, name)?.f).toBeGreaterThanOrEqual(f);
  });

  test('an alarm of the top lists makes a list weaker, and goes when the hits go', () => {
    const alarmed = first({ counts: [count(polkadot, [group('U', 54_014, 0)], 200)] });
    const table = nights(alarmed, 20);
    expect(cellOf(table, 'polkadot-phishing', 'U')?.points).toBeLessThan(60);
    expect(table.lists.find(({ source }) => source === polkadot.id)).toMatchObject({
      topHits: 200,
      alarm: 9.25921,
    });
    const after = nights({ ...alarmed, counts: [], before: table, inForce: table }, 40);
    expect(cellOf(after, 'polkadot-phishing', 'U')?.points).toBeGreaterThan(74);
  });

  test('a new shipped table takes effect at once', () => {
    const [cell, ...others] = SHIPPED_TABLE.cells;
    const moved = { ...cell, f: 0.02, points: 5 } as NonNullable<typeof cell>;
    const shipped = { ...SHIPPED_TABLE, version: '2027-01-01.1', cells: [moved, ...others] };
    expect(learn({ shipped }).table.cells[0]).toEqual(moved);
  });
});

describe('with an own reference', () => {
  test('a cell that the shipped table lacks takes effect at once and counts its nights', () => {
    const counts = [ANCHOR, count(rated('new'), [group('U', 9_000, 9)])];
    const table = nights(first({ counts, reference: OWN }), 3);
    expect(cellOf(table, 'new', 'U')).toMatchObject({ n: 9_000, h: 9, f: 0.00115, nights: 3 });
  });

  test('a shipped cell moves by three points a night and has no nights', () => {
    const counts = [ANCHOR, count(rated('phishing-database'), [group('U', 187_594, 0)])];
    const learned = learn({ counts, reference: OWN });
    const cell = cellOf(learned.table, 'phishing-database', 'U');
    expect(cell).toMatchObject({ n: 187_594, h: 0, points: 34, asked: 1 });
    expect(cell).not.toHaveProperty('nights');
    expect(learned.targets.get('phishing-database U')).toBeLessThan(0.00001);
  });

  test('hits are scaled to the sum of the shipped table', () => {
    const counts = [
      count(rated('blp-phishing'), [group('U', 190_166, 1_026)]),
      count(rated('new'), [group('U', 5_000, 10)]),
    ];
    const { table } = learn({ counts, reference: OWN });
    expect(table.reference).toEqual({ ...OWN, shipped: false, scale: 0.5 });
    expect(cellOf(table, 'new', 'U')?.h).toBe(5);
  });

  test('one with too few hits is no reference', () => {
    const counts = [count(rated('blp-phishing'), [group('U', 190_166, 12)])];
    const learned = learn({ counts, reference: OWN });
    expect(learned.hasOwnReference).toBe(false);
    expect(learned.table.cells).toEqual(SHIPPED_TABLE.cells);
  });

  test('20 legitimate sites among 60,000 invented names of a list of grade C weigh next to nothing, but the count says so', () => {
    const padded = rated('padded', { letter: 'C' });
    const { table } = learn({ counts: [ANCHOR, count(padded, [group('U', 60_020, 20)])], reference: OWN });
    // The share alone would reach `high`; the cap of grade C and the 30 nights are what holds it (scoring 2).
    expect(cellOf(table, 'padded', 'U')).toMatchObject({ h: 20, nights: 1 });
    const honest = learn({ counts: [ANCHOR, count(padded, [group('U', 1_000, 20)])], reference: OWN });
    expect(cellOf(honest.table, 'padded', 'U')?.points).toBeLessThan(15);
  });

  test('what left a cell counts on, halved every 90 days, also what the release remembers', () => {
    const counts = [ANCHOR, count(rated('phishtank'), [group('F', 7_000, 0, { n: 500, h: 2 })])];
    const { table } = learn({ counts, reference: OWN, day: '2026-11-21' });
    const gone = { n: 14_500, h: 7.5 };
    expect(cellOf(table, 'phishtank', 'F')).toMatchObject({ n: 21_500, h: 7.5, gone });
  });

  test('a source of fewer than 40 names has no cells of its own', () => {
    const counts = [ANCHOR, count(rated('tiny'), [group('U', 39, 0)])];
    expect(cellOf(learn({ counts, reference: OWN }).table, 'tiny', 'U')).toBeUndefined();
  });

  test('a shipped source that lists nothing here keeps its shipped cells', () => {
    const { table } = learn({ counts: [ANCHOR], reference: OWN });
    expect(cellOf(table, 'sw-malware', 'U')).toEqual(cellOf(SHIPPED_TABLE, 'sw-malware', 'U'));
  });

  test('in force, too, a younger cell has at most the share of an older one', () => {
    const mature = group('M', 9_000, 9);
    const before = learn({ counts: [ANCHOR, count(rated('new'), [mature])], reference: OWN }).table;
    // The fresh cell would take effect at once, while the mature one moves by three points.
    const counts = [ANCHOR, count(rated('new'), [group('F', 9_000, 90), group('M', 9_000, 90)])];
    const given = { counts, reference: OWN, before, inForce: before, day: nextDay(before.learnedAt) };
    const [f = 0, m = 0] = (['F', 'M'] as const).map((name) => cellOf(learn(given).table, 'new', name)?.f);
    expect(f).toBe(m);
  });

  test('after it is taken away, the shares go back to the shipped ones step by step', () => {
    const counts = [ANCHOR, count(rated('phishing-database'), [group('U', 187_594, 2_000)])];
    const table = nights(first({ counts, reference: OWN }), 10);
    const before = cellOf(table, 'phishing-database', 'U')?.points ?? 0;
    expect(before).toBeLessThan(25);
    const after = learn({ counts, before: table, inForce: table, day: nextDay(table.learnedAt) }).table;
    expect(cellOf(after, 'phishing-database', 'U')?.points).toBe(before + 3);
  });
});

describe('lists', () => {
  const turnover = { judged: 1_000, left: 400, ended: 500, returned: 50 };
  const none = { judged: 0, left: 0, ended: 0, returned: 0 };
  const measured = (source: RatedSource, all = turnover, names = none): SourceCount => ({
    ...count(source, []),
    turnover: { names, all },
  });
  const recordOf = (table: LearnedTable, source: string) =>
    table.lists.find((list) => list.source === source);

  test('are measured without a reference too, and change their class after seven nights', () => {
    const counts = [measured(rated('new'))];
    expect(recordOf(nights(first({ counts }), 6), 'new')).toMatchObject({
      class: 'unknown',
      r30: 0.4,
      back30: 0.1,
    });
    expect(recordOf(nights(first({ counts }), 7), 'new')?.class).toBe('removes');
  });

  test('go by their names where enough of them were judged, else by all entries', () => {
    const names = { judged: 300, left: 3, ended: 10, returned: 5 };
    const { table } = learn({ counts: [measured(rated('new'), turnover, names)] });
    expect(recordOf(table, 'new')).toMatchObject({ judged: 300, r30: 0.01, back30: 0.1 });
  });

  test('keep the shipped figures until 200 entries were judged', () => {
    const { table } = learn({ counts: [measured(rated('phishtank'), { ...none, judged: 199, left: 0 })] });
    expect(recordOf(table, 'phishtank')).toMatchObject({
      class: 'removes',
      judged: 15_500,
      r30: 0.334,
      back30: 0.012,
    });
  });

  test('that are declared archives keep their entries whatever is measured', () => {
    const table = nights(first({ counts: [measured(rated('old', { keepsEntries: true }))] }), 10);
    expect(recordOf(table, 'old')).toMatchObject({ class: 'keeps', declared: true });
  });

  test('have the share of all their names, of which nobody knows more than the grade without a reference', () => {
    const { table } = learn({ counts: [measured(rated('new')), measured(rated('phishtank'))] });
    expect([recordOf(table, 'new')?.share, recordOf(table, 'phishtank')?.share]).toEqual([
      0.001,
      recordOf(SHIPPED_TABLE, 'phishtank')?.share,
    ]);
  });
});
