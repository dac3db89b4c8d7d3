import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { type IntelOwlPeer, startIntelOwlPeer } from '#test/peers/intelowl-peer.ts';
import { type RdapPeer, rdapDomain, startRdapPeer } from '#test/peers/rdap-peer.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';

const TOKEN = 'owl-token-7710';

let database: TestDatabase;
let rdap: RdapPeer;
let owl: IntelOwlPeer;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

beforeAll(async () => {
  database = await createTestDatabase();
  [rdap, owl] = await Promise.all([startRdapPeer(), startIntelOwlPeer(TOKEN)]);
  service = await startService({
    databaseUrl: database.url,
    env: {
      LIVE_PROVIDERS: 'rdap,intelowl',
      OUTBOUND_ALLOW: `127.0.0.1/32:${rdap.port},127.0.0.1/32:${owl.port}`,
      RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
      INTELOWL_URL: owl.url,
      INTELOWL_TOKEN: TOKEN,
      // The tests compare exact usage; a busy machine must not make the service count without Redis.
      REDIS_TIMEOUT_MS: '5000',
    },
  });
  accounts = openAccounts(service);
  account = await accounts.newAccount('lookups@example.com', { plan: 'ENTERPRISE' });
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await Promise.all([rdap?.close(), owl?.close()]);
  await database?.drop();
});

const ask = async (path: string, method: 'GET' | 'HEAD' = 'GET') => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'X-API-KEY': account.credential },
  });
  const text = await response.text();
  return {
    status: response.status,
    usage: Number(response.headers.get('x-monthly-usage')),
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
};

test('without a key no provider is asked', async () => {
  const before = rdap.requests.length;
  expect((await fetch(`${service.url}/check/whois?query=example.com`)).status).toBe(401);
  expect(rdap.requests.length).toBe(before);
});

test('a lookup costs one check; HEAD, a cache_only miss and a switched-off lookup cost none', async () => {
  rdap.answers.set('domain/example.com', { json: rdapDomain('example.com') });
  const { usage: start } = await ask('/check');
  const whois = await ask('/check/whois?query=example.com');
  expect(whois).toMatchObject({ status: 200, usage: start + 1, body: { whois: { handle: 'D1-TEST' } } });
  expect(await ask('/check/intelowl?query=example.com', 'HEAD')).toMatchObject({ status: 200, body: null });
  expect((await ask('/check/intelowl?query=example.com&cache_only=true')).status).toBe(404);
  expect(await ask('/check/vulnerabilities?query=9.9.9.9')).toMatchObject({
    status: 200,
    usage: start + 1,
    body: { vulnerabilities: null },
  });
  expect((await ask('/check/whois')).status).toBe(400);
  // Asked repeatedly, because units are refunded after the answer is sent.
  await eventually('nothing more was charged', 5_000, async () => (await ask('/check')).usage === start + 1);
  expect(await ask('/check/intelowl?query=example.com')).toMatchObject({
    status: 200,
    body: { status: 'completed', query: 'example.com' },
  });
  await eventually('the analysis was charged', 5_000, async () => (await ask('/check')).usage === start + 2);
});

test('neither the token nor the target is in the log', async () => {
  const read = () => readFileSync(service.logFile, 'utf8');
  // Read repeatedly, because the log is written in batches.
  await eventually('the log is written', 60_000, () => read().includes('/check/intelowl'));
  const log = read();
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain('query=example.com');
});
