import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importDatasets } from '#capabilities/datasets/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { sha256Of } from '#platform/sha256.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { CVE_DATASETS } from '../sources/cve-datasets.ts';
import { CVE_FILES } from '../sources/offline-files.ts';
import { countQuality, readCountedQuality } from './count-quality.ts';
import { readQuality } from './read-quality.ts';
import { countExploitedNames } from './store.ts';

const NOW_MS = Date.UTC(2026, 10, 19);
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
const folder = mkdtempSync(join(tmpdir(), 'assay-cve-folder-'));
let database: TestDatabase;
let system: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 });
});
afterAll(async () => {
  await system?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const advisory = (at: number) =>
  JSON.stringify({
    id: `GHSA-${at}`,
    aliases: [`CVE-2030-000${at}`],
    summary: 'A flaw',
    affected: [{ package: { ecosystem: 'npm', name: `anvil${at}` }, versions: ['1.0'] }],
  });
const catalogue = JSON.stringify({
  catalogVersion: '2026.11.18',
  dateReleased: '2026-11-18T00:00:00.000Z',
  count: 2,
  vulnerabilities: ['OpenSSL', 'Multiple Products'].map((product, at) => ({
    cveID: `CVE-2014-016${at}`,
    vendorProject: 'OpenSSL',
    product,
    vulnerabilityName: 'Heartbleed',
    dateAdded: '2022-05-04',
    shortDescription: 'A flaw.',
    requiredAction: 'Apply updates.',
    dueDate: '2022-05-25',
    knownRansomwareCampaignUse: 'Unknown',
    notes: '',
    cwes: [],
  })),
});

/** An offline data set with a folder of advisories and a catalog; `advisories` are the files of the folder. */
function writeDataset(advisories: readonly string[], changed = ''): void {
  mkdirSync(join(folder, 'cve/osv-npm'), { recursive: true });
  mkdirSync(join(folder, 'cve/kev'), { recursive: true });
  const sums = advisories.map((text, at) => {
    writeFileSync(join(folder, `cve/osv-npm/GHSA-${at}.json`), text);
    return `${sha256Of(text)}  GHSA-${at}.json\n`;
  });
  writeFileSync(join(folder, 'cve/kev/known_exploited_vulnerabilities.json.gz'), catalogue);
  const about = { date: '2026-11-18', bytes: 10 };
  const files = [
    { path: 'cve/osv-npm/', sha256: sha256Of(sums.toSorted().join('') + changed), ...about },
    { path: 'cve/kev/known_exploited_vulnerabilities.json.gz', sha256: sha256Of(catalogue), ...about },
  ];
  writeFileSync(join(folder, 'MANIFEST.json'), JSON.stringify(files));
}

const importAll = () =>
  importDatasets(
    { system, clock, log: createLog('silent'), dataDir: folder },
    { folder, folders: ['cve/'], files: CVE_FILES, definitions: CVE_DATASETS },
  );

test('a folder of records is imported like one file, and refused when a file of it differs', async () => {
  writeDataset([advisory(1), advisory(2)], 'x');
  const refused = (await importAll()).datasets.find(({ id }) => id === 'osv-npm');
  expect(refused).toMatchObject({
    status: 'refused',
    reason: "'cve/osv-npm/' is not the file of the manifest.",
  });
  writeDataset([advisory(1), advisory(2)]);
  const imported = (await importAll()).datasets.find(({ id }) => id === 'osv-npm');
  expect(imported).toMatchObject({ status: 'imported', files: 2, report: { entries: 2 } });
});

test('the catalog of exploited vulnerabilities names products, and those without one are counted', async () => {
  const { rows } = await sql<{ vendors: string[]; products: string[] }>`
    select record->'vendors' as vendors, record->'products' as products from cve where is_kev order by id`.execute(
    system.db,
  );
  expect(rows).toEqual([
    { vendors: ['openssl'], products: ['openssl'] },
    { vendors: [], products: [] },
  ]);
  expect(await countExploitedNames(system.db)).toEqual({ records: 2, withoutProduct: 1 });
});

test('the worker counts the fields of each source after a load, and not again without one', async () => {
  expect(await readCountedQuality(system.db)).toBeNull();
  const running = { transaction: system.transaction };
  expect(await countQuality(running, NOW_MS)).toBe(true);
  const counted = await readCountedQuality(system.db);
  expect(counted).toEqual({ countedAtMs: NOW_MS, fields: await readQuality(system.db) });
  expect(counted?.fields.find(({ source, field }) => source === 'osv' && field === 'packages')).toMatchObject(
    {
      given: 2,
      nulls: 0,
    },
  );
  expect(await countQuality(running, NOW_MS + 1)).toBe(false);
});
