import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTION_CENTER_PARTS, briefDeps } from '#app/action-center-deps.ts';
import { alertExists } from '#capabilities/alerts/index.ts';
import { hasFinding } from '#capabilities/cve-watch/index.ts';
import { type CasesRig, createCasesRig, DAY_MS, RIG_NOW } from '#test/cases-rig.ts';
import { CALLER, capturedLog } from '#test/http-app.ts';
import type { Overview } from './contract.ts';
import type { RiskBriefReply } from './contract-brief.ts';
import { actionCenterRoutes } from './routes.ts';
import { writeBriefs } from './write-briefs.ts';

const HOUR_MS = 3_600_000;
/** The Monday after the week in which the rig's clock starts. */
const MONDAY = Date.UTC(2026, 10, 23);

let rig: CasesRig;
beforeAll(async () => {
  rig = await createCasesRig({ finding: hasFinding, alert: alertExists }, (parts) =>
    actionCenterRoutes({ ...parts, log: capturedLog('silent').log, parts: ACTION_CENTER_PARTS }),
  );
});
afterAll(() => rig?.close());
let account = '';
let accounts = 10;
beforeEach(() => {
  accounts += 1;
  account = `org_${accounts}`;
  rig.as({ ...CALLER, accountId: account, organizationId: account });
  rig.clock.set(RIG_NOW);
});

const overview = async (): Promise<Overview> => {
  const { status, body, text } = await rig.call('GET', '/action-center/overview');
  expect(status, text).toBe(200);
  return body as Overview;
};
const latest = async () => (await rig.call('GET', '/risk-brief/latest')).body as RiskBriefReply;
const write = () =>
  writeBriefs(briefDeps(rig.clock), {
    transaction: rig.system.transaction,
    signal: new AbortController().signal,
  });

/** Inserts a finding as CVE matching writes it. */
async function putFinding(number: number, more: { kev?: boolean; priority?: number; status?: string } = {}) {
  const key = `${account}${number}`.replaceAll('_', '').toUpperCase();
  const [perimeter, component, id] = [`per_${key}`, `cmp_${key}`, `xfnd_${key}`];
  await rig.owner.query(
    `insert into cve_watch_account (account_id, perimeters, components) values ($1, 1, 1) on conflict do nothing`,
    [account],
  );
  await rig.owner.query(
    `insert into cve_watch_perimeter (id, account_id, name, kind, created_at, updated_at) values ($1, $2, 'x', 'manual', now(), now())`,
    [perimeter, account],
  );
  await rig.owner.query(
    `insert into cve_watch_component (id, account_id, perimeter_id, origin, match_key, vendor, product, version, direct, created_at)
     values ($1, $2, $3, '', decode(md5($1), 'hex'), 'apache', 'zeppelin', '0.10.1', true, now())`,
    [component, account, perimeter],
  );
  await rig.owner.query(
    `insert into cve_watch_finding (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed, is_kev,
                                    exploitation, fixed_version, created_at, updated_at)
     values ($1, $2, $3, $4, 'CVE-2024-' || $5::text, $6, $7, true, $8, 2, '0.11.1', $9, $9)`,
    [
      id,
      account,
      perimeter,
      component,
      1_000 + number,
      more.status ?? 'OPEN',
      more.priority ?? 1,
      more.kev ?? true,
      new Date(RIG_NOW - HOUR_MS),
    ],
  );
  return id;
}

/** Inserts an alert as the service raises it. */
async function putAlert(
  number: number,
  {
    severity,
    status = 'OPEN',
    findingId = null,
    idleHours = 2,
  }: {
    severity: number;
    status?: string;
    findingId?: string | null;
    idleHours?: number;
  },
): Promise<string> {
  const id = `alrt_${account}${number}`.replace('_org_', '_ORG');
  const at = new Date(RIG_NOW - idleHours * HOUR_MS);
  await rig.owner.query(
    `insert into alert (id, account_id, type, severity, status, entity_type, entity_value, fingerprint, title, description,
                        reason, source, confidence, data, finding_id, created_at, updated_at, resolved_at, open_since)
     values ($1, $2, 'reputation.changed', $3, $4, 'domain', 'bad.example', decode(md5($1), 'hex'), 'bad.example', 'x',
             'Two lists name it.', 'monitoring', 90, '{}', $5, $6, $6, case when $4 = 'RESOLVED' then $6::timestamptz end, $6)`,
    [id, account, severity, status, findingId, at],
  );
  return id;
}

describe('the overview', () => {
  test('of an account that has nothing is zeros', async () => {
    expect(await overview()).toEqual({
      generatedAt: '2026-11-16T12:00:00.000Z',
      metrics: {
        openCriticalAlerts: 0,
        openHighAlerts: 0,
        staleOpenAlerts: 0,
        acknowledgedAlerts: 0,
        activeExploitFindings: 0,
        kevFindings: 0,
        openCases: 0,
      },
      priorityQueue: [],
      socActions: [],
      caseMttr: { p50Hours: null, p90Hours: null, sampleSize: 0 },
      degraded: false,
      missing: [],
    });
  });

  test('counts findings and cases, orders them, and shows a finding with its case once', async () => {
    const known = await putFinding(1);
    await putFinding(2, { kev: false, status: 'ACKNOWLEDGED' });
    await putFinding(3, { priority: 3, kev: false });
    await putFinding(4, { status: 'PATCHED' });
    const linked = await rig.open({ title: 'Patch it', priority: 'CRITICAL', linkedCveFindingId: known });
    const { id: resolved } = await rig.open({ title: 'Done' });
    rig.clock.set(RIG_NOW + 4 * HOUR_MS);
    await rig.call('PATCH', `/cases/${resolved}`, { status: 'RESOLVED' });
    const { metrics, priorityQueue, socActions, caseMttr } = await overview();
    expect(metrics).toMatchObject({ activeExploitFindings: 2, kevFindings: 1, openCases: 1 });
    expect(
      priorityQueue.map(({ source, priority, primaryAction }) => [source, priority, primaryAction]),
    ).toEqual([
      ['cve_finding', 'CRITICAL', 'patch'],
      ['case', 'CRITICAL', 'investigate'],
      ['cve_finding', 'MEDIUM', 'patch'],
    ]);
    expect(priorityQueue[1]).toMatchObject({
      id: linked.id,
      href: '/app/',
      status: 'OPEN',
    });
    expect(priorityQueue[0]?.reason).toContain('apache zeppelin 0.10.1');
    expect(socActions.map(({ id }) => id)).toEqual(['known-exploited', 'active-exploits', 'open-cases']);
    expect(caseMttr).toEqual({ p50Hours: 4, p90Hours: 4, sampleSize: 1 });
  });

  test('counts alerts; one with its finding or its case stands once, in its strongest form', async () => {
    const known = await putFinding(1);
    const linked = await putAlert(1, { severity: 3 });
    await putAlert(2, { severity: 4, findingId: known });
    await putAlert(3, { severity: 4, status: 'ACKNOWLEDGED' });
    await putAlert(4, { severity: 3, idleHours: 80 });
    await putAlert(5, { severity: 4, status: 'RESOLVED' });
    await rig.open({ title: 'Beacon', priority: 'HIGH', linkedAlertId: linked });
    const { metrics, priorityQueue } = await overview();
    expect(metrics).toMatchObject({
      openCriticalAlerts: 1,
      openHighAlerts: 2,
      staleOpenAlerts: 1,
      acknowledgedAlerts: 1,
      kevFindings: 1,
      openCases: 1,
    });
    expect(priorityQueue.map(({ source, status, primaryAction }) => [source, status, primaryAction])).toEqual(
      [
        ['alert', 'ACKNOWLEDGED', 'investigate'],
        ['cve_finding', 'OPEN', 'patch'],
        ['alert', 'OPEN', 'acknowledge'],
        ['case', 'OPEN', 'investigate'],
      ],
    );
    expect(priorityQueue[2]?.reason).toBe(
      'Alert of severity high, open for 3 days and without activity for 3 days: Two lists name it.',
    );
  });

  test('trap 70: a part that cannot be read is zeros and named; the others stand', async () => {
    await putFinding(1);
    await rig.open();
    await putAlert(1, { severity: 4 });
    for (const [table, part, metric] of [
      ['alert', 'alerts', 'openCriticalAlerts'],
      ['cve_watch_finding', 'findings', 'kevFindings'],
      ['action_case', 'cases', 'openCases'],
    ] as const) {
      await rig.owner.query(`revoke select on ${table} from assay_app`);
      const { degraded, missing, metrics, priorityQueue } = await overview();
      await rig.owner.query(`grant select on ${table} to assay_app`);
      expect({ degraded, missing }).toEqual({ degraded: true, missing: [part] });
      expect(metrics).toMatchObject({ openCriticalAlerts: 1, kevFindings: 1, openCases: 1, [metric]: 0 });
      expect(priorityQueue).toHaveLength(2);
    }
    expect((await overview()).degraded).toBe(false);
  });
});

describe('the risk brief', () => {
  test('is null before the first Monday and for an account that watches nothing', async () => {
    await rig.open();
    rig.clock.set(MONDAY);
    await write();
    expect(await latest()).toEqual({
      success: true,
      data: null,
      timestamp: '2026-11-23T00:00:00.000Z',
      message: expect.stringContaining('next on 2026-11-30'),
    });
  });

  test('is written once a week, with parts that add up and a link for every figure', async () => {
    await putFinding(1);
    await putFinding(2, { priority: 2, kev: false });
    await rig.open({ title: 'Old', priority: 'HIGH' });
    rig.clock.set(MONDAY + 10 * DAY_MS);
    expect((await write()).written).toBeGreaterThanOrEqual(1);
    expect((await write()).written).toBe(0);
    const { data } = await latest();
    expect(data).toMatchObject({
      id: expect.stringMatching(/^brf_/),
      organizationId: account,
      periodStart: '2026-11-23T00:00:00.000Z',
      periodEnd: '2026-11-30T00:00:00.000Z',
      score: 9,
      riskLevel: 'low',
      headline: '1 finding of known exploited vulnerabilities needs a decision.',
      metrics: { alertsOpened: 0, alertsResolved: 0, newFindings: 0, kevFindings: 1, watchedChanges: 0 },
    });
    expect(data?.scoreParts.reduce((sum, { points }) => sum + points, 0)).toBe(data?.score);
    for (const name of Object.keys(data?.metrics ?? {})) expect(data?.links[name]).toMatch(/^\/app\//);
    expect(data?.highlights[0]).toMatchObject({
      severity: 'critical',
      href: expect.stringContaining('/app/'),
    });
    rig.as({ ...CALLER, accountId: 'org_99' });
    expect((await latest()).data).toBeNull();
  });

  test('counts what was found in its week', async () => {
    await putFinding(1);
    await putAlert(1, { severity: 4 });
    await putAlert(2, { severity: 3, status: 'RESOLVED' });
    rig.clock.set(MONDAY + HOUR_MS);
    await write();
    const { data } = await latest();
    expect(data?.metrics).toMatchObject({ newFindings: 1, alertsOpened: 2, alertsResolved: 1 });
    // Eight points for the critical alert, six for the finding, one for the alert without activity.
    expect(data?.score).toBe(15);
  });
});
