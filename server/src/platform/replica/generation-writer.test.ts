import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openEnvironment, openTable } from '../lmdb.ts';
import { GenerationWriter } from './generation-writer.ts';
import { dataFile } from './generations.ts';
import { collectionTable } from './head.ts';
import { packChanges } from './packed-changes.ts';

const dir = mkdtempSync(join(tmpdir(), 'assay-generation-'));
const ITEMS = collectionTable('items');
const bytes = (text: string) => Buffer.from(text);
const changed = (key: string, value: string) => packChanges([{ key: bytes(key), value: bytes(value) }]);
const POSITION = { seq: 2, seqAtUs: '2000', baseSeq: 1, contactAtMs: 2, contactTookMs: 0 };

let folder: string;
let built = 0;
beforeEach(async () => {
  built += 1;
  folder = join(dir, String(built));
  const start = { dataset: 'toy', format: 1, generation: `g${built}`, origin: 'here', seq: 1 };
  const writer = GenerationWriter.create(folder, {
    ...start,
    seqAtUs: '1000',
    builtAtMs: 1,
    collections: ['items'],
  });
  writer.appendInOneTransaction(() => writer.appendEntry(ITEMS, bytes('a'), bytes('old')));
  writer.finish();
  await writer.close();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function storedValue(key: string): Promise<string | undefined> {
  const environment = openEnvironment(dataFile(folder), 'read');
  const value = openTable(environment, ITEMS)?.getBinary(bytes(key))?.toString();
  await environment.close();
  return value;
}

test('a delta of several parts is visible with its position', async () => {
  const writer = GenerationWriter.adopt(folder);
  writer.stage('items', changed('a', 'new'));
  writer.stage('items', changed('b', 'more'));
  expect(writer.commit(POSITION).head).toMatchObject({ seq: 2, entries: 2 });
  await writer.close();
  expect([await storedValue('a'), await storedValue('b')]).toEqual(['new', 'more']);
});

test('a delta whose second part cannot be applied changes nothing: readers never see half of it (reliability F1)', async () => {
  const writer = GenerationWriter.adopt(folder);
  writer.stage('items', changed('a', 'new'));
  writer.stage('items', changed('b', 'more').subarray(0, 6));
  expect(() => writer.commit(POSITION)).toThrow(RangeError);
  expect(writer.state().head).toMatchObject({ seq: 1, entries: 1 });
  await writer.close();
  expect([await storedValue('a'), await storedValue('b')]).toEqual(['old', undefined]);
});
