import { describe, expect, test } from 'vitest';
import { createProbe } from './probe.ts';
import { judgeHealth, judgeReadiness } from './report-health.ts';

const all = { database: true, redis: true, replica: true };

describe('health (decisions 3.14)', () => {
  test('everything working is operational', () => {
    expect(judgeHealth(all)).toEqual({
      status: 'operational',
      services: { api: 'operational', database: 'operational', redis: 'operational' },
    });
  });

  test('without Redis or a replica the service limps; without the database it is down', () => {
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
});

describe('readiness', () => {
  test('needs a verified replica and no shutdown, and lists both', () => {
    expect(judgeReadiness(true, false).ready).toBe(true);
    expect(judgeReadiness(false, false)).toMatchObject({
      ready: false,
      checks: [{ name: 'replica', ok: false }, { ok: true }],
    });
    expect(judgeReadiness(true, true)).toMatchObject({
      ready: false,
      checks: [{ ok: true }, { name: 'listener', ok: false }],
    });
  });
});

describe('probes', () => {
  test('an engine that does not answer is a no within half a second', async () => {
    const probe = createProbe({ now: () => 5, monotonic: () => 0 }, () => new Promise(() => undefined));
    const startedMs = performance.now();
    expect(await probe()).toEqual({ ok: false, askedAtMs: 5 });
    expect(performance.now() - startedMs).toBeLessThan(900);
  });

  test('an engine that throws, at once or later, is a no', async () => {
    const clock = { now: () => 0, monotonic: () => 0 };
    expect((await createProbe(clock, () => Promise.reject(new Error('x')))()).ok).toBe(false);
    const throwing = createProbe(clock, () => {
      throw new Error('x');
    });
    expect((await throwing()).ok).toBe(false);
  });

  test('a thousand callers in one second ask once', async () => {
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
