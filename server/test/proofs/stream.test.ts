import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createRelay, type Relay } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { emitSteadily } from '#test/emit-threats.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import {
  percentileOf,
  type StreamReaders,
  type StreamReport,
  startStreamReaders,
} from '#test/stream-readers.ts';

const READERS = 1_000;
const SECONDS = Number(process.env.STREAM_SECONDS ?? 60);
const IDLE = 10_000;

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let credential: string;
let redis: Redis;
let relay: Relay;
let relaying: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ databaseUrl: database.url });
  accounts = openAccounts(service);
  const limits = { streams: 20_000, burstPerMinute: 1_000_000 };
  ({ credential } = await accounts.newAccount('reader@example.com', { plan: 'ENTERPRISE', limits }));
  const config = loadConfig(service.env);
  const log = createLog('silent');
  redis = await connectRedis({ config, log, clock: systemClock() });
  // As in the worker: one connection listens, one relays.
  relaying = asSystem({ ...config, POSTGRES_POOL_MAX: 3 });
  relay = createRelay({ postgres: relaying, redis, prefix: config.REDIS_PREFIX, log });
});
afterAll(async () => {
  await relay?.stop();
  await relaying?.close();
  redis?.close();
  await accounts?.close();
  await service?.stop();
  await database?.drop();
});

const start = (readers: number) =>
  startStreamReaders({ url: service.url, path: '/stream', credential, readers });
const say = (name: string, value: number) => console.info(`figure ${name} ${value}`);

/** Emits events at a fixed rate for some seconds; returns what the readers counted once all have arrived. */
async function run(
  readers: StreamReaders,
  perSecond: number,
  seconds: number,
): Promise<StreamReport & { readonly due: number }> {
  await readers.report();
  const due = (await emitSteadily(accounts.system, perSecond, seconds)) * READERS;
  let [events, closed] = [0, 0];
  const histogram: number[] = [];
  let last: StreamReport | null = null;
  await eventually('all events are delivered', 60_000, async () => {
    last = await readers.report();
    events += last.events;
    closed = last.closed;
    for (const [ms, count] of last.histogram.entries()) histogram[ms] = (histogram[ms] ?? 0) + (count ?? 0);
    if (events < due) await sleep(500);
    return events >= due;
  });
  return {
    ...(last as unknown as StreamReport),
    events,
    closed,
    histogram: Array.from(histogram, (n) => n ?? 0),
    due,
  };
}

test('1,000 readers get 20 events a second for a minute, each of them, 99 % within 50 ms of the commit', async () => {
  const readers = await start(READERS);
  try {
    await run(readers, 20, 3);
    const { events, due, closed, histogram } = await run(readers, 20, SECONDS);
    const [p50, p99] = [percentileOf(histogram, 0.5), percentileOf(histogram, 0.99)];
    say('stream-delivered', events);
    say('stream-p50-ms', p50);
    say('stream-p99-ms', p99);
    expect(events).toBe(due);
    expect(closed).toBe(0);
    let highest = 0;
    for (const rate of [40, 60, 80, 100, 150, 200]) {
      const at = await run(readers, rate, 5).catch(() => null);
      const late = at === null ? Number.POSITIVE_INFINITY : percentileOf(at.histogram, 0.99);
      console.info(`${rate} events a second: p99 ${late} ms`);
      if (late > 250) break;
      highest = rate;
    }
    say('stream-events-a-second', highest);
    expect(p99).toBeLessThanOrEqual(50);
  } finally {
    await readers.stop();
  }
});

test('10,000 idle readers add at most 200 MiB', async () => {
  const [pid = 0] = service.listenerPids();
  const rssMib = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
  await sleep(5_000);
  const before = rssMib();
  const readers = await start(IDLE);
  try {
    await sleep(20_000);
    const { opened, refused } = await readers.report();
    const added = rssMib() - before;
    say('stream-idle-mib', Math.round(added));
    expect({ opened, refused }).toEqual({ opened: IDLE, refused: 0 });
    expect(added).toBeLessThanOrEqual(200);
  } finally {
    await readers.stop();
  }
});
