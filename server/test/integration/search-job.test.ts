import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchWorkerPart } from '#capabilities/search/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createWorker, enqueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';

const clock = systemClock();
const log = createLog('silent');

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

async function names(): Promise<string> {
  const { rows } = await sql<{ names: string | null }>`
    select string_agg(name, ' ' order by name) as names from search_name`.execute(system.db);
  return rows[0]?.names ?? '';
}

async function state() {
  const { rows } = await sql<{ by: string | null; isWalking: boolean; isFilled: boolean }>`
    select claimed_by as by, walk_key is not null as "isWalking", filled_at is not null as "isFilled"
      from corpus_follower where name = 'search'`.execute(system.db);
  return rows[0];
}

test('the worker makes listed names searchable and follows additions and removals, under its lease', async () => {
  const list = (values: readonly string[]) =>
    loadList({ system, clock }, 'phish', values, { dataAtMs: clock.now() });
  await list(['paypa1.com', 'b.example.com']);
  const worker = createWorker({
    config: { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 },
    log,
    clock,
    jobs: searchWorkerPart().jobs,
    crons: [],
    concurrency: 2,
    pollMs: 100,
    onLeaseLost: () => undefined,
  });
  try {
    // As when two schedules coincide: one of the jobs finds the work taken.
    await Promise.all([1, 2].map(() => enqueue(system.db, 'search.follow', {})));
    await eventually('they are there', 20_000, async () => (await names()) === 'b.example.com paypa1.com');
    await list(['paypa1.com', 'c.example.com']);
    await enqueue(system.db, 'search.follow', {});
    await eventually('they are followed', 20_000, async () => (await names()) === 'c.example.com paypa1.com');
    await eventually('the work is free', 5_000, async () => (await state())?.by === null);
    expect(await state()).toEqual({ by: null, isWalking: false, isFilled: true });
  } finally {
    await worker.stop();
  }
});
