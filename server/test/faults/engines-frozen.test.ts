import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { migrate } from '#platform/migrate.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { type Service, startService } from '#test/service.ts';

const FROZEN_MS = 45_000;
const GRACE_GONE_MS = 75_000;
const REQUEST_EVERY_MS = 25;
const WEB_URL = 'http://127.0.0.1:8080';

let postgres: PostgresServer;
let redis: RedisServer;
let service: Service;
let header: string;
let cookie: string;
const dataDir = mkdtempSync(join(tmpdir(), 'assay-frozen-'));
const agent = new Agent({ connections: 32, pipelining: 1 });

type Seen = { status: number; retryAfter: string | undefined; ms: number };

async function ask(
  path: string,
  method: 'GET' | 'POST' = 'GET',
  extra: Record<string, string> = {},
): Promise<Seen> {
  const startedAt = performance.now();
  const answer = await request(`${service.url}${path}`, {
    dispatcher: agent,
    method,
    headers:
      method === 'POST'
        ? { 'content-type': 'application/json', ...extra }
        : { 'X-API-KEY': header, ...extra },
    ...(method === 'POST' ? { body: '{"label":"from a test"}' } : {}),
  });
  await answer.body.dump();
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    ms: performance.now() - startedAt,
  };
}
const check = () => ask('/check?query=45.155.205.233&enrichment=basic');
const write = () => ask('/user/keys', 'POST', { cookie, origin: WEB_URL });

/** There is no login screen yet: a session made the way one will make it. */
async function signIn(databaseUrl: string, who: { accountId: string; userId: string }): Promise<string> {
  const app = connectPostgres({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 1 }, 'assay_app');
  const { accountId, userId } = who;
  const device = { ip: '127.0.0.1', userAgent: 'test' };
  const session = await createSession(
    { postgres: app, clock: systemClock() },
    { accountId, userId, ...device },
  );
  await app.close();
  return session.token;
}

/** Steady traffic, well under the local share; returns what was seen. */
async function checksFor(ms: number): Promise<Seen[]> {
  const seen: Promise<Seen>[] = [];
  const endAt = performance.now() + ms;
  while (performance.now() < endAt) {
    seen.push(check());
    await sleep(REQUEST_EVERY_MS);
  }
  return Promise.all(seen);
}

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  const databaseUrl = postgres.url('assay');
  await migrate(databaseUrl);
  service = await startService({
    databaseUrl,
    dataDir,
    processes: 2,
    env: { REDIS_URL: redis.url, PUBLIC_WEB_URL: WEB_URL },
  });
  const key = await service.admin<{ header: string; accountId: string; userId: string }>(
    'key',
    'create',
    '--email',
    'outage@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify({ burstPerMinute: 60_000, checksPerMonth: 10_000_000 }),
  );
  header = key.header;
  cookie = `sid=${await signIn(databaseUrl, key)}`;
  await eventually('the key is known', 3_000, async () => (await check()).status === 200);
  expect((await write()).status).toBe(201);
}, 120_000);

afterAll(async () => {
  await agent.close();
  await service?.stop();
  await redis?.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('PostgreSQL and Redis both frozen', () => {
  test('45 s: at least 99.9 % of checks answer 200, and writes answer 503 within a second', async () => {
    expect((await checksFor(2_000)).every((seen) => seen.status === 200)).toBe(true);
    postgres.freeze();
    redis.freeze();
    const writes = Promise.all([0, 5_000, 20_000, 40_000].map((at) => sleep(at + 500).then(write)));
    const seen = await checksFor(FROZEN_MS);
    const good = seen.filter(({ status }) => status === 200).length;
    expect(seen.length).toBeGreaterThan(1_000);
    expect(good / seen.length).toBeGreaterThanOrEqual(0.999);
    for (const written of await writes) {
      expect(written.status).toBe(503);
      expect(written.retryAfter).toBeDefined();
      expect(written.ms).toBeLessThan(1_000);
    }
  }, 90_000);

  test('75 s: metered routes answer 503 with Retry-After, liveness still answers', async () => {
    await sleep(GRACE_GONE_MS - FROZEN_MS);
    const refused = await check();
    expect(refused.status).toBe(503);
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    expect((await ask('/livez')).status).toBe(200);
  }, 60_000);

  test('healed within 5 s of SIGCONT, writes too', async () => {
    redis.thaw();
    postgres.thaw();
    await eventually('checks answer again', 5_000, async () => (await check()).status === 200);
    await eventually('writes answer again', 5_000, async () => (await write()).status === 201);
  }, 30_000);

  test('a node started while PostgreSQL is away answers known keys from its last replica', async () => {
    await service.stop();
    postgres.freeze();
    service = await startService({
      databaseUrl: postgres.url('assay'),
      dataDir,
      env: { REDIS_URL: redis.url, PUBLIC_WEB_URL: WEB_URL },
    });
    expect((await check()).status).toBe(200);
    postgres.thaw();
  }, 90_000);
});
