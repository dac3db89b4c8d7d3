import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { CALLER } from '#test/http-app.ts';
import { type MonitoringRig, openMonitoringRig } from '#test/monitoring-rig.ts';
import { createAlertBudget } from './alert-budget.ts';
import { sendHourlyLetters } from './jobs.ts';
import type { NewAlert } from './new-alert.ts';
import { raiseAlerts } from './raise-alerts.ts';

const OTHER: Principal = { ...CALLER, id: 'key_02', accountId: 'org_02', organizationId: 'org_02' };
const START_MS = Date.UTC(2026, 8, 1);
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

let rig: MonitoringRig;
let startMs = START_MS;
beforeAll(async () => {
  rig = await openMonitoringRig(START_MS);
  const { db } = rig.listed.system;
  await sql`insert into app_user (id, email, created_at) values ('usr_01', 'owner@example.test', now())`.execute(
    db,
  );
  await sql`insert into organization (id, name, created_at, created_by) values ('org_01', 'One', now(), 'usr_01')`.execute(
    db,
  );
  await sql`insert into membership (account_id, user_id, role, created_at) values ('org_01', 'usr_01', 'OWNER', now())`.execute(
    db,
  );
});
afterAll(() => rig?.close());
beforeEach(async () => {
  await rig.clear();
  startMs = rig.listed.clock.now();
});

const BASE: NewAlert = {
  accountId: 'org_01',
  type: 'reputation.malicious',
  severity: 'high',
  entity: { type: 'domain', value: 'bad.com' },
  detail: '',
  title: 'bad.com: High risk',
  description: 'It was inconclusive.',
  reason: 'Feed lists it.',
  source: 'monitoring',
  confidence: 60,
  data: { level: 'high' },
  notify: true,
};
const raise = (...alerts: readonly Partial<NewAlert>[]) =>
  rig.listed.system.transaction((tx: Db) =>
    raiseAlerts(
      tx,
      rig.deps.mail,
      alerts.map((alert) => ({ ...BASE, ...alert })),
      rig.listed.clock.now(),
    ),
  );
const idOf = async (at = 0) =>
  ((await rig.call('GET', '/alerts?status=OPEN,ACKNOWLEDGED,RESOLVED')).body.alerts as { id: string }[])[at]
    ?.id ?? '';
const decide = (id: string, status: string) => rig.call('PATCH', `/alerts/${id}`, { status });

describe('the inbox', () => {
  test('every field of an alert of decisions 3.10, with why it came', async () => {
    await raise({});
    const { status, body } = await rig.call('GET', '/alerts');
    expect([status, body]).toEqual([
      200,
      {
        alerts: [
          {
            id: expect.stringMatching(/^alrt_[0-9A-Z]{26}$/) as unknown,
            type: 'reputation.malicious',
            severity: 'high',
            status: 'OPEN',
            entity: { type: 'domain', value: 'bad.com' },
            title: 'bad.com: High risk',
            description: 'It was inconclusive.',
            reason: 'Feed lists it.',
            source: 'monitoring',
            confidence: 60,
            data: { level: 'high' },
            createdAt: new Date(startMs).toISOString(),
            updatedAt: new Date(startMs).toISOString(),
            acknowledgedAt: null,
            resolvedAt: null,
            occurrences: 1,
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
        hasMore: false,
      },
    ]);
  });

  test('the same alert again is one occurrence more while it is not resolved, and a new one afterwards', async () => {
    await raise({}, {});
    await raise({});
    const id = await idOf();
    expect((await rig.call('GET', '/alerts')).body).toMatchObject({ total: 1, alerts: [{ occurrences: 2 }] });
    await decide(id, 'RESOLVED');
    await raise({});
    expect((await rig.call('GET', '/alerts?status=open,resolved')).body.total).toBe(2);
    // The older alert cannot be reopened while a newer one about the same thing is open.
    expect((await decide(id, 'OPEN')).status).toBe(409);
  });

  test('filters, pages and searches; the latest activity comes first', async () => {
    await raise({ entity: { type: 'ip', value: '45.83.64.1' }, severity: 'critical', title: 'first' });
    rig.listed.pass(1_000);
    await raise({ type: 'lookalike.found', title: 'b%d name' });
    rig.listed.pass(1_000);
    await raise({ type: 'whois.changed', severity: 'medium', title: 'third' });
    const titles = async (query: string) =>
      ((await rig.call('GET', `/alerts?${query}`)).body.alerts as { title: string }[]).map(
        ({ title }) => title,
      );
    expect(await titles('')).toEqual(['third', 'b%d name', 'first']);
    expect(await titles('severity=critical,HIGH')).toEqual(['b%d name', 'first']);
    expect(await titles('eventType=whois.changed,lookalike.found')).toEqual(['third', 'b%d name']);
    expect(await titles('entityType=ip')).toEqual(['first']);
    expect(await titles('search=45.83')).toEqual(['first']);
    expect(await titles('search=b%25d')).toEqual(['b%d name']);
    expect((await rig.call('GET', '/alerts?limit=2&offset=1')).body).toMatchObject({
      total: 3,
      hasMore: false,
    });
    expect((await rig.call('GET', '/alerts?limit=2')).body).toMatchObject({ limit: 2, hasMore: true });
    expect((await rig.call('GET', '/alerts?limit=1000')).body.limit).toBe(50);
    expect((await rig.call('GET', '/alerts?severity=critical')).body.total).toBe(1);
    for (const bad of ['status=CLOSED', 'severity=x', 'limit=0', 'search=ab', 'offset=-1'])
      expect((await rig.call('GET', `/alerts?${bad}`)).status, bad).toBe(400);
  });

  test('pages of a filter over several states are those of one order by activity', async () => {
    const severities = ['critical', 'medium'] as const;
    const types = ['whois.changed', 'reputation.malicious'] as const;
    for (let n = 0; n < 24; n += 1) {
      rig.listed.pass(((n * 7) % 5) * MINUTE_MS);
      await raise({
        detail: String(n),
        title: String(n),
        severity: severities[n % 2] ?? 'high',
        type: types[Math.floor(n / 2) % 2] ?? 'whois.changed',
        entity: n % 8 === 0 ? { type: 'ip', value: '45.83.64.1' } : { type: 'domain', value: 'bad.com' },
      });
    }
    for (const [query, where] of [
      ['severity=critical,high', 'severity = 4'],
      ['eventType=whois.changed&severity=medium,critical', `type = 'whois.changed' and severity in (2, 4)`],
      ['entityType=ip', `entity_type = 'ip'`],
      ['entityType=domain&status=OPEN', `entity_type = 'domain'`],
      ['severity=critical&status=RESOLVED', 'false'],
    ] as const) {
      const { rows } = await sql<{ title: string }>`
        select title from alert where ${sql.raw(where)} order by updated_at desc, id desc`.execute(
        rig.listed.system.db,
      );
      const read: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const { body } = await rig.call('GET', `/alerts?${query}&limit=2&offset=${offset}`);
        read.push(...(body.alerts as { title: string }[]).map(({ title }) => title));
        expect(body.total).toBe(rows.length);
        if (body.hasMore !== true) break;
      }
      expect(read, query).toEqual(rows.map(({ title }) => title));
    }
  });

  test('an alert of another account is not found', async () => {
    await raise({});
    const id = await idOf();
    rig.as(OTHER);
    expect((await rig.call('GET', '/alerts')).body.total).toBe(0);
    expect((await decide(id, 'RESOLVED')).status).toBe(404);
    expect((await decide('alrt_\0', 'RESOLVED')).status).toBe(404);
    rig.as(CALLER);
    expect((await decide(id, 'CLOSED')).status).toBe(400);
  });

  test('every status may follow every other, each with its event', async () => {
    await raise({});
    const id = await idOf();
    await rig.told();
    for (const status of ['ACKNOWLEDGED', 'OPEN', 'RESOLVED', 'ACKNOWLEDGED', 'RESOLVED', 'OPEN'])
      expect((await decide(id, status)).body.alert).toMatchObject({ status });
    expect((await rig.told()).map(({ type }) => type)).toEqual([
      'alert.updated',
      'alert.updated',
      'alert.resolved',
      'alert.updated',
      'alert.resolved',
      'alert.updated',
    ]);
  });
});

describe('figures', () => {
  test('trap 71: days outside 7 to 90 are the nearest of both, and an empty inbox has zeros and no percentiles', async () => {
    const trends = async (query: string) =>
      (await rig.call('GET', `/alerts/trends${query}`)).body.data as {
        days: number;
        series: { day: string; opened: number }[];
        mttr: object;
      };
    const short = await trends('?days=3');
    expect([
      short.days,
      short.series.length,
      (await trends('?days=365')).days,
      (await trends('')).days,
    ]).toEqual([7, 7, 90, 30]);
    expect(short.series.every(({ opened }) => opened === 0)).toBe(true);
    expect(short.mttr).toEqual({ p50Hours: null, p90Hours: null, p95Hours: null, sampleSize: 0 });
    expect((await rig.call('GET', '/alerts/trends?days=x')).status).toBe(400);
  });

  test('resolution time is the time open until the resolution that stands', async () => {
    await raise({});
    const id = await idOf();
    rig.listed.pass(2 * HOUR_MS);
    await decide(id, 'RESOLVED');
    rig.listed.pass(10 * HOUR_MS);
    await decide(id, 'OPEN');
    rig.listed.pass(3 * HOUR_MS);
    await decide(id, 'RESOLVED');
    const metrics = (await rig.call('GET', '/alerts/metrics')).body as {
      resolved30d: number;
      mttrHours: { p50: number };
    };
    expect(metrics.resolved30d).toBe(1);
    expect(metrics.mttrHours.p50).toBeGreaterThan(4.9);
    expect(metrics.mttrHours.p50).toBeLessThan(5.1);
  });

  test('counts, stale ones and the funnel agree with the alerts', async () => {
    await raise(
      { detail: 'a' },
      { detail: 'b', severity: 'critical' },
      { detail: 'c', type: 'whois.changed' },
    );
    await raise({ detail: 'a' });
    const id = await idOf();
    rig.listed.pass(73 * HOUR_MS);
    await decide(id, 'ACKNOWLEDGED');
    expect((await rig.call('GET', '/alerts/metrics')).body).toMatchObject({
      open: 2,
      acknowledged: 1,
      bySeverity: { critical: 1, high: 2, info: 0 },
      byType: { 'whois.changed': 1, 'reputation.malicious': 2 },
      staleOpen: 2,
      oldestOpenAt: new Date(startMs).toISOString(),
    });
    expect((await rig.call('GET', '/alerts/funnel?days=30')).body.stages).toEqual([
      { stage: 'detected', count: 4, rate: 1.333 },
      { stage: 'opened', count: 3, rate: 1 },
      { stage: 'acknowledged', count: 1, rate: 0.333 },
      { stage: 'resolved', count: 0, rate: 0 },
    ]);
    // The counts that the triggers keep equal a fresh count of the rows.
    const { rows } = await sql<{ same: boolean }>`
      select (select coalesce(sum(count), 0) from alert_count) = (select count(*) from alert)
             and (select sum(count) from alert_day where what = 6) = (select count(*) from alert where status = 'OPEN') as same`.execute(
      rig.listed.system.db,
    );
    expect(rows[0]?.same).toBe(true);
  });

  test('an alert is stale from 72 hours after its last activity on, within an hour and across midnight', async () => {
    const raisedAt: number[] = [];
    for (const minutes of [0, 20, 25, 40, 300, 450]) {
      rig.listed.pass(minutes * MINUTE_MS);
      await raise({ detail: String(minutes) });
      raisedAt.push(rig.listed.clock.now());
    }
    rig.listed.pass(57 * HOUR_MS);
    const seen = new Set<number>();
    for (let step = 0; step < 35; step += 1) {
      rig.listed.pass(27 * MINUTE_MS);
      const beforeMs = rig.listed.clock.now() - 72 * HOUR_MS;
      const staleOpen = raisedAt.filter((at) => at < beforeMs).length;
      expect((await rig.call('GET', '/alerts/metrics')).body).toMatchObject({ staleOpen });
      seen.add(staleOpen);
    }
    expect([...seen]).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('letters to the owners', () => {
  const letters = async () => {
    const { rows } = await sql<{ kind: string; count: number }>`
      select kind, count(*)::int as count from letter group by kind`.execute(rig.listed.system.db);
    return rows;
  };
  const hour = () =>
    sendHourlyLetters(
      { clock: rig.listed.clock, mail: rig.deps.mail },
      {
        transaction: rig.listed.system.transaction,
        signal: new AbortController().signal,
        log: { info: () => undefined } as never,
      },
    );

  test('critical and high alerts are in one letter at once, the rest in one each hour, quiet items in none', async () => {
    await raise({ detail: '1' }, { detail: '2', severity: 'critical' });
    expect(await letters()).toEqual([{ kind: 'alerts-raised', count: 1 }]);
    await raise({ detail: '3', severity: 'medium' }, { detail: '4', severity: 'low' });
    await raise({ detail: '5', severity: 'critical', notify: false, monitorId: 'mon_quiet' });
    expect(await letters()).toEqual([{ kind: 'alerts-raised', count: 1 }]);
    await hour();
    expect(await letters()).toEqual([{ kind: 'alerts-raised', count: 2 }]);
    await hour();
    expect(await letters()).toEqual([{ kind: 'alerts-raised', count: 2 }]);
  });
});

test('a budget keeps 1,000 alerts of a run and account, and makes one summary of the rest', () => {
  const budget = createAlertBudget('run', 2);
  const many = (count: number, accountId: string) =>
    Array.from({ length: count }, (_, at) => ({ ...BASE, accountId, detail: String(at) }));
  expect(budget(many(5, 'org_01')).map(({ entity, data }) => [entity.value, data.count])).toEqual([
    ['bad.com', undefined],
    ['bad.com', undefined],
    ['watchlist', 3],
  ]);
  expect(budget(many(1, 'org_02'))).toHaveLength(1);
  expect(budget(many(4, 'org_01')).map(({ data }) => data.count)).toEqual([7]);
});
