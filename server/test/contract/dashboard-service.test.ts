import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';

/** The dashboard as an operator starts it: its page, a sign-in with a key pair, and what the session then may do. */
const WEB = 'http://127.0.0.1:8080';
const FROM_PAGE = { origin: WEB, 'sec-fetch-site': 'same-origin' };
const webDir = mkdtempSync(join(tmpdir(), 'assay-dashboard-'));

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let analyst: ServiceAccount;
let neighbour: ServiceAccount;

beforeAll(async () => {
  writeFileSync(join(webDir, 'index.html'), '<p nonce="__CSP_NONCE__">__ASSAY_CONFIG__</p>');
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: { WEB_DIR: webDir, DEMO: 'true', PUBLIC_WEB_URL: WEB, PUBLIC_API_URL: WEB },
  });
  accounts = openAccounts(service);
  analyst = await accounts.newAccount('analyst@example.com', { plan: 'PRO' });
  neighbour = await accounts.newAccount('neighbour@example.com', { plan: 'BASIC' });
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
  rmSync(webDir, { recursive: true, force: true });
});

const pairOf = ({ credential }: ServiceAccount) => {
  const [apiKey = '', apiSecret = ''] = Buffer.from(credential, 'base64').toString().split(':');
  return { apiKey, apiSecret };
};
const signIn = (account: ServiceAccount) =>
  fetch(`${service.url}/api/auth/session`, {
    method: 'POST',
    headers: { ...FROM_PAGE, 'content-type': 'application/json' },
    body: JSON.stringify(pairOf(account)),
  });
const cookieFor = async (account: ServiceAccount) =>
  (await signIn(account)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
const get = (path: string, cookie: string, headers: Record<string, string> = FROM_PAGE) =>
  fetch(`${service.url}${path}`, { headers: { ...headers, cookie } });
type Seen = {
  account: { id: string; email: string };
  usage: { used: number; limit: number; resetsAt: string };
};

describe('the page', () => {
  test('is served under /app with the configuration of this service; / leads there', async () => {
    const root = await fetch(`${service.url}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/app/']);
    const page = await fetch(`${service.url}/app/ip/1.2.3.4`);
    const nonce = /'nonce-([\w-]+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect([page.status, await page.text()]).toEqual([
      200,
      `<p nonce="${nonce}">${JSON.stringify({ apiUrl: WEB, demo: true, version })}</p>`,
    ]);
  });

  test('is in no description: not in OpenAPI, not in the documentation', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => path === '/' || path.startsWith('/app'))).toEqual([]);
    expect(Object.keys(paths)).toContain('/api/auth/session');
  });
});

describe('a session', () => {
  test('on plain HTTP: the cookie has the bare name and is not Secure, so that a laptop works', async () => {
    const answer = await signIn(analyst);
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('opens what a key opens, pays as a key pays, and reading what is left is free', async () => {
    const cookie = await cookieFor(analyst);
    const seen = async () => (await (await get('/api/auth/session', cookie)).json()) as Seen;
    const before = await seen();
    expect(before.usage.limit).toBe(10_000);
    expect(before.usage.resetsAt).toMatch(/-01T00:00:00\.000Z$/);
    const check = await get('/api/check?query=198.51.100.4', cookie);
    expect([check.status, check.headers.get('x-ratelimit-limit')]).toEqual([200, '300']);
    expect((await get('/api/platform/data-freshness', cookie)).status).toBe(200);
    const left = (await get('/api/platform/data-freshness', cookie)).headers.get('x-ratelimit-remaining');
    for (let i = 0; i < 5; i += 1) expect((await seen()).usage.used).toBe(before.usage.used + 1);
    const after = (await get('/api/platform/data-freshness', cookie)).headers.get('x-ratelimit-remaining');
    // One call lies between the two: five looks at the session took nothing of the burst.
    expect(Number(left) - Number(after)).toBeLessThanOrEqual(1);
  });

  test('sees its own account and nobody else', async () => {
    const [mine, theirs] = [await cookieFor(analyst), await cookieFor(neighbour)];
    const idOf = async (cookie: string) =>
      ((await (await get('/api/auth/session', cookie)).json()) as Seen).account.id;
    expect([await idOf(mine), await idOf(theirs)]).toEqual([analyst.accountId, neighbour.accountId]);
  });

  test('is refused from another site', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await get('/api/check?query=198.51.100.4', await cookieFor(analyst), foreign)).status).toBe(401);
  });

  test('has ended after signing out, on every route', async () => {
    const cookie = await cookieFor(analyst);
    const out = await fetch(`${service.url}/api/auth/session`, {
      method: 'DELETE',
      headers: { ...FROM_PAGE, cookie },
    });
    expect(out.status).toBe(204);
    expect((await get('/api/check?query=198.51.100.4', cookie)).status).toBe(401);
    expect(await (await get('/api/auth/session', cookie)).json()).toEqual({ signedIn: false });
  });

  test('leaves neither its token nor the secret in the log, nor the indicator of a page', async () => {
    const cookie = await cookieFor(analyst);
    await fetch(`${service.url}/app/domain/victim-canary.example`);
    await get('/api/auth/session', cookie);
    const log = readFileSync(service.logFile, 'utf8');
    expect(log).toContain('"route":"/api/auth/session"');
    expect(log).toContain('"route":"/app/*"');
    for (const canary of [pairOf(analyst).apiSecret, cookie.split('=')[1] ?? '', 'victim-canary'])
      expect(log).not.toContain(canary);
  });
});
