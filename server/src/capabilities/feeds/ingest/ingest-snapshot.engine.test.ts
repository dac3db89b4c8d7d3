import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSource, mergeSnapshot } from '#capabilities/corpus/index.ts';
import type { CsvSpec } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { REFUSALS } from './admit.ts';
import type { IngestOptions, IngestReport } from './contract.ts';
import { type IngestDeps, ingestSnapshot } from './ingest-snapshot.ts';

let database: TestDatabase;
let system: Postgres;
let folder: string;
let nowMs = Date.UTC(2026, 8, 1);
const clock = { now: () => (nowMs += 1_000), monotonic: () => nowMs };
const log = createLog('silent');
const DATA_AT_MS = Date.UTC(2026, 7, 20);
let cached: IngestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  folder = mkdtempSync(join(tmpdir(), 'assay-ingest-'));
  cached = { system, clock, dataDir: join(folder, 'data'), log };
});
afterAll(async () => {
  await system.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const CSV: CsvSpec = {
  kind: 'csv',
  header: 'none',
  values: [0],
  firstSeen: 1,
  lastSeen: 2,
  confidence: 3,
  reference: 4,
};

function ingest(
  id: string,
  text: string,
  options: Partial<IngestOptions> = {},
  deps = cached,
): Promise<IngestReport> {
  const path = join(folder, `${id}.txt`);
  writeFileSync(path, text);
  return ingestSnapshot(deps, {
    sourceId: id,
    settings: {},
    files: [{ path, format: { kind: 'plain' } }],
    dataAtMs: DATA_AT_MS,
    judge: () => undefined,
    canaries: true,
    ...options,
  });
}

const rowsOf = async (id: string) =>
  (
    await sql<{ value: string }>`
      select i.value, p.first_seen, p.last_seen, p.dated_by, p.confidence, p.reference, p.family, p.rank,
             p.listed_to is null as is_listed
        from listing_period p join indicator i using (key) join source s on s.number = p.source_number
       where s.id = ${id} order by i.value, p.listed_from, is_listed`.execute(system.db)
  ).rows;
const listed = async (id: string): Promise<string[]> =>
  (await rowsOf(id)).filter((row) => (row as { is_listed?: boolean }).is_listed).map(({ value }) => value);

describe('a list', () => {
  test('of every kind arrives with the defaults: a threat of medium risk', async () => {
    const text = `\ufeff# header\r
185.220.101.1\r
45.9.148.0/24 ; SBL123
45.9.148.9/32
5.188.206.14:443
2a0b:f4c2::1
EVIL.Example.COM.
hxxp://evil[.]example[.]net/a
44d88612fea8a8f36de82e1278abb02e
185.220.101.1`;
    const report = await ingest('my-list', text);
    expect(report).toMatchObject({
      added: 8,
      duplicates: 1,
      counts: { lines: 9, accepted: 9, rejected: 0, reasons: [] },
    });
    expect(await listed('my-list')).toEqual([
      '185.220.101.1',
      '2a0b:f4c2::1',
      '44d88612fea8a8f36de82e1278abb02e',
      '45.9.148.0/24',
      '45.9.148.9',
      '5.188.206.14',
      'evil.example.com',
      'http://evil.example.net/a',
    ]);
    expect(await findSource(system.db, 'my-list')).toMatchObject({
      name: 'my-list',
      type: 'mixed',
      threatClass: 'threat',
      fpRisk: 'medium',
      dataAtS: DATA_AT_MS / 1_000,
      version: 1,
      entries: 8,
    });
  });

  test('sets the entity types of a new source from its entries', async () => {
    await ingest('addresses', '4.4.4.4\n4.4.4.0/24');
    expect((await findSource(system.db, 'addresses'))?.type).toBe('ip');
    await ingest('addresses', '4.4.4.4\nevil.example.com');
    expect((await findSource(system.db, 'addresses'))?.type).toBe('ip');
  });

  test('counts every refused entry under its reason, with an example', async () => {
    const { counts, added } = await ingest(
      'mixed-bag',
      '1.2.3.5\n8.8.8.8\n10.0.0.1\n10.0.0.2\n1.0.0.0/4\nco.uk\ngithub.io\n',
    );
    expect(added).toBe(1);
    expect(counts).toMatchObject({ accepted: 1, rejected: 5, disposed: 1 });
    expect(counts.reasons).toEqual(
      expect.arrayContaining([
        { kind: 'rejected', reason: REFUSALS.bogon, count: 2, example: '10.0.0.1' },
        { kind: 'rejected', reason: REFUSALS.tooWide, count: 1, example: '1.0.0.0/4' },
        { kind: 'rejected', reason: REFUSALS.platform, count: 2, example: 'co.uk' },
        { kind: 'disposed', reason: REFUSALS.canary, count: 1, example: '8.8.8.8' },
      ]),
    );
  });

  test('in parts is one list, packed or not, and a part can name its family', async () => {
    const [plain, packed] = [join(folder, 'part-1.txt'), join(folder, 'part-2.txt.gz')];
    writeFileSync(plain, 'a.example.com\nb.example.com');
    writeFileSync(packed, gzipSync('c.example.com\n'));
    const format = { kind: 'plain' } as const;
    const files = [
      { path: plain, format },
      { path: packed, format, family: 'Emotet' },
    ];
    const report = await ingest('parts', '', { files });
    expect(report.added).toBe(3);
    const families = (await rowsOf('parts')).map((row) => (row as { family?: string | null }).family);
    expect(families).toEqual([null, null, 'Emotet']);
  });

  test('that is refused leaves the last good content, no new source and no entry in the change log', async () => {
    await ingest('kept', '4.4.4.4\n4.4.4.5');
    const refuse = () => {
      throw new GateError('volume', 'Too short.', true);
    };
    let recorded = 0;
    const record = async () => {
      recorded += 1;
    };
    await expect(ingest('kept', '4.4.4.4', { judge: refuse, record })).rejects.toThrow('Too short.');
    await expect(ingest('never', '4.4.4.4', { judge: refuse, record })).rejects.toThrow('Too short.');
    await expect(ingest('kept', '# nothing\n', { record })).rejects.toThrow('holds no indicator');
    await expect(ingest('kept', '<!doctype html><p>1.2.3.4</p>', { record })).rejects.toThrow(GateError);
    expect(recorded).toBe(0);
    expect(await listed('kept')).toEqual(['4.4.4.4', '4.4.4.5']);
    expect(await findSource(system.db, 'never')).toBeUndefined();
    expect(await ingest('kept', '4.4.4.4\n4.4.4.5')).toMatchObject({ unchanged: 2, added: 0 });
  });

  test('cut off in the middle of its document is refused, however little is missing', async () => {
    const files = [{ path: join(folder, 'cut.txt'), format: { kind: 'json', each: ['[*]'] } as const }];
    await expect(ingest('cut', '["4.4.4.4","4.4.4.5",', { files })).rejects.toMatchObject({
      gate: 'wrong-format',
    });
  });

  test('is recorded by the caller in the same transaction', async () => {
    const record = async () => {
      throw new Error('the run log is full');
    };
    await expect(ingest('unrecorded', '4.4.4.4', { record })).rejects.toThrow('the run log is full');
    expect(await findSource(system.db, 'unrecorded')).toBeUndefined();
  });

  test('has the date it declares, unless that is not trusted or lies in the future; every date is shifted', async () => {
    const day = 86_400_000;
    const text = '# Last updated: 2026-08-10 00:00:00 UTC\n4.4.4.4\n';
    expect((await ingest('declared', text)).dataAtMs).toBe(Date.UTC(2026, 7, 10));
    expect((await ingest('declared', text, { trustDeclaredDate: false })).dataAtMs).toBe(DATA_AT_MS);
    expect((await ingest('declared', text, { rebaseMs: 5 * day })).dataAtMs).toBe(Date.UTC(2026, 7, 15));
    const future = text.replace('2026', '2036');
    expect((await ingest('declared', future)).dataAtMs).toBe(DATA_AT_MS);
  });
});

describe('a list that comes again', () => {
  const written = async () =>
    (
      await sql`
        select (select max(xmin::text::bigint)::text from listing) as listing,
               (select max(xmin::text::bigint)::text from indicator) as indicator,
               (select count(*) from replica_change) as changes, (select count(*) from source_revision) as revisions`.execute(
        system.db,
      )
    ).rows[0];

  test('unchanged writes no listing, no indicator, no change, with the known values and without', async () => {
    const text = '7.7.7.1\n7.7.7.2\nx.example.com\n';
    const settings = { name: 'Again', category: 'c2', attributes: ['a'] };
    const first = await ingest('again', text, { settings });
    const before = await written();
    expect(await ingest('again', text, { settings })).toMatchObject({
      unchanged: 3,
      added: 0,
      seq: first.seq,
    });
    expect(
      await ingest('again', text, { settings }, { ...cached, dataDir: join(folder, 'other') }),
    ).toMatchObject({ unchanged: 3, added: 0 });
    expect(await written()).toEqual(before);
    expect((await findSource(system.db, 'again'))?.version).toBe(1);
  });

  const knownFile = (id: string) => join(cached.dataDir, 'feeds', `${id}.known`);

  const indicators = (...values: string[]) =>
    values.map((value) => {
      const parsed = parseIndicator(value);
      if (!parsed.ok) throw new Error(parsed.reason);
      return { indicator: parsed.indicator };
    });

  test('after another change of the source is compared with its current content', async () => {
    await ingest('shared', '7.7.7.1\n7.7.7.2');
    const stale = readFileSync(knownFile('shared'));
    // The same number of entries as before, so the count alone would not show the change.
    await mergeSnapshot(cached, 'shared', [indicators('9.1.1.1', '7.7.7.1')], { dataAtMs: DATA_AT_MS });
    expect(await ingest('shared', '7.7.7.1\n7.7.7.2')).toMatchObject({ added: 1, removed: 1, unchanged: 1 });
    await mergeSnapshot(cached, 'shared', [indicators('9.1.1.1', '9.1.1.2')], { dataAtMs: DATA_AT_MS });
    writeFileSync(knownFile('shared'), stale);
    expect(await ingest('shared', '7.7.7.1\n7.7.7.2')).toMatchObject({ added: 2, removed: 2, unchanged: 0 });
    expect(await listed('shared')).toEqual(['7.7.7.1', '7.7.7.2']);
  });

  test('in which a known line stands beside another of the same value is folded from both', async () => {
    const options = (id: string) => ({ files: [{ path: join(folder, `${id}.txt`), format: CSV }] });
    const known = '6.6.6.6,2026-01-01,2026-02-01,50,https://a.example.com/2';
    await ingest('twins', known, options('twins'));
    const beside = '6.6.6.6,2026-01-15,2026-03-01,,https://a.example.com/3';
    expect(await ingest('twins', `${known}\n${beside}`, options('twins'))).toMatchObject({
      changed: 1,
      duplicates: 1,
    });
    expect((await rowsOf('twins')).at(-1)).toMatchObject({
      first_seen: new Date('2026-01-01'),
      last_seen: new Date('2026-03-01'),
      confidence: 50,
      reference: 'https://a.example.com/2',
    });
  });

  test('with a file of known values that names unlisted values is compared as a whole', async () => {
    await ingest('misled', '7.7.7.1\n7.7.7.2');
    const { number = 0 } = (await findSource(system.db, 'misled')) ?? {};
    await sql`update listing set key = '\\x0105050505' where key = '\\x0107070702' and source_number = ${number}`.execute(
      system.db,
    );
    expect(await ingest('misled', '7.7.7.1')).toMatchObject({ removed: 1, unchanged: 1 });
  });

  test('with other rules is compared again: a platform that was described is not accused', async () => {
    await ingest('ruled', 'github.io\nevil.example.com', { settings: { threatClass: 'infrastructure' } });
    expect(
      await ingest('ruled', 'github.io\nevil.example.com', { settings: { threatClass: 'threat' } }),
    ).toMatchObject({
      removed: 1,
      counts: { rejected: 1 },
    });
  });

  test('with a file of known values that is torn, or a folder that cannot be written, still arrives', async () => {
    await ingest('torn', '7.7.7.1\n7.7.7.2');
    writeFileSync(knownFile('torn'), readFileSync(knownFile('torn')).subarray(0, -3));
    expect(await ingest('torn', '7.7.7.2\n7.7.7.3')).toMatchObject({ added: 1, removed: 1, unchanged: 1 });
    const nowhere = { ...cached, dataDir: join(folder, 'torn.txt') };
    expect(await ingest('torn', '7.7.7.3', {}, nowhere)).toMatchObject({
      added: 0,
      removed: 1,
      unchanged: 1,
    });
  });
});

const DATES = ['', '2026-01-01', '2026-02-01', '2026-03-01'];
const VALUES = [
  '1.2.3.4',
  'evil.example.com',
  'EVIL.example.com',
  'hxxp://x.example.org/a',
  'http://x.example.org/a',
  'nonsense',
];
const line = fc
  .record({
    value: fc.constantFrom(...VALUES),
    first: fc.constantFrom(...DATES),
    last: fc.constantFrom(...DATES),
    confidence: fc.constantFrom('', '50', '100'),
    reference: fc.constantFrom('', 'https://a.example.com/1', 'https://a.example.com/2'),
  })
  .map(({ value, first, last, confidence, reference }) =>
    [value, first, last, confidence, reference].join(','),
  );
const bare = fc.constantFrom(...VALUES).map((value) => `${value},,,,`);
const snapshots = fc.array(
  fc.array(fc.oneof({ weight: 2, arbitrary: bare }, line), { minLength: 1, maxLength: 8 }),
  {
    minLength: 2,
    maxLength: 6,
  },
);

let run = 0;
test.each(['state', 'archive', 'window'] as const)(
  'any sequence of snapshots of a %s source ends the same with and without the known values',
  async (semantics) => {
    await fc.assert(
      fc.asyncProperty(snapshots, async (sequence) => {
        run += 1;
        const uncached = (at: number) => ({ ...cached, dataDir: join(folder, `none-${run}-${at}`) });
        for (const [at, lines] of sequence.entries()) {
          const text = lines.join('\n');
          const options = (id: string): Partial<IngestOptions> => ({
            settings: { semantics },
            files: [{ path: join(folder, `${id}.txt`), format: CSV }],
            dataAtMs: DATA_AT_MS + at * 3_600_000,
          });
          const outcome = (report: Promise<IngestReport>) =>
            report.then(
              ({ added, removed, changed, unchanged, duplicates, source, counts }) => ({
                added,
                removed,
                changed,
                unchanged,
                duplicates,
                // Only rows that are handed over are counted by kind.
                counts: { ...counts, kinds: null },
                entries: source.entries,
                version: source.version,
              }),
              (error: unknown) => String(error).replaceAll(/'[^']*'/g, ''),
            );
          const [one, other] = [`c-${run}`, `u-${run}`];
          expect(await outcome(ingest(one, text, options(one)))).toEqual(
            await outcome(ingest(other, text, options(other), uncached(at))),
          );
          expect(await rowsOf(one)).toEqual(await rowsOf(other));
        }
      }),
      { numRuns: bySize(8, 40) },
    );
  },
  180_000,
);
