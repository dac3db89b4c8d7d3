import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#platform/time-units.ts';
import { readHistory } from './read-history.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LATEST_MS = Date.UTC(2026, 7, 22);
const path = () => join(folder, 'list.tsv.gz');
async function read(lines: readonly string[], rebaseMs = 0): Promise<Record<string, string>> {
  writeFileSync(path(), gzipSync(lines.map((line) => `${line}\n`).join('')));
  const sightings = await readHistory(path(), { latestMs: LATEST_MS, rebaseMs });
  return Object.fromEntries(
    [...(sightings ?? [])].map(([value, ms]) => [value, new Date(ms).toISOString().slice(0, 10)]),
  );
}

test('an entry is listed since the start of the period that is open, or of the last one', async () => {
  expect(
    await read([
      'a.example\t2026-05-01/',
      'b.example\t2025-01-01/2025-02-01,2026-06-02/',
      'c.example\t2025-01-01/2025-02-01,2025-03-03/2025-04-01',
    ]),
  ).toEqual({ 'a.example': '2026-05-01', 'b.example': '2026-06-02', 'c.example': '2025-03-03' });
});

test('an entry from before the history begins has no date', async () => {
  expect(
    await read(['old.example\t/', 'older.example\t/2026-03-01', 'back.example\t/2026-03-01,2026-04-01/']),
  ).toEqual({
    'back.example': '2026-04-01',
  });
});

test('an address is listed since the first of its ports; a page has its scheme', async () => {
  expect(
    await read([
      '192.0.2.1:443\t2026-05-01/',
      '192.0.2.1:80\t2026-03-01/',
      '192.0.2.2\t/',
      '192.0.2.2:80\t2026-03-01/',
      'evil.example/page\t2026-03-01/',
    ]),
  ).toEqual({ '192.0.2.1': '2026-03-01', 'http://evil.example/page': '2026-03-01' });
});

test('dates move with the data set and are never later than it', async () => {
  expect(await read(['a.example\t2026-05-01/', 'b.example\t2026-09-09/'], 10 * DAY_MS)).toEqual({
    'a.example': '2026-05-11',
    'b.example': '2026-09-01',
  });
});

test('a missing file is no history; a broken one is refused by name', async () => {
  expect(await readHistory(path(), { latestMs: LATEST_MS, rebaseMs: 0 })).toBeNull();
  writeFileSync(path(), 'not compressed');
  await expect(readHistory(path(), { latestMs: LATEST_MS, rebaseMs: 0 })).rejects.toThrow(/list\.tsv\.gz/);
});

test('lines without a value or a date are passed over', async () => {
  expect(
    await read(['', '\t2026-05-01/', 'no tab', 'a.example\tyesterday/', 'b.example\t2026-05-01/']),
  ).toEqual({
    'b.example': '2026-05-01',
  });
});
