import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FROM_DASHBOARD, WEB_URL } from '#test/access.ts';
import { type HostileOidc, startHostileOidc } from '#test/peers/hostile-oidc.ts';
import { OIDC_ATTACKS } from '#test/peers/oidc-attacks.ts';
import { type Browser, createTestSso, type TestSso } from '#test/sso.ts';

/** Attacks on single sign-on: by a hostile provider, by another site, by another organization. None may open a session. */
const DOMAIN = 'corp.example.org';
const FAILED = `${WEB_URL}/app/sign-in?error=sso_failed`;

let t: TestSso;
let idp: HostileOidc;
let other: HostileOidc;
let owner: Awaited<ReturnType<TestSso['newEnterprise']>>;

beforeAll(async () => {
  t = await createTestSso(async (authority, zones) => {
    const hosts = ['idp.corp.example.org', 'idp.other.example.org'] as const;
    const issued = authority.issue({ names: hosts.map((host) => `DNS:${host}`) });
    for (const host of hosts) zones.records.set(`A ${host}`, ['127.0.0.1']);
    [idp, other] = await Promise.all([
      startHostileOidc(issued, hosts[0]),
      startHostileOidc(issued, hosts[1]),
    ]);
    return [idp.port, other.port];
  });
  owner = await t.newEnterprise('corp');
  expect((await t.connect(owner.cookie, idp.issuer, DOMAIN)).statusCode).toBe(200);
});
afterAll(async () => {
  await t?.close();
  await Promise.all([idp?.close(), other?.close()]);
});
beforeEach(() => {
  idp.lie = {};
  idp.person = { sub: 'subject-1', email: 'person@corp.example.org' };
});

/** A session of the owner with a recent proof of identity. */
const ownerNow = () => t.signInto(owner.orgId, owner.userId);
const start = (browser: Browser, orgId = owner.orgId) => browser.get(`/api/auth/sso/start?orgId=${orgId}`);
const comeBack = (browser: Browser, words: URLSearchParams) =>
  browser.get(`/api/auth/sso/callback?${words.toString()}`);
const locationOf = (answer: Awaited<ReturnType<Browser['get']>>) => String(answer.headers.location);
const tokenOf = (answer: Awaited<ReturnType<Browser['get']>>) => locationOf(answer).split('#token=')[1] ?? '';

/** Signs in at the provider; gives the answer of the callback. */
async function signIn(browser: Browser, provider = idp, orgId = owner.orgId) {
  const sent = await start(browser, orgId);
  return comeBack(browser, provider.authorize(locationOf(sent)));
}
const opened = async (): Promise<number> => {
  const { rows } = await t.owner.query(
    `select (select count(*) from session where method = 'sso') + (select count(*) from sso_token) as n`,
  );
  return Number(rows[0].n);
};
const reasons = async (): Promise<readonly string[]> =>
  (
    await t.owner.query(
      `select detail ->> 'reason' as reason from audit_entry where action = 'sso.refuse' order by at desc, id desc`,
    )
  ).rows.map(({ reason }) => reason);

test('the same provider lets a person in when it does not lie', async () => {
  const browser = t.browser();
  const sent = await start(browser);
  expect(sent.statusCode).toBe(302);
  const asked = new URL(locationOf(sent)).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    client_id: 'assay',
    redirect_uri: `${WEB_URL}/api/auth/sso/callback`,
    code_challenge_method: 'S256',
    scope: 'openid email',
  });
  const back = await comeBack(browser, idp.authorize(locationOf(sent)));
  expect(locationOf(back)).toMatch(/^https:\/\/app\.example\.com\/app\/sso#token=[\w-]{43}$/);
  expect(idp.exchanged().get('code_verifier')).toMatch(/^[\w-]{43}$/);
  const session = await browser.post('/api/auth/sso/session', { token: tokenOf(back) });
  expect(session.statusCode).toBe(201);
  expect(session.json()).toMatchObject({ organization: { id: owner.orgId }, role: 'MEMBER' });
});

describe('a provider that lies', () => {
  test.each(Object.entries(OIDC_ATTACKS))('%s', async (_name, lie) => {
    const before = await opened();
    const browser = t.browser();
    // The provider lies only from here on, because some lies would already stop the start of the sign-in.
    const sent = await start(browser);
    idp.lie = lie;
    const back = await comeBack(browser, idp.authorize(locationOf(sent)));
    if (back.statusCode !== 400) expect([back.statusCode, locationOf(back)]).toEqual([302, FAILED]);
    // Neither the answers of the provider nor the secrets of the sign-in are in the log.
    expect(t.failures.at(-1)).not.toMatch(/id_token\?":|an-access-token|a-code|code_verifier=/);
    expect(await opened()).toBe(before);
    expect(browser.jar.has('__Secure-sid')).toBe(false);
  });
});

describe('replay and login CSRF', () => {
  test('a callback works once: its state, its code and its cookie are used up, also at the same moment', async () => {
    const browser = t.browser();
    const words = idp.authorize(locationOf(await start(browser)));
    const cookie = `__Host-sso=${browser.jar.get('__Host-sso')}`;
    const url = `/api/auth/sso/callback?${words.toString()}`;
    const both = await Promise.all([1, 2].map(() => t.app.inject({ url, headers: { cookie } })));
    const places = both.map(({ headers }) => String(headers.location).replace(/#.*$/, ''));
    expect(new Set(places)).toEqual(new Set([FAILED, `${WEB_URL}/app/sso`]));
    const again = await t.app.inject({ url, headers: { cookie } });
    expect(again.headers.location).toBe(FAILED);
  });

  test('a callback without the cookie of the browser: a page of the attacker finishes nothing here', async () => {
    const [attacker, victim] = [t.browser(), t.browser()];
    const words = idp.authorize(locationOf(await start(attacker)));
    expect(locationOf(await comeBack(victim, words))).toBe(FAILED);
    // The same after the victim has begun a sign-in of their own.
    await start(victim);
    expect(locationOf(await comeBack(victim, words))).toBe(FAILED);
    expect(victim.jar.has('__Host-sso')).toBe(false);
  });

  test('the cookie of a sign-in cannot be made, changed or kept longer than ten minutes', async () => {
    const browser = t.browser();
    const words = idp.authorize(locationOf(await start(browser)));
    const genuine = browser.jar.get('__Host-sso') ?? '';
    for (const forged of [
      '',
      'x',
      `${genuine.slice(0, -2)}AA`,
      Buffer.from('{"kind":"flow"}').toString('base64url'),
    ]) {
      const headers = { cookie: `__Host-sso=${forged}` };
      const answer = await t.app.inject({ url: `/api/auth/sso/callback?${words.toString()}`, headers });
      expect(answer.headers.location).toBe(FAILED);
    }
    t.clock.advance(600_001);
    expect(locationOf(await comeBack(browser, words))).toBe(FAILED);
  });

  test('a one-time token works once, for a minute, in its browser and from the dashboard alone', async () => {
    const [browser, elsewhere] = [t.browser(), t.browser()];
    const token = tokenOf(await signIn(browser));
    // The victim opens a link with the token of the attacker, in another browser.
    expect((await elsewhere.post('/api/auth/sso/session', { token })).statusCode).toBe(401);
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const payload = { token };
    const foreign = await t.app.inject({
      method: 'POST',
      url: '/api/auth/sso/session',
      headers: { ...FROM_DASHBOARD, origin: 'https://evil.example', cookie },
      payload,
    });
    expect(foreign.statusCode).toBe(403);
    const headers = { ...FROM_DASHBOARD, cookie };
    const both = await Promise.all(
      [1, 2].map(() => t.app.inject({ method: 'POST', url: '/api/auth/sso/session', headers, payload })),
    );
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 401]);
    const late = tokenOf(await signIn(elsewhere));
    t.clock.advance(60_001);
    expect((await elsewhere.post('/api/auth/sso/session', { token: late })).statusCode).toBe(401);
  });

  test('the token of one sign-in with the cookie of another', async () => {
    const [mine, theirs] = [t.browser(), t.browser()];
    const token = tokenOf(await signIn(theirs));
    await signIn(mine);
    expect((await mine.post('/api/auth/sso/session', { token })).statusCode).toBe(401);
    // A token that was tried elsewhere is used up.
    expect((await theirs.post('/api/auth/sso/session', { token })).statusCode).toBe(401);
  });
});

describe('addresses of requests', () => {
  test('Host and X-Forwarded-Host change neither the redirect URI nor where the browser goes afterwards', async () => {
    const browser = t.browser();
    const poison = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    const sent = await browser.get(`/api/auth/sso/start?orgId=${owner.orgId}`, poison);
    expect(new URL(locationOf(sent)).searchParams.get('redirect_uri')).toBe(
      `${WEB_URL}/api/auth/sso/callback`,
    );
    const words = idp.authorize(locationOf(sent));
    const back = await browser.get(`/api/auth/sso/callback?${words.toString()}`, poison);
    expect(locationOf(back)).toMatch(/^https:\/\/app\.example\.com\/app\/sso#/);
    expect(idp.exchanged().get('redirect_uri')).toBe(`${WEB_URL}/api/auth/sso/callback`);
  });

  test('no word of a request leads the browser to another site after the sign-in', async () => {
    const browser = t.browser();
    const more =
      '&returnTo=https://evil.example&next=//evil.example&redirect_uri=https://evil.example&RelayState=//evil.example';
    const sent = await browser.get(`/api/auth/sso/start?orgId=${owner.orgId}${more}`);
    const words = idp.authorize(locationOf(sent));
    const back = await browser.get(`/api/auth/sso/callback?${words.toString()}${more}`);
    expect(locationOf(back)).toMatch(/^https:\/\/app\.example\.com\/app\/sso#token=/);
    expect(back.headers['referrer-policy']).toBe('no-referrer');
    expect(back.headers['cache-control']).toContain('no-store');
  });

  test('the cookie of a sign-in is for this host alone and no script reads it', async () => {
    const answer = await start(t.browser());
    const line = String(answer.headers['set-cookie']);
    expect(line).toMatch(/^__Host-sso=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(line).not.toContain('corp.example.org');
  });
});

describe('the address of an issuer', () => {
  test.each([
    ['loopback', 'https://127.0.0.1/'],
    ['loopback by a decimal number', 'https://2130706433/'],
    ['loopback by name', 'https://localhost/'],
    ['the metadata address of a cloud', 'https://169.254.169.254/'],
    ['a private network', 'https://10.0.0.5/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['a port of another service', 'https://idp.corp.example.org:5432/'],
    ['a name that leads to a private address', 'https://inside.corp.example.org/'],
    ['a name with a public and a private address', 'https://both.corp.example.org/'],
  ])('SSRF: %s is 400, and no packet is sent', async (_name, issuerUrl) => {
    t.zones.records.set('A inside.corp.example.org', ['10.0.0.5']);
    t.zones.records.set('A both.corp.example.org', ['45.83.64.7', '127.0.0.1']);
    const mallory = await t.newEnterprise(`ssrf-${issuerUrl.replace(/\W/g, '')}`);
    const settings = {
      emailDomain: 'evil.example',
      issuerUrl,
      clientId: 'x',
      enforceSso: false,
      enabled: false,
    };
    const answer = await t.put(mallory.cookie, settings);
    expect(answer.statusCode).toBe(400);
    // Every refusal reads the same, so the answers do not map a network.
    expect(answer.json().message).toContain(
      'issuerUrl: The discovery document of this issuer cannot be read.',
    );
  });

  test.each([
    'http://idp.corp.example.org/',
    'ftp://idp.corp.example.org/',
    'https://a:b@idp.corp.example.org/',
    'https://idp.corp.example.org/?a=b',
    'javascript:alert(1)',
  ])('400: %s is no issuer', async (issuerUrl) => {
    const settings = {
      emailDomain: 'x.example',
      issuerUrl,
      clientId: 'x',
      enforceSso: false,
      enabled: false,
    };
    expect((await t.put(await ownerNow(), settings)).statusCode).toBe(400);
  });

  test('SSRF by a redirect: the discovery document is not looked for elsewhere', async () => {
    idp.lie = {
      answer: (_path, response) => {
        response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
        return true;
      },
    };
    const settings = {
      emailDomain: 'x.example',
      issuerUrl: idp.issuer,
      clientId: 'x',
      enforceSso: false,
      enabled: false,
    };
    expect((await t.put(await ownerNow(), { ...settings, clientId: 'y' })).statusCode).toBe(400);
  });

  test('SSRF by rebinding: a name that was public when it was saved leads nowhere private later', async () => {
    const before = idp.asked.length;
    const browser = t.browser();
    t.zones.records.set('A idp.corp.example.org', ['10.0.0.5']);
    const sent = await start(browser);
    t.zones.records.set('A idp.corp.example.org', ['127.0.0.1']);
    // A kept-alive connection may still be used; a new one would resolve the name again and be refused.
    if (locationOf(sent) !== FAILED) expect(idp.asked.length).toBe(before + 1);
  });

  test('an issuer that serves many tenants is refused', async () => {
    idp.lie = { discovery: (honest) => ({ ...honest, issuer: `${idp.issuer}/{tenantid}/v2.0` }) };
    const settings = {
      emailDomain: 'x.example',
      issuerUrl: idp.issuer,
      clientId: 'z',
      enforceSso: false,
      enabled: false,
    };
    expect((await t.put(await ownerNow(), settings)).statusCode).toBe(400);
  });
});

describe('another organization', () => {
  test('mix-up: the code of one organization is never sent to the provider of another', async () => {
    const mallory = await t.newEnterprise('mallory');
    expect((await t.connect(mallory.cookie, other.issuer, 'other.example.org')).statusCode).toBe(200);
    const browser = t.browser();
    const words = idp.authorize(locationOf(await start(browser)));
    // The browser now carries the sign-in of the attacker's organization and the answer of the victim's provider.
    await start(browser, mallory.orgId);
    const before = other.asked.filter((path) => path === '/token').length;
    expect(locationOf(await comeBack(browser, words))).toBe(FAILED);
    expect(other.asked.filter((path) => path === '/token').length).toBe(before);
  });

  test('the provider of one organization vouches for nobody of another domain, nor for a subject of another issuer', async () => {
    const rival = await t.newEnterprise('rival');
    expect((await t.connect(rival.cookie, other.issuer, 'rival.example.org')).statusCode).toBe(200);
    other.person = { sub: 'subject-1', email: 'person@corp.example.org' };
    const browser = t.browser();
    const back = await signIn(browser, other, rival.orgId);
    expect(locationOf(back)).toBe(FAILED);
    expect((await reasons())[0]).toBe('the address is of another domain');
  });

  test('a domain claimed twice: an unproven claim blocks nobody, a proven one is 409 for others', async () => {
    const [one, two] = [await t.newEnterprise('claims-one'), await t.newEnterprise('claims-two')];
    const settings = {
      emailDomain: 'claimed.example.org',
      issuerUrl: idp.issuer,
      clientId: 'assay',
      enforceSso: false,
      enabled: false,
    };
    expect((await t.put(one.cookie, settings)).statusCode).toBe(200);
    const early = await t.put(one.cookie, { ...settings, enabled: true });
    expect(early.statusCode).toBe(409);
    const proof = early.json().domainProof;
    expect(proof.name).toBe('_assay-sso.claimed.example.org');
    expect((await t.connect(two.cookie, idp.issuer, 'claimed.example.org')).statusCode).toBe(200);
    expect((await t.put(one.cookie, settings)).statusCode).toBe(409);
    // The first organization sets its DNS record only after the second has proven the domain.
    t.zones.records.set(`TXT ${proof.name}`, [proof.value]);
    expect((await t.put(one.cookie, { ...settings, enabled: true })).statusCode).toBe(409);
    const found = await t.browser().post('/api/auth/sso/lookup', { email: 'a@claimed.example.org' });
    expect(found.json()).toEqual({ found: true, organizationId: two.orgId, domain: 'claimed.example.org' });
  });
});
