import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantRoutes } from '#capabilities/assistant/index.ts';
import { importDatasets, loadFiles } from '#capabilities/datasets/index.ts';
import {
  findDefinition,
  listMerges,
  lookUpEntity,
  RANSOMWARE_DATASETS,
  RANSOMWARE_FILES,
  type RansomwareDeps,
  ransomwareRoutes,
} from '#capabilities/ransomware/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { testApp } from '#test/http-app.ts';
import { MAIN } from '#test/main-file.ts';
import { keepResult } from '#test/proof-results.ts';
import { INHERITED_ENV } from '#test/service.ts';

const DATA = join(import.meta.dirname, '../../../../shared/data');
const GOLDEN = join(import.meta.dirname, '../golden/ransomware.json');
const IS_THERE = existsSync(join(DATA, 'ransomware'));
/** A day after the newest posts of the data set. */
const NOW_MS = Date.UTC(2026, 4, 8);
const moment = { ms: NOW_MS };
const clock = { now: () => moment.ms, monotonic: () => performance.now() };
const log = createLog('silent');
const folder = mkdtempSync(join(tmpdir(), 'assay-ransomware-real-'));
const databases: TestDatabase[] = [];
const pools: Postgres[] = [];
let system: Postgres;
let app: FastifyInstance;
let seconds = 0;

const newDatabase = async () => {
  const database = await createTestDatabase();
  databases.push(database);
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  const opened = {
    url: database.url,
    system: asSystem(config),
    app: connectPostgres(config, 'assay_app', PATIENT),
  };
  pools.push(opened.system, opened.app);
  return opened;
};
const importAll = (into: Postgres) =>
  importDatasets(
    { system: into, clock, log, dataDir: folder },
    { folder: DATA, folders: ['ransomware/'], files: RANSOMWARE_FILES, definitions: RANSOMWARE_DATASETS },
  );
const number = async (db: Postgres, query: ReturnType<typeof sql<{ count: number }>>) =>
  (await query.execute(db.db)).rows[0]?.count ?? 0;

if (!IS_THERE) process.stdout.write('The real data set is absent: nothing of this proof ran.\n');

beforeAll(async () => {
  if (!IS_THERE) return;
  const opened = await newDatabase();
  system = opened.system;
  const started = performance.now();
  const { datasets, notImported } = await importAll(system);
  seconds = (performance.now() - started) / 1_000;
  expect(datasets.map(({ status }) => status)).toEqual(datasets.map(() => 'imported'));
  expect(notImported.map(({ path }) => path)).toEqual(['ransomware/misp-galaxy/sector.json']);
  const deps: RansomwareDeps = {
    clock,
    postgres: opened.app,
    ransomwareListsOf: () => [],
    hasRansomwareLists: () => true,
    tacticsOf: () => [],
  };
  const assistant = assistantRoutes({
    lookUpRansomware: (text: string | null) => lookUpEntity(deps, { text, isStats: text === null }),
  } as unknown as Parameters<typeof assistantRoutes>[0]);
  app = testApp([...ransomwareRoutes(deps), ...assistant.filter(({ path }) => path === '/gpt/ransomware')]);
}, 600_000);
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string) => {
  const response = await app.inject({ method: 'GET', url: path });
  expect(response.statusCode, path).toBe(200);
  return { text: response.body, body: response.json() };
};

describe.runIf(IS_THERE)('the real ransomware files', () => {
  test('10,483 posts become about 10,200 claims, and every merge is listed', async () => {
    const posts = await number(system, sql`select count(*)::int as count from ransomware_post`);
    const claims = await number(system, sql`select count(*)::int as count from ransomware_claim`);
    const merges = await listMerges(system.db);
    for (const { group, domain, posts: merged } of merges)
      process.stdout.write(
        `merge ${group} ${domain ?? '(name)'}: ${merged.map(({ source, victim, discoveredAt }) => `${discoveredAt} ${source} ${victim}`).join(' | ')}\n`,
      );
    keepResult('ransomware-real', { posts, claims, merges: merges.length, 'load-s': seconds });
    expect(posts).toBe(10_483);
    expect(claims).toBeGreaterThan(10_150);
    expect(claims).toBeLessThan(10_350);
    expect(merges.reduce((sum, { posts: merged }) => sum + merged.length - 1, 0)).toBe(posts - claims);
  });

  test('trackers name a sector for 80 claims, rules for some 1,750 more, and every sector answer says so', async () => {
    const { coverage } = (await get('/ransomware/stats')).body;
    keepResult('ransomware-inferred', {
      sectors: coverage.sectorInferred,
      countries: coverage.countryInferred,
    });
    expect(coverage.withSector - coverage.sectorInferred).toBe(80);
    expect(coverage.withCountry - coverage.countryInferred).toBe(290);
    expect(coverage.sectorInferred).toBeGreaterThan(1_600);
    expect(coverage.countryInferred).toBeGreaterThan(1_500);
    for (const path of [
      'sector-risk',
      'sector-risk?sector=healthcare',
      'sector-risk/history',
      'sector-victims?sector=healthcare',
    ])
      expect((await get(`/ransomware/${path}`)).body.coverage.withSector, path).toBe(coverage.withSector);
  });

  test('107 days after the newest claim no answer concludes anything, and each says the date', async () => {
    moment.ms = NOW_MS + 106 * DAY_MS;
    try {
      const { sectors } = (await get('/ransomware/sector-risk')).body;
      for (const each of sectors)
        expect(each, each.sector).toMatchObject({ riskLevel: 'inconclusive', score: null });
      for (const path of [
        '/ransomware/stats',
        '/ransomware/sector-risk',
        '/ransomware/groups',
        '/check/ransomware',
      ]) {
        const { inconclusive, dataAsOf, message } = (await get(path)).body;
        expect([inconclusive, dataAsOf], path).toEqual([true, '2026-05-07T00:00:00.000Z']);
        expect(message, path).toMatch(/2026-05-07, 107 days ago/);
      }
      expect((await get('/gpt/ransomware')).body.headline).toMatch(/^Inconclusive: .* end on 2026-05-07/);
    } finally {
      moment.ms = NOW_MS;
    }
  });

  test('lockbit is one group with all of its generations, and no tool panel is a group', async () => {
    const { groups } = (await get('/ransomware/groups?limit=500')).body as {
      groups: { name: string; victims: number; generations: { name: string; victims: number }[] }[];
    };
    const own = groups.filter(({ name }) => /lockbit/i.test(name));
    expect(own.map(({ name }) => name)).toEqual(['lockbit']);
    expect(own[0]?.generations.reduce((sum, { victims }) => sum + victims, 0)).toBe(own[0]?.victims);
    expect(own[0]?.victims).toBeGreaterThan(2_100);
    expect(groups.filter(({ name }) => /panel|support/i.test(name))).toEqual([]);
    expect((await get('/check/ransomware?query=lockbit')).body.total).toBe(own[0]?.victims);
  });

  test('200 planted near-twins stay apart', async () => {
    const { system: other } = await newDatabase();
    const twins = Array.from({ length: 20 }, (_, n) => [
      `Planted ${n} Inc`,
      `Planted ${n} Ltd`,
      `Plantéd ${n} Inc`,
      `Planted & ${n} Inc`,
      `planted-${n}.com`,
      `planted-${n}.de`,
      `planted${n}.com`,
      `planted${n}.co...`,
      `planted${n}.screenconnect.com`,
      `P***** ${n}`,
    ]).flat();
    const path = join(folder, 'twins.json');
    writeFileSync(
      path,
      JSON.stringify(
        twins.map((title) => ({ post_title: title, group_name: 'planted', discovered: '2026-05-01' })),
      ),
    );
    const definition = findDefinition('ransomlook');
    if (definition === undefined) throw new Error('no definition');
    await loadFiles({ system: other, clock, log, dataDir: folder }, definition, {
      paths: [path],
      dataAtMs: NOW_MS,
    });
    expect(await number(other, sql`select count(*)::int as count from ransomware_claim`)).toBe(200);
  });

  test('the same files again write nothing', async () => {
    const state = async () =>
      (
        await sql<{ state: string }>`
        select md5(string_agg(written, ',' order by written)) as state from (
          select xmin::text || id as written from ransomware_claim
          union all select xmin::text || victim || dataset_id from ransomware_post
          union all select xmin::text || group_key || dataset_id from ransomware_group
          union all select xmin::text || id from ransomware_press) as all_of_them`.execute(system.db)
      ).rows;
    const before = await state();
    const { datasets } = await importAll(system);
    expect(datasets.map(({ status }) => status)).toEqual(datasets.map(() => 'unchanged'));
    expect(await state()).toEqual(before);
  });

  test('a load that is killed eight times ends in the same claims as one that is not', async () => {
    const { url, system: other } = await newDatabase();
    let kills = 0;
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const child = spawn(
        process.execPath,
        [MAIN, 'admin', 'ransomware', 'import-manifest', DATA, '--json'],
        {
          env: { ...INHERITED_ENV, ASSAY_ENV: 'test', DATABASE_URL: url, DATA_DIR: folder },
          stdio: 'ignore',
        },
      );
      const isKilled = kills < 8 && (await killWithinLoad(child, other, kills));
      if (isKilled) kills += 1;
      else if ((await exited(child)) === 0) break;
    }
    keepResult('ransomware-killed', { kills });
    expect(kills).toBe(8);
    expect(await contents(other)).toEqual(await contents(system));
  });
});

/** Waits until the load has written more than before, then kills it; false when it ended first. */
async function killWithinLoad(child: ChildProcess, db: Postgres, nth: number): Promise<boolean> {
  const target = 700 * (nth + 1);
  for (;;) {
    if (child.exitCode !== null) return false;
    const posts = await number(db, sql`select count(*)::int as count from ransomware_post`);
    if (posts >= target) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  await exited(child);
  return true;
}

const exited = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)));

const contents = async ({ db }: Postgres) =>
  (
    await sql<{ count: number; digest: string }>`
    select count(*)::int as count,
           md5(string_agg(concat_ws('|', group_key, group_name, victim, name_key, domain, country, country_rule, sector, sector_rule, discovered_at,
                                    claim_url, description, trackers, posts), E'\n'
                          order by group_key, victim, discovered_at)) as digest
      from ransomware_claim`.execute(db)
  ).rows;

describe.runIf(IS_THERE)('answers over the real files', () => {
  test('no answer of any route has a raw onion name, a link to a leak site or markup', async () => {
    const groups = (await get('/ransomware/groups?limit=500')).body.groups as { name: string }[];
    const sectors = (await get('/ransomware/sector-risk')).body.sectors as { sector: string }[];
    const paths = [
      '/ransomware/feed?limit=100&press',
      '/ransomware/stats',
      '/ransomware/press?limit=100',
      '/ransomware/groups?limit=500&sort=activity',
      '/ransomware/sector-risk/history?days=120',
      '/check/ransomware',
      '/gpt/ransomware',
      ...sectors.flatMap(({ sector }) => [
        `/ransomware/sector-risk?press&sector=${encodeURIComponent(sector)}`,
        `/ransomware/sector-victims?sector=${encodeURIComponent(sector)}`,
      ]),
      ...groups.flatMap(({ name }) => [
        `/ransomware/group-profile?group=${encodeURIComponent(name)}`,
        `/check/ransomware?query=${encodeURIComponent(name)}`,
        `/gpt/ransomware?query=${encodeURIComponent(name)}`,
        `/ransomware/press?groups=${encodeURIComponent(name)}`,
      ]),
    ];
    const leakSites = leakHosts();
    expect(leakSites.size).toBeGreaterThan(500);
    let bytes = 0;
    for (const path of paths) {
      const { text } = await get(path);
      bytes += text.length;
      expect(text, path).not.toMatch(/[^\]]\.onion\b|<|>|\p{Cf}/u);
      for (const [, host = ''] of text.matchAll(/https?:\/\/([^/"\s?#:]+)/g))
        expect(leakSites.has(host.toLowerCase()), `${path} ${host}`).toBe(false);
    }
    keepResult('ransomware-answers', { routes: paths.length, 'mega-bytes': bytes / 1e6 });
  });

  test('with the clock at 8 May 2026 the answers are those of the golden file; UPDATE_GOLDEN=1 rewrites it', async () => {
    const paths = [
      '/ransomware/feed?limit=3&press',
      '/ransomware/stats',
      '/ransomware/sector-risk',
      '/ransomware/sector-risk?sector=healthcare',
      '/ransomware/sector-risk/history?days=2&sector=technology',
      '/ransomware/sector-victims?sector=telecommunication',
      '/ransomware/press?limit=2&groups=akira',
      '/ransomware/groups?limit=3',
      '/ransomware/groups?limit=3&sort=activity',
      '/ransomware/group-profile?group=hive',
      '/check/ransomware?query=www.specialtree.com',
      '/gpt/ransomware?query=kadokawa.co.jp',
    ];
    const answers: Record<string, unknown> = {};
    // Ids differ from database to database, so they are replaced.
    for (const path of paths)
      answers[path] = JSON.parse((await get(path)).text.replace(/rcl_[0-9A-Z]+/g, 'rcl_…'));
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, `${JSON.stringify(answers, null, 2)}\n`);
    expect(answers).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  });
});

/** Hosts of leak sites that group sources name, on Tor and on the open web. */
function leakHosts(): ReadonlySet<string> {
  const gangs = readFileSync(join(DATA, 'ransomware/deepdarkcti/ransomware_gang.md'), 'utf8');
  const rows = [...gangs.matchAll(/^\|\[([^\]]+)\]\(https?:\/\/([^/)\s:]+)/gm)];
  const groups = JSON.parse(readFileSync(join(DATA, 'ransomware/ransomwatch/groups.json'), 'utf8')) as {
    locations: { fqdn: string }[];
  }[];
  const trackers = /^(?:Ransom|RANSOM)/;
  return new Set([
    ...rows.filter(([, name = '']) => !trackers.test(name)).map(([, , host = '']) => host.toLowerCase()),
    ...groups.flatMap(({ locations }) => locations.map(({ fqdn }) => fqdn.toLowerCase())),
  ]);
}
