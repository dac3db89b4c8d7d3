import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, postLargestBodies, proxyTests } from '#test/behind-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { PROXIES, type RunningProxy } from '#test/proxies.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';

let database: TestDatabase;
let service: Service;
let key: string;
/** Keys that are bound to an address: the one of this machine, and those that a caller writes into a header. */
const bound = { here: '', elsewhere: '' };

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    processes: 2,
    env: {
      TRUSTED_PROXIES: '127.0.0.1/32',
      REQUIRE_HTTPS: 'true',
      AUTH_FAILURES_PER_MINUTE: '100000',
      PUBLIC_PER_MINUTE: '100000',
    },
  });
  const accounts = openAccounts(service);
  const account = await accounts.newAccount('proxied@example.com', { plan: 'ENTERPRISE' });
  key = account.credential;
  bound.here = await accounts.newBoundKey(account.accountId, ['127.0.0.1/32']);
  bound.elsewhere = await accounts.newBoundKey(account.accountId, ['6.6.6.6/32', '10.0.0.1/32']);
  await accounts.close();
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

for (const kind of [PROXIES.haproxy, PROXIES.caddy])
  describe.skipIf(!kind.isInstalled)(`${kind.name}${kind.isInstalled ? '' : ' (not installed)'}`, () => {
    proxyTests(kind);

    describe('a service behind it', () => {
      let proxy: RunningProxy;
      beforeAll(async () => {
        proxy = await kind.start([service.url]);
        await eventually('it is used', 10_000, async () => (await ask(proxy, '/livez')).status === 200);
      });
      afterAll(async () => {
        await proxy?.stop();
      });

      test('the largest body of every route reaches it', async () => {
        expect(await postLargestBodies(proxy, { 'X-API-KEY': key })).toEqual([]);
      });

      test('a key that is bound to an address is judged by the address that the proxy saw', async () => {
        const statusOf = async (credential: string) => {
          const headers = { 'X-Forwarded-For': '6.6.6.6, 10.0.0.1', 'X-API-KEY': credential };
          return (await ask(proxy, '/check?query=203.0.114.7', { headers })).status;
        };
        await eventually('the key is known', 30_000, async () => (await statusOf(bound.here)) === 200);
        await eventually(
          'the other key is known',
          30_000,
          async () => (await statusOf(bound.elsewhere)) !== 401,
        );
        expect(await statusOf(bound.elsewhere)).toBe(403);
      });

      test('HTTPS is demanded by the service, which learns the scheme from the proxy', async () => {
        const secure = await ask(proxy, '/livez');
        expect(secure.headers['strict-transport-security']).toBe('max-age=31536000');
      });
    });
  });
