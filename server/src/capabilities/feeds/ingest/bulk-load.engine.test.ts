import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { corpusDataset, findSource, openCorpus } from '#capabilities/corpus/index.ts';
import type { CsvSpec } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { buildReplica } from '#test/replica.ts';
import { type BulkLoad, openBulkLoad } from './bulk-load.ts';
import type { IngestOptions } from './contract.ts';
import { type IngestDeps, ingestSnapshot } from './ingest-snapshot.ts';

let database: TestDatabase;
let system: Postgres;
let deps: IngestDeps;
const folder = mkdtempSync(join(tmpdir(), 'assay-bulk-'));
let nowMs = Date.UTC(2026, 8, 1);
const clock = { now: () => (nowMs += 1_000), monotonic: () => nowMs };
const DATA_AT_MS = Date.UTC(2026, 7, 20);
const CSV: CsvSpec = {
  kind: 'csv',
  header: 'none',
  values: [0],
  firstSeen: 1,
  lastSeen: 2,
  confidence: 3,
  reference: 4,
};
const DIGESTS: CsvSpec = { kind: 'csv', header: 'none', values: [0, 1], siblings: true };
const [MD5, SHA1] = ['44d88612fea8a8f36de82e1278abb02e', '3395856ce81f2b7382dee72602f798b642f14141'];

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  deps = { system, clock, dataDir: folder, log: createLog('silent') };
});
afterAll(async () => {
  await system.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const empty = () =>
  sql`with a as (delete from listing), b as (delete from listing_past), c as (delete from indicator),
           d as (delete from file_digest), e as (delete from source_fetch), f as (delete from source_revision),
           g as (delete from corpus_load), h as (delete from corpus_load_source), i as (delete from corpus_load_digest)
      delete from source`.execute(system.db);
beforeEach(empty);

function options(id: string, text: string, more: Partial<IngestOptions> = {}): IngestOptions {
  const path = join(folder, `${id}.txt`);
  writeFileSync(path, text);
  return {
    sourceId: id,
    settings: { name: id },
    files: [{ path, format: CSV }],
    dataAtMs: DATA_AT_MS,
    judge: () => undefined,
    canaries: true,
    ...more,
  };
}

async function open(): Promise<BulkLoad> {
  const load = await openBulkLoad(deps);
  if (load === null) throw new Error('The corpus is not empty.');
  return load;
}

/** Every row that a load leaves behind, without the times of the load itself. */
async function tables() {
  const read = async (query: ReturnType<typeof sql>) => (await query.execute(system.db)).rows;
  return {
    listings: await read(sql`
      select s.id, l.key, l.first_seen, l.last_seen, l.dated_by, l.confidence, l.reference, l.family, l.rank
        from listing l join source s on s.number = l.source_number order by l.key, s.id`),
    indicators: await read(sql`select key, value from indicator order by key`),
    families: await read(sql`select name from malware_family order by name`),
    references: await read(sql`select url from listing_reference order by url`),
    digests: await read(sql`select key, sibling from file_digest order by key, sibling`),
    sources: await read(sql`
      select id, name, type, semantics, data_at, entries, version from source order by id`),
    fetches: await read(sql`
      select s.id, f.data_at, f.entries, f.added, f.removed, f.changed, f.duplicates, f.rejected
        from source_fetch f join source s on s.number = f.source_number order by s.id`),
  };
}

const DATES = ['', '2026-01-01', '2026-03-01'];
const VALUES = [
  '1.2.3.4',
  '5.6.7.0/24',
  'evil.example.com',
  'EVIL.example.com',
  'http://x.example.org/a',
  'nonsense',
  '8.8.8.8',
];
const line = fc
  .tuple(
    fc.constantFrom(...VALUES),
    fc.constantFrom(...DATES),
    fc.constantFrom(...DATES),
    fc.constantFrom('', '50'),
    fc.constantFrom('', 'https://a.example.com/1', 'https://a.example.com/2'),
  )
  .map((cells) => cells.join(','));
const lists = fc.array(
  fc.array(line, { maxLength: 12 }).map((lines) => ['7.7.7.7,,,,', ...lines].join('\n')),
  {
    minLength: 1,
    maxLength: 4,
  },
);

test('a first load leaves the same content as one merge after another', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.constantFrom('state', 'window', 'delta'), async (texts, semantics) => {
      const all = texts.map((text, at) =>
        options(`list-${at}`, text, { settings: { semantics, type: 'ip' } }),
      );
      all.push(
        options('samples', `${MD5},${SHA1}\n`, {
          files: [{ path: join(folder, 'samples.txt'), format: DIGESTS }],
          settings: { type: 'hash' },
        }),
      );
      await empty();
      for (const each of all) await ingestSnapshot(deps, each);
      const merged = await tables();
      await empty();
      const load = await open();
      for (const each of all) await load.add(each);
      const { sources } = await load.finish();
      expect(await tables()).toEqual(merged);
      expect(sources).toHaveLength(all.length);
    }),
    { numRuns: 25 },
  );
}, 180_000);

test('the caller’s records are written in the same transaction as everything', async () => {
  const load = await open();
  const seen: string[] = [];
  const record: IngestOptions['record'] = async (tx, { source, added, counts, dataAtMs }) => {
    seen.push(`${source.id} ${added} ${counts.lines} ${dataAtMs === DATA_AT_MS}`);
    await sql`update source set attribution = 'seen' where id = ${source.id}`.execute(tx);
  };
  expect(await load.add(options('a', '7.7.7.7\n7.7.7.7\n', { record }))).toMatchObject({
    lines: 2,
    accepted: 2,
  });
  await load.add(options('b', '7.7.7.8\n', { record }));
  expect((await tables()).listings).toEqual([]);
  await load.finish();
  expect(seen).toEqual(['a 1 2 true', 'b 1 1 true']);
  expect((await findSource(system.db, 'a'))?.attribution).toBe('seen');
});

test('a record that fails undoes the load, and it can be finished again', async () => {
  const load = await open();
  let isBroken = true;
  const record = async () => {
    if (isBroken) throw new Error('the run log is full');
  };
  await load.add(options('a', '7.7.7.7\n', { record }));
  await expect(load.finish()).rejects.toThrow('the run log is full');
  expect((await tables()).listings).toEqual([]);
  isBroken = false;
  expect((await load.finish()).sources).toHaveLength(1);
});

test('a refused source is left out and the others go on', async () => {
  const load = await open();
  const judge = () => {
    throw new GateError('volume', 'Too short.', true);
  };
  await expect(load.add(options('a', '7.7.7.7\n', { judge }))).rejects.toThrow('Too short.');
  await load.add(options('b', '7.7.7.8\n'));
  const { sources } = await load.finish();
  expect(sources.map(({ source }) => source.id)).toEqual(['b']);
  expect(await findSource(system.db, 'a')).toBeUndefined();
});

test('a first load collects its own planner statistics, and from its start on files are missed', async () => {
  const load = await open();
  const { rows: expected } = await sql<{ count: number }>`
    select count(*)::int as count from publication where expected`.execute(system.db);
  expect(expected[0]?.count).toBe(3);
  await load.add(options('a', '7.7.7.7\n7.7.7.8\n'));
  await load.finish();
  const { rows } = await sql<{ name: string; rows: number }>`
    select relname as name, reltuples::int as rows from pg_class
     where relname in ('indicator', 'listing') and relnamespace = 'public'::regnamespace order by 1`.execute(
    system.db,
  );
  expect(rows).toEqual([
    { name: 'indicator', rows: 2 },
    { name: 'listing', rows: 2 },
  ]);
});

test('a killed load continues where it stopped: sources already loaded with the same content are not read again', async () => {
  const killed = await open();
  await killed.add(options('a', '7.7.7.7\n'));
  await killed.add(options('b', '7.7.7.8\n'));
  await killed.add(options('left-over', '7.7.7.9\n'));
  let read = 0;
  const onProgress = () => {
    read += 1;
  };
  const load = await open();
  expect(await load.add(options('a', '7.7.7.7\n', { onProgress }))).toMatchObject({ accepted: 1 });
  expect(read).toBe(0);
  expect(await load.add(options('b', '7.7.7.80\n7.7.7.81\n', { onProgress }))).toMatchObject({ accepted: 2 });
  expect(read).toBeGreaterThan(0);
  const { sources } = await load.finish();
  expect(sources.map(({ source, added }) => [source.id, added])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  const { indicators } = await tables();
  expect(indicators.map((row) => (row as { value: string }).value)).toEqual([
    '7.7.7.7',
    '7.7.7.80',
    '7.7.7.81',
  ]);
  expect((await sql`select 1 from corpus_load`.execute(system.db)).rows).toEqual([]);
});

test('a corpus with content is not loaded in bulk', async () => {
  await ingestSnapshot(deps, options('a', '7.7.7.7\n'));
  expect(await openBulkLoad(deps)).toBeNull();
});

test('content that another source brought during the load stays; a source of the load that got content ends it', async () => {
  const load = await open();
  await load.add(options('a', '7.7.7.7\n7.7.7.8\n'));
  await ingestSnapshot(deps, options('other', '7.7.7.7\n7.7.7.9\n'));
  await load.finish();
  expect((await tables()).listings).toHaveLength(4);
  await empty();
  const late = await open();
  await late.add(options('a', '7.7.7.7\n'));
  await ingestSnapshot(deps, options('a', '7.7.7.9\n'));
  await expect(late.finish()).rejects.toMatchObject({ code: 'Conflict' });
  expect((await tables()).indicators).toHaveLength(1);
});

test('a replica that follows rebuilds once, serves meanwhile, and shows everything', async () => {
  const built = await buildReplica(system, corpusDataset);
  const corpus = openCorpus(built.replica);
  const found = (text: string) => {
    const parsed = parseIndicator(text);
    return parsed.ok && parsed.indicator.kind !== 'cidr' ? corpus.lookup(parsed.indicator).listings : [];
  };
  try {
    const before = built.replicator.status().generation;
    const load = await open();
    await load.add(options('a', '7.7.7.7\n5.6.7.0/24\n'));
    await built.sync();
    expect(found('7.7.7.7')).toEqual([]);
    const { seq } = await load.finish();
    expect(found('7.7.7.7')).toEqual([]);
    await built.sync();
    const rebuilt = built.replicator.status();
    expect(rebuilt.generation).not.toBe(before);
    expect(corpus.seq()).toBe(seq);
    expect(found('7.7.7.7').map(({ source }) => source.id)).toEqual(['a']);
    expect(found('5.6.7.8').map(({ matchType }) => matchType)).toEqual(['cidr']);
    await ingestSnapshot(deps, options('b', '7.7.7.7\n'));
    await built.sync();
    expect(built.replicator.status().generation).toBe(rebuilt.generation);
    expect(found('7.7.7.7').map(({ source }) => source.id)).toEqual(['a', 'b']);
  } finally {
    await built.close();
  }
});
