import { afterAll, beforeAll, expect, test } from 'vitest';
import { ThreatNew } from '#capabilities/stream/events.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createRelay, emitAll, type NewEvent, type Relay, trimOutbox } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';
import { openThreatStream, type ThreatStream } from '#test/threat-stream.ts';

const READERS = bySize(12, 200);
const EVENTS = bySize(60, 2_000);
const ROUNDS = bySize(1, 10);
/** Two at full size only: each process that starts again costs 5 s of CPU. */
const PROCESSES = bySize(1, 2);

let database: TestDatabase;
let redisServer: RedisServer;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;
let redis: Redis;
let relay: Relay;
let emitted = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  redisServer = await startRedisServer();
  service = await startService({
    databaseUrl: database.url,
    processes: PROCESSES,
    env: { REDIS_URL: redisServer.url },
  });
  accounts = openAccounts(service);
  const limits = { streams: READERS * 2, burstPerMinute: 100_000 };
  account = await accounts.newAccount('reader@example.com', { plan: 'ENTERPRISE', limits });
  const config = loadConfig(service.env);
  const log = createLog('silent');
  redis = await connectRedis({ config, log, clock: systemClock() });
  relay = createRelay({ postgres: accounts.system, redis, prefix: config.REDIS_PREFIX, log });
});
afterAll(async () => {
  await relay?.stop();
  redis?.close();
  await accounts?.close();
  await service?.stop();
  await redisServer?.stop();
  await database?.drop();
});

const threat = (value: string, accountId: string | null = null): NewEvent => ({
  type: ThreatNew,
  accountId,
  payload: {
    severity: 'high',
    categories: ['c2'],
    indicator: { type: 'domain', value },
    score: 70,
    level: 'high',
    sources: { count: 1, names: ['A list'] },
    firstSeen: null,
    lastSeen: null,
  },
});
async function emitSome(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, i) => threat(`n${emitted + i + 1}.example`));
  emitted += count;
  await accounts.system.transaction((tx) => emitAll(tx, events));
}
const names = (from: number, through: number) =>
  Array.from({ length: through - from + 1 }, (_, i) => `n${from + i}.example`);
const hostOf = ({ data }: ThreatStream['events'][number]) => (data.indicator as { value: string }).value;
const open = (lastEventId?: string) =>
  openThreatStream(service.url, {
    credential: account.credential,
    ...(lastEventId !== undefined && { lastEventId }),
  });

/** Reads like an EventSource: connects again whenever the stream ends, after the last id that it got. */
class Resuming {
  readonly seen: string[] = [];
  readonly gaps: unknown[] = [];
  connections = 0;
  isOpen = false;
  isStopped = false;

  async run(): Promise<void> {
    let lastId: string | undefined;
    while (!this.isStopped) {
      const stream = await open(lastId).catch(() => null);
      if (stream !== null && stream.status === 200) {
        this.connections += 1;
        let read = 0;
        while (!stream.isClosed() && !this.isStopped) {
          for (; read < stream.events.length; read += 1)
            this.take(stream.events[read] as ThreatStream['events'][number]);
          lastId = stream.lastId() === '' ? lastId : stream.lastId();
          this.isOpen = lastId !== undefined;
          await sleep(10);
        }
        for (; read < stream.events.length; read += 1)
          this.take(stream.events[read] as ThreatStream['events'][number]);
        lastId = stream.lastId() === '' ? lastId : stream.lastId();
      }
      stream?.close();
      await sleep(50);
    }
  }

  take(event: ThreatStream['events'][number]): void {
    if (event.type === 'gap') this.gaps.push(event.data);
    else this.seen.push(hostOf(event));
  }
}

test('processes of the API are killed under way: every reader resumes and gets each event once, in order', async () => {
  const readers = Array.from({ length: READERS }, () => new Resuming());
  const running = readers.map((reader) => reader.run());
  await eventually('all readers are open', 60_000, () => readers.every(({ isOpen }) => isOpen));
  for (let round = 0; round < ROUNDS; round += 1) {
    await emitSome(EVENTS / 2);
    for (const pid of service.listenerPids().slice(0, round === 0 ? 1 : 2)) process.kill(pid, 'SIGKILL');
    await emitSome(EVENTS / 2);
    await sleep(200);
  }
  await eventually('everything is delivered', 120_000, () =>
    readers.every(({ seen }) => seen.length >= emitted),
  );
  for (const reader of readers) reader.isStopped = true;
  await Promise.all(running);
  const wanted = names(1, emitted);
  for (const { seen, gaps } of readers) {
    expect(seen).toEqual(wanted);
    expect(gaps).toEqual([]);
  }
  expect(readers.some(({ connections }) => connections > 1)).toBe(true);
});

test('Redis emptied and processes restarted: what was missed comes from the outbox, without a hole', async () => {
  await relay.flush();
  const before = emitted;
  await emitSome(20);
  await relay.flush();
  const first = await open();
  await eventually('it is open', 20_000, () => first.lastId() !== '');
  const last = Number(first.lastId());
  first.close();
  await redisServer.run('FLUSHALL');
  for (const pid of service.listenerPids()) process.kill(pid, 'SIGKILL');
  await emitSome(5);
  let stream: ThreatStream | null = null;
  await eventually('the stream opens again', 60_000, async () => {
    stream = await open(String(last - 20)).catch(() => null);
    return stream?.status === 200;
  });
  const resumed = stream as unknown as ThreatStream;
  await eventually('all are there', 30_000, () => resumed.events.length >= 25);
  expect(resumed.events.map(hostOf)).toEqual(names(before + 1, before + 25));
  resumed.close();
});

test('what the log no longer has is a gap; events of one account push no shared event out (O40)', async () => {
  await relay.flush();
  const first = await open();
  await eventually('it is open', 20_000, () => first.lastId() !== '');
  const from = Number(first.lastId());
  first.close();
  const flood = Array.from({ length: 500 }, (_, i) => threat(`own${i}.example`, 'org_flood'));
  await accounts.system.transaction((tx) => emitAll(tx, flood));
  const before = emitted;
  await emitSome(10);
  await relay.flush();
  await accounts.system.transaction((tx) => trimOutbox(tx, { sharedMax: 10 }));
  for (const pid of service.listenerPids()) process.kill(pid, 'SIGKILL');
  await redisServer.run('FLUSHALL');
  const reopened = async (id: number): Promise<ThreatStream> => {
    let stream: ThreatStream | null = null;
    await eventually('the stream opens again', 60_000, async () => {
      stream = await open(String(id)).catch(() => null);
      return stream?.status === 200;
    });
    return stream as unknown as ThreatStream;
  };
  const kept = await reopened(from);
  await eventually('ten shared events', 30_000, () => kept.events.length >= 10);
  expect(kept.events.map(hostOf)).toEqual(names(before + 1, before + 10));
  const late = await reopened(from - 5);
  await eventually('the gap and ten events', 30_000, () => late.events.length >= 11);
  expect(late.events[0]).toMatchObject({ type: 'gap', data: { after: String(from - 5), reason: 'expired' } });
  expect(late.events.slice(1).map(hostOf)).toEqual(names(before + 1, before + 10));
  kept.close();
  late.close();
});

test('a killed process loses its leases within 30 s, and a new stream is granted', async () => {
  const limits = { streams: 2, burstPerMinute: 100_000 };
  const { credential } = await accounts.newAccount('two@example.com', { plan: 'PRO', limits });
  const openTwo = () => openThreatStream(service.url, { credential });
  const both = await Promise.all([openTwo(), openTwo()]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  const third = await openTwo();
  expect(third.status).toBe(429);
  for (const pid of service.listenerPids()) process.kill(pid, 'SIGKILL');
  const killedAt = performance.now();
  await eventually('a stream is granted again', 40_000, async () => {
    const stream = await openTwo().catch(() => null);
    const isGranted = stream?.status === 200;
    stream?.close();
    if (!isGranted) await sleep(500);
    return isGranted;
  });
  console.info(`figure stream-lease-lost-s ${((performance.now() - killedAt) / 1_000).toFixed(1)}`);
});
