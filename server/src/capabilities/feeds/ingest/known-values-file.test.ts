import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { KnownValues } from './known-values.ts';
import { forgetKnown, type KnownState, readKnown, touchKnown, writeKnown } from './known-values-file.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'assay-known-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const NOW_MS = Date.UTC(2026, 8, 1);
const STATE: KnownState = {
  sourceId: 'a-list',
  sourceNumber: 7,
  version: 3,
  mergedAtMs: 1_234_567,
  rules: '[]',
};
const path = join(dataDir, 'feeds', 'a-list.known');
const VALUES = ['1.2.3.4', 'evil.example.com', 'http://evil.example.com/a'];

beforeEach(async () => {
  const known = new KnownValues();
  for (const value of VALUES) known.add(value, value.length);
  await writeKnown(dataDir, STATE, known.after(), NOW_MS);
});

const isUsed = async (state = STATE, nowMs = NOW_MS) => (await readKnown(dataDir, state, nowMs)) !== null;

test('what was written is read again', async () => {
  const file = await readKnown(dataDir, STATE, NOW_MS);
  const known = new KnownValues(file?.columns);
  expect(VALUES.map((value) => known.find(value))).toEqual([0, 1, 2]);
  expect(VALUES.map((value, at) => known.offer(at, value.length))).toEqual([false, false, false]);
  expect(readdirSync(join(dataDir, 'feeds'))).toEqual(['a-list.known']);
});

test.each([
  ['another source', { sourceId: 'a-list', sourceNumber: 8 }],
  ['another version', { version: 4 }],
  ['another merge', { mergedAtMs: 1_234_568 }],
  ['other rules', { rules: '[1]' }],
])('a file of %s is not used', async (_, other) => {
  expect(await isUsed({ ...STATE, ...other })).toBe(false);
  expect(await isUsed()).toBe(true);
});

test('a file older than a week is not used, even if it is correct', async () => {
  expect(await isUsed(STATE, NOW_MS + 7 * 86_400_000)).toBe(true);
  expect(await isUsed(STATE, NOW_MS + 7 * 86_400_000 + 1)).toBe(false);
});

test('a file with any byte flipped or cut anywhere is not used', async () => {
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const torn = Buffer.from(whole);
    torn[at] = (torn[at] as number) ^ 0x10;
    writeFileSync(path, torn);
    // The spaces after the header have no meaning.
    const isPadding = at > whole.lastIndexOf('}', 1_023) && at < 1_024;
    expect(await isUsed(), `byte ${at}`).toBe(isPadding);
  }
  for (const length of [0, 5, 1_023, 1_024, 1_100, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, length));
    expect(await isUsed(), `cut at ${length}`).toBe(false);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(1)]));
  expect(await isUsed()).toBe(false);
});

test('a merge that changed nothing confirms the file, and it is then of that merge alone', async () => {
  const file = await readKnown(dataDir, STATE, NOW_MS);
  if (file === null) throw new Error('not there');
  await touchKnown(dataDir, file, 2_000_000);
  expect(await isUsed({ ...STATE, mergedAtMs: 2_000_000 })).toBe(true);
  expect(await isUsed()).toBe(false);
});

test('a missing file, or a path that is no file, is not used', async () => {
  await forgetKnown(dataDir, 'a-list');
  expect(await isUsed()).toBe(false);
  await forgetKnown(dataDir, 'a-list');
  expect(await readKnown('/dev/null', STATE, NOW_MS)).toBeNull();
});
