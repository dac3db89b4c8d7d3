import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { loadList } from '#test/load-list.ts';
import { learnWeights } from './learn-weights.ts';
import { openWeightBooks } from './open-weights.ts';
import { releaseWeights } from './release-weights.ts';
import { readWeightsState } from './weights-state.ts';

/** The tests are consecutive nights and run in order. There is no reference, so cells and points are the shipped ones. */

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const log = createLog('silent');
let nowMs = Date.UTC(2026, 8, 1, 4, 10);
const clock = { ...systemClock(), now: () => nowMs };
let database: TestDatabase;
let system: Postgres;
let dataDir: string;

const SOURCES = ['polkadot-phishing', 'small-list'];
const names = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word}${at}.org`);
const settings = { letter: 'B', category: 'phishing' } as const;
async function listAll(young: number, missing = 0): Promise<void> {
  for (const id of SOURCES)
    await loadList({ system, clock }, id, [...names(`${id}-old`, 20), ...names(id, young).slice(missing)], {
      dataAtMs: nowMs,
      settings,
    });
}
const artifacts = () => createArtifacts({ postgres: system, dataDir, log, clock });
const learn = () =>
  learnWeights({
    system,
    clock,
    log,
    artifacts: artifacts(),
    referenceFile: null,
    openSuspicion: async () => () => false,
  });
async function nextNight() {
  nowMs += DAY_MS;
  return learn();
}
async function classesInForce(): Promise<readonly unknown[]> {
  const weights = await openWeightBooks({ postgres: system, artifacts: artifacts(), dataDir, log });
  await weights.close();
  return SOURCES.map((id) => weights.book().listOf(id)?.class ?? 'unknown');
}

/** 300 names that are first seen on the second day. Ten leave for ten days, 100 leave for good, within 30 days of their 14th. */
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  dataDir = mkdtempSync(join(tmpdir(), 'assay-turnover-'));
  await listAll(0);
  nowMs += DAY_MS;
  await listAll(300);
  for (let day = 0; day < 40; day += 10) {
    nowMs += 10 * DAY_MS;
    await listAll(300, day === 10 ? 10 : 0);
  }
  nowMs += 4 * DAY_MS;
  await listAll(200);
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('what a list takes back is measured from the periods of its listings', async () => {
  const { table } = await learn();
  expect(table.lists.find(({ source }) => source === 'small-list')).toMatchObject({
    judged: 300,
    r30: 0.3667,
    class: 'unknown',
    asked: { class: 'removes', nights: 1 },
  });
});

test('after seven nights a class comes into force; of a source with more than 1,000 entries at block it waits', async () => {
  const outcomes: string[] = [];
  for (let night = 2; night <= 8; night += 1) outcomes.push((await nextNight()).outcome);
  expect(outcomes).toEqual([...Array(5).fill('unchanged'), 'held', 'held']);
  expect(await classesInForce()).toEqual(['unknown', 'removes']);
  expect((await readWeightsState(system.db))?.held?.reasons).toEqual([
    'polkadot-phishing: its class would change from unknown to removes; up to 54014 entries are at block.',
  ]);
});

test('a release lets the class through, and the next night keeps it', async () => {
  nowMs += HOUR_MS;
  expect(await releaseWeights({ system, clock, log })).not.toBeNull();
  expect(await classesInForce()).toEqual(['removes', 'removes']);
  expect((await nextNight()).outcome).toBe('unchanged');
});

test('while the data of a source is old, nothing is measured and its class stays', async () => {
  nowMs += 60 * DAY_MS;
  const record = (await learn()).table.lists.find(({ source }) => source === 'small-list');
  expect(record).toMatchObject({ judged: 290, r30: 0.3448, class: 'removes' });
  expect(record).not.toHaveProperty('asked');
});
