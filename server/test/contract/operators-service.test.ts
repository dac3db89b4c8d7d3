import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOperatorRoutes } from '#app/build-operators.ts';
import {
  createKey,
  createUser,
  ensureMembership,
  ensureOrganization,
  setPlan,
} from '#capabilities/access/index.ts';
import { createOperator } from '#capabilities/operators/index.ts';
import { runCanary } from '#capabilities/status/canary/run-canary.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { OPERATOR } from '#test/access.ts';
import { eventually } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

const HOUR_MS = 3_600_000;
const clock = systemClock();
let shared: SharedService;
let token: string;

beforeAll(async () => {
  shared = await sharedService('operators-service');
  const { system } = shared.accounts;
  token = (await createOperator({ system, clock }, { name: 'service-test', cidrs: ['203.0.113.0/24'] }))
    .token;
});
afterAll(() => shared?.stop());

const overview = (headers: Record<string, string>) =>
  fetch(`http://127.0.0.1:${shared.service.env.ADMIN_PORT}/admin/overview`, { headers });
const from = (address: string) => ({ 'x-forwarded-for': address });

test('the api starts the listener of operators on ADMIN_PORT; a customer key and a foreign address are 404 there', async () => {
  await eventually('the listener answers', 60_000, () =>
    overview({}).then(
      () => true,
      () => false,
    ),
  );
  const authorization = `Bearer ${token}`;
  const asked = await overview({ authorization, ...from('203.0.113.7') });
  expect([asked.status, await asked.json()]).toEqual([
    200,
    expect.objectContaining({ accounts: expect.anything() }),
  ]);
  const strangers = [
    {},
    { authorization },
    { authorization, ...from('198.51.100.7') },
    { 'x-api-key': shared.account.credential, ...from('203.0.113.7') },
  ];
  for (const headers of strangers) expect((await overview(headers)).status).toBe(404);
  const onPublic = await fetch(`${shared.service.url}/admin/overview`, {
    headers: { authorization, ...from('203.0.113.7') },
  });
  expect(onPublic.status).toBe(404);
});

test('on the public listener every address of operators is 404, with a customer key, a session, an operator token or nothing', async () => {
  const { service, account, fromHere } = shared;
  const [apiKey, apiSecret] = Buffer.from(account.credential, 'base64').toString().split(':');
  const ofPage = { origin: service.env.PUBLIC_WEB_URL ?? '', 'sec-fetch-site': 'same-origin' };
  const signedIn = await fetch(`${service.url}/api/auth/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ofPage, ...fromHere },
    body: JSON.stringify({ apiKey, apiSecret }),
  });
  expect(signedIn.status).toBe(201);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const callers: Readonly<Record<string, string>>[] = [
    { 'x-api-key': account.credential },
    { cookie, ...ofPage },
    { authorization: `Bearer ${token}`, ...from('203.0.113.7') },
    fromHere,
  ];
  const found: string[] = [];
  const own = describeOperatorRoutes().filter(({ path }) => path !== '/openapi.json');
  for (const { method, path } of own)
    for (const base of ['', '/api'])
      for (const headers of callers) {
        const answer = await fetch(`${service.url}${base}${path.replaceAll(/:\w+/g, 'x')}`, {
          method,
          headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
          ...(method !== 'GET' && { body: '{}' }),
        });
        await answer.text();
        if (answer.status !== 404)
          found.push(`${method} ${base}${path} ${Object.keys(headers)[0]}: ${answer.status}`);
      }
  expect(found).toEqual([]);
});

test('the status page of a service without a canary is public', async () => {
  const page = await fetch(`${shared.service.url}/platform/status`, { headers: shared.fromHere });
  expect(await page.json()).toMatchObject({ services: { database: 'operational' }, canary: [], notices: [] });
});

test('the canary reports, checks and reads its indicator through the public interface, and sees a change of it', async () => {
  const credential = await newCanary('canary');
  const outbound = createOutbound({
    log: createLog('silent'),
    clock,
    allow: [`127.0.0.1/32:${new URL(shared.service.url).port}`],
  });
  const startMs = clock.now();
  const sing = async (shiftMs: number, key = credential) => {
    const results = await runCanary(
      {
        clock: { now: () => startMs + shiftMs, monotonic: () => performance.now() },
        outbound,
        url: shared.service.url,
        credential: key,
      },
      AbortSignal.timeout(60_000),
    );
    return results.map(({ probe, ms }) => `${probe} ${ms === null ? 'failed' : 'passed'}`);
  };
  try {
    const passed = ['indicator passed', 'check passed', 'taxii passed'];
    await eventually('the key is known', 30_000, async () => (await sing(0))[0] === passed[0]);
    expect(await sing(0)).toEqual(passed);
    expect(await sing(HOUR_MS)).toEqual(passed);
    const failed = ['indicator failed', 'check failed', 'taxii failed'];
    expect(await sing(0, shared.account.credential.replace(/^.{8}/, 'AAAAAAAA'))).toEqual(failed);
  } finally {
    await outbound.close();
  }
});

test('where its account has a webhook, the canary waits until a test is delivered to it', async () => {
  const credential = await newCanary('canary-webhook');
  const outbound = createOutbound({
    log: createLog('silent'),
    clock,
    allow: [`127.0.0.1/32:${new URL(shared.service.url).port}`],
  });
  const created = await fetch(`${shared.service.url}/user/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': credential, 'content-type': 'application/json', ...shared.fromHere },
    body: JSON.stringify({ url: 'https://8.8.8.8/canary', events: ['*'] }),
  });
  expect(created.status).toBe(201);
  const deps = { clock, outbound, url: shared.service.url, credential };
  // The shared service has no worker: the delivery ends as a worker would end it.
  const sending = setInterval(() => {
    void sql`update webhook_delivery set status = 'delivered', next_at = null where status = 'once'`.execute(
      shared.accounts.system.db,
    );
  }, 100);
  try {
    const results = await runCanary(deps, AbortSignal.timeout(60_000));
    expect(results.map(({ probe, ms }) => [probe, ms !== null])).toContainEqual(['webhook', true]);
    clearInterval(sending);
    const undelivered = await runCanary(deps, AbortSignal.timeout(60_000));
    expect(undelivered.map(({ probe, ms }) => [probe, ms !== null])).toContainEqual(['webhook', false]);
  } finally {
    clearInterval(sending);
    await outbound.close();
  }
});

/** A key of an ENTERPRISE organization, as an operator makes one for CANARY_KEY. */
async function newCanary(name: string): Promise<string> {
  const config = loadConfig(shared.service.env);
  const deps = { postgres: shared.accounts.system, clock, pepper: createSecrets(config.KEY_PEPPER) };
  const userId = await createUser(deps, OPERATOR, `${name}@example.com`);
  const accountId = await ensureOrganization(deps, OPERATOR, name);
  await ensureMembership(deps, OPERATOR, accountId, userId);
  await setPlan(deps, OPERATOR, accountId, { plan: 'ENTERPRISE' });
  const wanted = { accountId, userId, label: 'canary', allowedCidrs: [] };
  return (await createKey(deps, OPERATOR, wanted)).credential;
}
