import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { C2, type MonitoringRig, openMonitoringRig } from '#test/monitoring-rig.ts';

const OTHER: Principal = { ...CALLER, id: 'key_02', accountId: 'org_02', organizationId: 'org_02' };
const START_MS = Date.UTC(2026, 8, 1);

let rig: MonitoringRig;
beforeAll(async () => {
  rig = await openMonitoringRig(START_MS);
  await rig.listed.list('c2', ['45.83.64.1'], C2);
});
afterAll(() => rig?.close());
beforeEach(() => rig.clear());

const watch = (value: string, more: object = {}) => rig.call('POST', '/monitoring', { value, ...more });

describe('watching', () => {
  test('every field of an item of decisions 3.10; the first check is made at once and raises nothing', async () => {
    const { status, body } = await watch('45.83.64.1', { label: 'Gateway' });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^mon_[0-9A-Z]{26}$/) as unknown,
        entityType: 'ip',
        value: '45.83.64.1',
        label: 'Gateway',
        notify: true,
        status: 'malicious',
        riskScore: expect.any(Number) as unknown,
        lastCheckedAt: '2026-09-01T00:00:00.000Z',
        nextCheckAt: '2026-09-01T06:00:00.000Z',
        lastChangeAt: null,
        createdAt: '2026-09-01T00:00:00.000Z',
        lookups: { certificate: 'off', registration: 'off', location: 'off' },
      },
    ]);
    expect(await rig.call('GET', '/monitoring')).toEqual({
      status: 200,
      body: { items: [body], total: 1, limit: 10_000 },
    });
    await rig.keep();
    expect((await rig.call('GET', '/alerts')).body.total).toBe(0);
  });

  test('one that is watched already is answered with 200 as it is, in every spelling', async () => {
    const first = await watch('Bad.COM');
    const again = await watch('bad[.]com', { label: 'another' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  test('four types are read from the value; another one than that is refused', async () => {
    for (const [value, entityType] of [
      ['2a00:1450::1', 'ip'],
      ['bad.com', 'domain'],
      ['https://bad.com/x', 'url'],
      ['someone@bad.com', 'email'],
    ] as const)
      expect((await watch(value, { entityType })).body).toMatchObject({ entityType });
    expect((await watch('example.org', { entityType: 'ip' })).status).toBe(400);
    for (const value of ['10.0.0.0/8', 'a'.repeat(64), 'no value', ''])
      expect((await watch(value)).status).toBe(400);
  });

  test('above the number of the plan 403, and nothing is stored', async () => {
    rig.limits.items = 1;
    await watch('bad.com');
    const refused = await watch('worse.com');
    expect(refused).toMatchObject({ status: 403, body: { error: 'Forbidden' } });
    expect(String(refused.body.message)).toContain('its plan has 1');
    expect((await rig.call('GET', '/monitoring')).body.total).toBe(1);
  });

  test('toggle-notify takes the other of both, or what is sent; unwatch takes an id or a value', async () => {
    const { id } = (await watch('bad.com')).body as { id: string };
    const toggle = async (body: object) =>
      ((await rig.call('POST', '/monitoring/toggle-notify', body)).body.item as { notify: boolean }).notify;
    expect([await toggle({ id }), await toggle({ id }), await toggle({ id, notify: true })]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await rig.call('POST', '/monitoring/unwatch', { entityType: 'domain', value: 'BAD.com' })).toEqual(
      {
        status: 200,
        body: { removed: true },
      },
    );
    for (const body of [{ id }, { id: 'mon_\0' }, { value: 'bad.com' }])
      expect((await rig.call('POST', '/monitoring/unwatch', body)).status).toBe(404);
    expect((await rig.call('POST', '/monitoring/unwatch', {})).status).toBe(400);
    expect((await rig.call('POST', '/monitoring/toggle-notify', { id })).status).toBe(404);
  });

  test('metrics count items by state and type', async () => {
    await rig.watch('45.83.64.1', 'bad.com', 'https://bad.com/x');
    expect((await rig.call('GET', '/monitoring/metrics')).body).toEqual({
      watched: 3,
      limit: 10_000,
      byStatus: { clean: 0, suspicious: 0, malicious: 1, unknown: 2 },
      byType: { ip: 1, domain: 1, url: 1, email: 0 },
      changes24h: 0,
      alertsOpen: 0,
    });
    rig.listed.pass(1_000);
    await rig.listed.list('c2', ['45.83.64.1', 'bad.com'], C2);
    await rig.keep();
    expect((await rig.call('GET', '/monitoring/metrics')).body).toMatchObject({
      changes24h: 2,
      alertsOpen: 2,
    });
    await rig.listed.list('c2', ['45.83.64.1'], C2);
  });
});

describe('accounts apart', () => {
  test('an item of another account is not found, and neither its value nor its state is seen', async () => {
    const { id } = (await watch('secret.com')).body as { id: string };
    rig.as(OTHER);
    expect((await rig.call('GET', '/monitoring')).body).toMatchObject({ items: [], total: 0 });
    expect((await rig.call('POST', '/monitoring/toggle-notify', { id })).status).toBe(404);
    expect((await rig.call('POST', '/monitoring/unwatch', { id })).status).toBe(404);
    expect((await rig.call('POST', '/monitoring/unwatch', { value: 'secret.com' })).status).toBe(404);
    const seen = await rig.postgres.withAccount('org_02', (tx) =>
      sql`select value from watch_target union all select id from watch_item`.execute(tx),
    );
    expect(seen.rows).toEqual([]);
    await expect(
      rig.postgres.withAccount('org_02', (tx) => sql`update watch_target set level = 'safe'`.execute(tx)),
    ).rejects.toThrow(/permission denied/);
  });

  test('a value that two accounts watch is one target', async () => {
    await watch('both.com');
    rig.as(OTHER);
    expect((await watch('both.com')).status).toBe(201);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from watch_target`.execute(rig.listed.system.db);
    expect(rows[0]?.count).toBe(1);
  });
});

describe('places on FREE (O62)', () => {
  const FREE: Principal = {
    ...CALLER,
    id: 'key_03',
    accountId: 'org_03',
    organizationId: 'org_03',
    plan: 'FREE',
  };

  test('a place is free again 24 hours after its value was removed, and at once for the same value', async () => {
    rig.as(FREE);
    rig.limits.items = 3;
    await rig.watch('one.com', 'two.com', 'three.com');
    const unwatch = (value: string) => rig.call('POST', '/monitoring/unwatch', { value });
    for (const value of ['one.com', 'two.com']) expect((await unwatch(value)).status).toBe(200);
    const refused = await watch('four.com');
    expect(refused).toMatchObject({
      status: 403,
      body: {
        message:
          'This account watches 1 value of 3. On FREE a place is free 24 hours after its value was removed; the next one is free in 1 day.',
      },
    });
    expect((await watch('one.com')).status).toBe(201);
    rig.listed.pass(24 * 3_600_000);
    expect((await watch('four.com')).status).toBe(201);
    expect((await watch('five.com')).body).toMatchObject({
      message: expect.stringMatching(/watches 3 values/),
    });
    rig.limits.items = 10_000;
  });
});

test('a target that no account watches any longer goes with its next check', async () => {
  await rig.watch('gone.com', 'kept.com');
  await rig.call('POST', '/monitoring/unwatch', { value: 'gone.com' });
  rig.listed.pass(7 * 3_600_000);
  expect(await rig.check()).toEqual({ checked: 1, removed: 1 });
});
