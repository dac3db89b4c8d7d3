import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { computeLineage } from './compute-lineage.ts';
import { lineageWorkerPart } from './jobs.ts';
import { readLineage } from './report.ts';

/** The tests are consecutive nights and run in order. */

const FIRST_NIGHT_MS = Date.UTC(2026, 7, 20, 3, 11);
const DAY_MS = 86_400_000;
let nowMs = FIRST_NIGHT_MS;
const clock = { ...systemClock(), now: () => nowMs };
const log = createLog('silent');
let database: TestDatabase;
let system: Postgres;
let built: BuiltReplica;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  await list('original', addresses(0, 150), { lineage: 'watchers' });
  await list('sibling', addresses(5_000, 120), { lineage: 'watchers' });
  await list('copy', [...addresses(0, 145), ...addresses(9_000, 4)]);
  await list('all-of-them', [...addresses(0, 400), ...names(0, 200)], { aggregate: true });
  await list('names', names(0, 200));
  await list('half-of-the-names', names(100, 200));
  await list('too-few-names', names(0, 99));
  await list('narrow', sites(120));
  await list('wide', ['2a03:2880::/32', ...names(800, 150)]);
  await list('exits', addresses(0, 150), { threatClass: 'infrastructure' });
  await list('switched-off', addresses(0, 150), { enabled: false });
  built = await buildReplica(system, corpusDataset);
});
afterAll(async () => {
  await built?.close();
  await system.close();
  await database.drop();
});

/** Every other address, because neighbours would be one interval. */
const addresses = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `11.0.${((from + at) * 2) >> 8}.${((from + at) * 2) & 255}`);
const names = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `bad-${from + at}.example.org`);
const sites = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `2a03:2880:${(at + 1).toString(16)}::1`);

function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

async function list(id: string, texts: readonly string[], settings: SourceSettings = {}): Promise<void> {
  const rows = texts.map((text) => ({ indicator: indicatorOf(text) }));
  await mergeSnapshot({ system, clock }, id, [rows], { dataAtMs: FIRST_NIGHT_MS, settings });
}

const compute = () => computeLineage({ system, clock, log });
const clusterOf = async (id: string) => (await findSource(system.db, id))?.cluster;
const membersOf = async (): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await readLineage(system.db)).clusters.map(({ cluster, members }) => [
      cluster,
      members.map(({ id }) => id),
    ]),
  );

async function revisions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from source_revision`.execute(
    system.db,
  );
  return rows[0]?.count ?? 0;
}

describe('the first night', () => {
  test('finds the copies, joins them with the declared operator and marks the result provisional', async () => {
    const before = await revisions();
    nowMs += 60_000;
    const report = await compute();
    expect(await membersOf()).toEqual({
      watchers: ['copy', 'original', 'sibling'],
      wide: ['narrow', 'wide'],
    });
    expect(report.isProvisional).toBe(true);
    expect(report.aggregates).toEqual([{ id: 'all-of-them', holds: ['copy', 'names', 'original'] }]);
    expect(report.clusters[0]?.members.find(({ id }) => id === 'copy')?.because).toEqual([
      'inside original 0.97 (1 day)',
    ]);
    expect(await revisions()).toBe(before + 2);
  });

  test('keeps the pairs of one half and more, addresses by coverage and names by equality', async () => {
    const { pairs } = await readLineage(system.db);
    const shares = pairs.map(({ smaller, larger, containment }) => [smaller, larger, containment]);
    expect(shares).toContainEqual(['copy', 'original', 145 / 149]);
    expect(shares).toContainEqual(['narrow', 'wide', 1]);
    expect(shares).toContainEqual(['too-few-names', 'names', 1]);
    expect(shares).toContainEqual(['half-of-the-names', 'names', 0.5]);
    expect(shares.flat()).not.toContain('exits');
    expect(shares.flat()).not.toContain('switched-off');
  });

  test('writes only clusters that the declared lineage does not give already, and logs them for every node', async () => {
    expect(await clusterOf('copy')).toBe('watchers');
    expect(await clusterOf('original')).toBeNull();
    expect(await clusterOf('too-few-names')).toBeNull();
    await built.sync();
    const { listings } = openCorpus(built.replica).lookup(indicatorOf('11.0.0.0'));
    expect(listings.find(({ source }) => source.id === 'copy')?.source.cluster).toBe('watchers');
  });

  test('a second run on the same day replaces the first and changes nothing', async () => {
    const [before, pairs] = [await revisions(), (await readLineage(system.db)).pairs];
    nowMs += 60_000;
    expect((await compute()).pairs).toEqual(pairs);
    expect(await revisions()).toBe(before);
  });
});

test('after seven nights nothing is provisional', async () => {
  for (let night = 1; night < 7; night += 1) {
    nowMs = FIRST_NIGHT_MS + night * DAY_MS;
    const { isProvisional } = await compute();
    expect(isProvisional).toBe(night < 6);
  }
});

test('a copy that diverges is released after the third night', async () => {
  await list('copy', addresses(2_000, 150));
  for (const expected of ['watchers', 'watchers', null]) {
    nowMs += DAY_MS;
    await compute();
    expect(await clusterOf('copy')).toBe(expected);
  }
});

test('a source that is new tonight is judged by tonight, and only its results are provisional', async () => {
  await list('newcomer', names(0, 190));
  nowMs += DAY_MS;
  const report = await compute();
  expect(await clusterOf('newcomer')).toBe('names');
  const provisional = report.clusters.flatMap(({ members }) =>
    members.filter(({ isProvisional }) => isProvisional).map(({ id }) => id),
  );
  expect(provisional).toEqual(['names', 'newcomer']);
});

test('a source in the middle of a merge is skipped without waiting', async () => {
  await list('newcomer', names(3_000, 190));
  nowMs += 7 * DAY_MS;
  await system.transaction(async (tx) => {
    await sql`select 1 from source where id = 'newcomer' for no key update`.execute(tx);
    await compute();
  });
  expect(await clusterOf('newcomer')).toBe('names');
  nowMs += 60_000;
  await compute();
  expect(await clusterOf('newcomer')).toBeNull();
});

test('measurements older than 90 days are deleted', async () => {
  nowMs += 100 * DAY_MS;
  await compute();
  const { rows } = await sql<{ days: number }>`
    select count(distinct day)::int as days from lineage_overlap`.execute(system.db);
  expect(rows[0]?.days).toBe(1);
});

test('the job runs nightly, writes through its own transaction and stops when it is told to', async () => {
  const { jobs, crons } = lineageWorkerPart({ system, clock, log });
  expect(crons.map(({ job }) => job)).toEqual(jobs.map(({ name }) => name));
  const stopped = AbortSignal.abort(new Error('shutting down'));
  const transaction = () => Promise.reject(new Error('wrote'));
  const run = (signal: AbortSignal) => jobs[0]?.run({ log, transaction, signal } as never, {} as never);
  await expect(run(stopped)).rejects.toThrow('shutting down');
  await expect(run(new AbortController().signal)).rejects.toThrow('wrote');
});
