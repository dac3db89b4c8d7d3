import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimFollower } from '#capabilities/corpus/index.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { STANDING } from './follow-standings.ts';
import { holdScoring } from './hold-scoring.ts';

let database: TestDatabase;
let system: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
});

const isWorkerRefused = async (): Promise<boolean> =>
  (await system.transaction((tx) => claimFollower(tx, STANDING, 'worker', 1_000))) === null;
async function heldS(): Promise<number> {
  const { rows } = await sql<{ s: number }>`
    select extract(epoch from claimed_until - clock_timestamp())::float8 as s
      from corpus_follower where name = ${STANDING}`.execute(system.db);
  return rows[0]?.s ?? 0;
}

test('a first import keeps the worker from scoring until it ends', async () => {
  const release = await holdScoring(system);
  expect([await isWorkerRefused(), (await heldS()) > 60]).toEqual([true, true]);
  await release();
  expect(await isWorkerRefused()).toBe(false);
});
