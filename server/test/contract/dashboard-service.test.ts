import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import type { ServiceAccount } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

/** The address under which the shared service serves the dashboard (PUBLIC_WEB_URL in `shared-service-host.ts`). */
const WEB = 'http://127.0.0.1:8080';
const FROM_PAGE = { origin: WEB, 'sec-fetch-site': 'same-origin' };

let shared: SharedService;
let service: SharedService['service'];
let analyst: ServiceAccount;
let neighbour: ServiceAccount;

beforeAll(async () => {
  shared = await sharedService('dashboard-service');
  service = shared.service;
  analyst = shared.account;
  neighbour = await shared.accounts.newAccount('neighbour@example.com', { plan: 'BASIC' });
}, 600_000);
afterAll(() => shared?.stop());

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

test('the first log line names the version and the settings of the service, its children repeat none of it', () => {
  const lines = readFileSync(service.logFile, 'utf8').split('\n');
  const [first = '', second = ''] = lines;
  expect(JSON.parse(first)).toMatchObject({
    process: 'api',
    msg: expect.stringMatching(/^Assay \d+\.\d+\.\d+ is starting$/) as string,
    settings: {
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/[^@]+$/) as string,
      AI_MODEL: 'a model, "large" $1 #2',
      DEMO: 'true',
    },
  });
  expect(JSON.parse(second)).toMatchObject({ level: 40, setting: 'HTTP_PORT' });
  expect((JSON.parse(second) as { msg: string }).msg).toContain(
    'HTTP_PORT has no effect. The container listens',
  );
  expect(lines.filter((line) => line.includes('is starting'))).toHaveLength(1);
});

describe('the page', () => {
  test('is served under /app with the configuration of this service; / leads there', async () => {
    const root = await fetch(`${service.url}/`, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/app/']);
    const page = await fetch(`${service.url}/app/ip/1.2.3.4`);
    const nonce = /'nonce-([\w-]+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1];
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const [, said = ''] = new RegExp(`^<p nonce="${nonce}">(.*)</p>$`).exec(await page.text()) ?? [];
    expect(page.status).toBe(200);
    const { outwardLinks, ...config } = JSON.parse(said);
    expect(config).toEqual({ apiUrl: WEB, demo: true, version });
    expect(outwardLinks.map(({ name }: { name: string }) => name)).toEqual([
      'VirusTotal',
      'Shodan',
      'Censys',
      'urlscan',
    ]);
  });

  test('is not described in OpenAPI nor in the documentation', async () => {
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => path === '/' || path.startsWith('/app'))).toEqual([]);
    expect(Object.keys(paths)).toContain('/api/auth/session');
  });
});

describe('a session', () => {
  test('on plain HTTP: the cookie has the bare name and is not Secure, so that a local installation works', async () => {
    const answer = await signIn(analyst);
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^sid=[\w-]{43}\.1\.[\w-]{43}; Max-Age=604(?:800|7\d\d); Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  test('has the access and the charges of a key, and reading the remaining quota is free', async () => {
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
    // One call lies between the two readings, so five reads of the session spent no burst.
    expect(Number(left) - Number(after)).toBeLessThanOrEqual(1);
  });

  test('sees its own account only', async () => {
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
    await get('/api/auth/session', cookie);
    await fetch(`${service.url}/app/domain/victim-canary.example`);
    const read = () => readFileSync(service.logFile, 'utf8');
    // The log is written in batches, in order, so the last line shows that all are written.
    await eventually('the log is written', 30_000, () => read().includes('"route":"/app/*"'));
    const log = read();
    expect(log).toContain('"route":"/api/auth/session"');
    expect(log).toContain('"route":"/app/*"');
    for (const canary of [pairOf(analyst).apiSecret, cookie.split('=')[1] ?? '', 'victim-canary'])
      expect(log).not.toContain(canary);
  });
});
