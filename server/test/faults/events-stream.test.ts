import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#platform/clock.ts';
import { type Config, loadConfig } from '#platform/config.ts';
import {
  createRelay,
  type EventGap,
  emit,
  emitAll,
  eventType,
  type StreamEvent,
  subscribe,
  trimOutbox,
} from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Db, type Postgres, sql } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { startRedisCluster } from '#test/redis-cluster.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';

const Happened = eventType({ name: 'test.happened', schema: z.object({ n: z.number() }) });
const log = createLog('silent');
const clock = systemClock();

let database: TestDatabase;
let config: Config;
let postgres: Postgres;
let app: Postgres;
let redisServer: RedisServer;
let redis: Redis;
let prefix: string;
let stopping: AbortController;
const relays: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redisServer = await startRedisServer();
});
beforeEach(async () => {
  prefix = `t${Math.random().toString(36).slice(2)}`;
  config = loadConfig({ DATABASE_URL: database.url, REDIS_URL: redisServer.url });
  postgres = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT);
  redis = await connectRedis({ config, log, clock });
  stopping = new AbortController();
  await sql`delete from event_outbox`.execute(postgres.db);
  await sql`update event_relay set relayed_id = 0, numbered_id = 0, trimmed_id = 0`.execute(postgres.db);
});
afterEach(async () => {
  stopping.abort();
  for (const relay of relays.splice(0)) await relay.stop();
  redis.close();
  await postgres.close();
  await app.close();
});
afterAll(async () => {
  await redisServer.stop();
  await database.drop();
});

function relay() {
  const started = createRelay({ postgres, redis, prefix, log });
  relays.push(started);
  return started;
}
const happen = (tx: Db, n: number) => emit(tx, { type: Happened, accountId: null, payload: { n } });
const happenNow = (n: number) => postgres.transaction((tx) => happen(tx, n));

type Seen = { events: StreamEvent[]; gaps: EventGap[]; ended: Promise<void> };
function read(afterId?: number): Seen {
  const seen: Seen = { events: [], gaps: [], ended: Promise.resolve() };
  seen.ended = subscribe(
    { redis, postgres, prefix, log },
    {
      ...(afterId === undefined ? {} : { afterId }),
      signal: stopping.signal,
      onEvent: (event) => void seen.events.push(event),
      onGap: (gap) => void seen.gaps.push(gap),
    },
  );
  return seen;
}
const numbers = (seen: Seen) => seen.events.map((event) => (event.payload as { n: number }).n);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('an event reaches a subscriber soon after the commit, and an event that was rolled back never does', async () => {
  relay();
  const seen = read(0);
  await expect(
    postgres.transaction(async (tx) => {
      await happen(tx, 99);
      throw new Error('Change of mind.');
    }),
  ).rejects.toThrow('Change of mind.');
  await sleep(300);
  const committedAt = performance.now();
  await happenNow(1);
  await eventually('the event', 5_000, () => seen.events.length === 1);
  console.info(`commit to subscriber: ${Math.round(performance.now() - committedAt)} ms`);
  expect(seen.events[0]).toMatchObject({ id: 1, type: 'test.happened', accountId: null, payload: { n: 1 } });
});

test('a transaction that wrote first and commits last is not skipped (foundation rule 1)', async () => {
  relay();
  const seen = read(0);
  const firstMayCommit = Promise.withResolvers<void>();
  const firstHasWritten = Promise.withResolvers<void>();
  const first = postgres.transaction(async (tx) => {
    await happen(tx, 1);
    firstHasWritten.resolve();
    await firstMayCommit.promise;
  });
  await firstHasWritten.promise;
  await happenNow(2);
  await eventually('the later event', 5_000, () => seen.events.length === 1);
  firstMayCommit.resolve();
  await first;
  await eventually('the late commit', 5_000, () => seen.events.length === 2);
  expect(numbers(seen)).toEqual([2, 1]);
  expect(seen.events.map((event) => event.id)).toEqual([1, 2]);
});

test('two relays deliver every event once and in order while sixteen writers write', async () => {
  relay();
  relay();
  const seen = read(0);
  await Promise.all(
    range(0, 15).map(async (writer) => {
      for (const n of range(1, 50)) await happenNow(writer * 1_000 + n);
    }),
  );
  await eventually('800 events', 20_000, () => seen.events.length >= 800);
  await sleep(200);
  expect(seen.events.map((event) => event.id)).toEqual(range(1, 800));
  for (const writer of range(0, 15)) {
    const own = numbers(seen).filter((n) => Math.floor(n / 1_000) === writer);
    expect(own).toEqual(range(1, 50).map((n) => writer * 1_000 + n));
  }
});

test('a subscriber resumes after the id it saw last', async () => {
  const moving = relay();
  for (const n of range(1, 5)) await happenNow(n);
  await moving.flush();
  const seen = read(3);
  await eventually('two events', 5_000, () => seen.events.length === 2);
  expect(numbers(seen)).toEqual([4, 5]);
  expect(seen.gaps).toEqual([]);
});

test('without an id a subscriber gets only later events', async () => {
  const moving = relay();
  await happenNow(1);
  await moving.flush();
  const seen = read();
  // The reader does not report when it has begun to read, so events happen until it has read one.
  let last = 1;
  await eventually('a new event', 5_000, async () => {
    last += 1;
    await happenNow(last);
    return seen.events.length > 0;
  });
  await eventually('the last event', 5_000, () => numbers(seen).at(-1) === last);
  const [first = 0] = numbers(seen);
  expect(first).toBeGreaterThan(1);
  expect(numbers(seen)).toEqual(range(first, last));
});

test('Redis killed and restarted empty: no event is lost or duplicated', async () => {
  const moving = relay();
  const seen = read(0);
  for (const n of range(1, 10)) await happenNow(n);
  await eventually('ten events', 5_000, () => seen.events.length === 10);
  await redisServer.kill();
  for (const n of range(11, 20)) await happenNow(n);
  await sleep(500);
  expect(seen.events.length).toBe(10);
  await redisServer.restart();
  await eventually('the other ten', 15_000, () => seen.events.length >= 20);
  await sleep(300);
  expect(numbers(seen)).toEqual(range(1, 20));
  // The stream was refilled from the outbox for subscribers that resume from an older id.
  await moving.flush();
  expect(await redisServer.run('XLEN', `${prefix}:events`)).toBe(20);
  const late = read(0);
  await eventually('all twenty', 5_000, () => late.events.length === 20);
  expect(late.gaps).toEqual([]);
});

test('events that the stream no longer has come from the outbox, and events that the outbox no longer has are reported as a gap', async () => {
  const moving = relay();
  for (const n of range(1, 10)) await happenNow(n);
  await moving.flush();
  await redisServer.run('XTRIM', `${prefix}:events`, 'MAXLEN', '2');
  const seen = read(0);
  await eventually('all ten', 5_000, () => seen.events.length === 10);
  expect(seen.events.map((event) => event.id)).toEqual(range(1, 10));
  expect(seen.gaps).toEqual([]);
  await sql`delete from event_outbox where id <= 4`.execute(postgres.db);
  const poorer = read(2);
  await eventually('six events', 5_000, () => poorer.events.length === 6);
  expect(poorer.gaps).toEqual([{ afterId: 2, beforeId: 5 }]);
  // An id that was never issued starts at the end and reports a gap.
  const stranger = read(5_000);
  await eventually('the gap', 5_000, () => stranger.gaps.length === 1);
  await happenNow(11);
  await eventually('the next event', 5_000, () => stranger.events.length === 1);
  expect(numbers(stranger)).toEqual([11]);
});

test('a stream that contradicts the outbox is replaced from the outbox', async () => {
  await redisServer.run('XADD', `${prefix}:events`, '900-0', 'event', '{"type":"old"}');
  const moving = relay();
  await happenNow(1);
  await moving.flush();
  const seen = read(0);
  await eventually('the event', 5_000, () => seen.events.length === 1);
  expect(seen.events[0]).toMatchObject({ id: 1, payload: { n: 1 } });
});

test('trimming keeps young events and events that the stream does not have yet', async () => {
  await postgres.transaction((tx) =>
    emitAll(
      tx,
      range(1, 3).map((n) => ({
        type: Happened,
        accountId: null,
        payload: { n },
        occurredAt: new Date(Date.now() - 2 * 86_400_000),
      })),
    ),
  );
  await happenNow(4);
  expect(await postgres.transaction((tx) => trimOutbox(tx))).toBe(0);
  await relay().flush();
  expect(await postgres.transaction((tx) => trimOutbox(tx))).toBe(3);
});

test('a caller may write events of its own account or of no account, and may read none', async () => {
  const own = { type: Happened, accountId: 'org_1', payload: { n: 1 } };
  await app.withAccount('org_1', (tx) => emit(tx, own));
  await expect(app.withAccount('org_2', (tx) => emit(tx, own))).rejects.toThrow(/row-level security/);
  await expect(sql`select * from event_outbox`.execute(app.db)).rejects.toThrow(/permission denied/);
});

test('on a Redis Cluster the stream works as a single key', async () => {
  const cluster = await startRedisCluster();
  const member = await connectRedis({ config: loadConfig({ REDIS_URL: cluster.url }), log, clock });
  const moving = createRelay({ postgres, redis: member, prefix, log });
  try {
    const events: StreamEvent[] = [];
    const reading = subscribe(
      { redis: member, postgres, prefix, log },
      { afterId: 0, signal: stopping.signal, onEvent: (event) => void events.push(event) },
    );
    for (const n of range(1, 20)) await happenNow(n);
    await eventually('twenty events', 10_000, () => events.length === 20);
    expect(events.map((event) => event.id)).toEqual(range(1, 20));
    stopping.abort();
    await reading;
  } finally {
    await moving.stop();
    member.close();
    await cluster.stop();
  }
});
