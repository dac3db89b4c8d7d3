import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAlertBudget } from '#capabilities/alerts/index.ts';
import { CORPUS, createKeyWriter, LISTINGS, registerSource } from '#capabilities/corpus/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import { sql } from '#platform/postgres.ts';
import { appendRebuild } from '#platform/replica/change-log.ts';
import { CALLER } from '#test/http-app.ts';
import { DAY_MS, indicatorOf } from '#test/listed-corpus.ts';
import { C2, type MonitoringRig, openMonitoringRig, type Told } from '#test/monitoring-rig.ts';
import { createNameTeller, findLookalikes } from './find-lookalikes.ts';
import { claimsReader } from './follow-claims.ts';
import { ownWordsReader } from './follow-own.ts';
import { accountsWatching, watches } from './watchers.ts';

const OTHER: Principal = { ...CALLER, id: 'key_02', accountId: 'usr_02', organizationId: null };
const HOUR_MS = 3_600_000;

let rig: MonitoringRig;
beforeAll(async () => {
  rig = await openMonitoringRig(Date.UTC(2026, 8, 1));
  await rig.listed.list('c2', ['198.18.0.1'], C2);
});
afterAll(() => rig?.close());
beforeEach(async () => {
  await rig.clear();
  // Time passes so that listings of the test before have faded.
  rig.listed.pass(400 * DAY_MS);
  await rig.listed.list('c2', ['198.18.0.1'], C2);
  await rig.listed.list('good', [], { threatClass: 'allowlist' });
  await rig.keep();
  await rig.told();
});

const alertsIn = (told: readonly Told[]) =>
  told
    .filter(({ type }) => type.startsWith('alert.'))
    .map(
      ({ type, accountId, payload }) =>
        `${type} ${accountId} ${String(payload.type)} ${String(payload.severity)} ${(payload.entity as { value: string }).value}`,
    )
    .sort();

describe('what changes about a watched value', () => {
  test.each([
    ['itself', '45.83.64.1', '45.83.64.1'],
    ['a range around it', '45.83.64.1', '45.83.64.0/20'],
    ['an address of its /64', '2a00:1450::1', '2a00:1450::2'],
    ['a domain above it', 'deep.www.bad.com', 'bad.com'],
    ['the host of a URL', 'https://www.bad.com/login', 'www.bad.com'],
    ['a domain above the host of a URL', 'https://www.bad.com/login', 'bad.com'],
    ['a range around the host of a URL', 'http://45.83.64.9/x', '45.83.64.0/24'],
    ['the page itself', 'https://www.bad.com/login', 'https://www.bad.com/login'],
    ['the domain of a mailbox', 'someone@bad.com', 'bad.com'],
    ['the address inside a translated one', '64:ff9b::2d53:4001', '45.83.64.1'],
  ])('%s is listed: the item changes as a check of it says', async (_, value, listed) => {
    await rig.watch(value);
    expect(alertsIn(await rig.told())).toEqual([]);
    const before = rig.deps.checking.judge(indicatorOf(value), rig.listed.clock.now());
    await rig.listed.list('c2', ['198.18.0.1', listed], C2);
    expect((await rig.keep()).followed.walks).toBe(0);
    const after = rig.deps.checking.judge(indicatorOf(value), rig.listed.clock.now());
    const { body } = await rig.call('GET', '/monitoring');
    expect((body.items as { riskScore: number }[])[0]?.riskScore).toBe(after.score);
    expect(alertsIn(await rig.told()).length).toBe(before.level === after.level ? 0 : 1);
    expect(after.listed).not.toBe(before.listed);
  });

  test('a sibling of a name and a neighbour of an address change nothing', async () => {
    await rig.watch('www.bad.com', '45.83.64.1');
    await rig.listed.list('c2', ['198.18.0.1', 'mail.bad.com', 'evilbad.com', '45.83.64.2'], C2);
    expect((await rig.keep()).followed.put).toBe(0);
    expect(alertsIn(await rig.told())).toEqual([]);
  });

  test('the alert says why, once for each account that watches, with its events', async () => {
    await rig.watch('45.83.64.1');
    rig.as(OTHER);
    await rig.watch('45.83.64.1');
    await rig.told();
    await rig.listed.list('c2', ['198.18.0.1', '45.83.64.0/24'], C2);
    await rig.keep();
    const told = await rig.told();
    expect(alertsIn(told).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      'alert.created org_01 reputation.changed',
      'alert.created usr_02 reputation.changed',
    ]);
    expect(told.find(({ type }) => type === 'alert.created')?.payload).toMatchObject({
      status: 'OPEN',
      reason: 'C2 lists 45.83.64.0/24, which it lies in.',
      occurrences: 1,
      monitorId: expect.stringMatching(/^mon_/) as unknown,
      data: { previousLevel: 'inconclusive', sources: ['c2'] },
    });
    expect(told.filter(({ type }) => type === 'watchlist.alert').map(({ accountId }) => accountId)).toEqual([
      'org_01',
      'usr_02',
    ]);
    expect(told.find(({ type }) => type === 'watchlist.alert')?.payload).toMatchObject({
      indicator: { type: 'ip', value: '45.83.64.1' },
      alertType: 'reputation.changed',
      sources: { count: 1, names: ['c2'] },
    });
  });

  test('better than before is information, and the same change again is one occurrence more', async () => {
    await rig.watch('bad.com');
    const { system, clock, built } = rig.listed;
    const turn = async (enabled: boolean) => {
      rig.listed.pass(1_000);
      await registerSource({ system, clock }, 'c2', { ...C2, enabled });
      await built.sync();
      await rig.keep();
    };
    await rig.listed.list('c2', ['198.18.0.1', 'bad.com'], C2);
    await rig.keep();
    await turn(false);
    await turn(true);
    const { body } = await rig.call('GET', '/alerts');
    const found = body.alerts as { type: string; severity: string; occurrences: number; reason: string }[];
    expect(found.map(({ severity, occurrences }) => [severity, occurrences])).toEqual([
      [found[0]?.severity, 2],
      ['info', 1],
    ]);
    expect(found[1]?.reason).toMatch(/^C2 no longer names it/);
  });

  test('ageing alone raises nothing: the status follows at the next check', async () => {
    await rig.listed.list('c2', ['198.18.0.1', '45.83.64.1'], C2);
    await rig.watch('45.83.64.1');
    const statusNow = async () =>
      ((await rig.call('GET', '/monitoring')).body.items as { status: string; riskScore: number }[])[0];
    const before = await statusNow();
    rig.listed.pass(120 * DAY_MS);
    expect(await rig.check()).toEqual({ checked: 1, removed: 0 });
    expect((await statusNow())?.riskScore).toBeLessThan(before?.riskScore ?? 0);
    expect(alertsIn(await rig.told())).toEqual([]);
  });

  test('a rebuild means every watched value once', async () => {
    await rig.watch('45.83.64.1', 'bad.com');
    await rig.listed.list('c2', ['198.18.0.1', 'bad.com'], C2);
    await rig.listed.system.transaction((tx) =>
      appendRebuild(tx, CORPUS, LISTINGS, [Uint8Array.from(createKeyWriter().of(indicatorOf('198.18.0.1')))]),
    );
    await rig.listed.built.sync();
    const { followed } = await rig.keep();
    expect(followed).toMatchObject({ walks: 1, read: 2, put: 1 });
    expect(alertsIn(await rig.told())).toHaveLength(1);
  });

  test('above 1,000 alerts of one run and account, one summary', async () => {
    const values = Array.from({ length: 1_003 }, (_, at) => `45.84.${at >> 8}.${at & 255}`);
    await sql`delete from letter`.execute(rig.listed.system.db);
    for (const value of values.slice(0, 3)) await rig.call('POST', '/monitoring', { value });
    // The other 1,000 are written with SQL as the route would write them, because as many requests take longer.
    await sql`
      insert into watch_target (key, entity_type, value, place, next_check_at, created_at)
      select decode('01' || lpad(to_hex(a.n), 8, '0'), 'hex'), 'ip', a.value, decode('01' || lpad(to_hex(a.n), 8, '0'), 'hex'), now(), now()
        from (select value, (split_part(value, '.', 1)::bigint << 24) + (split_part(value, '.', 2)::bigint << 16)
                            + (split_part(value, '.', 3)::bigint << 8) + split_part(value, '.', 4)::bigint as n
                from unnest(${values}::text[]) as v (value)) a
      on conflict do nothing`.execute(rig.listed.system.db);
    await sql`
      insert into watch_item (id, account_id, target_key, notify, created_at)
      select 'mon_' || row_number() over (), 'org_01', key, true, now() from watch_target t
       where not exists (select 1 from watch_item i where i.target_key = t.key)`.execute(
      rig.listed.system.db,
    );
    await sql`insert into watch_request (key) select key from watch_target`.execute(rig.listed.system.db);
    await rig.keep();
    expect(alertsIn(await rig.told())).toEqual([]);
    await rig.listed.list('c2', ['198.18.0.1', '45.84.0.0/22'], C2);
    await rig.keep();
    const told = (await rig.told()).filter(({ type }) => type === 'alert.created');
    expect(told).toHaveLength(1_001);
    expect(
      told.find(({ payload }) => (payload.data as { summary?: boolean }).summary)?.payload,
    ).toMatchObject({
      entity: { type: 'watchlist' },
      title: '3 more watched values changed at once',
      data: { count: 3 },
    });
    expect((await rig.call('GET', '/alerts')).body.total).toBe(1_001);
  });
});

describe('what else is told about a watched value', () => {
  test('a claim about a domain concerns what is watched on it', async () => {
    await rig.watch('victim.com', 'www.victim.com', 'other.com');
    await rig.told();
    const claim = {
      id: 'rcl_1',
      victim: 'Victim Inc.',
      group: 'lockbit',
      domain: 'victim.com',
      country: null,
      sector: null,
      discoveredAt: '2026-09-01T00:00:00.000Z',
      status: 'claimed',
    };
    const { handle } = claimsReader({ clock: rig.listed.clock, mail: rig.deps.mail });
    await rig.listed.system.transaction((tx) =>
      handle(tx, [{ id: 1, type: 'ransomware.claim', accountId: null, occurredAt: '', payload: claim }]),
    );
    expect(alertsIn(await rig.told())).toEqual([
      'alert.created org_01 ransomware.claim high victim.com',
      'alert.created org_01 ransomware.claim high www.victim.com',
    ]);
  });

  test('a name that is accused for the first time and resembles a watched name is told', async () => {
    await rig.watch('contoso.com');
    await rig.told();
    const { system, clock } = rig.listed;
    const teller = createNameTeller({ clock })();
    const key = (name: string) => Buffer.from(createKeyWriter().of(indicatorOf(name)));
    const stood = { level: 'high', score: 70, sharedScore: 70, sources: [1], listed: 'a' };
    const moves = ['c0ntoso-login.net', 'unrelated.net'].map((name) => ({
      key: key(name),
      before: null,
      after: stood,
    }));
    await system.transaction((tx) => teller(tx, { moves, folds: [], sources: [], describe: () => null }));
    const budget = createAlertBudget('test');
    expect(await system.transaction((tx) => findLookalikes(tx, { clock, mail: rig.deps.mail }, budget))).toBe(
      2,
    );
    expect(alertsIn(await rig.told())).toEqual(['alert.created org_01 lookalike.found high contoso.com']);
  });

  test('a word of the organization bears on its own items alone, and ends with its revocation', async () => {
    await rig.watch('partner.com', 'www.partner.com');
    rig.as(OTHER);
    await rig.watch('partner.com');
    await rig.told();
    const { system, clock } = rig.listed;
    const entry = Buffer.concat([
      Buffer.from('org_01\0', 'latin1'),
      Buffer.from('\u0005partner.com', 'latin1'),
    ]);
    const report = (type: string) => ({
      id: 1,
      type,
      accountId: 'org_01',
      occurredAt: '',
      payload: {
        id: 'ind_1',
        entityType: 'domain',
        value: 'partner.com',
        disposition: 'block',
        category: 'phishing',
        objectNumber: 0,
      },
    });
    await sql`insert into app_user (id, email, created_at) values ('usr_01', 'a@example.test', now())
              on conflict do nothing`.execute(system.db);
    await sql`insert into org_indicator_revision (account_id, revision, at)
              values ('org_01', 1, ${new Date(clock.now())})`.execute(system.db);
    await sql`
      insert into org_indicator (id, account_id, entity_type, value, entry_key, disposition, category, status, submitted_by,
                                 created_at, updated_at)
      values ('ind_1', 'org_01', 'domain', 'partner.com', ${entry}, 'block', 'phishing', 'approved', 'usr_01',
              ${new Date(clock.now())}, ${new Date(clock.now())})`.execute(system.db);
    await sql`
      insert into org_indicator_period (account_id, indicator_id, entry_key, started_at, disposition, category)
      values ('org_01', 'ind_1', ${entry}, ${new Date(clock.now())}, 'block', 'phishing')`.execute(system.db);
    const { handle } = ownWordsReader(() => rig.deps);
    await system.transaction((tx) => handle(tx, [report('org.indicator.added')]));
    const told = await rig.told();
    expect(alertsIn(told).map((line) => line.split(' ')[1])).toEqual(['org_01', 'org_01']);
    expect(told[0]?.payload.reason).toBe('Your organization blocks partner.com (phishing).');
    rig.as(CALLER);
    const statuses = async () =>
      ((await rig.call('GET', '/monitoring')).body.items as { status: string }[]).map(({ status }) => status);
    expect(await statuses()).not.toContain('unknown');
    await sql`update org_indicator_period set ended_at = ${new Date(clock.now())}`.execute(system.db);
    await system.transaction((tx) => handle(tx, [report('org.indicator.revoked')]));
    expect((await rig.told()).find(({ type }) => type === 'alert.created')?.payload).toMatchObject({
      severity: 'info',
      reason: 'Your organization no longer reports partner.com.',
    });
    expect(await statuses()).toEqual(['unknown', 'unknown']);
    for (const table of ['org_indicator_period', 'org_indicator', 'org_indicator_revision'])
      await sql`delete from ${sql.table(table)}`.execute(system.db);
  });

  test('a certificate, a registration and a location that changed are told, the first answers are not', async () => {
    await rig.watch('shop.com', '45.83.64.1');
    await rig.told();
    const found = <V>(value: V) => ({
      name: 'test',
      isOn: true,
      cached: async () => ({ state: 'found' as const, value, fetchedAtMs: 0, isStale: false }),
      ask: async () => ({ state: 'found' as const, value, fetchedAtMs: 0, isStale: false }),
      warm: () => undefined,
    });
    const answer = (serial: string, registrar: string) => {
      const certificate = {
        issuer: 'CN=CA',
        subject: 'CN=shop.com',
        validFrom: '',
        validTo: '2027-01-01T00:00:00.000Z',
        serialNumber: serial,
        fingerprint: serial,
      };
      rig.lookups.providers = {
        ...rig.lookups.providers,
        tls: found({ certificate, names: [], isTrusted: true, problem: null, protocol: null }),
        rdap: found({
          registrar,
          registrant: null,
          createdDate: '2020-01-01',
          updatedDate: null,
          expiresDate: null,
          nameServers: ['ns1.test'],
          status: [],
          handle: null,
          source: 'rdap' as const,
        }),
      };
    };
    answer('01', 'First Registrar');
    rig.listed.pass(25 * HOUR_MS);
    expect((await rig.check()).checked).toBe(2);
    expect(alertsIn(await rig.told())).toEqual([]);
    answer('02', 'Second Registrar');
    rig.listed.pass(25 * HOUR_MS);
    await rig.check();
    const told = await rig.told();
    expect(alertsIn(told)).toEqual([
      'alert.created org_01 certificate.changed medium 45.83.64.1',
      'alert.created org_01 certificate.changed medium shop.com',
      'alert.created org_01 whois.changed medium 45.83.64.1',
      'alert.created org_01 whois.changed medium shop.com',
    ]);
  });
});

describe('what webhooks ask', () => {
  test('which accounts watch what a value bears on', async () => {
    await rig.watch('www.bad.com', '45.83.64.1');
    const { db } = rig.listed.system;
    const found = await accountsWatching(db, ['bad.com', '45.83.64.0/24', 'other.com', 'no value']);
    expect([...found].map(([value, accounts]) => [value, [...accounts]])).toEqual([
      ['bad.com', ['org_01']],
      ['45.83.64.0/24', ['org_01']],
      ['other.com', []],
      ['no value', []],
    ]);
    expect(await watches(db, 'usr_02', 'bad.com')).toBe(false);
  });
});
