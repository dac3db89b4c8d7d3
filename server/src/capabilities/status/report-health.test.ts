import { describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { createProbe } from './probe.ts';
import { createStatus, judgeHealth, judgeReadiness } from './report-health.ts';

const all = { database: true, redis: true, replica: true };

describe('health (decisions 3.14)', () => {
  test('everything working is operational', () => {
    expect(judgeHealth(all)).toEqual({
      status: 'operational',
      services: { api: 'operational', database: 'operational', redis: 'operational' },
    });
  });

  test('without Redis or a replica the service is degraded; without the database it is down', () => {
    expect(judgeHealth({ ...all, redis: false })).toMatchObject({
      status: 'degraded',
      services: { redis: 'down' },
    });
    expect(judgeHealth({ ...all, replica: false })).toMatchObject({
      status: 'degraded',
      services: { api: 'degraded' },
    });
    expect(judgeHealth({ ...all, database: false })).toMatchObject({
      status: 'down',
      services: { database: 'down' },
    });
    expect(judgeHealth({ database: false, redis: false, replica: false }).status).toBe('down');
  });

  test('a database that refuses writes is degraded, and so is the service (decisions O72)', async () => {
    expect(judgeHealth({ ...all, isReadOnly: true })).toMatchObject({
      status: 'degraded',
      services: { api: 'operational', database: 'degraded' },
    });
    const status = createStatus({
      clock: systemClock(),
      database: async () => 'readOnly',
      redis: async () => true,
      replica: async () => true,
      contact: { ageMs: () => 0, isStale: () => false },
      readiness: { draining: false },
    });
    expect(await status.health()).toMatchObject({ status: 'degraded', services: { database: 'degraded' } });
  });
});

test('a service whose data cannot be described is not called operational; one without data to describe is', async () => {
  const works = async () => true;
  const of = (data?: () => Promise<never>) =>
    createStatus({
      clock: systemClock(),
      database: async () => 'writable',
      redis: works,
      replica: works,
      contact: { ageMs: () => 0, isStale: () => false } as never,
      readiness: { draining: false },
      ...(data !== undefined && { data }),
    }).health();
  const unread = async (): Promise<never> => {
    throw new Error('canceling statement due to statement timeout');
  };
  expect(await of(unread)).toMatchObject({ status: 'degraded', data: null });
  expect((await of()).status).toBe('operational');
});

describe('readiness', () => {
  const fresh = { ageMs: 400, isStale: false };

  test('needs a verified replica and no shutdown, and lists both', () => {
    expect(judgeReadiness(true, false, fresh).ready).toBe(true);
    expect(judgeReadiness(false, false, fresh)).toMatchObject({
      ready: false,
      checks: [{ name: 'replica', ok: false }, { ok: true }, { ok: true }],
    });
    expect(judgeReadiness(true, true, fresh)).toMatchObject({
      ready: false,
      checks: [{ ok: true }, { name: 'listener', ok: false }, { ok: true }],
    });
  });

  test('a replica that does not follow PostgreSQL is told with its age, and the node stays ready', () => {
    expect(judgeReadiness(true, false, { ageMs: 41_000, isStale: true })).toMatchObject({
      ready: true,
      replicaContactAgeMs: 41_000,
      checks: [{}, {}, { name: 'contact', ok: false, message: expect.stringContaining('41 s ago') }],
    });
    expect(judgeReadiness(false, false, { ageMs: null, isStale: false }).replicaContactAgeMs).toBeNull();
  });
});

describe('probes', () => {
  test(
    bySize(
      'an engine that does not answer counts as not working',
      'an engine that does not answer counts as not working after half a second',
    ),
    async () => {
      const probe = createProbe({ now: () => 5, monotonic: () => 0 }, () => new Promise(() => undefined));
      const startedMs = performance.now();
      expect(await probe()).toEqual({ ok: false, found: false, askedAtMs: 5 });
      if (IS_FULL_SIZE) expect(performance.now() - startedMs).toBeLessThan(900);
    },
  );

  test('an engine that throws, at once or later, counts as not working', async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    expect((await createProbe(clock, () => Promise.reject(new Error('x')))()).ok).toBe(false);
    const throwing = createProbe(clock, () => {
      throw new Error('x');
    });
    expect((await throwing()).ok).toBe(false);
  });

  test('a thousand callers in one second cause one query', async () => {
    let asked = 0;
    let nowMs = 0;
    const probe = createProbe({ now: () => nowMs, monotonic: () => nowMs }, async () => {
      asked += 1;
      return true;
    });
    await Promise.all(Array.from({ length: 1_000 }, () => probe()));
    nowMs = 999;
    await probe();
    expect(asked).toBe(1);
    nowMs = 1_000;
    await probe();
    expect(asked).toBe(2);
  });
});
