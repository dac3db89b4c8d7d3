import { describe, expect, test } from 'vitest';
import { KIND, type Source } from '#capabilities/corpus/index.ts';
import { registrySource } from '#test/registry.ts';
import {
  countLevels,
  type LevelCounts,
  type ListedAlike,
  RANKS_FROM,
  SIGNATURE_BASE,
  UNDATED,
} from './count-levels.ts';

const NOW_MS = Date.UTC(2027, 2, 1, 12);
const DAY_S = 86_400;
const today = Math.floor(NOW_MS / 1_000 / DAY_S);
const fresh = { dataAtS: NOW_MS / 1_000 - 3_600, lastFetchAtS: NOW_MS / 1_000 - 3_600 };

const STRONG = registrySource({
  ...fresh,
  number: 1,
  letter: 'A',
  reliability: 0.95,
  fpRisk: 'low',
  category: 'c2',
});
const WEAK = registrySource({ ...fresh, number: 2, letter: 'E', reliability: 0.2, fpRisk: 'high' });
const ADS = registrySource({ ...fresh, number: 3, adOnly: true });
const POPULAR = registrySource({
  ...fresh,
  number: 4,
  threatClass: 'allowlist',
  guard: 'popularity',
  rankMax: 1_000_000,
});
const OFF = registrySource({ ...fresh, number: 5, letter: 'A', reliability: 0.95, enabled: false });
const SOURCES = [STRONG, WEAK, ADS, POPULAR, OFF];

const alike = (given: Partial<ListedAlike>): ListedAlike => ({
  kind: KIND.domain,
  bits: 0,
  signature: [],
  count: 1,
  ...given,
});
const listed = (number: number, said = 0) => number * SIGNATURE_BASE + said;
const totals = (counts: LevelCounts) =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([level, words]) => {
      const count = Object.values(words).reduce((sum, each) => sum + each, 0);
      return count === 0 ? [] : [[level, count]];
    }),
  );
const levels = (...groups: ListedAlike[]) => totals(countLevels(groups, SOURCES, NOW_MS));

describe('threats by level', () => {
  test('each group is counted whole at the level its sources give it', () => {
    expect(
      levels(
        alike({ signature: [listed(1)], count: 40, kind: KIND.ipv4 }),
        alike({ signature: [listed(2)], count: 2, kind: KIND.ipv4 }),
        alike({ signature: [listed(2)], count: 3, kind: KIND.sha256 }),
      ),
    ).toEqual({ high: 40, inconclusive: 5 });
  });

  test('an indicator without an enabled threat source is no threat; a network has no level', () => {
    expect(
      levels(
        alike({ signature: [listed(3)], count: 9 }),
        alike({ signature: [listed(4)], count: 9 }),
        alike({ signature: [listed(5)], count: 9 }),
        alike({ signature: [listed(77)], count: 9 }),
        alike({ signature: [listed(1)], count: 9, kind: KIND.asn }),
      ),
    ).toEqual({});
  });

  test('a level is divided by the words of the ladder: a weak report is not an old one', () => {
    const faded = alike({ signature: [listed(2, today - 400)], count: 3, kind: KIND.ipv4 });
    const counts = countLevels(
      [alike({ signature: [listed(2)], count: 2, kind: KIND.ipv4 }), faded],
      SOURCES,
      NOW_MS,
    );
    expect(counts.inconclusive).toEqual({ 'Weak report': 2, 'Old report': 3 });
    expect(counts.critical).toEqual({});
  });

  test('an old sighting weighs less than one of today', () => {
    expect(levels(alike({ signature: [listed(1, today)], kind: KIND.ipv4 }))).toEqual({ high: 1 });
    expect(levels(alike({ signature: [listed(1, today - 400)], kind: KIND.ipv4 }))).toEqual({ low: 1 });
  });

  test('an entry of an archive counts by its own day, and without one it is at most low', () => {
    const archive = { ...(SOURCES[0] as Source), semantics: 'archive' as const };
    const at = (said: number) => alike({ signature: [listed(1, said)], kind: KIND.ipv4 });
    const count = (group: ListedAlike) => totals(countLevels([group], [archive], NOW_MS));
    expect(count(at(today))).toEqual({ high: 1 });
    expect(count(at(today - 400))).toEqual({ low: 1 });
    expect(count(at(UNDATED))).toEqual({ low: 1 });
  });

  test('a place among the most visited names takes weight away, a place far behind does not', () => {
    const popular = alike({ signature: [listed(1), listed(2), listed(4, RANKS_FROM + 3)] });
    expect(levels(popular)).toEqual({ medium: 1 });
    expect(levels(alike({ signature: [listed(1), listed(2), listed(4, RANKS_FROM + 7)] }))).toEqual({
      high: 1,
    });
  });

  test('a wide range weighs less for each of its addresses than a narrow one', () => {
    const range = (bits: number) => alike({ signature: [listed(1)], bits, kind: KIND.cidr4 });
    const [wide] = Object.keys(levels(range(8)));
    const [narrow] = Object.keys(levels(range(30)));
    expect([wide, narrow]).toEqual(['inconclusive', 'medium']);
  });
});
