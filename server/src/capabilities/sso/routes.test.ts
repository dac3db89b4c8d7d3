import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPlan } from '#capabilities/access/index.ts';
import { FROM_DASHBOARD, OPERATOR, WEB_URL } from '#test/access.ts';
import { PASSWORD } from '#test/factors.ts';
import { CLIENT, type HostileOidc, startHostileOidc } from '#test/peers/hostile-oidc.ts';
import { type OidcPeer, startOidcPeer } from '#test/peers/oidc-peer.ts';
import { createTestSso, type TestSso } from '#test/sso.ts';
import { createSsoVisits, locationOf, type SsoVisits, sessionOf } from '#test/sso-visits.ts';

/** Single sign-on over the whole HTTP stack: settings, sign-ins and what a session of it may do. */
const CALLBACK = `${WEB_URL}/api/auth/sso/callback`;
const FAILED = `${WEB_URL}/app/sign-in?error=sso_failed`;

let t: TestSso;
let idp: HostileOidc;
let real: OidcPeer;
let v: SsoVisits;

beforeAll(async () => {
  t = await createTestSso(async (authority, zones) => {
    const hosts = ['idp.example.org', 'real.example.org'] as const;
    const issued = authority.issue({ names: hosts.map((host) => `DNS:${host}`) });
    for (const host of hosts) zones.records.set(`A ${host}`, ['127.0.0.1']);
    idp = await startHostileOidc(issued, hosts[0]);
    real = await startOidcPeer(issued, { host: hosts[1], authority: authority.pem, redirectUri: CALLBACK });
    return [idp.port, real.port];
  });
  v = createSsoVisits(t, idp);
});
afterAll(async () => {
  await t?.close();
  await Promise.all([idp?.close(), real?.close()]);
});
beforeEach(() => {
  idp.lie = {};
});

const manage = () => ({ postgres: t.system, clock: t.clock, pepper: t.access.pepper });

describe('settings', () => {
  test('200: null at first, then what was set without the secret, which is sealed', async () => {
    const owner = await t.newEnterprise('settings');
    expect((await t.call(owner.cookie, 'GET', '/organization/sso')).json()).toEqual({ connection: null });
    const saved = await t.put(owner.cookie, {
      ...v.settingsFor('settings.example.org'),
      clientSecret: CLIENT.secret,
    });
    expect(saved.statusCode).toBe(200);
    const { connection } = saved.json();
    expect(connection).toEqual({
      emailDomain: 'settings.example.org',
      issuerUrl: idp.issuer,
      clientId: CLIENT.id,
      hasClientSecret: true,
      enforceSso: false,
      enabled: false,
      callbackUrl: CALLBACK,
      domainProof: {
        name: '_assay-sso.settings.example.org',
        value: expect.stringMatching(/^assay-sso=[\w-]{43}$/),
        provenAt: null,
      },
      lastSignInAt: null,
    });
    expect((await t.call(owner.cookie, 'GET', '/organization/sso')).json()).toEqual({ connection });
    const { rows } = await t.owner.query('select sealed_secret from sso_connection where account_id = $1', [
      owner.orgId,
    ]);
    expect(rows[0].sealed_secret.toString('latin1')).not.toContain(CLIENT.secret);
    expect((await v.actionsOf(owner.orgId)).at(-1)).toMatchObject({
      action: 'sso.put',
      detail: { domain: 'settings.example.org', enabled: 'false', enforced: 'false', by: owner.userId },
    });
  });

  test('403: another plan, another role, a key pair, and a proof of more than ten minutes ago', async () => {
    const plain = await t.join('plain', 'plain-owner', 'OWNER');
    expect((await t.call(plain.cookie, 'GET', '/organization/sso')).statusCode).toBe(403);
    const owner = await t.newEnterprise('roles');
    const member = await t.join('roles', 'roles-member', 'MEMBER');
    const admin = await t.join('roles', 'roles-admin', 'ADMIN');
    for (const method of ['GET', 'DELETE'] as const)
      expect((await t.call(member.cookie, method, '/organization/sso')).statusCode).toBe(403);
    expect((await t.call(admin.cookie, 'GET', '/organization/sso')).statusCode).toBe(200);
    const key = await t.newKey(owner.orgId, owner.userId);
    const byKey = await t.newCookie(owner.orgId, owner.userId, key.id);
    expect((await t.put(byKey, v.settingsFor('roles.example.org'))).statusCode).toBe(403);
    t.clock.advance(600_001);
    const old = await t.put(owner.cookie, v.settingsFor('roles.example.org'));
    expect([old.statusCode, old.json().confirmationRequired]).toEqual([403, true]);
    expect((await t.call(owner.cookie, 'DELETE', '/organization/sso')).statusCode).toBe(403);
  });

  test('400: a domain that no organization can own, and an issuer that does not answer', async () => {
    const owner = await t.newEnterprise('bad');
    for (const emailDomain of [
      'com',
      'co.uk',
      'github.io',
      '127.0.0.1',
      'a b.example.org',
      '*.example.org',
      'x',
    ])
      expect((await t.put(owner.cookie, v.settingsFor(emailDomain))).statusCode).toBe(400);
    const silent = { ...v.settingsFor('bad.example.org'), issuerUrl: `${idp.issuer}/nothing-here` };
    expect((await t.put(owner.cookie, silent)).statusCode).toBe(400);
  });

  test('a stored secret stays with its issuer and client, and is never sent to another', async () => {
    const owner = await t.newEnterprise('secret');
    const settings = v.settingsFor('secret.example.org');
    await t.put(owner.cookie, { ...settings, clientSecret: CLIENT.secret });
    const again = await t.put(owner.cookie, settings);
    expect(again.json().connection.hasClientSecret).toBe(true);
    const moved = await t.put(owner.cookie, { ...settings, clientId: 'another' });
    expect(moved.json().connection.hasClientSecret).toBe(false);
  });

  test('204: removing it ends the sessions of the provider, and the domain is free for others', async () => {
    const org = await v.connected('removed');
    const browser = t.browser();
    await v.signIn(browser, org.orgId, { sub: 'r1', email: `r1@${org.domain}` });
    expect(await v.probe(sessionOf(browser))).toBe(200);
    expect((await t.call(org.cookie, 'DELETE', '/organization/sso')).statusCode).toBe(204);
    expect((await t.call(org.cookie, 'DELETE', '/organization/sso')).statusCode).toBe(204);
    expect(await v.probe(sessionOf(browser))).toBe(401);
    const next = await t.newEnterprise('removed-next');
    expect((await t.connect(next.cookie, idp.issuer, org.domain)).statusCode).toBe(200);
  });

  test('the provider is left while a sign-in is under way: its answer is refused', async () => {
    const org = await v.connected('moving');
    const browser = t.browser();
    const words = idp.authorize(locationOf(await browser.get(`/api/auth/sso/start?orgId=${org.orgId}`)));
    await t.put(org.cookie, { ...v.settingsFor(org.domain), clientId: 'another', enabled: true });
    expect(locationOf(await browser.get(`/api/auth/sso/callback?${words.toString()}`))).toBe(FAILED);
  });
});

describe('looking up and starting', () => {
  test('200: by the domain alone, whether or not the address has an account; 400 for no address', async () => {
    const org = await v.connected('lookup');
    const look = (email: string) => t.browser().post('/api/auth/sso/lookup', { email });
    const found = { found: true, organizationId: org.orgId, domain: org.domain };
    expect((await look(`nobody@${org.domain}`)).json()).toEqual(found);
    expect((await look(`Somebody@${org.domain.toUpperCase()}`)).json()).toEqual(found);
    for (const email of [`a@sub.${org.domain}`, 'a@example.net', `${org.domain}@example.net`])
      expect((await look(email)).json()).toEqual({ found: false });
    expect((await look('no address')).statusCode).toBe(400);
  });

  test('404: an unknown organization, one without it, a disabled one and one that is not proven', async () => {
    const [plain, saved] = [await t.newEnterprise('start-plain'), await t.newEnterprise('start-saved')];
    await t.put(saved.cookie, v.settingsFor('start-saved.example.org'));
    const off = await v.connected('start-off');
    await t.put(off.cookie, { ...v.settingsFor(off.domain), clientSecret: CLIENT.secret });
    for (const id of ['org_01M7KJEQVBSG58B439NJX31902', plain.orgId, saved.orgId, off.orgId]) {
      const answer = await t.browser().get(`/api/auth/sso/start?orgId=${id}`);
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([404, undefined]);
    }
    expect((await t.browser().get('/api/auth/sso/start')).statusCode).toBe(400);
    const left = await v.connected('start-left');
    await setPlan(manage(), OPERATOR, left.orgId, { plan: 'PRO' });
    expect((await t.browser().get(`/api/auth/sso/start?orgId=${left.orgId}`)).statusCode).toBe(404);
  });

  test('302: a provider that is away sends the browser back to the sign-in page', async () => {
    const org = await v.connected('away');
    idp.lie = {
      answer: (_path, response) => {
        response.writeHead(500).end();
        return true;
      },
    };
    const answer = await t.browser().get(`/api/auth/sso/start?orgId=${org.orgId}`);
    expect([answer.statusCode, locationOf(answer)]).toEqual([302, FAILED]);
  });
});

describe('a session of single sign-on', () => {
  test('a certified provider: the first sign-in makes a member, the second finds the same person', async () => {
    const owner = await t.newEnterprise('real');
    expect((await t.connect(owner.cookie, real.issuer, 'real.example.org')).statusCode).toBe(200);
    const enter = async () => {
      const browser = t.browser();
      const sent = await browser.get(`/api/auth/sso/start?orgId=${owner.orgId}`);
      const back = new URL(await real.visit(locationOf(sent), 'ada@real.example.org'));
      const answer = await browser.get(`${back.pathname}${back.search}`);
      const token = locationOf(answer).split('#token=')[1] ?? '';
      return browser.post('/api/auth/sso/session', { token });
    };
    const first = await enter();
    expect([first.statusCode, t.failures.at(-1) ?? '']).toEqual([201, expect.anything()]);
    expect(first.json()).toMatchObject({
      account: { id: owner.orgId, email: 'ada@real.example.org' },
      organization: { id: owner.orgId },
      role: 'MEMBER',
      plan: 'ENTERPRISE',
    });
    expect((await enter()).json().account.userId).toBe(first.json().account.userId);
    const { rows } = await t.owner.query(
      `select role, origin, external_id from membership where account_id = $1 and role = 'MEMBER'`,
      [owner.orgId],
    );
    expect(rows).toEqual([{ role: 'MEMBER', origin: 'sso', external_id: 'ada@real.example.org' }]);
    const shown = (await t.call(owner.cookie, 'GET', '/organization/sso')).json().connection;
    expect(shown.lastSignInAt).not.toBeNull();
  });

  test('it enters its organization only: not the own account, no other organization, and it cannot switch', async () => {
    const org = await v.connected('only');
    const email = `pat@${org.domain}`;
    const pat = await t.newPerson(email, PASSWORD);
    const elsewhere = await t.newMember('elsewhere', email, 'ADMIN');
    const browser = t.browser();
    const opened = await v.signIn(browser, org.orgId, { sub: 'p1', email });
    expect(opened.json()).toMatchObject({ account: { id: org.orgId, userId: pat.userId }, role: 'MEMBER' });
    for (const accountId of [pat.userId, elsewhere.orgId, org.orgId])
      expect((await browser.post('/api/auth/switch', { accountId })).statusCode).toBe(403);
    const cookie = sessionOf(browser);
    expect((await t.get('/api/user', cookie)).json().organizations).toEqual([
      { id: org.orgId, name: 'only', role: 'MEMBER' },
    ]);
    expect((await t.get('/api/organizations', cookie)).json().organizations).toHaveLength(1);
    const { sessions } = (await t.get('/api/auth/sessions', cookie)).json();
    expect(sessions.map(({ method }: { method: string }) => method)).toEqual(['sso']);
    expect((await t.get('/api/auth/passkeys', cookie)).statusCode).toBe(403);
    expect((await browser.post('/api/auth/totp', {})).statusCode).toBe(403);
    expect((await browser.post('/api/organizations', { name: 'mine' })).statusCode).toBe(403);
    expect((await t.call(cookie, 'DELETE', '/user')).statusCode).toBe(403);
    const own = (await t.get('/api/auth/sessions', pat.cookie)).json().sessions;
    const foreign = own.find(({ method }: { method: string }) => method === 'password');
    expect((await t.call(cookie, 'DELETE', `/auth/sessions/${foreign.id}`)).statusCode).toBe(404);
    expect(await v.probe(pat.cookie)).toBe(200);
  });

  test('SSO into a personal account: the password of the person does not open the organization either', async () => {
    const org = await v.connected('personal');
    const pat = await t.newPerson(`pat@${org.domain}`, PASSWORD);
    await v.signIn(t.browser(), org.orgId, { sub: 'p2', email: `pat@${org.domain}` });
    const answer = await t.call(pat.cookie, 'POST', '/auth/switch', { accountId: org.orgId });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { ssoRequired: true, organizationId: org.orgId },
    ]);
    const { rows } = await t.owner.query('select email_verified_at from app_user where email = $1', [
      `fresh@${org.domain}`,
    ]);
    expect(rows).toEqual([]);
    await v.signIn(t.browser(), org.orgId, { sub: 'p3', email: `fresh@${org.domain}` });
    const fresh = await t.owner.query('select email_verified_at from app_user where email = $1', [
      `fresh@${org.domain}`,
    ]);
    // What the provider of an organization says about a mailbox proves nothing to other organizations.
    expect(fresh.rows).toEqual([{ email_verified_at: null }]);
  });

  test('a member who leaves loses sessions and keys at once, and does not come back by signing in', async () => {
    const org = await v.connected('leaving');
    const browser = t.browser();
    const person = { sub: 'l1', email: `lee@${org.domain}` };
    const { userId } = (await v.signIn(browser, org.orgId, person)).json().account;
    const key = (await browser.post('/api/user/keys', {})).json();
    await t.refresh();
    const byKey = async () =>
      (await t.app.inject({ url: '/probe', headers: { 'x-api-key': key.authHeader.split(' ')[1] } }))
        .statusCode;
    expect([await v.probe(sessionOf(browser)), await byKey()]).toEqual([200, 200]);
    const waiting = t.browser();
    const sent = await waiting.get(`/api/auth/sso/start?orgId=${org.orgId}`);
    const back = await waiting.get(`/api/auth/sso/callback?${idp.authorize(locationOf(sent)).toString()}`);
    const token = locationOf(back).split('#token=')[1] ?? '';
    expect((await t.call(org.cookie, 'DELETE', `/organization/members/${userId}`)).statusCode).toBe(204);
    await t.refresh();
    expect([await v.probe(sessionOf(browser)), await byKey()]).toEqual([401, 401]);
    // A sign-in that has only its token left to exchange fails after the removal.
    expect((await waiting.post('/api/auth/sso/session', { token })).statusCode).toBe(401);
    expect(locationOf(await v.signIn(t.browser(), org.orgId, person))).toBe(FAILED);
    expect(await v.refusalOf(org.orgId)).toBe('the person was removed from the organization');
  });

  test('linked by issuer and subject: an address that was given to another person lets nobody in', async () => {
    const org = await v.connected('recycled');
    const email = `desk@${org.domain}`;
    await v.signIn(t.browser(), org.orgId, { sub: 'first', email });
    expect(locationOf(await v.signIn(t.browser(), org.orgId, { sub: 'second', email }))).toBe(FAILED);
    expect(await v.refusalOf(org.orgId)).toBe('the address belongs to another subject');
    const renamed = await v.signIn(t.browser(), org.orgId, { sub: 'first', email: `renamed@${org.domain}` });
    expect(renamed.json().account.email).toBe(email);
  });

  test('an administrator who chooses the provider does not become an owner: owners tie their identity themselves', async () => {
    const org = await v.connected('owners');
    const chief = await t.newPerson(`chief@${org.domain}`, PASSWORD);
    await t.owner.query(
      `insert into membership (account_id, user_id, role, created_at) values ($1, $2, 'OWNER', now())`,
      [org.orgId, chief.userId],
    );
    const person = { sub: 'c1', email: `chief@${org.domain}` };
    expect(locationOf(await v.signIn(t.browser(), org.orgId, person))).toBe(FAILED);
    expect(await v.refusalOf(org.orgId)).toBe('an owner ties the identity in a session of their own first');
    const browser = t.browser();
    browser.jar.set('__Secure-sid', (await t.signInto(org.orgId, chief.userId)).split('=')[1] ?? '');
    // A page of another site cannot start the sign-in that ties the identity with the session of the owner.
    const forged = await v.signIn(browser, org.orgId, person, { 'sec-fetch-site': 'cross-site' });
    expect(locationOf(forged)).toBe(FAILED);
    // Nor is the identity of another person tied to the owner.
    const stranger = { sub: 'c2', email: `stranger@${org.domain}` };
    expect(locationOf(await v.signIn(browser, org.orgId, stranger, FROM_DASHBOARD))).toBe(FAILED);
    const tied = await v.signIn(browser, org.orgId, person, FROM_DASHBOARD);
    expect(tied.json()).toMatchObject({ account: { userId: chief.userId }, role: 'OWNER' });
    expect((await v.signIn(t.browser(), org.orgId, person)).json().role).toBe('OWNER');
  });

  test('the time and the factors of the provider count: an old sign-in there is no recent proof here', async () => {
    const org = await v.connected('factors');
    const person = { sub: 'f1', email: `fay@${org.domain}` };
    const old = t.browser();
    await v.signIn(old, org.orgId, { ...person, auth_time: Math.floor(t.clock.now() / 1_000) - 700 });
    expect((await old.post('/api/user/keys', {})).json()).toMatchObject({
      confirmationRequired: true,
      organizationId: org.orgId,
    });
    // A fresh sign-in asks the provider for a new proof, and takes no older one.
    const fresh = async (authTimeS: number) => {
      const sent = await old.get(`/api/auth/sso/start?orgId=${org.orgId}&fresh=true`);
      expect(locationOf(sent)).toMatch(/[?&]prompt=login&max_age=0(?:&|$)/);
      idp.person = { ...person, auth_time: authTimeS };
      return locationOf(
        await old.get(`/api/auth/sso/callback?${idp.authorize(locationOf(sent)).toString()}`),
      );
    };
    const nowS = Math.floor(Date.now() / 1_000);
    expect(await fresh(nowS - 700)).toBe(FAILED);
    expect(await fresh(nowS)).toMatch(/#token=/);
    await t.owner.query('update organization set demands_factor = true where id = $1', [org.orgId]);
    const [one, two] = [t.browser(), t.browser()];
    await v.signIn(one, org.orgId, { ...person, amr: ['pwd'] });
    await v.signIn(two, org.orgId, { ...person, amr: ['pwd', 'mfa'] });
    expect([await v.probe(sessionOf(one)), await v.probe(sessionOf(two))]).toEqual([403, 200]);
  });
});
