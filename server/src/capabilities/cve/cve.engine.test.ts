import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeDatasets, loadFiles } from '#capabilities/datasets/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import type { Cve } from './contract.ts';
import type { CveFacts } from './facts.ts';
import { loadTold } from './load/load-told.ts';
import { cveRoutes } from './routes.ts';
import { CVE_DATASETS } from './sources/cve-datasets.ts';
import { CVE_SOURCE_ROWS } from './sources/cve-sources.ts';
import { PackedFacts } from './statistics/packed-facts.ts';
import { packFacts } from './statistics/store.ts';

const NOW_MS = Date.UTC(2026, 4, 8, 12);
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let folder: string;
let packed = new PackedFacts(new Uint8Array(0));

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  folder = mkdtempSync(join(tmpdir(), 'assay-cve-'));
  const facts: CveFacts = { find: () => undefined, all: () => packed };
  const { gates } = recordedGates({ identify: () => CALLER });
  app = testApp(cveRoutes({ clock, postgres, facts }), { gates });
});
afterAll(async () => {
  await app?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const record = (id: string, more: object = {}, cna: object = {}) => ({
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: {
    cveId: id,
    state: 'PUBLISHED',
    datePublished: '2026-05-06T10:00:00.000Z',
    dateUpdated: '2026-05-07T10:00:00.000Z',
    ...more,
  },
  containers: {
    cna: {
      title: `Flaw ${id} in the gateway`,
      descriptions: [{ lang: 'en', value: `The gateway of Example has a flaw, ${id}.` }],
      affected: [{ vendor: 'Example', product: 'Gate Way', defaultStatus: 'unaffected', versions: [] }],
      metrics: [
        {
          cvssV3_1: {
            version: '3.1',
            baseScore: 9.8,
            baseSeverity: 'CRITICAL',
            vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          },
        },
      ],
      problemTypes: [
        { descriptions: [{ lang: 'en', cweId: 'CWE-78', description: 'OS command injection' }] },
      ],
      references: [{ url: 'https://example.com/advisory' }],
      ...cna,
    },
  },
});
const kevOf = (released: string, ...ids: readonly string[]) =>
  JSON.stringify({
    catalogVersion: released,
    dateReleased: `${released}T00:00:00.000Z`,
    count: ids.length,
    vulnerabilities: ids.map((cveID) => ({
      cveID,
      vendorProject: 'Example',
      product: 'Gate Way',
      vulnerabilityName: `Example Gate Way ${cveID}`,
      dateAdded: '2026-05-07',
      shortDescription: 'A flaw that is exploited.',
      requiredAction: 'Apply updates.',
      dueDate: '2026-05-28',
      knownRansomwareCampaignUse: 'Known',
    })),
  });
const epssOf = (day: string, rows: Readonly<Record<string, readonly [number, number]>>) =>
  [
    `#model_version:v2025.03.14,score_date:${day}T00:00:00+0000`,
    'cve,epss,percentile',
    ...Object.entries(rows).map(([id, [score, percentile]]) => `${id},${score},${percentile}`),
  ].join('\n');

async function load(source: string, texts: readonly string[], accept = false) {
  const definition = CVE_DATASETS.find(({ id }) => id === source);
  if (definition === undefined) throw new Error(source);
  const paths = texts.map((text, at) => {
    const path = join(folder, `${source}-${at}.json`);
    writeFileSync(path, text);
    return path;
  });
  const deps = { system, clock, log: createLog('silent'), dataDir: folder };
  const volume = { min: 0, max: 1_000_000 };
  const outcome = await loadFiles(deps, { ...definition, volume }, { paths, dataAtMs: NOW_MS, accept });
  packed = new PackedFacts(await packFacts(system.db));
  return outcome;
}
const get = async (url: string) => {
  const answer = await app.inject({ method: 'GET', url });
  return { status: answer.statusCode, body: answer.json() };
};
const cve = async (id: string): Promise<Cve> => (await get(`/cve/${id}`)).body;
const failing = async (id: string) =>
  (await describeDatasets({ postgres }, CVE_DATASETS)).find((each) => each.id === id);

const FLAW = 'CVE-2026-1001';
const OTHER = 'CVE-2026-1002';
const REJECTED = 'CVE-2026-1003';

test('records become one answer with the source of each field, and a rejected one is answered by its id alone', async () => {
  const { status, report } = await load('vulnrichment', [
    JSON.stringify(record(FLAW)),
    JSON.stringify(record(OTHER, {}, { metrics: [] })),
    JSON.stringify({
      ...record(REJECTED, { state: 'REJECTED' }),
      containers: { cna: { rejectedReasons: [{ lang: 'en', value: 'Not a flaw.' }] } },
    }),
  ]);
  expect([status, report?.delta]).toEqual(['imported', { added: 3, changed: 0, removed: 0 }]);
  expect(await cve(FLAW.toLowerCase())).toMatchObject({
    id: FLAW,
    state: 'PUBLISHED',
    severity: 'CRITICAL',
    cvssScore: 9.8,
    cvssVersion: '3.1',
    epssScore: null,
    isKev: false,
    kev: null,
    cwes: ['CWE-78'],
    vendors: ['Example'],
    products: ['Gate Way'],
    provenance: { description: 'cna', severity: 'cna' },
    scores: [{ version: '3.1', score: 9.8, severity: 'CRITICAL' }],
    changes: [],
  });
  expect(await cve(OTHER)).toMatchObject({ severity: 'UNKNOWN', cvssScore: null, scores: [] });
  expect(await cve(REJECTED)).toMatchObject({ state: 'REJECTED' });
  for (const url of [
    '/cve/recent',
    '/cve?recent=true',
    '/cve?q=flaw',
    '/cve?vendor=example',
    '/cve/vendors',
    '/cve/stats/timeseries',
  ])
    expect(JSON.stringify((await get(url)).body), url).not.toContain(REJECTED);
  expect((await get('/cve/vendors')).body).toMatchObject({
    items: [{ name: 'example', count: 2 }],
    total: 1,
  });
});

test('the same file again writes nothing; what its publisher withdraws is gone', async () => {
  const texts = [JSON.stringify(record(FLAW)), JSON.stringify(record(OTHER, {}, { metrics: [] }))];
  expect(await load('vulnrichment', texts)).toMatchObject({
    report: { delta: { added: 0, changed: 0, removed: 1 } },
  });
  expect(await load('vulnrichment', texts)).toMatchObject({ status: 'unchanged' });
  expect((await get(`/cve/${REJECTED}`)).status).toBe(404);
});

test('a KEV entry is a change of the record, and one that CISA removes leaves', async () => {
  await load('kev', [kevOf('2026-05-07', FLAW, OTHER)]);
  expect(await cve(FLAW)).toMatchObject({
    isKev: true,
    kev: { listed: true, dateAdded: '2026-05-07', ransomwareUse: 'Known', dueDate: '2026-05-28' },
    changes: [{ field: 'isKev', from: false, to: true }],
  });
  expect((await get('/cve?kev=true')).body.cves).toHaveLength(2);
  await load('kev', [kevOf('2026-05-08', FLAW)]);
  expect(await cve(OTHER)).toMatchObject({ isKev: false, kev: null });
});

test('the same file again makes the records that a killed load left unmade', async () => {
  const mark = () => sql`insert into cve_pending (cve_id) values (${FLAW})`.execute(system.db);
  const revert = () =>
    sql`update cve set record = (record::jsonb || '{"isKev": false}')::json where id = ${FLAW}`.execute(
      system.db,
    );
  const stepsKept = async () => (await cve(FLAW)).changes.filter(({ field }) => field === 'isKev').length;
  const known = await stepsKept();
  await mark();
  await revert();
  expect(await load('kev', [kevOf('2026-05-08', FLAW)])).toMatchObject({ status: 'unchanged' });
  expect(await stepsKept()).toBe(known + 1);
});

test('an older edition is refused with its sentence, and the last good one stays', async () => {
  expect(await load('kev', [kevOf('2026-05-01', OTHER)])).toMatchObject({
    status: 'quarantined',
    reason: expect.stringContaining('edition of 2026-05-01'),
  });
  expect(await cve(FLAW)).toMatchObject({ isKev: true });
  expect(await failing('kev')).toMatchObject({
    isFailing: true,
    message: expect.stringContaining('2026-05-01'),
  });
});

describe('EPSS', () => {
  test('a day writes only rows that changed, and a step across 0.1 or 0.5 is a change of the record', async () => {
    await load('epss', [epssOf('2026-05-07', { [FLAW]: [0.05, 0.5], [OTHER]: [0.01, 0.2] })]);
    expect(await cve(FLAW)).toMatchObject({ epssScore: 0.05, epssPercentile: 0.5, epssPercent: 5 });
    const { report } = await load('epss', [
      epssOf('2026-05-08', { [FLAW]: [0.6, 0.99], [OTHER]: [0.01, 0.2] }),
    ]);
    expect(report?.delta).toEqual({ added: 0, changed: 1, removed: 0 });
    expect((await cve(FLAW)).changes.at(-1)).toMatchObject({ field: 'epssScore', from: 0.05, to: 0.6 });
    const { body } = await get('/cve/stats/epss');
    expect(body.top.map(({ id }: { id: string }) => id)).toEqual([FLAW, OTHER]);
    expect(body.summary).toMatchObject({ total: 2, modelDate: '2026-05-08', kevCount: 1, above50pct: 1 });
  });

  test('a model that gives every CVE the same score is refused', async () => {
    const zeros = epssOf('2026-05-09', { [FLAW]: [0, 0], [OTHER]: [0, 0] });
    expect(await load('epss', [zeros])).toMatchObject({ status: 'quarantined' });
    expect(await cve(FLAW)).toMatchObject({ epssScore: 0.6 });
  });
});

const nvdPage = (withDescription: boolean) =>
  JSON.stringify({
    totalResults: 60,
    startIndex: 0,
    vulnerabilities: Array.from({ length: 60 }, (_, at) => ({
      cve: {
        id: `CVE-2026-${2_000 + at}`,
        published: '2026-05-05T10:00:00.000',
        lastModified: '2026-05-05T10:00:00.000',
        vulnStatus: 'Analyzed',
        descriptions: withDescription ? [{ lang: 'en', value: 'It has a flaw.' }] : [],
        references: [{ url: 'https://example.com/a', source: 'cve@example.com' }],
        metrics: {
          cvssMetricV31: [
            {
              source: 'nvd@nist.gov',
              type: 'Primary',
              cvssData: {
                version: '3.1',
                baseScore: 5.3,
                baseSeverity: 'MEDIUM',
                vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
              },
            },
          ],
        },
      },
    })),
  });

test('a source that stops to fill in a field is failing, whatever its number of rows', async () => {
  await load('nvd', [nvdPage(true)]);
  expect(await load('nvd', [nvdPage(false)])).toMatchObject({
    status: 'quarantined',
    reason: expect.stringMatching(/100\.0 % .* no description/),
  });
  expect(await failing('nvd')).toMatchObject({ isFailing: true });
  expect((await cve('CVE-2026-2000')).description).toContain('has a flaw');
  expect(await load('nvd', [nvdPage(false)], true)).toMatchObject({ status: 'imported' });
});

test('a load that was killed goes on after the last batch, and the result is that of a whole load', async () => {
  const row = CVE_SOURCE_ROWS.find(({ id }) => id === 'cve-list-delta');
  const definition = CVE_DATASETS.find(({ id }) => id === 'cve-list-delta');
  if (row === undefined || definition === undefined) throw new Error('The source is gone.');
  const paths = Array.from({ length: 12 }, (_, at) => {
    const path = join(folder, `killed-${at}.json`);
    writeFileSync(path, JSON.stringify(record(`CVE-2026-${3_000 + at}`)));
    return path;
  });
  let [reads, stopAt] = [0, 8];
  const stop = new AbortController();
  const read: typeof row.read = (document, text) => {
    reads += 1;
    if (reads === stopAt) stop.abort(new Error('killed'));
    return row.read(document, text);
  };
  const rowsPerBatch = 5;
  const load5 = {
    ...definition,
    load: (...given: Parameters<typeof definition.load>) =>
      loadTold(given[0], { ...row, read }, given[1], rowsPerBatch),
  };
  const deps = { system, clock, log: createLog('silent'), dataDir: folder };
  const given = { paths, dataAtMs: NOW_MS };
  await expect(loadFiles(deps, load5, { ...given, signal: stop.signal })).rejects.toThrow('killed');
  const told = await sql`select 1 from cve_told where cve_id like 'CVE-2026-30%'`.execute(system.db);
  expect(told.rows).toEqual([]);
  [reads, stopAt] = [0, 0];
  expect(await loadFiles(deps, load5, given)).toMatchObject({
    status: 'imported',
    report: { delta: { added: 12, changed: 0, removed: 0 }, counts: { accepted: 12 } },
  });
  expect(reads).toBe(7);
  expect((await get('/cve?q=3011')).body.cves).toHaveLength(1);
});

describe('answers by status', () => {
  test('trap 76: a limit of 1000 is cut to 100, one that is no number is 400', async () => {
    expect((await get('/cve/recent?limit=1000')).body.length).toBeLessThanOrEqual(100);
    expect((await get('/cve/recent?limit=abc')).status).toBe(400);
    expect((await get('/cve/recent?limit=0')).status).toBe(400);
  });

  test.each([
    ['/cve/nonsense', 400],
    ['/cve/CVE-2026-99999', 404],
    ['/cve/dashboard', 404],
    ['/cve?id=nonsense', 400],
    ['/cve?cursor=bm9uZQ', 400],
    ['/cve?severity=bad', 400],
    ['/cve/stats/epss?minEpss=2', 400],
    ['/cve/stats/epss?exploit=often', 400],
    ['/cve/stats/timeseries?bucket=year', 400],
  ])('%s is %i', async (url, status) => {
    expect((await get(url)).status).toBe(status);
  });

  test('a search walks all pages once, and every filter narrows it', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await get(
        `/cve?vendor=EXAMPLE&product=gate_way&limit=6${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...body.cves.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([14, 14]);
    for (const filter of ['kev=true', 'minEpss=0.5', 'severity=critical&q=1001', 'cwe=78&q=CVE-2026-1001'])
      expect(
        (await get(`/cve?${filter}`)).body.cves.map(({ id }: { id: string }) => id),
        filter,
      ).toEqual([FLAW]);
    expect((await get('/cve?from=2026-05-07')).body.cves).toEqual([]);
    const products = { items: [{ name: 'gate way', count: 14 }], total: 1, loaded: true };
    expect((await get('/cve/products?q=gate')).body).toEqual(products);
    expect((await get('/cve/stats/top-products')).body[0]).toMatchObject({
      vendor: 'example',
      count: 14,
      kev: 1,
    });
  });

  test('a question that is an id means that CVE, not the records that mention it', async () => {
    await sql`update cve set words = words || to_tsvector('english', 'like CVE 2026 1001') where id = ${OTHER}`.execute(
      system.db,
    );
    const found = async (q: string) =>
      (await get(`/cve?q=${q}`)).body.cves.map(({ id }: { id: string }) => id).toSorted();
    expect(await found('2026%201001')).toEqual([FLAW, OTHER]);
    expect(await found('cve-2026-1001')).toEqual([FLAW]);
  });
});

test('a whole list takes out the changes that it has meanwhile, and keeps those that are newer', async () => {
  const [older, newer] = ['CVE-2026-4001', 'CVE-2026-4002'];
  const title = async (id: string) => (await cve(id)).title;
  const changed = (id: string) =>
    JSON.stringify(record(id, { dateUpdated: '2026-05-07T12:00:00.000Z' }, { title: 'A change' }));
  await load('cve-list-delta', [changed(older), changed(newer)]);
  const listed = { dateUpdated: '2026-05-07T13:00:00.000Z' };
  const list = [JSON.stringify(record(older, listed, { title: 'The list' })), JSON.stringify(record(newer))];
  await load('cve-list', list, true);
  const { rows } = await sql<{ id: string }>`
    select cve_id as id from cve_told t join dataset d on d.number = t.dataset
     where d.id = 'cve-list-delta' and cve_id in (${older}, ${newer})`.execute(system.db);
  expect(rows).toEqual([{ id: newer }]);
  expect([await title(older), await title(newer)]).toEqual(['The list', 'A change']);
});

test('the counts of vendors and products, moved by each load, are those of the products', async () => {
  const { rows } = await sql<{ wrong: number }>`
    with vendor as (select vendor, count(distinct cve_id) as cves, count(distinct product) as products
                      from cve_product group by vendor),
         pair as (select vendor, product, count(*) as cves from cve_product group by vendor, product)
    select (select count(*) from vendor v full join cve_vendor k using (vendor)
             where (v.cves, v.products) is distinct from (k.cves, k.products))::int
         + (select count(*) from pair p full join cve_vendor_product k using (vendor, product)
             where p.cves is distinct from k.cves)::int as wrong`.execute(system.db);
  expect(rows).toEqual([{ wrong: 0 }]);
});
