import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openListSource } from '#app/open-list-source.ts';
import { publicationData } from '#app/publication-data.ts';
import {
  type Blocklists,
  BUILD_LISTS,
  blocklistsRoutes,
  blocklistsWorkerPart,
  openBlocklists,
} from '#capabilities/blocklists/index.ts';
import { feedsRoutes, keepDataHealth } from '#capabilities/feeds/index.ts';
import { enqueueBuild } from '#capabilities/publications/index.ts';
import { statusRoutes } from '#capabilities/status/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createReadiness } from '#platform/http/readiness.ts';
import { createWorker } from '#platform/jobs.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { CALLER, capturedLog, recordedGates, testApp } from '#test/http-app.ts';
import { publicationsOf } from '#test/publications.ts';
import { openTaxiiRig, type TaxiiRig } from '#test/taxii-rig.ts';
import { openTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';

/** What is published in the background, from an empty database on, and how a build that fails is told. */
const LIST = 'blocklist-ips-c2.txt';
const folder = mkdtempSync(join(tmpdir(), 'assay-publications-'));
const { log } = capturedLog('warn');
let rig: TaxiiRig;
let proxy: TcpProxy;
let slow: Postgres;
let blocklists: Blocklists;
let worker: ReturnType<typeof createWorker>;
let app: FastifyInstance;

beforeAll(async () => {
  rig = await openTaxiiRig(Date.now());
  const { postgres, system, clock } = rig;
  const target = new URL(rig.databaseUrl);
  proxy = await openTcpProxy({ host: target.hostname, port: Number(target.port || 5_432) });
  const proxied = new URL(rig.databaseUrl);
  proxied.host = `127.0.0.1:${proxy.port}`;
  slow = asSystem({ DATABASE_URL: proxied.href, POSTGRES_POOL_MAX: 2 });
  const { openArtifact } = createArtifacts({ postgres: slow, dataDir: join(folder, 'worker'), log, clock });
  const publications = publicationsOf(rig, clock);
  blocklists = await openBlocklists({
    config: { LIST_MEMORY_MB: 16, DISTRIBUTION: 'public' },
    artifacts: createArtifacts({ postgres, dataDir: join(folder, 'node'), log, clock }),
    withheld: async () => [],
    allowed: async () => [],
    publications,
    postgres,
    system,
    clock,
    log,
  });
  worker = createWorker({
    config: { DATABASE_URL: rig.databaseUrl, POSTGRES_POOL_MAX: 3 },
    log,
    clock: systemClock(),
    jobs: blocklistsWorkerPart({
      source: openListSource(slow.db, 'public'),
      clock,
      openArtifact,
      deadlineMs: 1_500,
    }).jobs,
    crons: [],
    concurrency: 1,
    pollMs: 100,
    onLeaseLost: () => undefined,
  });
  const feeds = {
    clock,
    postgres,
    otherData: async () => (await publications.list()).map(publicationData),
  };
  app = testApp(
    [
      ...blocklistsRoutes(blocklists),
      ...feedsRoutes(feeds),
      ...statusRoutes({
        clock,
        readiness: createReadiness(),
        contact: { ageMs: () => 0, isStale: () => false } as never,
        page: { postgres, freshness: async () => null as never, evidenceRoots: null },
        data: keepDataHealth(feeds),
        database: async () => 'writable' as const,
        redis: async () => true,
        replica: async () => true,
      }),
    ],
    { gates: recordedGates({ identify: () => CALLER }).gates },
  );
});
afterAll(async () => {
  proxy?.stall(false);
  await worker?.stop();
  await app?.close();
  await blocklists?.close();
  await slow?.close();
  await proxy?.close();
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every cached answer is older than its time. */
const get = (url: string) => {
  rig.pass(6_000);
  return app.inject({ url });
};
const importC2 = (...values: readonly string[]) =>
  rig.list('my-c2', values, {
    category: 'c2',
    reliability: 0.95,
    letter: 'A',
    fpRisk: 'low',
    redistributable: true,
  });
const list = () => get(`/blocklist/download/${LIST}`);
const build = () => rig.system.transaction((tx) => enqueueBuild(tx, BUILD_LISTS));
const publication = async () => {
  const { rows } = await sql<{ outcome: string | null }>`
    select outcome from publication where name = 'blocklists'`.execute(rig.system.db);
  return rows[0]?.outcome ?? null;
};
const outcomeIs = (wanted: string) =>
  eventually(`the build is ${wanted}`, 30_000, async () => (await publication()) === wanted);
const datasetOf = async (id: string) =>
  (await get('/platform/data-freshness')).json().datasets.find((each: { id: string }) => each.id === id);
const health = async () => (await get('/health')).json();

test('where nothing is imported nothing is missed, and a list says that nothing is imported', async () => {
  await build();
  await outcomeIs('waiting');
  expect(await health()).toMatchObject({ status: 'operational', data: { late: [] } });
  const answer = await list();
  expect(answer.statusCode).toBe(503);
  expect(answer.json().message).toMatch(/^This list is not published yet\. Nothing is imported yet\./);
});

test('between an import and its scores no status says operational, and a list says what it waits for', async () => {
  await importC2('45.155.210.1', '45.155.210.2');
  expect(await health()).toMatchObject({
    status: 'degraded',
    data: { late: ['blocklists', 'mmdb', 'taxii'] },
  });
  const answer = await list();
  expect([answer.statusCode, answer.json().message]).toEqual([
    503,
    'This list is not published yet. Not every indicator has a score yet: 0 of at most 2 read. It is built once they all have one.',
  ]);
  expect(await datasetOf('blocklists')).toMatchObject({ status: 'missing', cause: 'waiting' });
});

test('a build that PostgreSQL delays is a failed job with a reason and a next try, and publishes when it is tried again', async () => {
  await rig.keep();
  proxy.stall(true);
  await build();
  await outcomeIs('failed');
  await eventually('the lists are marked', 20_000, async () =>
    (await list()).body.includes('could not be built'),
  );
  const answer = await list();
  expect(answer.statusCode).toBe(503);
  expect(answer.json().message).toMatch(
    /^This list could not be built: reading the data took too long, last try \d{4}-\d\d-\d\d \d\d:\d\d UTC\. The next try is in \d+ \w+/,
  );
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
  const { rows } = await sql<{ attempts: number }>`
    select attempts from graphile_worker.jobs where task_identifier = ${BUILD_LISTS}`.execute(rig.system.db);
  expect(rows[0]?.attempts).toBeGreaterThan(0);
  proxy.stall(false);
  await outcomeIs('published');
  const served = await list();
  expect([served.statusCode, served.body.includes('45.155.210.1')]).toEqual([200, true]);
});

test('a build that fails later leaves the last good list, and freshness and health say so', async () => {
  expect(await datasetOf('blocklists')).toMatchObject({ status: 'fresh', label: 'Blocklists' });
  await importC2('45.155.210.1', '45.155.210.3');
  await rig.keep();
  proxy.stall(true);
  await build();
  await outcomeIs('failed');
  expect(await datasetOf('blocklists')).toMatchObject({
    status: 'failing',
    message: expect.stringMatching(
      /^The last build failed: reading the data took too long\. The next try is at /,
    ),
  });
  const { status, data } = await health();
  expect([status, data.late]).toEqual(['degraded', ['blocklists', 'mmdb']]);
  await blocklists.lists.refresh();
  const served = await list();
  expect([served.statusCode, served.headers['x-list-stale'], served.body]).toEqual([
    200,
    'true',
    expect.stringContaining('45.155.210.2'),
  ]);
  proxy.stall(false);
  await outcomeIs('published');
  await blocklists.lists.refresh();
  expect((await list()).body).toContain('45.155.210.3');
});
