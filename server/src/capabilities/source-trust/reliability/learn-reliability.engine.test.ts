import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSource, registerSource, type SourceSettings } from '#capabilities/corpus/index.ts';
import { saveApplied } from '#capabilities/feeds/pipeline/schedule-store.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { loadList } from '#test/load-list.ts';
import { reliabilityWorkerPart } from './jobs.ts';
import { learnReliability } from './learn-reliability.ts';
import { readReliability } from './report.ts';

/** The tests are consecutive nights and run in order. */

const FIRST_NIGHT_MS = Date.UTC(2026, 7, 20, 3, 41);
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
let nowMs = FIRST_NIGHT_MS - 2 * HOUR_MS;
const clock = { ...systemClock(), now: () => nowMs };
const log = createLog('silent');
let database: TestDatabase;
let system: Postgres;

const names = (word: string, count = 150): string[] =>
  Array.from({ length: count }, (_, at) => `${word}-${at}.example.org`);
const addresses = (net: string, count = 150): string[] =>
  Array.from({ length: count }, (_, at) => `${net}.${at}`);

const list = (id: string, values: readonly string[], settings: SourceSettings = {}, dataAtMs = nowMs) =>
  loadList({ system, clock }, id, values, { dataAtMs, settings });
const B: SourceSettings = { letter: 'B', reliability: 0.75 };
const C: SourceSettings = { letter: 'C', reliability: 0.5 };

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  const popular: SourceSettings = { threatClass: 'allowlist', guard: 'popularity' };
  await list('first-ten-thousand', names('popular'), { ...popular, rankMax: 10_000 });
  await list('first-million', names('known'), { ...popular, rankMax: 1_000_000 });
  await list('mail-provider', ['12.0.0.0/24', '2a03:2880::/32'], {
    threatClass: 'infrastructure',
    guard: 'service',
  });
  await list('some-cloud', ['13.0.0.0/24'], { threatClass: 'infrastructure' });

  await list('blames-the-popular', names('popular'), B);
  await list('blames-the-known', names('known'), B);
  await list('blames-a-provider', [...addresses('12.0.0', 149), '12.0.0.192/27'], B);
  await list(
    'blames-a-provider-6',
    Array.from({ length: 120 }, (_, at) => `2a03:2880:${at + 1}::1`),
    B,
  );
  await list('blames-a-cloud', addresses('13.0.0'), B);
  await list('too-small', names('popular', 99), B);
  await list('of-the-operator', names('popular'), { letter: 'C', reliability: 0.9 });

  await list('confirmed', names('shared'), C);
  await list('witness', [...names('shared'), ...names('witness', 400)], C);
  await list('echo', names('echoed'), { ...C, lineage: 'one-operator' });
  await list('echo-of-echo', names('echoed'), { ...C, lineage: 'one-operator' });
  await list('alone', names('alone'), C);
  await list('collector', [...names('alone'), ...names('shared')], {
    letter: 'E',
    reliability: 0.2,
    aggregate: true,
  });
  await list('months-ago', names('stale'), C, nowMs - 60 * DAY_MS);
  await list('stale', names('stale'), C);
  await list('old-authority', names('vouched'), { letter: 'A', reliability: 0.95 }, nowMs - 60 * DAY_MS);
  await list('vouched', names('vouched'), C);
  await list('old-news', names('popular'), B, nowMs - 20 * DAY_MS);
  await list('switched-off', names('popular'), { ...B, enabled: false });
});
afterAll(async () => {
  await system.close();
  await database.drop();
});

const learn = () => learnReliability({ system, clock, log });
async function reliabilityOf(id: string): Promise<number> {
  const source = await findSource(system.db, id);
  return Math.round((source?.reliability ?? -1) * 1_000) / 1_000;
}
async function numberOf(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  return (await query.execute(system.db)).rows[0]?.count ?? -1;
}
const revisionsOf = (id: string) =>
  numberOf(sql`select count(*)::int as count from source_revision r join source s on s.number = r.source_number
                where s.id = ${id}`);

describe('the first night', () => {
  beforeAll(async () => {
    nowMs = FIRST_NIGHT_MS;
    await learn();
  });

  test.each([
    ['blames-the-popular', 0.73, 'names among the first 10,000 are disputed'],
    ['blames-a-provider', 0.73, 'addresses in a service range are disputed'],
    ['blames-a-provider-6', 0.73, 'IPv6 addresses too'],
    ['blames-the-known', 0.75, 'a place past 10,000 disputes nothing'],
    ['blames-a-cloud', 0.75, 'a list that only labels disputes nothing'],
    ['confirmed', 0.52, 'another lineage lists it too'],
    ['vouched', 0.52, 'a source of letter A confirms with any date'],
    ['witness', 0.52, 'both are confirmed by each other'],
    ['echo', 0.5, 'an echo confirms nothing'],
    ['alone', 0.5, 'an aggregate confirms nothing'],
    ['collector', 0.2, 'and is not confirmed by what it collects'],
    ['stale', 0.5, 'dates more than 14 days apart confirm nothing'],
    ['old-news', 0.75, 'what was listed before the last 14 days says nothing'],
    ['too-small', 0.75, 'fewer than 100 entries are too few to learn from'],
    ['switched-off', 0.75, 'a source that is off is not judged'],
    ['of-the-operator', 0.9, "an operator's value stays"],
  ])('%s is at %d: %s', async (id, expected) => {
    expect(await reliabilityOf(id)).toBe(expected);
  });

  test('makes one revision per change and none without', async () => {
    expect(await revisionsOf('blames-the-popular')).toBe(2);
    expect(await revisionsOf('alone')).toBe(1);
  });

  test('a second run on the same day changes nothing', async () => {
    const days = () =>
      sql`select * from source_reliability_day order by source_number, day`.execute(system.db);
    const before = (await days()).rows;
    nowMs += HOUR_MS;
    expect(await learn()).toMatchObject({ moved: 0 });
    expect((await days()).rows).toEqual(before);
    expect(await revisionsOf('blames-the-popular')).toBe(2);
    expect(await reliabilityOf('blames-the-popular')).toBe(0.73);
  });

  test('is explained', async () => {
    const report = await readReliability(system.db);
    const of = (id: string) => report.find((source) => source.id === id);
    expect(of('confirmed')).toMatchObject({
      prior: 0.5,
      current: 0.52,
      conf: Math.round((150 / 14) * 1_000) / 1_000,
      disp: 0,
      day: '2026-08-20',
      why: 'Of 150 new entries 150 are confirmed by another lineage, 0 are disputed.',
    });
    expect(of('of-the-operator')).toMatchObject({ standing: 'operator', day: null });
    expect(of('too-small')?.why).toBe('Fewer than 100 entries are too few to learn from.');
    expect(of('mail-provider')).toBeUndefined();
    expect(report.map(({ prior, current }) => Math.abs(prior - current))).toEqual(
      report.map(({ prior, current }) => Math.abs(prior - current)).toSorted((a, b) => b - a),
    );
  });
});

describe('night after night', () => {
  test('a source full of popular names loses 0.02 a day, a confirmed one gains 0.02', async () => {
    for (let night = 1; night <= 10; night += 1) {
      nowMs = FIRST_NIGHT_MS + night * DAY_MS;
      await learn();
      expect(await reliabilityOf('blames-the-popular')).toBeCloseTo(0.73 - night * 0.02, 3);
      expect(await reliabilityOf('confirmed')).toBeCloseTo(0.52 + night * 0.02, 3);
    }
    expect(await revisionsOf('blames-the-popular')).toBe(12);
  });

  test('an entry counts once in total: one night counts a fourteenth of it', async () => {
    for (let night = 11; night <= 20; night += 1) {
      nowMs = FIRST_NIGHT_MS + night * DAY_MS;
      await learn();
    }
    // The maximum for letter C with every entry confirmed: (10 + 40) / 60, less a step that is too small to be written.
    expect(await reliabilityOf('confirmed')).toBeCloseTo(0.83, 2);
    const report = await readReliability(system.db);
    const disp = report.find(({ id }) => id === 'blames-the-popular')?.disp ?? 0;
    expect(disp).toBeGreaterThan(150 * 2 ** (-21 / 90));
    expect(disp).toBeLessThan(150);
  });

  test('a value that an operator sets later stays from then on', async () => {
    await registerSource({ system, clock }, 'blames-the-popular', { reliability: 0.6 });
    nowMs += DAY_MS;
    await learn();
    nowMs += DAY_MS;
    await learn();
    expect(await reliabilityOf('blames-the-popular')).toBe(0.6);
  });

  test('a clock that goes back does not repeat nights', async () => {
    const before = await revisionsOf('blames-a-provider');
    nowMs -= 3 * DAY_MS;
    expect(await learn()).toMatchObject({ moved: 0 });
    nowMs += 3 * DAY_MS;
    await learn();
    expect(await revisionsOf('blames-a-provider')).toBe(before);
    nowMs += DAY_MS;
    await learn();
    expect(await revisionsOf('blames-a-provider')).toBe(before + 1);
  });

  test('a source moves towards the catalogue’s current value', async () => {
    const source = await findSource(system.db, 'alone');
    const catalogue = { reliability: 0.75 };
    await saveApplied(system.db, { sourceNumber: source?.number ?? 0, catalogue, firstRunAtMs: nowMs });
    nowMs += DAY_MS;
    await learn();
    expect(await reliabilityOf('alone')).toBe(0.52);
  });

  test('days older than 90 are deleted, the latest of each source never', async () => {
    nowMs += 120 * DAY_MS;
    await learn();
    expect(
      await numberOf(
        sql`select count(*)::int as count from source_reliability_day where day < '2026-10-01'::date`,
      ),
    ).toBe(1);
    expect((await readReliability(system.db)).find(({ id }) => id === 'blames-the-popular')).toMatchObject({
      standing: 'operator',
    });
  });
});

describe('an accusation that is withdrawn within a day is disputed', () => {
  async function story(id: string, withdrawn: number, dropped: number): Promise<number> {
    // Names that no other source lists, so none is confirmed.
    const kept = names(id, 200);
    await list(id, [...kept, ...names('dropped', dropped)], B);
    nowMs += 3 * DAY_MS;
    await list(id, [...kept, ...names('withdrawn', withdrawn)]);
    nowMs += 5 * HOUR_MS;
    await list(id, kept);
    await learn();
    return reliabilityOf(id);
  }

  test('when withdrawals are the exception', async () => {
    expect(await story('takes-back', 100, 120)).toBe(0.73);
  });

  test('but not when the list drops everything within a day', async () => {
    expect(await story('short-memory', 100, 20)).toBe(0.75);
  });

  test('nor when the entry came back', async () => {
    const kept = names('changes', 200);
    await list('changes', [...kept, ...names('gone', 120)], B);
    nowMs += 3 * DAY_MS;
    await list('changes', [...kept, ...names('flapping', 100)]);
    nowMs += HOUR_MS;
    await list('changes', kept);
    nowMs += HOUR_MS;
    await list('changes', [...kept, ...names('flapping', 100)]);
    await learn();
    expect(await reliabilityOf('changes')).toBe(0.75);
  });
});

test('a source that a merge locks keeps its value until the next night', async () => {
  await list('held', names('popular'), B);
  await system.transaction(async (tx) => {
    await sql`select 1 from source where id = 'held' for no key update`.execute(tx);
    await learn();
  });
  expect(await reliabilityOf('held')).toBe(0.75);
  await learn();
  expect(await reliabilityOf('held')).toBe(0.73);
});

test('the worker runs it once a night, after lineage', () => {
  const { jobs, crons } = reliabilityWorkerPart({ system, clock, log });
  expect(jobs.map(({ name }) => name)).toEqual(['feeds.reliability']);
  expect(crons).toEqual([expect.objectContaining({ job: 'feeds.reliability', pattern: '41 3 * * *' })]);
});
