import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  corpusDataset,
  findSource,
  mergeSnapshot,
  openCorpus,
  type SourceSettings,
} from '#capabilities/corpus/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { computeLineage } from './compute-lineage.ts';

const DATA_AT_MS = Date.UTC(2026, 7, 22);
const COMMON = 120;
let nowMs = DATA_AT_MS + DAY_MS;
const clock = { ...systemClock(), now: () => nowMs };
const log = createLog('silent');
let database: TestDatabase;
let system: Postgres;
let built: BuiltReplica;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  await list('fox', [...addresses(0, 400, 40), ...names(0, COMMON, 20)], { lineage: 'abuse-ch' });
  // A third of the addresses of `trails` are from `fox`, ten days later; its names are in `fox` twenty days later.
  await list('trails', [...addresses(0, COMMON, 30), ...addresses(1_000, 240, 30), ...names(0, COMMON, 40)]);
  await list('scanner', [...addresses(0, COMMON, 40), ...addresses(2_000, 240, 30)]);
  built = await buildReplica(system, corpusDataset);
});
afterAll(async () => {
  await built?.close();
  await system.close();
  await database.drop();
});

type Row = { readonly indicator: Indicator; readonly sightedMs: number };
const rows = (texts: readonly string[], daysAgo: number): Row[] =>
  texts.map((text) => {
    const parsed = parseIndicator(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    return { indicator: parsed.indicator, sightedMs: DATA_AT_MS - daysAgo * DAY_MS };
  });
const addresses = (from: number, count: number, daysAgo: number): Row[] =>
  rows(
    Array.from({ length: count }, (_, at) => `11.0.${((from + at) * 2) >> 8}.${((from + at) * 2) & 255}`),
    daysAgo,
  );
const names = (from: number, count: number, daysAgo: number): Row[] =>
  rows(
    Array.from({ length: count }, (_, at) => `bad-${from + at}.example.org`),
    daysAgo,
  );
const list = (id: string, given: readonly Row[], settings: SourceSettings = {}) =>
  mergeSnapshot({ system, clock }, id, [given], { dataAtMs: DATA_AT_MS, settings });
const echoesOf = async (id: string) => (await findSource(system.db, id))?.echoes;

test('a list that has another list’s entries later is its echo for that kind, on every node and in replays', async () => {
  const report = await computeLineage({ system, clock, log });
  expect(report.echoes).toEqual([
    { id: 'fox', of: 'trails', kind: 'domain' },
    { id: 'trails', of: 'fox', kind: 'ip' },
  ]);
  expect(await echoesOf('trails')).toEqual({ ip: 'abuse-ch' });
  expect(await echoesOf('fox')).toEqual({ domain: 'trails' });
  // `scanner` has the common entries as early as `fox`, so it finds them itself and is no echo.
  expect(await echoesOf('scanner')).toEqual({});
  await built.sync();
  const { listings } = openCorpus(built.replica).lookup(rows(['11.0.0.0'], 0)[0]?.indicator as Indicator);
  expect(listings.find(({ source }) => source.id === 'trails')?.source.echoes).toEqual({ ip: 'abuse-ch' });
  const { rows: revisions } = await sql<{ echoes: unknown }>`
    select r.settings -> 'echoes' as echoes from source_revision r join source s on s.number = r.source_number
     where s.id = 'trails' order by valid_from desc limit 1`.execute(system.db);
  expect(revisions).toEqual([{ echoes: { ip: 'abuse-ch' } }]);
});

test('entries without a date make no echo', async () => {
  nowMs += 60_000;
  await sql`update listing set dated_by = 2`.execute(system.db);
  await computeLineage({ system, clock, log });
  expect([await echoesOf('trails'), await echoesOf('fox')]).toEqual([{}, {}]);
});
