import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPlan } from '#capabilities/access/index.ts';
import { createDns } from '#platform/dns.ts';
import { OPERATOR } from '#test/access.ts';
import { appOf, PASSWORD, visitorOf } from '#test/factors.ts';
import { type HostileOidc, startHostileOidc } from '#test/peers/hostile-oidc.ts';
import { createTestSso, type TestSso } from '#test/sso.ts';
import { type Connected, createSsoVisits, type SsoVisits, sessionOf } from '#test/sso-visits.ts';
import { proveDomains } from './jobs.ts';

/** Who has to use single sign-on, how owners come in without it, and how the proof of a domain ends. */
let t: TestSso;
let idp: HostileOidc;
let v: SsoVisits;

beforeAll(async () => {
  t = await createTestSso(async (authority, zones) => {
    const host = 'idp.example.org';
    zones.records.set(`A ${host}`, ['127.0.0.1']);
    idp = await startHostileOidc(authority.issue({ names: [`DNS:${host}`] }), host);
    return [idp.port];
  });
  v = createSsoVisits(t, idp);
});
afterAll(async () => {
  await t?.close();
  await idp?.close();
});

const manage = () => ({ postgres: t.system, clock: t.clock, pepper: t.access.pepper });

describe('enforced single sign-on', () => {
  const enforce = (org: Connected) =>
    t.put(org.cookie, { ...v.settingsFor(org.domain), enabled: true, enforceSso: true });
  const login = (email: string) => t.post('/api/auth/login', { email, password: PASSWORD });
  /** An owner of the domain with a password and an authenticator app. */
  async function withBreakGlass(org: Connected) {
    const email = `glass@${org.domain}`;
    const { userId, cookie } = await t.newPerson(email, PASSWORD);
    await t.owner.query(
      `insert into membership (account_id, user_id, role, created_at) values ($1, $2, 'OWNER', now())`,
      [org.orgId, userId],
    );
    const visitor = visitorOf(t, { userId, email }, cookie);
    const secret = (await visitor.post('/api/auth/totp')).json().secret;
    const app = appOf(t, secret);
    await visitor.post('/api/auth/totp/confirm', { code: app.code() });
    return { email, userId, app };
  }

  test('409 before one sign-in with it, and without an owner who could come in by themselves', async () => {
    const org = await v.connected('early');
    expect((await enforce(org)).statusCode).toBe(409);
    await v.signIn(t.browser(), org.orgId, { sub: 'e1', email: `eve@${org.domain}` });
    const lonely = await enforce(org);
    expect(lonely.statusCode).toBe(409);
    expect(lonely.json().message).toContain('One owner needs a passkey');
    await withBreakGlass(org);
    expect((await enforce(org)).statusCode).toBe(200);
    expect(
      (
        await t.put(org.cookie, {
          ...v.settingsFor(org.domain),
          clientId: 'new',
          enabled: true,
          enforceSso: true,
        })
      ).statusCode,
    ).toBe(409);
  });

  test('403: a right password of the domain, a registration of it and a switch; a wrong password stays 401', async () => {
    const org = await v.connected('enforced');
    const member = await t.newPerson(`max@${org.domain}`, PASSWORD);
    await t.newMember('enforced', `max@${org.domain}`, 'MEMBER');
    const inside = await t.signInto(org.orgId, member.userId);
    await v.signIn(t.browser(), org.orgId, { sub: 'x1', email: `xen@${org.domain}` });
    await withBreakGlass(org);
    expect((await enforce(org)).statusCode).toBe(200);
    const refused = await login(`max@${org.domain}`);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { error: 'Forbidden', ssoRequired: true, organizationId: org.orgId },
    ]);
    const wrong = await t.post('/api/auth/login', {
      email: `max@${org.domain}`,
      password: 'another sentence',
    });
    expect([wrong.statusCode, wrong.json().ssoRequired]).toEqual([401, undefined]);
    // Earlier sessions in the organization end, and a session of the personal account cannot switch into it.
    expect(await v.probe(inside)).toBe(401);
    expect(await v.probe(member.cookie)).toBe(200);
    expect((await t.call(member.cookie, 'POST', '/auth/switch', { accountId: org.orgId })).statusCode).toBe(
      403,
    );
    await t.post('/api/auth/register', { email: `new@${org.domain}`, password: PASSWORD });
    await t.settle();
    const { token } = await t.newestTo(`new@${org.domain}`);
    expect((await t.post('/api/auth/verify', { token, password: PASSWORD })).json().ssoRequired).toBe(true);
    // The owner keeps the session, because the owner's address is of another domain.
    expect(await v.probe(org.cookie)).toBe(200);
    await setPlan(manage(), OPERATOR, org.orgId, { plan: 'PRO' });
    expect((await login(`max@${org.domain}`)).statusCode).toBe(200);
  });

  test('break glass: an owner comes in with password and second factor, and every owner is told', async () => {
    const org = await v.connected('glass');
    await v.signIn(t.browser(), org.orgId, { sub: 'g1', email: `gus@${org.domain}` });
    const glass = await withBreakGlass(org);
    const bare = await t.newPerson(`bare@${org.domain}`, PASSWORD);
    await t.owner.query(
      `insert into membership (account_id, user_id, role, created_at) values ($1, $2, 'OWNER', now())`,
      [org.orgId, bare.userId],
    );
    expect((await enforce(org)).statusCode).toBe(200);
    const without = await login(`bare@${org.domain}`);
    expect([without.statusCode, without.json().ssoRequired]).toEqual([403, true]);
    const told = async () =>
      (
        await Promise.all([org.email, glass.email, `bare@${org.domain}`].map((email) => t.lettersTo(email)))
      ).map((letters) => letters.filter(({ kind }) => kind === 'sso-break-glass').length);
    const asked = (await login(glass.email)).json();
    expect([asked.signedIn, await told()]).toEqual([false, [0, 0, 0]]);
    const entered = await t.post('/api/auth/factor', { ticket: asked.ticket, code: glass.app.next() });
    expect(entered.statusCode).toBe(200);
    expect(await told()).toEqual([1, 1, 1]);
    expect((await v.actionsOf(org.orgId)).map(({ action }) => action)).toContain('sso.break-glass');
    const browser = visitorOf(t, glass, String(entered.headers['set-cookie']).split(';')[0] ?? '');
    expect((await browser.post('/api/auth/switch', { accountId: org.orgId })).json().role).toBe('OWNER');
    // Switching to the organization is not a second sign-in, so no further letters are sent.
    expect(await told()).toEqual([1, 1, 1]);
  });
});

describe('the proof of a domain', () => {
  test('a record that is gone for a week ends the proof, the sessions and the enforcement; silence does not', async () => {
    const org = await v.connected('sold');
    const browser = t.browser();
    await v.signIn(browser, org.orgId, { sub: 's1', email: `sue@${org.domain}` });
    const name = `TXT _assay-sso.${org.domain}`;
    const kept = t.zones.records.get(name) ?? [];
    const run = (dns = t.ssoDeps.dns) =>
      proveDomains(
        { clock: t.clock, dns },
        {
          transaction: (work) => t.system.transaction(work),
          signal: new AbortController().signal,
        },
      );
    const isEnabled = async () =>
      (await t.owner.query('select enabled from sso_connection where account_id = $1', [org.orgId])).rows[0]
        .enabled;
    t.zones.records.delete(name);
    await run();
    t.clock.advance(6 * 86_400_000);
    t.zones.records.set(name, kept);
    await run();
    t.zones.records.delete(name);
    await run();
    expect(await isEnabled()).toBe(true);
    t.clock.advance(7 * 86_400_000 + 1);
    const silent = createDns({ servers: ['127.0.0.1:1'], clock: t.clock });
    expect(await run(silent)).toEqual({ proven: 0, missing: 0, ended: 0 });
    expect(await isEnabled()).toBe(true);
    expect((await run()).ended).toBe(1);
    expect(await isEnabled()).toBe(false);
    expect(await v.probe(sessionOf(browser))).toBe(401);
    expect((await t.browser().get(`/api/auth/sso/start?orgId=${org.orgId}`)).statusCode).toBe(404);
    expect((await v.actionsOf(org.orgId)).map(({ action }) => action)).toContain('sso.domain-lost');
  });
});
