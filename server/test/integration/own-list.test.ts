import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Blocklists, blocklistsRoutes, openBlocklists } from '#capabilities/blocklists/index.ts';
import { checkRoutes } from '#capabilities/check/index.ts';
import { feedsRoutes, keepDataHealth } from '#capabilities/feeds/index.ts';
import { statusRoutes } from '#capabilities/status/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { checkDeps } from '#test/check-deps.ts';
import { capturedLog, recordedGates, testApp } from '#test/http-app.ts';
import { DAY_MS } from '#test/listed-corpus.ts';
import { publicationsOf } from '#test/publications.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';
import { openTaxiiRig, SHARED_ROOT, type TaxiiRig } from '#test/taxii-rig.ts';

/** The walk of an operator with lists of their own. The proof `own-list` has it at full size with a whole service. */
const C2 = ['45.155.205.1', '45.155.206.2', '45.155.207.3'];
const PHISHING = ['login-paypa1.example.com', 'secure-bank.example.net'];
const C2_LIST = 'blocklist-ips-c2.txt';
const PHISHING_LIST = 'blocklist-domains-phishing.txt';
const HOUR_MS = 3_600_000;

const folder = mkdtempSync(join(tmpdir(), 'assay-own-list-'));
let rig: TaxiiRig;
let blocklists: Blocklists;
let app: FastifyInstance;

beforeAll(async () => {
  // On the hour, because verdicts change with the hour.
  rig = await openTaxiiRig(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  const { postgres, system, clock, corpus } = rig;
  const { log } = capturedLog('silent');
  blocklists = await openBlocklists({
    config: { LIST_MEMORY_MB: 16, DISTRIBUTION: 'public' },
    artifacts: createArtifacts({ postgres, dataDir: folder, log, clock }),
    withheld: async () => [],
    allowed: async () => [],
    publications: publicationsOf(rig, clock),
    postgres,
    system,
    clock,
    log,
  });
  app = testApp(
    [
      ...checkRoutes(checkDeps({ corpus, clock })),
      ...blocklistsRoutes(blocklists),
      ...feedsRoutes({ clock, postgres }),
      ...statusRoutes({
        clock,
        database: async () => 'writable' as const,
        redis: async () => true,
        replica: async () => true,
        contact: { ageMs: () => 0, isStale: () => false },
        readiness: { draining: false },
        data: keepDataHealth({ clock, postgres }),
      }),
    ],
    { gates: recordedGates().gates },
  );
});
afterAll(async () => {
  await app?.close();
  await blocklists?.close();
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: rig.databaseUrl, DATA_DIR: folder }, args, rig.clock);

async function importList(id: string, values: readonly string[], ...options: string[]): Promise<string> {
  const file = join(folder, `${id}.txt`);
  writeFileSync(file, values.map((value) => `${value}\n`).join(''));
  utimesSync(file, rig.clock.now() / 1_000, rig.clock.now() / 1_000);
  const run = await admin('feeds', 'import', id, file, ...options);
  expect(run.code, run.text + run.stderr).toBe(0);
  await rig.built.sync();
  return run.text;
}

/** What the worker does within ten minutes: levels, collections, blocklists. */
async function publish(): Promise<AdminRun> {
  // A node opens a list again when the time of its build has changed.
  rig.pass(60_000);
  await rig.rebuild();
  const built = await admin('lists', 'build');
  expect(built.code, built.stderr).toBe(0);
  await blocklists.lists.refresh();
  return built;
}

const get = async (url: string) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer;
};
const verdictOf = async (value: string) => {
  const { riskScore, evidence } = (await get(`/check?query=${value}&enrichment=standard`)).json();
  return {
    score: riskScore.score,
    action: evidence.recommendedAction,
    reasons: (evidence.reasons as string[]).join(' '),
  };
};
const linesOf = async (list: string): Promise<readonly string[]> =>
  (await get(`/blocklist/download/${list}`)).body.split('\n').filter((line) => line !== '');
const namesIn = async (collection: string): Promise<readonly string[]> =>
  (await rig.walk(`${SHARED_ROOT}/${collection}/objects`)).map(({ name }) => name).sort();
const datasetOf = async (id: string) =>
  (await get('/platform/data-freshness')).json().datasets.find((each: { id: string }) => each.id === id);
const excludedOf = async (list: string) => (await get('/blocklist/stats')).json()[list].excluded;

describe('a list of the operator', () => {
  test('of grade A is answered with block and is in the blocklist and the TAXII collection', async () => {
    const text = await importList('my-c2', C2, '--category', 'c2', '--grade', 'A');
    expect(text).toContain('grade A, reliability 0.95, risk of false positives low, 3 entries');
    expect(text).toContain('It does not age and does not expire. It is exported in blocklists and TAXII');
    for (const value of C2) expect(await verdictOf(value)).toMatchObject({ score: 83, action: 'block' });
    const built = await publish();
    expect(built.text).toContain(
      `${C2_LIST}: built, 3 lines; excluded: 0 below the score, 0 by license, 0 allowlisted.`,
    );
    expect(await linesOf(C2_LIST)).toEqual(C2);
    expect(await namesIn('c2-indicators')).toEqual(C2);
  });

  test('without a grade is answered with review and is exported', async () => {
    await importList('my-phish', PHISHING, '--category', 'phishing');
    for (const value of PHISHING)
      expect(await verdictOf(value)).toMatchObject({ score: 56, action: 'review' });
    await publish();
    expect(await linesOf(PHISHING_LIST)).toEqual(PHISHING);
    expect(await namesIn('phishing-indicators')).toEqual(PHISHING);
  });

  test.each([7, 30, 60])(
    'says and exports the same %i days later, and each surface says why',
    async (days) => {
      const importedMs = Date.parse((await datasetOf('my-c2')).lastUpdatedAt);
      rig.pass(importedMs + days * DAY_MS - rig.clock.now());
      await publish();
      for (const value of C2) expect(await verdictOf(value)).toMatchObject({ score: 83, action: 'block' });
      expect((await verdictOf(C2[0] ?? '')).reasons).toMatch(
        /my-c2 lists it for command and control, imported on \d{4}-/,
      );
      for (const value of PHISHING)
        expect(await verdictOf(value)).toMatchObject({ score: 56, action: 'review' });
      expect(await linesOf(C2_LIST)).toEqual(C2);
      expect(await linesOf(PHISHING_LIST)).toEqual(PHISHING);
      expect(await namesIn('c2-indicators')).toEqual(C2);
      for (const object of await rig.walk(`${SHARED_ROOT}/c2-indicators/objects`))
        expect(Date.parse(object.valid_until ?? '')).toBeGreaterThan(rig.clock.now());
      expect(await datasetOf('my-c2')).toMatchObject({
        status: 'fresh',
        ownList: true,
        expiresAt: null,
        message: `Your own list, imported ${days} days ago. It does not age and does not expire.`,
      });
      expect((await get('/health')).json()).toMatchObject({
        status: 'operational',
        data: { status: 'fresh', message: '2 data sets are in use, all up to date. 2 own lists do not age.' },
      });
      const { text } = await admin('lists', 'status');
      expect(text).toMatch(/blocklist-ips-c2\.txt\s+3\s+1\s+\S+Z\s+in order/);
      expect(text).toContain(`my-c2: 3 entries, imported ${days} days ago (`);
    },
  );
});

test('what is left out is counted by reason, and a list that is empty for it is not in order', async () => {
  await importList(
    'licensed',
    ['45.155.210.1'],
    '--category',
    'botnet',
    '--grade',
    'A',
    '--license',
    'CC BY-NC 4.0',
  );
  await importList('unrated', ['45.155.210.2'], '--category', 'botnet', '--grade', 'E');
  await importList('private', ['45.155.210.3'], '--category', 'botnet', '--grade', 'A', '--no-export');
  const built = await publish();
  const list = 'blocklist-ips-botnet.txt';
  expect(built.text).toContain(
    `${list}: built, 0 lines; excluded: 1 below the score, 2 by license, 0 allowlisted.`,
  );
  expect(await excludedOf(list)).toEqual({ belowScore: 1, license: 2, allowlisted: 0 });
  const { text } = await admin('lists', 'status');
  expect(text).toMatch(/blocklist-ips-botnet\.txt.*empty: 3 entries are listed and none is exported/);
  expect((await verdictOf('45.155.210.1')).action).toBe('block');
  const rebuilt = await rig.rebuild();
  expect(rebuilt.excluded?.['malicious-ips']).toEqual({ belowScore: 1, license: 2, allowlisted: 0 });
  await importList('licensed', ['45.155.210.1'], '--redistributable');
  await importList('private', ['45.155.210.3'], '--export');
  await publish();
  expect(await linesOf(list)).toEqual(['45.155.210.1', '45.155.210.3']);
});

test('an entry that the operator removes stops counting with the next import', async () => {
  await importList('my-phish', PHISHING.slice(0, 1));
  expect(await verdictOf(PHISHING[1] ?? '')).toMatchObject({ score: 0 });
  await importList('my-phish', PHISHING);
});

test('after --expires is over the list counts nowhere, and each surface says so', async () => {
  await importList('my-c2', C2, '--expires', '30');
  const endMs = rig.clock.now() + 30 * DAY_MS;
  rig.pass(30 * DAY_MS - HOUR_MS);
  await publish();
  expect(await linesOf(C2_LIST)).toEqual(C2);
  expect(await verdictOf(C2[0] ?? '')).toMatchObject({ score: 83, action: 'block' });
  for (const { valid_until: until } of await rig.walk(`${SHARED_ROOT}/c2-indicators/objects`))
    expect(Date.parse(until ?? '')).toBeLessThanOrEqual(endMs + HOUR_MS);
  rig.pass(2 * HOUR_MS);
  const day = new Date(endMs).toISOString().slice(0, 10);
  const told = await verdictOf(C2[0] ?? '');
  expect(told.score).toBe(0);
  expect(told.reasons).toContain(
    `my-c2 listed it for command and control until ${day}, when the list expired.`,
  );
  await publish();
  expect(await linesOf(C2_LIST)).toEqual([]);
  expect(await namesIn('c2-indicators')).toEqual([]);
  expect(await datasetOf('my-c2')).toMatchObject({
    status: 'stale',
    cause: 'expired',
    message: expect.stringContaining(`Your own list expired on ${day}, 30 days after its import`),
  });
  rig.pass(61_000);
  expect((await get('/health')).json().data.message).toContain('1 own list expired, the last on');
  expect((await admin('lists', 'status')).text).toContain(
    `It expired on ${day}, so its entries no longer count.`,
  );
  expect((await admin('feeds', 'status', 'my-c2')).text).toMatch(/status\s+expired/);
  await importList('my-c2', C2);
  expect(await verdictOf(C2[0] ?? '')).toMatchObject({ score: 83, action: 'block' });
});

/** The part of the migration that corrects the rows of lists that were imported before it. */
const CORRECTION = readFileSync(
  join(import.meta.dirname, '../../migrations/0055_own_lists.sql'),
  'utf8',
).replace(/^[\s\S]*(?=create temporary table own_before)/, '');

test('the migration gives lists that were imported before it the reliability of their grade, and no other source', async () => {
  const before = { letter: 'A', fpRisk: 'low', category: 'c2' } as const;
  await rig.list('graded', ['45.155.220.1'], { ...before, reliability: 0.35 });
  await rig.list('chosen', ['45.155.220.2'], { ...before, reliability: 0.6 });
  await rig.list('published', ['45.155.220.3'], { ...before, reliability: 0.35, provider: 'A publisher' });
  await rig.list('rated-f', ['45.155.220.4'], { ...before, letter: 'F', reliability: 0.35 });
  const scores = async () => {
    const found: number[] = [];
    for (const at of [1, 2, 3, 4]) found.push((await verdictOf(`45.155.220.${at}`)).score);
    return found;
  };
  const [, chosen, published, rated] = await scores();
  expect(published).toBeLessThan(35);
  const owner = new pg.Client({ connectionString: rig.databaseUrl });
  await owner.connect();
  try {
    await owner.query(`begin; ${CORRECTION}; commit`);
  } finally {
    await owner.end();
  }
  await rig.built.sync();
  expect(await scores()).toEqual([83, chosen, published, rated]);
  rig.pass(60 * DAY_MS);
  const [graded, , ofPublisher] = await scores();
  expect(graded).toBe(83);
  expect(ofPublisher).toBeLessThan(published ?? 0);
});
