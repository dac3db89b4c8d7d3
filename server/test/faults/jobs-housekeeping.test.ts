import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { buildWorker } from '#app/build-worker.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import { emit, eventType } from '#platform/events.ts';
import { enqueue, job } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { removeKeys } from '#test/redis.ts';

const log = createLog('silent');
const clock = systemClock();
let database: TestDatabase;
let config: Config;
let system: Postgres;
let redis: Redis;

beforeAll(async () => {
  database = await createTestDatabase();
  config = loadConfig({ DATABASE_URL: database.url, REDIS_PREFIX: `test-${database.name.slice(-12)}` });
  system = asSystem(config);
  redis = await connectRedis({ config, log, clock });
});
afterAll(async () => {
  redis?.close();
  await removeKeys(config.REDIS_PREFIX);
  await system?.close();
  await database?.drop();
});

test('the whole worker runs the jobs of its parts and the relay, removes old events and expired access rows, and stops', async () => {
  const ran = Promise.withResolvers<string>();
  const hello = job({
    name: 'test.hello',
    schema: z.object({ to: z.string().max(20) }),
    timeoutMs: 5_000,
    run: async (_context, { to }) => ran.resolve(to),
  });
  const Old = eventType({ name: 'test.old', schema: z.object({}) });
  await system.transaction(async (tx) => {
    await emit(tx, { type: Old, accountId: null, payload: {}, occurredAt: new Date(0) });
    await enqueue(tx, 'test.hello', { to: 'world' });
  });
  const parts = [{ jobs: [hello], crons: [] }];
  const worker = buildWorker({ config, log, clock, redis, parts, onLeaseLost: () => undefined });
  try {
    expect(await ran.promise).toBe('world');
    await eventually('the event is relayed', 60_000, async () => {
      const { rows } = await sql<{ n: string }>`select relayed_id as n from event_relay`.execute(system.db);
      return rows[0]?.n === '1';
    });
    await system.transaction(async (tx) => {
      for (const name of ['trim-outbox', 'trim-change-log', 'prune-access'])
        await enqueue(tx, `housekeeping.${name}`, {});
    });
    // The last reading is kept, because the schedule may add a job after it at the turn of a minute.
    let seen: Left | undefined;
    await eventually('no job is left', 60_000, async () => {
      seen = await left();
      return seen?.jobs === 0;
    });
    expect(seen).toEqual({ jobs: 0, events: 0, errors: null });
  } finally {
    await worker.stop();
  }
  const { rows } = await sql`select 1 from worker_lease`.execute(system.db);
  expect(rows).toEqual([]);
});

type Left = { readonly jobs: number; readonly events: number; readonly errors: string[] | null };

async function left(): Promise<Left | undefined> {
  const { rows } = await sql<Left>`
    select (select count(*)::int from graphile_worker.jobs) as jobs,
           (select count(*)::int from event_outbox) as events,
           (select array_agg(last_error) from graphile_worker.jobs where last_error is not null) as errors`.execute(
    system.db,
  );
  return rows[0];
}
