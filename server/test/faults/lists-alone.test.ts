import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListName } from '#capabilities/blocklists/index.ts';
import { migrate } from '#platform/migrate.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { eventually } from '#test/eventually.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { putLists } from '#test/put-lists.ts';
import { type RedisServer, startRedisServer } from '#test/redis-server.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts } from '#test/service-accounts.ts';

/** Firewalls pull with a key the node knows, however long it has been without both engines (decisions O38). */
const LIST: ListName = 'blocklist-ips-all.txt';
const VALUES = Array.from({ length: 2_000 }, (_, i) => `45.0.${i >> 8}.${i & 255}`);
const TEXT = VALUES.map((value) => `${value}\n`).join('');
const DAYS_ALONE = 30;
const WRONG = Buffer.from(`ak_${'a'.repeat(24)}:sk_${'b'.repeat(43)}`).toString('base64');
/** Shortened from the default of 15 minutes; after it every route but the lists refuses the key. */
const KEY_STALE_MAX_MS = 10_000;
const dir = mkdtempSync(join(tmpdir(), 'assay-alone-'));

let postgres: PostgresServer;
let redis: RedisServer;
let service: Service;
let credential: string;

const start = (clockOffsetMs = 0) =>
  startService({
    databaseUrl: postgres.url('assay'),
    dataDir: dir,
    env: {
      REDIS_URL: redis.url,
      KEY_STALE_MAX_MS: String(KEY_STALE_MAX_MS),
      CLOCK_OFFSET_MS: String(clockOffsetMs),
    },
  });

const pull = async (key: string | null, query = '', headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}/blocklist/download/${LIST}${query}`, {
    headers: { 'accept-encoding': 'identity', ...headers, ...(key !== null && { 'X-API-KEY': key }) },
  });
  return {
    status: answer.status,
    body: await answer.text(),
    variant: answer.headers.get('x-blocklist-variant'),
    etag: answer.headers.get('etag') ?? '',
    stale: answer.headers.get('x-list-stale'),
  };
};
const isRefusedElsewhere = async () => {
  const answer = await fetch(`${service.url}/check?query=45.0.0.1`, { headers: { 'X-API-KEY': credential } });
  return answer.status === 503 && /key/i.test(await answer.text());
};

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
  await migrate(postgres.url('assay'));
  service = await start();
  const accounts = openAccounts(service);
  ({ credential } = await accounts.newAccount('firewall@example.com', { plan: 'BASIC' }));
  const entries = VALUES.map((value) => ({ value, score: 90, family: null, reason: 'Listed' }));
  const lists = new Map([[LIST, entries]]);
  await putLists({ system: accounts.system, dataDir: join(dir, 'build'), membership: '1', lists });
  await accounts.close();
  await eventually('the node has the list', 30_000, async () => (await pull(credential)).status === 200);
});

afterAll(async () => {
  await service?.stop();
  await redis?.stop();
  await postgres?.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function expectAllLists(): Promise<void> {
  const full = await pull(credential);
  expect(full).toMatchObject({ status: 200, variant: 'full', body: TEXT });
  expect((await pull(credential, '', { 'accept-encoding': 'gzip' })).body).toBe(TEXT);
  expect((await pull(credential, '', { 'if-none-match': full.etag })).status).toBe(304);
  for (const key of [null, WRONG]) {
    const sample = await pull(key);
    expect(sample).toMatchObject({ status: 200, variant: 'sample' });
    expect(sample.body.length).toBeGreaterThan(0);
    expect(sample.body.length).toBeLessThan(TEXT.length / 5);
  }
}

describe('PostgreSQL and Redis both stopped', () => {
  test('a known key gets the full list in every format, any other caller the sample', async () => {
    await expectAllLists();
    const nftables = await pull(credential, '?format=nftables');
    await Promise.all([postgres.kill(), redis.kill()]);
    await expectAllLists();
    expect(await pull(credential, '?format=nftables')).toEqual(nftables);
    expect(nftables.body).toMatch(/^add table inet assay\n/);
    // The list was not asked for as pf before, so it is rendered now, without both engines.
    const pf = await pull(credential, '?format=pf');
    expect(pf).toMatchObject({ status: 200, variant: 'full' });
    expect((await pull(null, '?format=pf')).variant).toBe('sample');
    const since = await pull(credential, `?since=${encodeURIComponent(pf.etag)}`);
    expect(since).toMatchObject({ status: 200, body: TEXT });
  });

  test('the key gets the full list when every other route refuses it, because nothing confirmed it for too long', async () => {
    await eventually('the key is refused elsewhere', 60_000, isRefusedElsewhere);
    await expectAllLists();
  });

  test(`a node that starts alone ${DAYS_ALONE} days later serves the lists of its disk, full for the key and as stale`, async () => {
    await service.stop();
    service = await start(DAYS_ALONE * DAY_MS);
    await expectAllLists();
    expect((await pull(credential)).stale).toBe('true');
    expect(await isRefusedElsewhere()).toBe(true);
  });
});
