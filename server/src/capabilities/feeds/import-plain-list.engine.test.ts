import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSource } from '#capabilities/corpus/index.ts';
import { REJECTIONS } from '#domain/indicator/index.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { type ImportOptions, importPlainList } from './import-plain-list.ts';
import { readLines } from './read-lines.ts';
import { REFUSALS } from './snapshot-reader.ts';

let database: TestDatabase;
let system: Postgres;
let folder: string;
let nowMs = Date.UTC(2026, 8, 1);
const clock = { now: () => (nowMs += 1_000), monotonic: () => nowMs };
const DATA_AT_MS = Date.UTC(2026, 7, 20);

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  folder = mkdtempSync(join(tmpdir(), 'assay-feeds-'));
});
afterAll(async () => {
  await system.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const importText = (id: string, text: string, options: Partial<ImportOptions> = {}) =>
  importPlainList({ system, clock }, id, [text.split('\n')], { dataAtMs: DATA_AT_MS, ...options });

async function listed(id: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select i.value from listing l join indicator i using (key) join source s on s.number = l.source_number
     where s.id = ${id} order by i.value`.execute(system.db);
  return rows.map(({ value }) => value);
}

test('one new list of every kind arrives with the defaults: a threat of medium risk', async () => {
  const text = `\ufeff# header\r
185.220.101.1\r
45.9.148.0/24 ; SBL123
45.9.148.9/32
5.188.206.14:443
2a0b:f4c2::1
EVIL.Example.COM.
hxxp://evil[.]example[.]net/a
0.0.0.0 ads.example.org
44d88612fea8a8f36de82e1278abb02f
185.220.101.1`;
  const report = await importText('my-list', text);
  expect(report).toMatchObject({
    isNew: true,
    entries: 9,
    added: 9,
    duplicates: 1,
    rejected: 0,
    rejections: [],
  });
  expect(await listed('my-list')).toEqual([
    '185.220.101.1',
    '2a0b:f4c2::1',
    '44d88612fea8a8f36de82e1278abb02f',
    '45.9.148.0/24',
    '45.9.148.9',
    '5.188.206.14',
    'ads.example.org',
    'evil.example.com',
    'http://evil.example.net/a',
  ]);
  expect(await findSource(system.db, 'my-list')).toMatchObject({
    name: 'my-list',
    type: 'mixed',
    category: 'malicious-activity',
    threatClass: 'threat',
    fpRisk: 'medium',
    dataAtS: DATA_AT_MS / 1_000,
  });
});

test('every rejected entry is counted under its reason, with an example', async () => {
  const text = [
    '1.1.1.1',
    '1.0.0.1',
    '9.9.9.9',
    '8.8.8.8',
    '192.168.1.1',
    '10.0.0.0/8',
    '1.0.0.0/4',
    'co.uk',
    'github.io',
    'nonsense',
  ];
  const report = await importText('mixed-bag', [...text, '1.2.3.5', '1.2.3.6', '1.2.3.7'].join('\n'));
  expect(report).toMatchObject({ added: 7, rejected: 6 });
  expect(Object.fromEntries(report.rejections.map(({ reason, count }) => [reason, count]))).toEqual({
    [REFUSALS.bogon]: 2,
    [REFUSALS.tooWide]: 1,
    [REFUSALS.platform]: 1,
    [REJECTIONS.isSuffix]: 1,
    [REJECTIONS.singleLabel]: 1,
  });
  expect(report.rejections.find(({ reason }) => reason === REFUSALS.tooWide)?.example).toBe('1.0.0.0/4');
});

test('a platform name may be described, only not accused', async () => {
  await importText('shared', 'github.io\nduckdns.org', {
    settings: { threatClass: 'infrastructure', attributes: ['dynamic-dns'] },
  });
  expect(await listed('shared')).toEqual(['duckdns.org', 'github.io']);
});

test.each([
  ['an empty file', '', 'is empty'],
  ['comments alone', '# one\n# two\n', 'is empty'],
  ['a web page', '\n<!DOCTYPE html>\n<html><body>1.2.3.4</body></html>', 'is a web page'],
  ['mostly rubbish', '4.4.4.4\nnot an indicator\nneither\nnor this', '3 of 4 entries'],
])('%s is refused and the last good content stays', async (_, text, message) => {
  await importText('kept', '4.4.4.4\n4.4.4.5');
  await expect(importText('kept', text)).rejects.toThrow(message);
  expect(await listed('kept')).toEqual(['4.4.4.4', '4.4.4.5']);
});

test('a refused list of an unknown source leaves no source behind', async () => {
  await expect(importText('never', '<html></html>')).rejects.toThrow('is a web page');
  await expect(importText('never', 'a\nb\n1.2.3.4')).rejects.toThrow('2 of 3');
  expect(await findSource(system.db, 'never')).toBeUndefined();
});

test('what the operator says about a source holds, and what is left out is kept', async () => {
  await importText('tuned', '4.4.4.4', { settings: { category: 'c2', fpRisk: 'low', signal: 'scanner' } });
  await importText('tuned', '4.4.4.4', { settings: { name: 'Tuned list' } });
  expect(await findSource(system.db, 'tuned')).toMatchObject({
    name: 'Tuned list',
    type: 'ip',
    category: 'c2',
    fpRisk: 'low',
    signal: 'scanner',
  });
});

test('files are read as parts of one list, compressed or not', async () => {
  const plain = join(folder, 'part-1.txt');
  const packed = join(folder, 'part-2.txt.gz');
  writeFileSync(plain, `a.example.com\r\n${'x'.repeat(600_000)}\nb.example.com`);
  writeFileSync(packed, gzipSync('c.example.com\n'));
  const report = await importPlainList({ system, clock }, 'parts', readLines([plain, packed]), {
    dataAtMs: DATA_AT_MS,
  });
  expect(await listed('parts')).toEqual(['a.example.com', 'b.example.com', 'c.example.com']);
  expect(report).toMatchObject({ lines: 4, rejected: 1 });
});

test('a file that is not gzip, or not there, is an error and changes nothing', async () => {
  const broken = join(folder, 'broken.gz');
  writeFileSync(broken, '1.2.3.4\n');
  const attempt = (path: string) =>
    importPlainList({ system, clock }, 'parts', readLines([path]), { dataAtMs: DATA_AT_MS });
  await expect(attempt(broken)).rejects.toThrow('incorrect header check');
  await expect(attempt(join(folder, 'absent.txt'))).rejects.toThrow('ENOENT');
  expect(await listed('parts')).toHaveLength(3);
});
