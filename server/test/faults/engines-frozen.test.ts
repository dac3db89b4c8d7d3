import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { cookieWith } from '#test/access.ts';
import { PATIENT } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { type Service, startService } from '#test/service.ts';

/** At full size the default of METER_GRACE_MS. */
const GRACE_MS = bySize(25_000, 60_000);
const FROZEN_CHECKS = bySize(150, 1_800);
const REQUEST_EVERY_MS = 25;
/** When writes are sent while the engines are frozen, as fractions of the run of checks. */
const WRITES_AT = bySize([0, 0.5], [0.01, 0.1, 0.45, 0.9]);
const HEALED_WITHIN_MS = bySize(60_000, 5_000);
/** Waits for PostgreSQL as in production, because the promise is how long a request waits for a frozen engine. */
const WAITS = { POSTGRES_WAIT_FACTOR: '1' };
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

/** Opens a session through the capability, without the sign-in route. */
async function signIn(databaseUrl: string, who: { accountId: string; userId: string }): Promise<string> {
  const app = connectPostgres({ DATABASE_URL: databaseUrl, POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
  const { accountId, userId } = who;
  const device = { ip: '127.0.0.1', userAgent: 'test' };
  const session = await createSession(
    { postgres: app, clock: systemClock() },
    { accountId, userId, ...device },
  );
  await app.close();
  return session.token;
}

async function steadyChecks(count: number, onNth?: (nth: number) => void): Promise<Seen[]> {
  const seen: Promise<Seen>[] = [];
  const startedAt = performance.now();
  for (let nth = 0; nth < count; nth += 1) {
    onNth?.(nth);
    seen.push(check());
    // Paced by the start time: on a busy machine fixed pauses would stretch and add up to more than the grace.
    await sleep(Math.max(0, startedAt + (nth + 1) * REQUEST_EVERY_MS - performance.now()));
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
    processes: bySize(1, 2),
    env: { ...WAITS, REDIS_URL: redis.url, PUBLIC_WEB_URL: WEB_URL, METER_GRACE_MS: String(GRACE_MS) },
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
  cookie = cookieWith(loadConfig(service.env), await signIn(databaseUrl, key));
  await eventually('the key is known', 30_000, async () => (await check()).status === 200);
  expect((await write()).status).toBe(201);
});

afterAll(async () => {
  // After a failed test the engines may still be frozen, and then the service could not stop.
  redis?.thaw();
  postgres?.thaw();
  await agent.close();
  await service?.stop();
  await redis?.stop();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('PostgreSQL and Redis both frozen', () => {
  test(`at least 99.9 % of ${FROZEN_CHECKS} checks answer 200, and writes answer 503 ${bySize('while it lasts', 'within a second')}`, async () => {
    expect((await steadyChecks(bySize(20, 80))).every((seen) => seen.status === 200)).toBe(true);
    postgres.freeze();
    redis.freeze();
    const writes: Promise<Seen>[] = [];
    const writesAt = new Set(WRITES_AT.map((part) => Math.floor(part * FROZEN_CHECKS)));
    const seen = await steadyChecks(FROZEN_CHECKS, (nth) => {
      if (writesAt.has(nth)) writes.push(write());
    });
    const good = seen.filter(({ status }) => status === 200).length;
    expect(good / seen.length).toBeGreaterThanOrEqual(0.999);
    expect(writes).toHaveLength(WRITES_AT.length);
    // The engines are still frozen, so these answers did not wait for them.
    for (const written of await Promise.all(writes)) {
      expect(written.status).toBe(503);
      expect(written.retryAfter).toBeDefined();
      expectWithin(written.ms, 1_000);
    }
  });

  test(`after the grace of ${GRACE_MS / 1_000} s metered routes answer 503 with Retry-After, /livez still answers`, async () => {
    let refused = await check();
    await eventually('a metered route is refused', 2 * GRACE_MS, async () => {
      refused = await check();
      return refused.status !== 200;
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.retryAfter)).toBeGreaterThanOrEqual(1);
    expect((await ask('/livez')).status).toBe(200);
  });

  test(`checks and writes recover within ${HEALED_WITHIN_MS / 1_000} s of SIGCONT`, async () => {
    redis.thaw();
    postgres.thaw();
    await eventually('checks answer again', HEALED_WITHIN_MS, async () => (await check()).status === 200);
    await eventually('writes answer again', HEALED_WITHIN_MS, async () => (await write()).status === 201);
  });

  test('a node started while PostgreSQL is unavailable answers known keys from its last replica', async () => {
    await service.stop();
    postgres.freeze();
    service = await startService({
      databaseUrl: postgres.url('assay'),
      dataDir,
      env: { ...WAITS, REDIS_URL: redis.url, PUBLIC_WEB_URL: WEB_URL },
    });
    // A new process is ready before its first connection to Redis, and has no share of the meters until then.
    await eventually('a known key is answered', 20_000, async () => (await check()).status === 200);
    postgres.thaw();
  });
});
