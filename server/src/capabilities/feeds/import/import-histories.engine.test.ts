import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LINEAGE_JOB } from '#capabilities/corpus/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { feedRow } from '#test/feed-row.ts';
import type { ManifestOptions, OfflineDeps } from './contract.ts';
import { importManifest } from './import-manifest.ts';

const NOW_MS = Date.UTC(2026, 7, 24, 13);
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
let database: TestDatabase;
let system: Postgres;
let folder: string;
let deps: OfflineDeps;

const ROWS = [
  feedRow('trails', [], { semantics: 'archive', volume: { min: 1, max: 10_000 } }),
  feedRow('dated', [], {
    format: { kind: 'csv', header: 'none', values: [0], firstSeen: 1 },
    volume: { min: 1, max: 100 },
  }),
  feedRow('window', [], { semantics: 'window', keepsEntries: true, volume: { min: 1, max: 100 } }),
];
const FILES = [
  ['feeds/trails.txt', '45.9.148.1\n45.9.148.2\n45.9.148.3\n'],
  ['feeds/dated.csv', '45.9.148.4,2024-01-05\n45.9.148.5,\n'],
  ['feeds/window.txt', '45.9.148.6\n45.9.148.7\n'],
] as const;

beforeEach(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  folder = mkdtempSync(join(tmpdir(), 'assay-histories-'));
  deps = {
    system,
    clock,
    dataDir: join(folder, 'data'),
    log: createLog('silent'),
    catalogue: ROWS,
    offlineFiles: FILES.map(([path], at) => ({ path, source: ROWS[at]?.id ?? '', role: 'part' })),
    historyFiles: [
      { path: 'history/trails.tsv.gz', sources: ['trails', 'window'] },
      { path: 'history/dated.tsv.gz', sources: ['dated'] },
    ],
  };
  writeFiles(FILES);
  write('history/trails.tsv.gz', [
    '45.9.148.1:443\t2026-05-01/',
    '45.9.148.2\t/',
    '45.9.148.6\t2026-03-03/2026-04-04,2026-06-06/',
  ]);
  write('history/dated.tsv.gz', ['45.9.148.4\t2026-05-01/', '45.9.148.5\t2026-05-02/']);
});
afterEach(async () => {
  await system.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (path: string, content: string | readonly string[]): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : gzipSync(content.join('\n')));
};
function writeFiles(files: readonly (readonly [string, string])[]): void {
  for (const [path, content] of files) write(path, content);
  const records = files.map(([path, content]) => ({
    path,
    date: '2026-08-22',
    bytes: content.length,
    entries: 2,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  write('MANIFEST.json', JSON.stringify(records));
}
const run = (options: ManifestOptions = {}) => importManifest(deps, folder, options);

async function dates(): Promise<Record<string, readonly [number, string]>> {
  const { rows } = await sql<{ value: string; datedBy: number; day: string }>`
    select i.value, l.dated_by as "datedBy", to_char(l.first_seen at time zone 'UTC', 'YYYY-MM-DD') as day
      from listing l join indicator i using (key) order by i.value`.execute(system.db);
  return Object.fromEntries(rows.map(({ value, datedBy, day }) => [value, [datedBy, day]]));
}
const [OWN, SIGHTED, UNDATED] = [0, 1, 2];

test('a recorded history dates the entries of its list, and the source’s own dates win', async () => {
  await run();
  expect(await dates()).toEqual({
    '45.9.148.1': [SIGHTED, '2026-05-01'],
    '45.9.148.2': [UNDATED, '2026-08-22'],
    '45.9.148.3': [UNDATED, '2026-08-22'],
    '45.9.148.4': [OWN, '2024-01-05'],
    '45.9.148.5': [SIGHTED, '2026-05-02'],
    '45.9.148.6': [SIGHTED, '2026-06-06'],
    '45.9.148.7': [UNDATED, '2026-08-22'],
  });
});

test('its dates move with the data set', async () => {
  const { rebaseMs } = await run({ rebase: true });
  expect(rebaseMs).toBe(2 * DAY_MS);
  expect((await dates())['45.9.148.1']).toEqual([SIGHTED, '2026-05-03']);
});

test('a history that comes later dates the entries when they are read again', async () => {
  rmSync(join(folder, 'history'), { recursive: true });
  await run();
  expect((await dates())['45.9.148.1']).toEqual([UNDATED, '2026-08-22']);
  write('history/trails.tsv.gz', ['45.9.148.1\t2026-05-01/']);
  await run({ reread: true });
  const after = await dates();
  expect([after['45.9.148.1'], after['45.9.148.2']]).toEqual([
    [SIGHTED, '2026-05-01'],
    [UNDATED, '2026-08-22'],
  ]);
});

async function lineageJobs(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = ${LINEAGE_JOB}`.execute(
    system.db,
  );
  return rows[0]?.count ?? 0;
}

test('a merge of more than a fifth and a thousand entries asks for the lineage, a smaller one does not', async () => {
  await run();
  expect(await lineageJobs()).toBe(0);
  const more = (count: number): string =>
    Array.from({ length: count }, (_, at) => `46.1.${at >> 8}.${at & 255}\n`).join('');
  writeFiles([[FILES[0][0], more(900)], ...FILES.slice(1)]);
  await run();
  expect(await lineageJobs()).toBe(0);
  writeFiles([[FILES[0][0], more(2_000)], ...FILES.slice(1)]);
  await run();
  expect(await lineageJobs()).toBe(1);
});
