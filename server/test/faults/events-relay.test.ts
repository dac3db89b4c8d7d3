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
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';

const Happened = eventType({ name: 'test.happened', schema: z.object({ n: z.number() }) });
/** Reliability W1 asks for 10,000; every run does a part of them. */
const EVENTS = process.env.ASSAY_SCALE === 'full' ? 10_000 : 3_200;
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
    env: { PATH: process.env.PATH ?? '', ...env },
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

test('events while the relay is killed again and again: all arrive, once, in order (reliability W1)', async () => {
  const ids: number[] = [];
  const values = new Set<number>();
  const stopping = new AbortController();
  const reading = subscribe(
    { redis, postgres, prefix: 'relay-test', log },
    {
      afterId: 0,
      signal: stopping.signal,
      onEvent: ({ id, payload }) => {
        ids.push(id);
        values.add((payload as { n: number }).n);
      },
    },
  );
  let isWriting = true;
  let kills = 0;
  const killing = (async () => {
    let child = startRelay();
    while (isWriting) {
      await sleep(700);
      await kill(child);
      kills += 1;
      child = startRelay();
    }
  })();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < EVENTS / WRITERS; n += 1) await happen(writer * EVENTS + n);
    }),
  );
  isWriting = false;
  await killing;
  await until('all events', 30_000, () => ids.length >= EVENTS);
  await sleep(300);
  stopping.abort();
  await reading;
  console.info(`${EVENTS} events, ${kills} kills`);
  expect(kills).toBeGreaterThan(2);
  expect(values.size).toBe(EVENTS);
  expect(ids).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
}, 120_000);

test('a relay that is stopped does not stop the stream', async () => {
  const stopped = startRelay();
  startRelay();
  const seen: number[] = [];
  const stopping = new AbortController();
  const reading = subscribe(
    { redis, postgres, prefix: 'relay-test', log },
    { afterId: 0, signal: stopping.signal, onEvent: ({ id }) => void seen.push(id) },
  );
  await happen(1);
  await until('the first event', 10_000, () => seen.length === 1);
  const writing = (async () => {
    for (let n = 2; n <= 300; n += 1) await happen(n);
  })();
  await sleep(30);
  stopped.kill('SIGSTOP');
  await writing;
  // At worst it holds the turn until PostgreSQL ends its idle transaction (10 s).
  await until('the rest', 15_000, () => seen.length === 300);
  stopped.kill('SIGCONT');
  await sleep(500);
  await happen(301);
  await until('one more', 5_000, () => seen.length === 301);
  expect(seen).toEqual(Array.from({ length: 301 }, (_, i) => i + 1));
  stopping.abort();
  await reading;
}, 60_000);
