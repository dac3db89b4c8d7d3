import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadFiles } from '#capabilities/datasets/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { recordedGates, testApp } from '#test/http-app.ts';
import { GALAXY, GROUPS, NOW_MS, ONION, PAGE, POSTS, PRESS } from './claims.fixture.ts';
import { findDefinition } from './definitions.ts';
import { confirm } from './load/confirm.ts';
import { listMerges } from './load/merge-store.ts';
import { ransomwareRoutes } from './routes.ts';

const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
const log = createLog('silent');
const folder = mkdtempSync(join(tmpdir(), 'assay-ransomware-'));
let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let calls: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  const recorded = recordedGates();
  calls = recorded.calls;
  const deps = {
    clock,
    postgres,
    ransomwareListsOf: (indicator: { readonly value: string }) => (indicator.value === '192.0.2.7' ? ['A list'] : []),
    tacticsOf: (id: string) => (id === 'T1566' ? [{ id: 'TA0001', name: 'Initial Access' }] : []),
  };
  app = testApp(ransomwareRoutes(deps), { gates: recorded.gates });
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const load = async (id: string, content: unknown, { dataAtMs = NOW_MS, signal }: { dataAtMs?: number; signal?: AbortSignal } = {}) => {
  const definition = findDefinition(id);
  if (definition === undefined) throw new Error(id);
  const path = join(folder, id);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const deps = { system, clock, log, dataDir: folder };
  const anySize = { ...definition, volume: { min: 1, max: 1_000_000 } };
  return loadFiles(deps, anySize, { paths: [path], dataAtMs, ...(signal === undefined ? {} : { signal }) });
};
const get = async (path: string) => {
  const response = await app.inject({ method: 'GET', url: path });
  return { status: response.statusCode, text: response.body, body: response.json() };
};
const claims = async () =>
  (await sql<{ victim: string; posts: number; written: string }>`
    select victim, posts, xmin::text as written from ransomware_claim order by id`.execute(system.db)).rows;
const events = async (type: string) =>
  (await sql<{ payload: { victim?: string; claims?: number } }>`
    select payload from event_outbox where type = ${type} order by draft`.execute(system.db)).rows.map(({ payload }) => payload);

describe('before anything is loaded', () => {
  test('every answer is empty, says so and carries its disclaimer', async () => {
    for (const path of ['/ransomware/feed', '/ransomware/stats', '/ransomware/press', '/ransomware/groups', '/ransomware/sector-risk']) {
      const { status, body } = await get(path);
      expect(status, path).toBe(200);
      expect(body.disclaimer, path).toMatch(/does not show that an attack took place/);
    }
    expect((await get('/ransomware/stats')).body).toMatchObject({ totalVictims: 0, updatedAt: null });
    expect((await get('/check/ransomware')).body.message).toMatch(/No ransomware claims are loaded/);
  });

  test('a group with no claim history carries none of the four claim fields, and activity is false', async () => {
    await load('ransomwatch-groups', GROUPS);
    const { body } = await get('/ransomware/groups?sort=activity');
    expect(body.activity).toBe(false);
    expect(body.groups.map((group: object) => Object.keys(group))).toEqual([
      ['name', 'victims', 'status', 'countries', 'sectors'],
      ['name', 'victims', 'status', 'countries', 'sectors'],
    ]);
  });
});

describe('loading', () => {
  test('the first content of a source is history: claims, one summary, no event for each', async () => {
    const outcome = await load('ransomwatch-posts', POSTS);
    expect(outcome).toMatchObject({ status: 'imported', report: { entries: POSTS.length, delta: { added: 9 } } });
    expect(await events('ransomware.claim')).toEqual([]);
    expect(await events('ransomware.loaded')).toEqual([{ datasetId: 'ransomwatch-posts', claims: 9, firstLoad: true }]);
  });

  test('the same file again writes nothing', async () => {
    const before = await claims();
    expect(await load('ransomwatch-posts', POSTS)).toMatchObject({ status: 'unchanged' });
    expect(await claims()).toEqual(before);
  });

  test('a claim that a second tracker tells stays one claim, with the earliest date and both trackers', async () => {
    const outcome = await load('ransomposts-latest', PAGE);
    expect(outcome).toMatchObject({ status: 'imported', report: { delta: { added: 1 } } });
    const merges = await listMerges(system.db);
    expect(merges).toMatchObject([
      { group: 'akira', domain: 'northwind-clinic.com', posts: [{ discoveredAt: '2026-05-05' }, { discoveredAt: '2026-05-06' }] },
    ]);
  });

  test('a later file tells of new claims, each once, in the transaction that writes them', async () => {
    const more = [...POSTS, { post_title: 'Wingtip Toys', group_name: 'play', discovered: '2026-05-08 01:00:00' }];
    await load('ransomwatch-posts', more);
    expect((await events('ransomware.claim')).map(({ victim }) => victim)).toEqual(['Wingtip Toys']);
    await load('ransomwatch-posts', POSTS);
    await load('ransomwatch-posts', more);
    expect(await events('ransomware.claim')).toHaveLength(1);
  });

  test('a load that is stopped goes on behind its last batch, and ends as one that was not', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({
      post_title: `stopped-${n}.com`,
      group_name: `group${n % 7}`,
      discovered: '2020-02-03',
    }));
    const stop = new AbortController();
    const definition = findDefinition('ransomlook');
    const path = join(folder, 'stopped');
    writeFileSync(path, JSON.stringify(many));
    const deps = { system, clock, log, dataDir: folder };
    const given = { paths: [path], dataAtMs: NOW_MS };
    if (definition === undefined) throw new Error('no definition');
    await expect(
      loadFiles(deps, definition, { ...given, signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toThrow();
    const half = await sql<{ rows: number }>`select rows_done as rows from ransomware_load`.execute(system.db);
    expect(half.rows).toEqual([{ rows: 500 }]);
    const seen: number[] = [];
    const outcome = await loadFiles(deps, definition, { ...given, onProgress: (rows) => seen.push(rows) });
    expect(seen).toEqual([1_000, 1_200]);
    expect(outcome.report).toMatchObject({ entries: 1_200, delta: { added: 1_200 } });
    expect((await sql`select 1 from ransomware_load`.execute(system.db)).rows).toEqual([]);
    await sql`delete from ransomware_post where dataset_id = 'ransomlook'`.execute(system.db);
    await sql`delete from ransomware_claim where victim like 'stopped-%'`.execute(system.db);
  });

  test('a file that is not what its publisher publishes changes nothing', async () => {
    const before = await claims();
    for (const bad of ['<html>Sign in</html>', '[]', '[{"post_title":"a"'])
      expect(await load('ransomwatch-posts', bad), bad).toMatchObject({ status: 'quarantined' });
    expect(await claims()).toEqual(before);
  });

  test('groups and articles are replaced as a whole, and older ones are refused', async () => {
    await load('misp-galaxy-ransomware', GALAXY);
    await load('cyberwatch', PRESS);
    const older = { dataAtMs: NOW_MS - 86_400_000 };
    expect(await load('cyberwatch', PRESS.slice(1), older)).toMatchObject({ status: 'quarantined' });
    expect((await get('/ransomware/press')).body.total).toBe(3);
  });
});

describe('GET /ransomware/feed', () => {
  test('the newest claim is first, and one that is dated in the future waits for its day', async () => {
    const { body } = await get('/ransomware/feed?limit=3');
    expect(body.victims.map(({ victim }: { victim: string }) => victim)).toEqual([
      'Wingtip Toys',
      'northwind-clinic.com',
      'Adventure Works & Co',
    ]);
    expect(body.total).toBe(10);
  });

  test('two groups on one victim are two claims that know of each other', async () => {
    const { body } = await get('/ransomware/feed');
    const both = body.victims.filter(({ domain }: { domain: string }) => domain === 'northwind-clinic.com');
    expect(both.map(({ group, alsoClaimedBy }: { group: string; alsoClaimedBy: { group: string }[] }) => [group, alsoClaimedBy.map((other) => other.group)])).toEqual([
      ['qilin', ['akira']],
      ['akira', ['qilin']],
    ]);
  });

  test('the press makes a claim reported near its date, and never confirmed', async () => {
    const { body } = await get('/ransomware/feed?press=1');
    const status = Object.fromEntries(body.victims.map((each: { victim: string; status: string }) => [each.victim, each.status]));
    expect(status).toMatchObject({ 'Northwind Clinic': 'reported', 'Contoso Bank': 'claimed', Fabrikam: 'claimed' });
    expect(body.victims.filter((each: { status: string }) => each.status === 'confirmed')).toEqual([]);
  });

  test('press, press=1 and press=true are alike, and press is absent without them', async () => {
    const [bare, one, word] = await Promise.all(['press', 'press=1', 'press=true'].map((flag) => get(`/ransomware/feed?${flag}`)));
    expect(one?.body.victims).toEqual(bare?.body.victims);
    expect(word?.body.victims).toEqual(bare?.body.victims);
    expect(bare?.body.victims[1].press).toHaveLength(1);
    for (const path of ['/ransomware/feed', '/ransomware/feed?press=false'])
      expect((await get(path)).body.victims.some((each: object) => 'press' in each)).toBe(false);
  });

  test.each([
    ['limit=1000', 200],
    ['limit=0', 400],
    ['limit=abc', 400],
    ['limit=1.5', 400],
    ['press=maybe', 400],
  ])('%s answers %i', async (query, status) => {
    expect((await get(`/ransomware/feed?${query}`)).status).toBe(status);
  });

  test('what a tracker does not know is null, and text that a model wrote is left out', async () => {
    const { body } = await get('/ransomware/feed');
    const named = (name: string) => body.victims.find(({ victim }: { victim: string }) => victim === name);
    expect(named('Fabrikam')).toMatchObject({ sector: null, country: null, domain: null, attackDate: null });
    expect(named('Contoso Bank')).toMatchObject({ sector: 'financial services', country: 'DE', description: null });
    expect(named('Northwind Clinic')).toMatchObject({ sector: 'healthcare', description: 'We took everything.' });
  });

  test('an operator confirms with a public page alone, and may withdraw it', async () => {
    const { body } = await get('/ransomware/feed');
    const { id } = body.victims.find(({ victim }: { victim: string }) => victim === 'Fabrikam');
    const deps = { clock, system };
    await expect(confirm(deps, id, `http://${ONION}/`)).rejects.toThrow(/public https/);
    await expect(confirm(deps, 'rcl_none', 'https://example.com/')).rejects.toThrow(/not found/);
    await confirm(deps, id, 'https://fabrikam.example.com/notice');
    const victimOf = async () => (await get('/ransomware/feed')).body.victims.find((each: { id: string }) => each.id === id);
    expect(await victimOf()).toMatchObject({ status: 'confirmed', reference: 'https://fabrikam.example.com/notice' });
    await confirm(deps, id, null);
    expect(await victimOf()).toMatchObject({ status: 'claimed', reference: null });
  });
});

describe('sectors', () => {
  test('every sector answer says how many claims have one', async () => {
    const coverage = { claims: 10, withSector: 3 };
    for (const path of ['sector-risk', 'sector-risk?sector=healthcare', 'sector-risk/history', 'sector-victims?sector=healthcare'])
      expect((await get(`/ransomware/${path}`)).body.coverage, path).toEqual(coverage);
    expect((await get('/ransomware/stats')).body.coverage).toEqual({ ...coverage, withCountry: 4 });
  });

  test('Healthcare and healthcare are one, and a sector of the list without claims has zeros', async () => {
    const [upper, lower] = [await get('/ransomware/sector-risk?sector=Healthcare'), await get('/ransomware/sector-risk?sector=healthcare')];
    expect(upper.body).toEqual(lower.body);
    expect(lower.body).toMatchObject({ victims30d: 1, victimsPrev30d: 1, score: 12, riskLevel: 'low', trend: 'flat', countries: ['CA', 'US'] });
    expect((await get('/ransomware/sector-risk?sector=mining')).body).toMatchObject({ score: 0, victims30d: 0, recentVictims: [] });
  });

  test('the last point of a history is what the other answers say', async () => {
    const { body } = await get('/ransomware/sector-risk/history?days=1000&sector=HEALTHCARE');
    expect([body.days, body.sector, body.points.length]).toEqual([120, 'healthcare', 120]);
    expect(body.points.at(-1)).toEqual({ date: '2026-05-08', sector: 'healthcare', victims: 0, score: 12, riskLevel: 'low' });
    expect(body.points.at(-4)).toMatchObject({ date: '2026-05-05', victims: 1 });
  });

  test.each([
    ['/ransomware/sector-risk?sector=wizardry', 404],
    ['/ransomware/sector-risk/history?sector=wizardry', 404],
    ['/ransomware/sector-risk/history?days=0', 400],
    ['/ransomware/sector-victims', 400],
    ['/ransomware/sector-victims?sector=', 400],
    ['/ransomware/sector-victims?sector=wizardry', 404],
    ['/ransomware/group-profile', 400],
    ['/ransomware/group-profile?group=', 400],
    ['/ransomware/group-profile?group=Described%20Only', 404],
    ['/ransomware/groups?sort=size', 400],
    ['/check/ransomware?query=x&limit=0', 400],
    ['/check/ransomware?query=x&include_ttps=perhaps', 400],
  ])('%s answers %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('groups and press', () => {
  test('a group with claims has all four fields, one without has none of them', async () => {
    const { body } = await get('/ransomware/groups');
    expect(body.activity).toBe(true);
    expect(body.total).toBe(5);
    const fields = ['claims30d', 'claimsPrev30d', 'lastClaimAt', 'firstClaimAt'];
    for (const group of body.groups)
      expect(fields.filter((field) => field in group), group.name).toHaveLength(group.name === 'sleeping' ? 0 : 4);
    expect(body.groups.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['play', 'active'],
      ['akira', 'active'],
      ['qilin', 'active'],
      ['conti', 'seized'],
      ['sleeping', 'inactive'],
    ]);
  });

  test('a profile is found by another name that a source gives, with techniques and without leak links', async () => {
    const { body, text } = await get('/ransomware/group-profile?group=storm-1567');
    expect(body).toMatchObject({
      name: 'akira',
      aliases: ['Storm-1567'],
      victims: 3,
      notes: true,
      tools: [],
      ttps: [{ tacticId: 'TA0001', tactic: 'Initial Access', techniqueId: 'T1566', technique: 'Phishing' }],
      references: ['https://example.com/akira'],
    });
    expect(text).not.toMatch(/[^\]]\.onion/);
    const conti = (await get('/ransomware/group-profile?group=WIZARD')).body;
    expect(conti).toMatchObject({ name: 'conti', status: 'seized', references: ['https://example.com/conti'] });
    expect(conti.locations).toMatchObject([{ fqdn: ONION.replace('.', '[.]'), available: true }]);
  });

  test('an article has groups only through a claim on its victim near its date', async () => {
    const { body } = await get('/ransomware/press');
    const groups = Object.fromEntries(body.entries.map((each: { victim: string; groups: string[] }) => [each.victim, each.groups]));
    expect(groups).toEqual({ Northwind: ['akira', 'qilin'], Litware: [], 'Contoso Bank': [] });
    const some = (await get('/ransomware/press?groups=AKIRA,nobody')).body;
    expect([some.total, some.entries[0].victim]).toEqual([1, 'Northwind']);
    expect((await get('/ransomware/press?groups=play')).body).toMatchObject({ total: 0, entries: [] });
  });
});

describe('GET /check/ransomware', () => {
  test.each([
    ['www.northwind-clinic.com', 'domain', 2],
    ['hxxps://northwind-clinic[.]com/x', 'domain', 2],
    ['Storm-1567', 'group', 4],
    ['contoso', 'keyword', 1],
    ['192.0.2.7', 'ip', 1],
    ['192.0.2.8', 'ip', 0],
    ['nothing of the kind', 'keyword', 0],
    ['%', 'keyword', 0],
    ['d41d8cd98f00b204e9800998ecf8427e', 'hash', 0],
  ])('%s is a %s with %i matches', async (query, queryType, matches) => {
    const { status, body } = await get(`/check/ransomware?query=${encodeURIComponent(query)}&limit=1&include_ttps=true`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ queryType, found: matches > 0 });
    expect(body.matches).toHaveLength(matches);
    expect(body.message).not.toBe('');
  });

  test('statistics without a query, and for any query with type=stats; each call costs a check', async () => {
    const before = calls.filter((call) => call === 'admit 1').length;
    for (const path of ['/check/ransomware', '/check/ransomware?query=contoso&type=stats'])
      expect((await get(path)).body).toMatchObject({ queryType: 'stats', stats: { totalVictims: 10, activeGroups: 3 } });
    expect(calls.filter((call) => call === 'admit 1').length - before).toBe(2);
    await get('/ransomware/stats');
    expect(calls.at(-1)).toBe('admit 0');
  });
});

test('no answer has an onion name, a leak link or markup that something could follow', async () => {
  const paths = [
    '/ransomware/feed?press=1',
    '/ransomware/stats',
    '/ransomware/press',
    '/ransomware/groups',
    '/ransomware/sector-risk?sector=healthcare&press',
    '/ransomware/sector-victims?sector=healthcare',
    '/ransomware/group-profile?group=play',
    '/ransomware/group-profile?group=conti',
    '/check/ransomware?query=play',
    `/check/ransomware?query=${encodeURIComponent(`<b>http://${ONION}`)}`,
  ];
  for (const path of paths) {
    const { text } = await get(path);
    expect(text, path).not.toMatch(/[^\]]\.onion|https?:\/\/[^"]*abcdefghij234567|<|>|\u202e|t\.me/);
  }
  expect((await get('/ransomware/feed')).text).toContain('‹script›alert(1)‹/script›');
});
