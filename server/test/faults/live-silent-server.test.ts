import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRoutes } from '#capabilities/check/index.ts';
import { createAddressesProvider, createProviders, type Providers } from '#capabilities/providers/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createDns } from '#platform/dns.ts';
import { createLog } from '#platform/log.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { checkDeps } from '#test/check-deps.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { testApp } from '#test/http-app.ts';
import { type PeeredSet, startPeeredSet } from '#test/live-provider-set.ts';
import { type BadDnsPeer, startBadDnsPeer } from '#test/peers/bad-dns-peer.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';

/** Stands for LIVE_BUDGET_MS, so long that one request that waited for it would end the test. */
const BUDGET_MS = 120_000;
const real = systemClock();
let passedMs = 0;
/** The clock of breakers and budgets, which only the test moves; sockets have the real one. */
const clock = { now: real.now, monotonic: () => passedMs };
const redisPrefix = testPrefix();
const events: unknown[] = [];
const log = createLog('info', {
  write: (line) => void events.push((JSON.parse(line) as { readonly msg: unknown }).msg),
});
let database: TestDatabase;
let postgres: Postgres;
let redis: Redis;
let server: BadDnsPeer;
let peered: PeeredSet;
let providers: Providers;
let app: FastifyInstance;

beforeAll(async () => {
  [database, redis, server] = await Promise.all([
    createTestDatabase(),
    connectTestRedis(),
    startBadDnsPeer('silent'),
  ]);
  peered = await startPeeredSet({ log, clock: real });
  postgres = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
  const addresses = createAddressesProvider({ dns: createDns({ servers: [server.server], clock: real }) });
  const set = { ...peered.set, addresses };
  const on = new Set(['dns'] as const);
  const created = createProviders({ set, on, redis, redisPrefix, postgres, clock, log });
  ({ providers } = created);
  app = testApp(checkRoutes(checkDeps({ live: created.contexts, liveBudgetMs: BUDGET_MS })));
});
afterAll(async () => {
  await providers?.close();
  await app?.close();
  await Promise.all([peered?.close(), server?.close(), postgres?.close(), removeKeys(redisPrefix)]);
  redis?.close();
  await database?.drop();
});

type Answer = {
  readonly geo: unknown;
  readonly pending?: readonly string[];
  readonly missing: readonly string[];
};
async function standard(query: string): Promise<Answer> {
  const { statusCode, body } = await app.inject({ url: `/check?query=${query}` });
  expect(statusCode, body).toBe(200);
  const { geo, pending, dataTrust } = JSON.parse(body);
  return { geo, pending, missing: dataTrust.completeness.missing };
}
const isAsked = (name: string) => server.asked.some((asked) => asked.name === name);
const UNDERWAY = { geo: null, pending: ['geo'], missing: expect.arrayContaining(['geo']) as unknown };

test('GET /check at standard beside a name server that never answers: three lookups are awaited, none twice, and none once the breaker opens (O80)', async () => {
  const waiting = ['one.com', 'two.com', 'three.com'].map(standard);
  await eventually('the name server is asked', 30_000, () =>
    ['one.com', 'two.com', 'three.com'].every(isAsked),
  );
  passedMs += BUDGET_MS;
  // The same lookup again: its budget is over. Another one: three have got no answer.
  expect(await standard('one.com')).toMatchObject(UNDERWAY);
  for (let each = 4; each <= 12; each += 1)
    expect(await standard(`name-${each}.com`)).toMatchObject(UNDERWAY);
  await eventually('lookups that nobody waits for are made', 30_000, () => isAsked('name-12.com'));
  await eventually('the breaker opens', 60_000, () => events.includes('live.breaker.opened'));
  const askedBefore = server.asked.length;
  const refused = await standard('later.com');
  expect(refused).toMatchObject({ geo: null, missing: expect.arrayContaining(['geo']) as unknown });
  expect(refused.pending).toBeUndefined();
  expect(server.asked.length).toBe(askedBefore);
  for (const { geo } of await Promise.all(waiting)) expect(geo).toBeNull();
}, 110_000);

test('a name server that answers again is tried behind an answer, and the next answer has the location', async () => {
  server.mode = 'answer';
  passedMs += 60_000;
  expect(await standard('again.com')).toMatchObject(UNDERWAY);
  await eventually('the breaker closes', 30_000, () => events.includes('live.breaker.closed'));
  expect(await standard('again.com')).toMatchObject({ geo: { countryCode: 'NL' } });
});
