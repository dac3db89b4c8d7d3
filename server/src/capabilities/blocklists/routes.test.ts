import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createArtifacts } from '#platform/artifacts.ts';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, capturedLog, recordedGates, testApp } from '#test/http-app.ts';
import { publicationsOf } from '#test/publications.ts';
import { type BuildDeps, buildList } from './build-list.ts';
import { buildLists } from './build-lists.ts';
import type { ListEntry } from './list-entry.ts';
import { LIST_NAMES, type ListName } from './list-names.ts';
import { type Blocklists, openBlocklists } from './open-blocklists.ts';
import { blocklistsRoutes } from './routes.ts';
import { isInSample } from './sample.ts';
import { findState, releaseHeld } from './store.ts';

const IPS: ListName = 'blocklist-ips-all.txt';
const NAMES: ListName = 'blocklist-domains-all.txt';
const ANONYMOUS: Principal = {
  ...CALLER,
  kind: 'anonymous',
  id: '192.0.2.9',
  accountId: '',
  plan: 'ANONYMOUS',
};

let nowMs = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const { log } = capturedLog('silent');
const members = new Map<ListName, { version: string; entries: readonly ListEntry[] }>();

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let dataDir: string;
let build: BuildDeps;
let blocklists: Blocklists;
let app: FastifyInstance;
let calls: string[];
let caller: Principal = CALLER;

const entry = (value: string, score = 90): ListEntry => ({ value, score, family: 'Mirai', reason: 'Listed' });
let stamp = 0;
async function put(list: ListName, values: readonly (string | ListEntry)[]): Promise<void> {
  stamp += 1;
  nowMs += 600_000;
  members.set(list, {
    version: `v${stamp}`,
    entries: values.map((value) => (typeof value === 'string' ? entry(value) : value)),
  });
  await buildLists(build, [list]);
  // The first version is served at once: a download of a list that this node lacks looks for it.
  if (blocklists.lists.find(list) !== null) await blocklists.lists.refresh();
}
const addresses = (count: number, skip = 0): readonly string[] =>
  Array.from(
    { length: count },
    (_, i) => `10.${(i + skip) >> 16}.${((i + skip) >> 8) & 255}.${(i + skip) & 255}`,
  );

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  dataDir = await mkdtemp(join(tmpdir(), 'assay-lists-'));
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  build = {
    clock,
    openArtifact: artifacts.openArtifact,
    transaction: system.transaction,
    source: {
      entriesOf: async function* (list) {
        yield members.get(list)?.entries ?? [];
      },
      membershipVersion: async (list) => members.get(list)?.version ?? 'none',
      withheldOf: async () => 3,
    },
  };
  const listConfig = { LIST_MEMORY_MB: 64, DISTRIBUTION: 'public' } as const;
  blocklists = await openBlocklists({
    config: listConfig,
    postgres,
    system,
    artifacts,
    clock,
    log,
    withheld: async () => WITHHELD,
    allowed: async () => ALLOWED,
    publications: publicationsOf({ postgres, system }, clock),
  });
  const recorded = recordedGates({ identify: () => caller });
  calls = recorded.calls;
  app = testApp(blocklistsRoutes(blocklists), { gates: recorded.gates });
});
afterAll(async () => {
  await blocklists?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const get = async (list: string, who: Principal = CALLER, headers: Record<string, string> = {}) => {
  caller = who;
  return app.inject({ url: `/blocklist/download/${list}`, headers });
};
const lines = (text: string): readonly string[] => text.split('\n').slice(0, -1);

const ALLOWED = ['45.0.0.7', '45.9.0.0/25'];
const WITHHELD = Array.from({ length: 100 }, (_, at) => ({
  value: `198.18.0.${at}`,
  reason: 'Some CDN knows it as part of a service that many share, which takes 40 points away.',
}));

describe('a download', () => {
  test('answers 503 before the first build, never an empty file', async () => {
    const { statusCode, body } = await get(IPS);
    expect([statusCode, body]).toEqual([503, expect.stringContaining('Nothing is imported yet.')]);
  });

  test.each(['nothing.txt', '..%2f..%2fetc%2fpasswd', 'BLOCKLIST-IPS-ALL.TXT', '%00', 'constructor'])(
    'of an unknown name is a 404 in JSON: %s',
    async (name) => {
      const answer = await get(name);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ error: 'Not Found' });
    },
  );

  test('is the full list from BASIC on and the same tenth for everybody else', async () => {
    await put(IPS, addresses(10_000));
    const full = await get(IPS, { ...CALLER, plan: 'BASIC' });
    expect(full.body).toBe(
      addresses(10_000)
        .map((each) => `${each}\n`)
        .join(''),
    );
    expect(full.headers).toMatchObject({
      'x-blocklist-variant': 'full',
      'x-blocklist-entries': '10000',
      'x-blocklist-audience': 'public',
      'cache-control': 'private',
      'content-type': 'text/plain; charset=utf-8',
    });
    for (const name of ['X-API-KEY', 'Authorization', 'Cookie', 'Accept-Encoding'])
      expect(full.headers.vary).toContain(name);
    const [free, anonymous, again] = [
      await get(IPS, { ...CALLER, plan: 'FREE' }),
      await get(IPS, ANONYMOUS),
      await get(IPS, ANONYMOUS),
    ];
    expect(free.body).toBe(anonymous.body);
    expect(again.body).toBe(anonymous.body);
    expect(anonymous.headers['x-blocklist-variant']).toBe('sample');
    expect(anonymous.headers.etag).not.toBe(full.headers.etag);
    expect(lines(anonymous.body)).toEqual(addresses(10_000).filter(isInSample));
    expect(lines(anonymous.body).length).toBeGreaterThan(800);
    expect(lines(anonymous.body).length).toBeLessThan(1_200);
  });

  test('for an organization leaves out what it allows, and splits a range around it; without one there is no list', async () => {
    const list = 'blocklist-ips-c2.txt';
    await put(list, ['45.0.0.6', '45.0.0.7', '45.9.0.0/24']);
    const member: Principal = { ...CALLER, plan: 'PRO', organizationId: 'org_1' };
    const own = await get(`${list}?apply=org`, member);
    expect(lines(own.body)).toEqual(['45.0.0.6', '45.9.0.128/25']);
    expect(lines((await get(list, member)).body)).toHaveLength(3);
    expect(own.headers.etag).not.toBe((await get(list, member)).headers.etag);
    expect((await get(`${list}?apply=org`, ANONYMOUS)).statusCode).toBe(400);
    expect((await get(`${list}?apply=org`, { ...CALLER, organizationId: null })).statusCode).toBe(400);
  });

  test('of what is withheld names each value with its reason, a tenth of them without a key', async () => {
    const full = await get(`${IPS}?view=withheld`, { ...CALLER, plan: 'BASIC' });
    expect(full.statusCode).toBe(200);
    expect(full.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(lines(full.body)).toHaveLength(101);
    expect(full.body).toContain('198.18.0.7,');
    const sample = await get(`${IPS}?view=withheld`, ANONYMOUS);
    expect(Number(sample.headers['x-blocklist-entries'])).toBeLessThan(30);
    const mixed = await get(`${IPS}?view=withheld&format=csv`);
    expect(mixed.statusCode).toBe(400);
  });

  test('has another ETag in every encoding, and the same text', async () => {
    const [plain, gzip, zstd] = await Promise.all([
      get(IPS),
      get(IPS, CALLER, { 'accept-encoding': 'gzip, zstd;q=0' }),
      get(IPS, CALLER, { 'accept-encoding': 'gzip, zstd' }),
    ]);
    expect(gzip?.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip?.rawPayload ?? '').toString()).toBe(plain?.body);
    expect(zstdDecompressSync(zstd?.rawPayload ?? Buffer.alloc(0)).toString()).toBe(plain?.body);
    expect(new Set([plain, gzip, zstd].map((answer) => answer?.headers.etag)).size).toBe(3);
  });

  test('that the caller has is a 304 and costs nothing; the ETag of another variant is no reason for one', async () => {
    const { headers } = await get(IPS);
    calls.length = 0;
    const unchanged = await get(IPS, CALLER, { 'if-none-match': headers.etag as string });
    expect(unchanged.statusCode).toBe(304);
    expect(unchanged.body).toBe('');
    expect(unchanged.headers.etag).toBe(headers.etag);
    expect(calls).toContain('admit 0');
    calls.length = 0;
    expect((await get(IPS, ANONYMOUS, { 'if-none-match': headers.etag as string })).statusCode).toBe(200);
    expect(calls).toContain('admit 1');
  });

  test('goes on where it stopped with Range, and from the start when the list has changed', async () => {
    const whole = await get(IPS);
    const etag = whole.headers.etag as string;
    const rest = await get(IPS, CALLER, { range: 'bytes=100-', 'if-range': etag });
    expect(rest.statusCode).toBe(206);
    expect(rest.body).toBe(whole.body.slice(100));
    expect(rest.headers['content-range']).toBe(`bytes 100-${whole.body.length - 1}/${whole.body.length}`);
    expect((await get(IPS, CALLER, { range: 'bytes=100-', 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await get(IPS, CALLER, { range: 'bytes=99999999-' })).statusCode).toBe(416);
    expect((await get(IPS, CALLER, { range: 'bytes=-5' })).body).toBe(whole.body.slice(-5));
  });

  test('in a format has what a reader counts, and 400 names the formats that fit', async () => {
    const nft = await get(`${IPS}?format=nftables`);
    expect(nft.statusCode, nft.body).toBe(200);
    expect(nft.body).toMatch(/^add table inet assay\n/);
    expect(Number(nft.headers['x-blocklist-entries'])).toBeLessThan(20);
    const unfit = await get(`${IPS}?format=rpz`);
    expect(unfit.statusCode).toBe(400);
    expect(unfit.json().message).toMatch(
      /rpz does not fit a list of addresses\. Formats that do: text, csv, nftables/,
    );
    expect((await get(`${IPS}?format=word`)).statusCode).toBe(400);
    const sample = await get(`${IPS}?format=pf`, ANONYMOUS);
    expect(sample.headers['x-blocklist-variant']).toBe('sample');
    const again = await get(`${IPS}?format=nftables`, CALLER, {
      'if-none-match': nft.headers.etag as string,
    });
    expect(again.statusCode).toBe(304);
  });

  test('in a format is compressed for a caller who accepts it, with an ETag of its own', async () => {
    const url = `${IPS}?format=nftables`;
    const ask = (accepted: string, more: Record<string, string> = {}) =>
      get(url, CALLER, { 'accept-encoding': accepted, ...more });
    const [plain, gzip, zstd] = [await ask('identity'), await ask('gzip'), await ask('gzip, zstd')];
    expect([plain, gzip, zstd].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      'zstd',
    ]);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(zstdDecompressSync(zstd.rawPayload).toString()).toBe(plain.body);
    expect(gzip.headers['x-blocklist-entries']).toBe(plain.headers['x-blocklist-entries']);
    const tags = [plain, gzip, zstd].map(({ headers }) => String(headers.etag));
    expect(new Set(tags).size).toBe(3);
    expect((await ask('gzip', { 'if-none-match': tags[1] ?? '' })).statusCode).toBe(304);
    expect((await ask('gzip', { 'if-none-match': tags[0] ?? '' })).statusCode).toBe(200);
    const sample = await get(url, ANONYMOUS, { 'accept-encoding': 'gzip' });
    expect(tags).not.toContain(sample.headers.etag);
  });

  test('takes the highest scores, ties by value, and leaves out low ones', async () => {
    await put(
      'blocklist-ips-c2.txt',
      Array.from({ length: 1_500 }, (_, i) => entry(addresses(1, i)[0] ?? '', i % 100)),
    );
    const top = await get('blocklist-ips-c2.txt?max_entries=1000');
    expect(lines(top.body)).toHaveLength(1_000);
    expect(lines(top.body)).toContain('10.0.0.99');
    expect(lines(top.body)).not.toContain('10.0.0.1');
    expect(lines((await get('blocklist-ips-c2.txt?min_score=85')).body)).toHaveLength(15 * 15);
    expect((await get('blocklist-ips-c2.txt?max_entries=7')).statusCode).toBe(400);
    expect((await get('blocklist-ips-c2.txt?min_score=85&annotate=1')).body).toMatch(
      /^10\.0\.0\.85 # score 85, family Mirai, Listed\n/,
    );
  });
});

describe('a build', () => {
  test('of a list that lost half of its lines waits for an operator, and the old one is served as stale', async () => {
    await put(NAMES, ['a.example', 'b.example', 'c.example', 'd.example']);
    await put(NAMES, ['a.example', 'b.example']);
    const held = await get(NAMES);
    expect(lines(held.body)).toHaveLength(4);
    expect(held.headers['x-list-stale']).toBe('true');
    expect(await system.transaction((tx) => releaseHeld(tx, NAMES))).toBe(true);
    await buildList(build, NAMES);
    await blocklists.lists.refresh();
    const released = await get(NAMES);
    expect(lines(released.body)).toEqual(['a.example', 'b.example']);
    expect(released.headers['x-list-stale']).toBeUndefined();
  });

  test('that fails keeps the last good list with X-List-Stale, and says why', async () => {
    await put(NAMES, ['a.example', 'b.example', 'c.example']);
    await put(NAMES, ['a.example\nb.example']);
    const answer = await get(NAMES);
    expect(lines(answer.body)).toHaveLength(3);
    expect(answer.headers['x-list-stale']).toBe('true');
    expect((await findState(system.db, NAMES))?.failure).toMatch(/not one plain word/);
    await put(NAMES, ['a.example', 'b.example', 'c.example', 'd.example']);
    expect((await get(NAMES)).headers['x-list-stale']).toBeUndefined();
  });

  test('without new members changes nothing; with new scores alone the text keeps its date and its ETag', async () => {
    const before = await get(NAMES);
    expect(await buildList(build, NAMES)).toMatchObject({ outcome: 'unchanged' });
    await put(
      NAMES,
      ['a.example', 'b.example', 'c.example', 'd.example'].map((value) => entry(value, 40)),
    );
    const after = await get(NAMES);
    expect(after.headers.etag).toBe(before.headers.etag);
    expect(after.headers['last-modified']).toBe(before.headers['last-modified']);
    expect((await get(`${NAMES}?min_score=60`)).body).toBe('');
  });

  test('never leaves a moment without the list: the old version is served until the new one is read', async () => {
    await put(NAMES, ['a.example', 'b.example', 'c.example']);
    members.set(NAMES, {
      version: 'next',
      entries: ['a.example', 'b.example', 'd.example'].map((v) => entry(v)),
    });
    nowMs += 600_000;
    await buildLists(build, [NAMES]);
    let isOver = false;
    const opened = blocklists.lists.refresh().finally(() => {
      isOver = true;
    });
    let looks = 0;
    for (; !isOver; looks += 1) {
      expect(blocklists.lists.find(NAMES), `look ${looks}`).not.toBeNull();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await opened;
    expect(looks).toBeGreaterThan(2);
    expect(lines((await get(NAMES)).body)).toContain('d.example');
  });

  test('keeps at least one line in the sample of a list that is not empty', async () => {
    await put('blocklist-domains-ransomware.txt', ['only.example']);
    expect((await get('blocklist-domains-ransomware.txt', ANONYMOUS)).body).toBe('only.example\n');
  });
});

describe('around the lists', () => {
  test('statistics name all eight with the count of the full list', async () => {
    const stats = (await app.inject({ url: '/blocklist/stats' })).json();
    expect(Object.keys(stats)).toEqual(LIST_NAMES);
    expect(stats[IPS]).toMatchObject({ count: 10_000, withheld: 3, audience: 'public' });
    expect(stats[IPS].lastUpdated).toBe(stats[IPS].last_updated);
    expect(stats['blocklist-ips-critical.txt']).toMatchObject({ count: 0, lastUpdated: null });
  });

  test('an account sees the pulls of its own keys, and not those of another', async () => {
    await sql`insert into app_user (id, email, created_at) values ('usr_01', 'a@example.org', now())`.execute(
      system.db,
    );
    await get(IPS, CALLER, { 'user-agent': 'firewall/1\u00ad' });
    await get(IPS, { ...CALLER, accountId: 'org_02', id: 'key_02' });
    await blocklists.pulls.flush();
    caller = CALLER;
    const answer = await app.inject({ url: '/user/pulls?kind=blocklist&limit=1', headers: {} });
    expect(answer.statusCode, answer.body).toBe(200);
    const { pulls, next } = answer.json();
    expect(pulls).toHaveLength(1);
    expect(pulls[0]).toMatchObject({ key: { id: 'key_01' }, list: IPS, variant: 'full', status: 200 });
    expect(next).not.toBeNull();
    caller = { ...CALLER, accountId: 'org_02', id: 'key_02' };
    expect((await app.inject({ url: '/user/pulls' })).json().pulls).toHaveLength(1);
  });

  test('without PostgreSQL a node starts with the lists of its own disk', async () => {
    const away = connectPostgres(
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
      'assay_app',
    );
    const artifacts = createArtifacts({ postgres: away, dataDir, log, clock });
    const none = () => Promise.resolve([]);
    const engines = { postgres: away, system: away };
    const parts = { ...engines, artifacts, clock, log, withheld: none, allowed: none };
    const alone = await openBlocklists({
      ...parts,
      config: { LIST_MEMORY_MB: 1, DISTRIBUTION: 'public' },
      publications: publicationsOf(engines, clock),
    });
    const node = testApp(blocklistsRoutes(alone), { gates: recordedGates().gates });
    const answer = await node.inject(`/blocklist/download/${IPS}`);
    expect(answer.statusCode).toBe(200);
    expect(lines(answer.body)).toHaveLength(10_000);
    await alone.close();
    await away.close();
  });
});
