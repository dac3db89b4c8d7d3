import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { type MonitoringRig, openMonitoringRig } from '#test/monitoring-rig.ts';
import { findingReader, followFindings, resolveEnded } from './follow-findings.ts';

let rig: MonitoringRig;
beforeAll(async () => {
  rig = await openMonitoringRig(Date.UTC(2026, 8, 1));
});
afterAll(() => rig?.close());
beforeEach(() => rig.clear());

const idOf = async (at = 0) =>
  ((await rig.call('GET', '/alerts?status=OPEN,ACKNOWLEDGED,RESOLVED')).body.alerts as { id: string }[])[at]
    ?.id ?? '';
const decide = (id: string, status: string) => rig.call('PATCH', `/alerts/${id}`, { status });

describe('an alert and its finding move together', () => {
  const system = () => rig.listed.system;
  const finding = async () => {
    const write = (text: ReturnType<typeof sql>) => text.execute(system().db);
    await write(sql`insert into cve_watch_account (account_id) values ('org_01') on conflict do nothing`);
    await write(sql`delete from cve_watch_perimeter where id = 'per_A'`);
    await write(sql`insert into cve_watch_perimeter (id, account_id, name, kind, created_at, updated_at)
                    values ('per_A', 'org_01', 'x', 'manual', now(), now())`);
    await write(sql`insert into cve_watch_component (id, account_id, perimeter_id, origin, match_key, vendor, product, version, direct, created_at)
                    values ('cmp_A', 'org_01', 'per_A', '', decode(repeat('00', 16), 'hex'), 'v', 'zeppelin', '1.0', true, now())`);
    await write(sql`insert into cve_watch_finding (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed, is_kev, created_at, updated_at)
                    values ('xfnd_A', 'org_01', 'per_A', 'cmp_A', 'CVE-2025-1000', 'OPEN', 1, true, true, now(), now())`);
  };
  const follow = () =>
    system().transaction((tx) =>
      followFindings(tx, { clock: rig.listed.clock, mail: rig.deps.mail }, ['xfnd_A']),
    );
  const findingStatus = async () =>
    (
      await sql<{ status: string }>`select status from cve_watch_finding where id = 'xfnd_A'`.execute(
        system().db,
      )
    ).rows[0]?.status;

  test('a decision about either moves the other, and an event that is read late undoes nothing', async () => {
    await finding();
    await follow();
    expect((await rig.call('GET', '/alerts')).body.alerts).toMatchObject([
      {
        type: 'cve.finding',
        severity: 'critical',
        findingId: 'xfnd_A',
        cveId: 'CVE-2025-1000',
        priority: 'P1',
        reason: 'P1: it is in the catalogue of exploited vulnerabilities.',
        entity: { type: 'cve', value: 'CVE-2025-1000' },
      },
    ]);
    const id = await idOf();
    const acknowledged = await decide(id, 'ACKNOWLEDGED');
    expect(acknowledged.body.finding).toMatchObject({ id: 'xfnd_A', status: 'ACKNOWLEDGED' });
    expect((await decide(id, 'RESOLVED')).body.finding).toMatchObject({ status: 'PATCHED' });
    expect(await findingStatus()).toBe('PATCHED');
    await follow();
    expect((await rig.call('GET', '/alerts?status=RESOLVED')).body.total).toBe(1);
    await sql`update cve_watch_finding set status = 'OPEN' where id = 'xfnd_A'`.execute(system().db);
    await follow();
    expect((await rig.call('GET', '/alerts')).body.alerts).toMatchObject([{ id, status: 'OPEN' }]);
  });

  test('a possible finding has one alert, about the product and all of its CVEs', async () => {
    await finding();
    const counts = (cves: number, kev: number) =>
      sql`update cve_watch_finding set cve_id = '*', lead_cve_id = 'CVE-2025-1000', is_confirmed = false,
                 cve_count = ${cves}, kev_count = ${kev} where id = 'xfnd_A'`.execute(system().db);
    await counts(150, 150);
    await follow();
    await counts(160, 151);
    await follow();
    const [alert, ...more] = (await rig.call('GET', '/alerts')).body.alerts as object[];
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      title: 'zeppelin: 151 known-exploited CVEs and 9 others, versions cannot be compared',
      entity: { type: 'product', value: 'v zeppelin' },
      priority: 'P1',
      confidence: 50,
    });
    expect(alert).not.toHaveProperty('cveId');
  });

  test('a scan without findings raises no alert, and the alert of one with findings names the gaps first', async () => {
    const summary = (findings: number) => ({
      id: 1,
      type: 'cve.finding.summary',
      accountId: 'org_01',
      occurredAt: new Date(rig.listed.clock.now()),
      payload: {
        perimeterId: 'per_A',
        findings,
        byPriority: { P1: 0, P2: 0, P3: findings },
        gaps: ['No data set of this service covers packages of Hackage.'],
        gapCount: 2,
      },
    });
    const reader = findingReader({ clock: rig.listed.clock, mail: rig.deps.mail });
    const tell = (findings: number) =>
      system().transaction((tx) => reader.handle(tx, [summary(findings)] as never));
    await tell(0);
    expect((await rig.call('GET', '/alerts')).body.total).toBe(0);
    await tell(12);
    expect((await rig.call('GET', '/alerts')).body.alerts).toMatchObject([
      {
        title: '12 findings at once; not everything was checked (2 gaps)',
        description: expect.stringMatching(
          /^Not checked: No data set of this service covers packages of Hackage\. 1 more gap\. /,
        ),
      },
    ]);
  });

  test('a finding that ended resolves its alert', async () => {
    await finding();
    await follow();
    await sql`delete from cve_watch_perimeter where id = 'per_A'`.execute(system().db);
    expect(await system().transaction((tx) => resolveEnded(tx, { clock: rig.listed.clock }))).toBe(1);
    expect((await rig.call('GET', '/alerts')).body.total).toBe(0);
  });
});
