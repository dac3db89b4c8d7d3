import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccount, type ServiceAccounts } from '#test/service-accounts.ts';
import { needPrograms } from './lists-act/run-program.ts';

/** The first hour of an operator with lists of their own, with a whole service and its commands, and 60 days of it. */
const C2_LIST = 'blocklist-ips-c2.txt';
const TAXII = 'application/taxii+json;version=2.1';
/** Every node opens a new list within ten seconds; a clock that jumped needs a poll more. */
const SERVED_WITHIN_MS = 60_000;
const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

const dir = mkdtempSync(join(tmpdir(), 'assay-own-list-'));
const offsetFile = join(dir, 'offset');
const random = seededRandom('own lists');
const below = (limit: number): number => Math.floor(random() * limit);
/** Each in a /24 of its own, so that no address is judged by its neighbours. */
const ADDRESSES = Array.from({ length: 150 }, (_, at) => `45.${140 + (at % 10)}.${at}.${1 + below(254)}`);
const NAMES = Array.from({ length: 40 }, (_, at) => `account-check-${below(1e6)}-${at}.example.com`);

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

/** The clocks of the service and of every command move; those of PostgreSQL and of this test do not. */
function jumpTo(days: number): void {
  writeFileSync(`${offsetFile}.next`, `+${days}d`);
  renameSync(`${offsetFile}.next`, offsetFile);
}

beforeAll(async () => {
  needPrograms('nft', 'unshare');
  if (LIBRARY === '') throw new Error('Not installed: libfaketime. Install: apt-get install libfaketime');
  jumpTo(0);
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  accounts = openAccounts(service);
  account = await accounts.newAccount('operator@example.com', {
    plan: 'ENTERPRISE',
    limits: { burstPerMinute: 1_000_000 },
  });
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
  rmSync(dir, { recursive: true, force: true });
  // libfaketime leaves the shared memory of processes that end without their exit handlers.
  for (const path of globSync('/dev/shm/*faketime_s*m_*'))
    if (!existsSync(`/proc/${path.split('_').at(-1)}`)) rmSync(path, { force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { 'X-API-KEY': account.credential, ...headers } });
type Answer = {
  readonly evidence: { readonly recommendedAction: string };
  readonly generatedAt: string;
  readonly overallStatus: string;
  readonly datasets: readonly { readonly category: string }[];
  readonly data: object;
};
const json = async (path: string): Promise<Answer> => (await get(path)).json() as Promise<Answer>;

async function importList(id: string, values: readonly string[], ...options: string[]): Promise<void> {
  const file = join(dir, `${id}.txt`);
  writeFileSync(file, values.map((value) => `${value}\n`).join(''));
  await service.admin('feeds', 'import', id, file, ...options);
}

type Built = {
  readonly lists: readonly { readonly list: string; readonly lines: number; readonly excluded: unknown }[];
};

/** The commands of the README and the address database; the worker does the same within ten minutes. */
async function publish(): Promise<Built> {
  await service.admin('standing', 'follow');
  const built = await service.admin<Built>('lists', 'build');
  await service.admin('taxii', 'rebuild');
  await service.admin('mmdb', 'build');
  return built;
}

/** How many of the values are answered with each action. */
async function actionsOf(values: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const value of values) {
    const { evidence } = await json(`/check?query=${value}&enrichment=standard`);
    counts[evidence.recommendedAction] = (counts[evidence.recommendedAction] ?? 0) + 1;
  }
  return counts;
}

async function linesOf(list: string): Promise<readonly string[]> {
  const answer = await get(`/blocklist/download/${list}`);
  return answer.ok ? (await answer.text()).split('\n').filter((line) => line !== '') : [];
}

/** The elements that nft has in its set after it loaded the file, in a network namespace of its own. */
async function loadedByNft(): Promise<number> {
  const file = join(dir, 'c2.nft');
  writeFileSync(file, await (await get(`/blocklist/download/${C2_LIST}?format=nftables`)).text());
  const run = spawnSync('unshare', ['-n', 'sh', '-c', `nft -f ${file} && nft -j list sets`], {
    encoding: 'utf8',
  });
  expect(run.status, run.stderr).toBe(0);
  const { nftables } = JSON.parse(run.stdout) as { nftables: { set?: { elem?: unknown[] } }[] };
  return nftables.reduce((sum, { set }) => sum + (set?.elem?.length ?? 0), 0);
}

async function indicatorsIn(collection: string): Promise<readonly { readonly valid_until: string }[]> {
  const answer = await get(`/taxii/api-root/collections/${collection}/objects?limit=1001`, { accept: TAXII });
  const { objects } = (await answer.json()) as { objects: { type: string; valid_until: string }[] };
  return objects.filter(({ type }) => type === 'indicator');
}

test('lists of grade A and of the default grade are answered, exported and loaded, now and 7, 30 and 60 days on', async () => {
  await importList('my-c2', ADDRESSES, '--category', 'c2', '--grade', 'A');
  await importList('my-phish', NAMES, '--category', 'phishing');
  for (const days of [0, 7, 30, 60]) {
    jumpTo(days);
    await eventually('the service has the new time', SERVED_WITHIN_MS, async () => {
      const { generatedAt } = await json('/platform/data-freshness');
      return Math.abs(Date.parse(generatedAt) - Date.now() - days * 86_400_000) < 3_600_000;
    });
    const built = await publish();
    expect(built.lists.find(({ list }) => list === C2_LIST)).toMatchObject({
      lines: 150,
      excluded: { belowScore: 0, license: 0, allowlisted: 0 },
    });
    await eventually('the list is served', SERVED_WITHIN_MS, async () => {
      await sleep(500);
      return (await linesOf(C2_LIST)).length > 0;
    });
    const nowMs = Date.now() + days * 86_400_000;
    const [c2, phish] = [await actionsOf(ADDRESSES), await actionsOf(NAMES)];
    expect(c2).toEqual({ block: 150 });
    expect(phish).toEqual({ review: 40 });
    const lines = await linesOf(C2_LIST);
    expect([...lines].sort()).toEqual([...ADDRESSES].sort());
    expect(await loadedByNft()).toBe(150);
    const indicators = await indicatorsIn('c2-indicators');
    expect(indicators).toHaveLength(150);
    for (const { valid_until: until } of indicators) expect(Date.parse(until)).toBeGreaterThan(nowMs);
    expect(await indicatorsIn('phishing-indicators')).toHaveLength(40);
    // The report is at most five seconds old.
    await eventually('every data set is fresh', SERVED_WITHIN_MS, async () => {
      await sleep(500);
      return (await json('/platform/data-freshness')).overallStatus === 'fresh';
    });
    const { datasets } = await json('/platform/data-freshness');
    const age = `${days} ${days === 1 ? 'day' : 'days'}`;
    const own = datasets.filter(({ category }) => category !== 'publication');
    expect(own).toEqual([
      expect.objectContaining({
        status: 'fresh',
        message: `Your own list, imported ${age} ago. It does not age and does not expire.`,
      }),
      expect.objectContaining({ status: 'fresh' }),
    ]);
    await sleep(5_500);
    const { data } = await json('/health');
    expect(data).toEqual({
      status: 'fresh',
      message: '5 data sets are in use, all up to date. 2 own lists do not age.',
      late: [],
    });
    keepResult('own-list', {
      [`day${days}.blocked`]: c2.block ?? 0,
      [`day${days}.lines`]: lines.length,
      [`day${days}.indicators`]: indicators.length,
    });
  }
});
