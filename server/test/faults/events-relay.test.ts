import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { emit, eventType, subscribe } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { SEED, seededRandom } from '#test/seeded-random.ts';
import { INHERITED_ENV } from '#test/service.ts';

const Happened = eventType({ name: 'test.happened', schema: z.object({ n: z.number() }) });
/** Reliability W1 demands 10,000 events. */
const EVENTS = bySize(960, 10_000);
const KILLS = bySize(3, 10);
const EVENTS_PER_KILL = EVENTS / KILLS;
const WRITERS = 8;
const log = createLog('silent');
let database: TestDatabase;
let redisServer: RedisServer;
let postgres: Postgres;
let redis: Redis;
let env: Record<string, string>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redisServer = await startRedisServer();
  env = { DATABASE_URL: database.url, REDIS_URL: redisServer.url, REDIS_PREFIX: 'relay-test' };
  const config = loadConfig(env);
  postgres = asSystem(config);
  redis = await connectRedis({ config, log, clock: systemClock() });
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await sql`delete from event_outbox`.execute(postgres.db);
  await sql`update event_relay set relayed_id = 0, numbered_id = 0`.execute(postgres.db);
  await redisServer.run('FLUSHALL');
});
afterAll(async () => {
  redis.close();
  await postgres.close();
  await redisServer.stop();
  await database.drop();
});

function startRelay(): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'events-child.ts')], {
    env: { ...INHERITED_ENV, ...env },
    stdio: 'ignore',
  });
  children.push(child);
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
async function until(what: string, withinMs: number, look: () => boolean): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!look()) {
    if (performance.now() > endsAt) throw new Error(`Waited ${withinMs} ms in vain for: ${what}.`);
    await sleep(20);
  }
}
const happen = (n: number) =>
  postgres.transaction((tx) => emit(tx, { type: Happened, accountId: null, payload: { n } }));

test(`${EVENTS} events while the relay is killed ${KILLS} times: all arrive once and in order (reliability W1)`, async () => {
  const ids: number[] = [];
  const values = new Set<number>();
  const stopping = new AbortController();
  let relay: ChildProcess | undefined;
  let killAt = Number.POSITIVE_INFINITY;
  const reading = subscribe(
    { redis, postgres, prefix: 'relay-test', log },
    {
      afterId: 0,
      signal: stopping.signal,
      onEvent: ({ id, payload }) => {
        ids.push(id);
        values.add((payload as { n: number }).n);
        if (ids.length >= killAt) relay?.kill('SIGKILL');
      },
    },
  );
  const random = seededRandom('events-relay');
  let killed = `seed ${SEED}, killed at event`;
  const isGone = () => relay?.signalCode !== null || relay?.exitCode !== null;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // The kill falls among the current writes, or among those that the previous kill left unsent.
    killAt = Math.ceil((kill + random()) * EVENTS_PER_KILL);
    killed += ` ${killAt}`;
    relay = startRelay();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = writer; n < EVENTS_PER_KILL; n += WRITERS) await happen(kill * EVENTS_PER_KILL + n);
      }),
    );
    await until(`the relay to be ${killed}`, 60_000, isGone);
    expect(ids.length, killed).toBeGreaterThanOrEqual(killAt);
  }
  killAt = Number.POSITIVE_INFINITY;
  relay = startRelay();
  await until('all events', 60_000, () => ids.length >= EVENTS);
  // A duplicate of an event would arrive before the event that is written last.
  await happen(EVENTS);
  await until('the last event', 60_000, () => values.has(EVENTS));
  stopping.abort();
  await reading;
  expect(values.size, killed).toBe(EVENTS + 1);
  expect(ids, killed).toEqual(Array.from({ length: EVENTS + 1 }, (_, i) => i + 1));
}, 300_000);

test('a suspended relay does not stop the stream', async () => {
  const stopped = startRelay();
  startRelay();
  const seen: number[] = [];
  const stopping = new AbortController();
  const reading = subscribe(
    { redis, postgres, prefix: 'relay-test', log },
    { afterId: 0, signal: stopping.signal, onEvent: ({ id }) => void seen.push(id) },
  );
  await happen(1);
  await until('the first event', 60_000, () => seen.length === 1);
  const writing = (async () => {
    for (let n = 2; n <= 300; n += 1) await happen(n);
  })();
  await until('some of them', 60_000, () => seen.length > 10);
  stopped.kill('SIGSTOP');
  await writing;
  // At worst the suspended relay holds its lock until PostgreSQL ends its idle transaction (10 s).
  await until('the rest', bySize(60_000, 15_000), () => seen.length === 300);
  stopped.kill('SIGCONT');
  await sleep(500);
  await happen(301);
  await until('one more', 60_000, () => seen.length === 301);
  expect(seen).toEqual(Array.from({ length: 301 }, (_, i) => i + 1));
  stopping.abort();
  await reading;
}, 600_000);
