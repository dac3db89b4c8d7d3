import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CatalogueRow, OfflineFile } from '#capabilities/catalogue/index.ts';
import { findSource } from '#capabilities/corpus/index.ts';
import { listPublications } from '#capabilities/publications/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { feedRow } from '#test/feed-row.ts';
import type { ManifestOptions, OfflineDeps } from './contract.ts';
import { announceImport, importManifest } from './import-manifest.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 9, 2, 13);
const log = createLog('silent');
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };

let database: TestDatabase;
let system: Postgres;
let folder: string;
let dataDir: string;
let deps: OfflineDeps;

const row = (id: string, more: Partial<CatalogueRow> = {}): CatalogueRow =>
  feedRow(id, [`https://example.com/${id}.txt`], {
    entityTypes: ['domain'],
    category: 'phishing',
    volume: { min: 1, max: 1_000 },
    ...more,
  });

const CATALOGUE: readonly CatalogueRow[] = [
  row('plain', { rejectShareMax: 0.5 }),
  row('parts', { entityTypes: ['ip'], category: 'c2' }),
  row('hosts', { format: { kind: 'hosts' } }),
  row('table', { format: { kind: 'csv', values: ['indicator'], header: 'first' } }),
  row('prefixes', {
    entityTypes: ['ip'],
    format: { kind: 'json', each: ['prefixes[*]'] },
    threatClass: 'infrastructure',
    category: 'cloud',
    attributes: ['cloud'],
    canaries: 'off',
  }),
  row('known-good', {
    format: { kind: 'misp-warninglist' },
    threatClass: 'allowlist',
    category: 'known-good',
    canaries: 'off',
  }),
  row('too-short', { volume: { min: 100, max: 1_000 } }),
  row('damaged'),
  row('patterns', { volume: { min: 0, max: 1_000 }, format: { kind: 'misp-warninglist' } }),
];
const part = (path: string, source: string, more: Partial<OfflineFile> = {}): OfflineFile => ({
  path,
  source,
  role: 'part',
  ...more,
});
const OFFLINE: readonly OfflineFile[] = [
  part('feeds/plain.txt.gz', 'plain'),
  part('feeds/plain.hosts', 'plain', { role: 'variant' }),
  part('feeds/parts/emotet.txt', 'parts', { family: 'Emotet' }),
  part('feeds/parts/qakbot.txt', 'parts', { family: 'QakBot' }),
  part('feeds/hosts.txt', 'hosts'),
  part('feeds/table.csv', 'table'),
  part('feeds/prefixes.json', 'prefixes'),
  part('warninglists/good/list.json', 'known-good'),
  part('feeds/short.txt', 'too-short'),
  part('feeds/damaged.txt', 'damaged'),
  part('warninglists/patterns/list.json', 'patterns'),
  { path: 'feeds/prose.md', source: null, role: 'left-out', note: 'Prose.' },
];

type Fixture = {
  readonly path: string;
  readonly date: string;
  readonly content: string | Buffer;
  readonly sha256?: string;
};
const FILES: readonly Fixture[] = [
  {
    path: 'feeds/plain.txt.gz',
    date: '2026-08-22',
    content: gzipSync('# a list\nEvil.example.com\nbad.example.net\nbad.example.net\n10.0.0.1\n'),
  },
  { path: 'feeds/plain.hosts', date: '2026-08-22', content: '0.0.0.0 evil.example.com\n' },
  { path: 'feeds/parts/emotet.txt', date: '2026-03-01', content: '45.9.148.10\n' },
  { path: 'feeds/parts/qakbot.txt', date: '2026-08-10', content: '45.9.148.11\n45.9.148.12\n' },
  { path: 'feeds/hosts.txt', date: '2026-08-20', content: '127.0.0.1 localhost\n0.0.0.0 ads.example.org\n' },
  {
    path: 'feeds/table.csv',
    date: '2026-08-20',
    content: 'id,indicator\n1,one.example.com\n2,two.example.com\n',
  },
  {
    path: 'feeds/prefixes.json',
    date: '2026-08-21',
    content: '{"prefixes": ["5.188.0.0/16", "2a0b:f4c2::/40"]}',
  },
  {
    path: 'warninglists/good/list.json',
    date: '2026-08-20',
    content:
      '{"name":"Good","type":"hostname","version":1,"description":"d","matching_attributes":[],"list":["good.example.org"]}',
  },
  { path: 'feeds/short.txt', date: '2026-08-22', content: 'only.example.com\n' },
  { path: 'feeds/damaged.txt', date: '2026-08-22', content: 'x.example.com\n', sha256: 'ab'.repeat(32) },
  {
    path: 'warninglists/patterns/list.json',
    date: '2026-08-20',
    content: '{"name":"P","type":"regex","version":1,"list":["/a.*b/"]}',
  },
  { path: 'feeds/prose.md', date: '2026-08-22', content: 'words' },
  { path: 'feeds/new.txt', date: '2026-08-23', content: 'unknown.example.com\n' },
];

function writeDataSet(files: readonly Fixture[] = FILES): void {
  const records = files.map(({ path, date, content, sha256 }) => {
    const bytes = Buffer.from(content);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    return {
      path,
      date,
      bytes: bytes.length,
      entries: 2,
      compression: null,
      sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex'),
    };
  });
  writeFileSync(join(folder, 'MANIFEST.json'), JSON.stringify([...records, { path: 'mail/x', files: [] }]));
}

beforeEach(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  folder = mkdtempSync(join(tmpdir(), 'assay-manifest-'));
  dataDir = mkdtempSync(join(tmpdir(), 'assay-manifest-data-'));
  deps = { system, clock, dataDir, log, catalogue: CATALOGUE, offlineFiles: OFFLINE };
  writeDataSet();
});
afterEach(async () => {
  await system.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
});

const run = (options: ManifestOptions = {}) => importManifest(deps, folder, options);

async function listed(id: string): Promise<readonly string[]> {
  const { rows } = await sql<{ value: string }>`
    select i.value from listing l join indicator i using (key) join source s on s.number = l.source_number
     where s.id = ${id} order by i.value`.execute(system.db);
  return rows.map(({ value }) => value);
}

/** The whole content of the database: a rewritten row has another xmin and another ctid. */
async function fingerprint(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and has_table_privilege(c.oid, 'select')
     order by 1`.execute(system.db);
  const sums: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ':' || coalesce(sum(hashtext(t.xmin::text || t.ctid::text)::bigint), 0) as sum
        from ${sql.table(name)} t`.execute(system.db);
    sums.push(`${name}=${rows[0]?.sum}`);
  }
  for (const name of ['listing', 'source', 'feed_run', 'feed_state', 'source_fetch'])
    expect(tables.map((table) => table.name)).toContain(name);
  return sums.join('\n');
}

describe('the first import of a data set', () => {
  test('lists every file the catalogue knows, each in its own format', async () => {
    const report = await run();
    expect(Object.fromEntries(report.sources.map(({ id, status }) => [id, status]))).toEqual({
      plain: 'imported',
      parts: 'imported',
      hosts: 'imported',
      table: 'imported',
      prefixes: 'imported',
      'known-good': 'imported',
      'too-short': 'quarantined',
      damaged: 'refused',
      patterns: 'imported',
    });
    expect(report.isFirstLoad).toBe(true);
    expect(await listed('plain')).toEqual(['bad.example.net', 'evil.example.com']);
    expect(await listed('parts')).toEqual(['45.9.148.10', '45.9.148.11', '45.9.148.12']);
    expect(await listed('hosts')).toEqual(['ads.example.org']);
    expect(await listed('table')).toEqual(['one.example.com', 'two.example.com']);
    expect(await listed('prefixes')).toEqual(['2a0b:f4c2::/40', '5.188.0.0/16']);
    expect(await listed('known-good')).toEqual(['good.example.org']);
    expect(report.sources.find(({ id }) => id === 'plain')).toMatchObject({
      entries: 2,
      duplicates: 1,
      counts: { accepted: 3, rejected: 1 },
    });
  });

  test('reports each file it did not take, and why', async () => {
    const report = await run();
    expect(report.variants.map(({ path }) => path)).toEqual(['feeds/plain.hosts']);
    expect(report.leftOut).toEqual([{ path: 'feeds/prose.md', why: 'Prose.' }]);
    expect(report.unknown.map(({ path }) => path)).toEqual(['feeds/new.txt']);
    const reasons = new Map(report.sources.map(({ id, reason }) => [id, reason]));
    expect(reasons.get('damaged')).toContain("'feeds/damaged.txt' is not the file the manifest describes");
    expect(reasons.get('too-short')).toContain('fewer than the 100');
    expect(await listed('damaged')).toEqual([]);
    expect(await listed('too-short')).toEqual([]);
  });

  test('gives each list the newest day of its parts, never the time of the import', async () => {
    await run();
    const dataAt = async (id: string) => (await findSource(system.db, id))?.dataAtS;
    expect(await dataAt('parts')).toBe(Date.UTC(2026, 7, 10) / 1_000);
    expect(await dataAt('table')).toBe(Date.UTC(2026, 7, 20) / 1_000);
  });

  test('keeps the family of a part with its entries', async () => {
    await run();
    const { rows } = await sql<{ value: string; family: string }>`
      select i.value, l.family from listing l join indicator i using (key) where l.family is not null
       order by i.value`.execute(system.db);
    expect(rows).toEqual([
      { value: '45.9.148.10', family: 'Emotet' },
      { value: '45.9.148.11', family: 'QakBot' },
      { value: '45.9.148.12', family: 'QakBot' },
    ]);
  });

  test('writes a run for each source, also for the quarantined one', async () => {
    await run();
    const { rows } = await sql<{ id: string; status: string; accepted: string; problem: string | null }>`
      select s.id, r.status, r.accepted, f.problem from feed_run r join source s on s.number = r.source_number
        join feed_state f on f.source_number = s.number order by s.id`.execute(system.db);
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ['hosts', 'succeeded'],
      ['known-good', 'succeeded'],
      ['parts', 'succeeded'],
      ['patterns', 'succeeded'],
      ['plain', 'succeeded'],
      ['prefixes', 'succeeded'],
      ['table', 'succeeded'],
      ['too-short', 'quarantined'],
    ]);
    expect(rows.find(({ id }) => id === 'too-short')?.problem).toContain('fewer than the 100');
    expect(rows.find(({ id }) => id === 'plain')).toMatchObject({ accepted: '3', problem: null });
  });
});

describe('--rebase', () => {
  test('moves every date by one constant of whole days, which stays on record', async () => {
    const report = await run({ rebase: true });
    // 22 August is the newest day of an imported file; 23 August belongs to a file that is not in the catalogue.
    expect(report.rebaseMs).toBe(41 * DAY_MS);
    const dataAt = async (id: string) => (await findSource(system.db, id))?.dataAtS;
    expect(await dataAt('plain')).toBe(Date.UTC(2026, 9, 2) / 1_000);
    expect(await dataAt('parts')).toBe(Date.UTC(2026, 8, 20) / 1_000);
    const { rows } = await sql<{ state: string; run: string }>`
      select distinct f.rebase_ms as state, r.rebase_ms as run from feed_state f
        join feed_run r using (source_number) where r.status = 'succeeded'`.execute(system.db);
    expect(rows).toEqual([{ state: String(41 * DAY_MS), run: String(41 * DAY_MS) }]);
  });

  test('an import without it afterwards gives the lists their own dates back', async () => {
    await run({ rebase: true });
    const report = await run();
    expect(report.sources.filter(({ status }) => status === 'unchanged')).toEqual([]);
    expect((await findSource(system.db, 'plain'))?.dataAtS).toBe(Date.UTC(2026, 7, 22) / 1_000);
  });
});

describe('a second import', () => {
  test('of the same files writes nothing at all', async () => {
    await run({ rebase: true });
    const before = await fingerprint();
    const report = await run({ rebase: true });
    expect(await fingerprint()).toBe(before);
    expect(report.sources.filter(({ status }) => status === 'unchanged')).toHaveLength(7);
    expect(report).toMatchObject({ isFirstLoad: false });
  });

  test('with --reread reads and compares, and finds nothing to change', async () => {
    await run();
    const report = await run({ reread: true });
    const taken = report.sources.filter(({ status }) => status === 'imported');
    expect(taken).toHaveLength(7);
    for (const { added, removed, changed, counts } of taken) {
      expect({ added, removed, changed }).toEqual({ added: 0, removed: 0, changed: 0 });
      expect(counts?.lines).toBeGreaterThan(0);
    }
  });

  test('of a changed file changes that source alone', async () => {
    await run();
    writeDataSet(
      FILES.map((file) =>
        file.path === 'feeds/hosts.txt'
          ? { ...file, date: '2026-08-22', content: '0.0.0.0 other.example.org\n' }
          : file,
      ),
    );
    const report = await run();
    expect(
      report.sources
        .filter(({ status }) => status === 'imported')
        .map(({ id, added, removed }) => [id, added, removed]),
    ).toEqual([['hosts', 1, 1]]);
    expect(await listed('hosts')).toEqual(['other.example.org']);
  });

  test('leaves an operator’s settings of a source', async () => {
    await run();
    await sql`update source set scheduled = false, enabled = false where id = 'hosts'`.execute(system.db);
    await run({ reread: true });
    expect(await findSource(system.db, 'hosts')).toMatchObject({ scheduled: false, enabled: false });
  });
});

test('an import that is stopped between two sources continues where it stopped', async () => {
  const stop = new AbortController();
  let seen = 0;
  const stopped = run({
    signal: stop.signal,
    onSource: () => {
      seen += 1;
      if (seen === 3) stop.abort(new Error('power cut'));
    },
  });
  await expect(stopped).rejects.toThrow('power cut');
  const report = await run();
  expect(report.sources.map(({ status }) => status)).not.toContain('held');
  expect(await listed('plain')).toEqual(['bad.example.net', 'evil.example.com']);
  expect(await listed('known-good')).toEqual(['good.example.org']);
});

test.each([
  [
    'a folder without a manifest',
    () => rmSync(join(folder, 'MANIFEST.json')),
    'Name the folder that holds MANIFEST.json',
  ],
  [
    'a manifest of other things',
    () => writeFileSync(join(folder, 'MANIFEST.json'), '[]'),
    'Nothing was imported',
  ],
])('%s is refused with a sentence', async (_name, break_, sentence) => {
  break_();
  await expect(run()).rejects.toThrow(sentence);
});

test('an import announces what will be published before anything is read, and a folder without lists announces nothing', async () => {
  const expected = async () =>
    (await listPublications(system.db)).filter(({ isExpected }) => isExpected).map(({ name }) => name);
  const emptyFolder = mkdtempSync(join(tmpdir(), 'assay-no-lists-'));
  writeFileSync(join(emptyFolder, 'MANIFEST.json'), '[]');
  await expect(announceImport(deps, emptyFolder)).rejects.toThrow('Nothing was imported');
  rmSync(emptyFolder, { recursive: true });
  expect(await expected()).toEqual([]);
  await announceImport(deps, folder);
  expect(await expected()).toEqual(['blocklists', 'mmdb', 'taxii']);
});

test('a missing part keeps the whole source as it is', async () => {
  await run();
  writeDataSet(
    FILES.map((file) =>
      file.path === 'feeds/parts/qakbot.txt' ? { ...file, content: '45.9.148.13\n' } : file,
    ),
  );
  rmSync(join(folder, 'feeds/parts/emotet.txt'));
  const report = await run();
  expect(report.sources.find(({ id }) => id === 'parts')).toMatchObject({ status: 'refused' });
  expect(await listed('parts')).toEqual(['45.9.148.10', '45.9.148.11', '45.9.148.12']);
});
