import { expect, test } from 'vitest';
import { readFact } from './fact.ts';
import { countEpss } from './statistics/count-epss.ts';
import { countSeries } from './statistics/count-series.ts';
import { PackedFacts } from './statistics/packed-facts.ts';

const DAY_MS = 86_400_000;
const NO_DAY = -2_147_483_648;
const dayOf = (text: string): number => Date.parse(text) / DAY_MS;

type Given = {
  readonly year: number;
  readonly number: number;
  readonly flags: number;
  readonly score?: number;
  readonly epss?: number;
  readonly percentile?: number;
  readonly day?: number;
};

/** Packs facts as the view of the replica does. */
function pack(modelDay: number, rows: readonly Given[]): PackedFacts {
  const bytes = Buffer.alloc(4 + rows.length * 28);
  bytes.writeInt32BE(modelDay, 0);
  for (const [at, row] of rows.entries()) {
    const from = 4 + at * 28;
    bytes.writeInt16BE(row.year, from);
    bytes.writeDoubleBE(row.number, from + 2);
    bytes.writeInt16BE(row.flags, from + 10);
    bytes.writeFloatBE(row.score ?? Number.NaN, from + 12);
    bytes.writeFloatBE(row.epss ?? Number.NaN, from + 16);
    bytes.writeFloatBE(row.percentile ?? Number.NaN, from + 20);
    bytes.writeInt32BE(row.day ?? NO_DAY, from + 24);
  }
  return new PackedFacts(bytes);
}

const CRITICAL = 5;
const HIGH = 4;
const [POC, ACTIVE, UNTOLD] = [1 << 3, 2 << 3, 3 << 3];
const KEV = 32;
const FACTS = pack(dayOf('2026-08-22'), [
  {
    year: 2021,
    number: 44_228,
    flags: CRITICAL + ACTIVE + KEV,
    score: 10,
    epss: 0.94321,
    percentile: 0.99996,
    day: dayOf('2021-12-10'),
  },
  { year: 2024, number: 1, flags: HIGH + POC, score: 9.8, epss: 0.5, day: dayOf('2024-10-01') },
  { year: 2024, number: 2, flags: HIGH + UNTOLD, score: 7.1, epss: 0.00042, day: dayOf('2024-10-03') },
  { year: 2024, number: 3, flags: 0 + UNTOLD, day: dayOf('2024-10-03') },
]);

test('a fact keeps scores exactly as they were told, and nothing where nothing was told', () => {
  expect(FACTS.fact(0)).toEqual({
    severity: 'CRITICAL',
    exploitation: 'active',
    isKev: true,
    isRejected: false,
    score: 10,
    epss: 0.94321,
    percentile: 0.99996,
    publishedDay: dayOf('2021-12-10'),
  });
  expect(FACTS.fact(3)).toMatchObject({ severity: 'UNKNOWN', exploitation: null, score: null, epss: null });
  expect([FACTS.id(0), FACTS.id(1)]).toEqual(['CVE-2021-44228', 'CVE-2024-0001']);
  const rejected = Buffer.alloc(18);
  rejected.writeInt16BE(64 + UNTOLD, 0);
  expect(readFact(new DataView(rejected.buffer, rejected.byteOffset, 18), 0).isRejected).toBe(true);
});

test('the filters of EPSS apply to distribution, top and summary alike', () => {
  const all = countEpss(FACTS, { limit: 2, minEpss: 0 });
  expect(all.distribution.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect(all.distribution[0]).toEqual({ bucket: '0.0-0.1', min: 0, max: 0.1, count: 1 });
  expect(all.top.map(({ id }) => id)).toEqual(['CVE-2021-44228', 'CVE-2024-0001']);
  expect(all.summary).toEqual({
    total: 3,
    matching: 3,
    mean: 0.48121,
    median: 0.5,
    p95: 0.94321,
    above10pct: 2,
    above50pct: 2,
    kevCount: 1,
    activeExploitCount: 1,
    modelDate: '2026-08-22',
  });
  const kev = countEpss(FACTS, { limit: 20, minEpss: 0.1, kev: true, exploit: 'active' });
  expect([kev.summary.total, kev.summary.matching, kev.top.length]).toEqual([3, 1, 1]);
  const none = countEpss(FACTS, { limit: 20, minEpss: 1 });
  expect(none.summary).toMatchObject({ matching: 0, mean: null, median: null, p95: null });
  expect(countEpss(pack(NO_DAY, []), { limit: 20, minEpss: 0 }).summary).toMatchObject({
    total: null,
    modelDate: null,
  });
});

test('a series has every bucket; unknown severities are in no column, KEV is a subset', () => {
  const days = countSeries(FACTS, { days: 4, bucket: 'day' }, Date.parse('2024-10-04T12:00:00Z'));
  expect(days.map(({ day, high }) => [day, high])).toEqual([
    ['2024-10-01', 1],
    ['2024-10-02', 0],
    ['2024-10-03', 1],
    ['2024-10-04', 0],
  ]);
  const weeks = countSeries(FACTS, { days: 7, bucket: 'week' }, Date.parse('2024-10-04T12:00:00Z'));
  expect(weeks.map(({ day, high }) => [day, high])).toEqual([
    ['2024-09-23', 0],
    ['2024-09-30', 2],
  ]);
  const months = countSeries(FACTS, { days: 1_825, bucket: 'month' }, Date.parse('2024-10-04T12:00:00Z'));
  expect(months.find(({ day }) => day === '2021-12-01')).toEqual({
    day: '2021-12-01',
    critical: 1,
    high: 0,
    medium: 0,
    low: 0,
    unscored: 0,
    kev: 1,
    active_exploit: 1,
  });
  expect(countSeries(FACTS, { days: 1_825, bucket: 'day' }, 1e12)).toHaveLength(365);
});
