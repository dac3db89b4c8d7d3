import { describe, expect, test } from 'vitest';
import { statusRoutes } from '#capabilities/status/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { testApp } from '#test/http-app.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';

type Engines = {
  database?: 'writable' | 'readOnly' | 'away' | 'silent';
  redis?: boolean;
  replica?: boolean;
  contactAgeMs?: number;
};

function statusApp({ database = 'writable', redis = true, replica = true, contactAgeMs = 40 }: Engines = {}) {
  const readiness = createReadiness();
  const routes = statusRoutes({
    clock: systemClock(),
    database: async () => {
      if (database === 'away') throw new Error('connect ECONNREFUSED');
      return database === 'silent' ? new Promise(() => undefined) : database;
    },
    redis: async () => redis,
    replica: async () => replica,
    contact: { ageMs: () => contactAgeMs, isStale: () => contactAgeMs > 5_000 },
    readiness,
  });
  return { app: testApp(routes, { readiness }), readiness };
}

describe('/health (contract 2.12, decisions 3.14)', () => {
  test('is operational in the exact shape of the contract, on both hosts', async () => {
    const { app } = statusApp();
    for (const url of ['/health', '/api/health']) {
      const reply = await app.inject(url);
      expect(reply.statusCode).toBe(200);
      expect(reply.json()).toEqual({
        status: 'operational',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        services: { api: 'operational', database: 'operational', redis: 'operational' },
        replicaContactAgeMs: 40,
        data: null,
      });
    }
  });

  test('a replica that no longer follows PostgreSQL is degraded and 200, and both probes tell its age', async () => {
    const { app } = statusApp({ contactAgeMs: 41_000 });
    const reply = await app.inject('/health');
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'degraded', replicaContactAgeMs: 41_000 }),
    ]);
    const ready = await app.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      expect.objectContaining({ ready: true, replicaContactAgeMs: 41_000 }),
    ]);
  });

  test('Redis down is degraded and 200', async () => {
    const reply = await statusApp({ redis: false }).app.inject('/health');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      status: 'degraded',
      services: { redis: 'down', database: 'operational' },
    });
  });

  test('a database that refuses writes is degraded and 200, because reads work (decisions O72)', async () => {
    const reply = await statusApp({ database: 'readOnly' }).app.inject('/health');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      status: 'degraded',
      services: { api: 'operational', database: 'degraded', redis: 'operational' },
    });
  });

  test.each(['away', 'silent'] as const)(
    bySize('a database that is %s is 503', 'a database that is %s is 503 in under a second'),
    async (database) => {
      const startedMs = performance.now();
      const reply = await statusApp({ database }).app.inject('/health');
      expect(reply.statusCode).toBe(503);
      expect(reply.headers['retry-after']).toBe('5');
      expect(reply.json()).toMatchObject({ status: 'down', services: { database: 'down' } });
      if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(1_000);
    },
  );
});

describe('probes', () => {
  test('/livez answers whatever dependency is unavailable', async () => {
    const { app, readiness } = statusApp({ database: 'silent', redis: false, replica: false });
    readiness.beginDrain();
    expect((await app.inject('/livez')).json()).toEqual({ status: 'alive' });
  });

  test('/readyz needs the replica and no shutdown, and nothing of PostgreSQL or Redis', async () => {
    const engines = { database: 'away', redis: false } as const;
    const { app, readiness } = statusApp(engines);
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    readiness.beginDrain();
    const draining = await app.inject('/readyz');
    expect(draining.statusCode).toBe(503);
    expect(draining.json().checks).toContainEqual({ name: 'listener', ok: false, message: 'Shutting down.' });
    expect((await statusApp({ ...engines, replica: false }).app.inject('/readyz')).statusCode).toBe(503);
  });
});
