import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { type Breached, breachedHashes, listOf, sha1Of } from './breached.fixture.ts';
import { beginBuilding, buildingFile } from './corpus-files.ts';
import { type Coverage, prefixText } from './corpus-head.ts';
import { loadPasswords } from './load-passwords.ts';
import { NoAnswer, openPasswords } from './open-passwords.ts';

const NOW_MS = Date.UTC(2026, 7, 23);
const PART: Coverage = { first: 0x1_0000, last: 0x1_03ff };
/** About one hash for each prefix of the part. */
const HASHES: readonly Breached[] = Array.from({ length: 1_000 }, (_, at) => ({
  hash: `${prefixText(PART.first + Math.floor(at * 1.024))}${sha1Of(`rest-${at}`).slice(5)}`.toUpperCase(),
  count: at + 1,
})).toSorted((a, b) => (a.hash < b.hash ? -1 : 1));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-layouts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** One file for each prefix of the part, as the downloader writes them. */
function rangeFolder(
  nameOf: (prefix: string) => string,
  pack: (text: string) => string | Buffer = (text) => text,
): string {
  const path = join(folder, 'ranges');
  mkdirSync(path, { recursive: true });
  const lines = Map.groupBy(HASHES, ({ hash }) => hash.slice(0, 5));
  for (let prefix = PART.first; prefix <= PART.last; prefix += 1) {
    const text = prefixText(prefix);
    const rests = (lines.get(text) ?? []).map(({ hash, count }) => `${hash.slice(5)}:${count}`);
    writeFileSync(join(path, nameOf(text)), pack(rests.join('\r\n')));
  }
  return path;
}

let loads = 0;
async function load(paths: readonly string[], partial: Coverage = PART) {
  loads += 1;
  const dataDir = join(folder, `data-${loads}`);
  const options = { dataDir, paths, type: 'sha1', dataAtMs: NOW_MS, nowMs: NOW_MS } as const;
  return {
    dataDir,
    ...(await loadPasswords({ ...options, partial })),
  };
}

describe('the same hashes give the same corpus', () => {
  test('from a file, from parts of it and from folders of range files; plain, gzip and zstd', async () => {
    const list = listOf(HASHES);
    const { digest, entries } = await load([inFolder('all.txt', list)]);
    expect(entries).toBe(HASHES.length);
    const layouts: readonly (() => readonly string[])[] = [
      () => [inFolder('all.gz', gzipSync(list))],
      () => [inFolder('all.zst', zstdCompressSync(Buffer.from(list)))],
      () => [
        inFolder('1.txt', listOf(HASHES.slice(0, 300))),
        inFolder('2.gz', gzipSync(listOf(HASHES.slice(300, 301)))),
        inFolder('3.zst', zstdCompressSync(Buffer.from(listOf(HASHES.slice(301))))),
      ],
      () => [rangeFolder((prefix) => `${prefix}.txt`)],
      () => [rangeFolder((prefix) => prefix)],
      () => [rangeFolder((prefix) => `${prefix.toLowerCase()}.txt.gz`, gzipSync)],
      () => [
        rangeFolder(
          (prefix) => `${prefix}.zst`,
          (text) => zstdCompressSync(Buffer.from(text)),
        ),
      ],
    ];
    for (const layout of layouts) {
      rmSync(join(folder, 'ranges'), { recursive: true, force: true });
      expect((await load(layout())).digest).toBe(digest);
    }
  });

  test('when a part is taken out of a list of all prefixes', async () => {
    const others = breachedHashes().filter(({ hash }) => !/^10[0-3]/.test(hash));
    const all = [...others, ...HASHES].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    const alone = await load([inFolder('part.txt', listOf(HASHES))]);
    expect((await load([inFolder('all.txt', listOf(all))])).digest).toBe(alone.digest);
  });
});

describe('range folders are refused', () => {
  test.each([
    [
      'with a missing file',
      (path: string) => rmSync(join(path, '10007.txt')),
      /^1 of 1024 .* the first is 10007/,
    ],
    [
      'with two files for a prefix',
      (path: string) => writeFileSync(join(path, '10007'), ''),
      /^There are two range files for 10007/,
    ],
    [
      'with a damaged file, which is named',
      (path: string) => writeFileSync(join(path, '10007.txt'), 'no list'),
      /^10007\.txt: Line 1 is not 35 hexadecimal digits/,
    ],
    [
      'with a packed file that is cut off',
      (path: string) => writeFileSync(join(path, '10007.txt'), gzipSync('x'.repeat(99)).subarray(0, 20)),
      /^10007\.txt: The packed file/,
    ],
  ])('%s', async (_what, spoil, sentence) => {
    const path = rangeFolder((prefix) => `${prefix}.txt`);
    spoil(path);
    await expect(load([path])).rejects.toThrow(sentence);
  });

  test('beside files', async () => {
    const path = rangeFolder((prefix) => `${prefix}.txt`);
    await expect(load([path, inFolder('all.txt', listOf(HASHES))])).rejects.toThrow('not both');
  });

  test('a zstd file that is cut off is refused too', async () => {
    const packed = zstdCompressSync(Buffer.from(listOf(HASHES)));
    await expect(load([inFolder('all.zst', packed.subarray(0, -40))])).rejects.toThrow(/packed file/);
  });
});

describe('a partial corpus', () => {
  test('has no answer outside its prefixes, which is not "not found" (O41)', async () => {
    const { dataDir } = await load([inFolder('part.txt', listOf(HASHES))]);
    const passwords = openPasswords({ dataDir, log: createLog('silent') });
    try {
      const { hash = '', count = 0 } = HASHES[3] ?? {};
      expect(passwords.status().sha1).toMatchObject({ first: '10000', last: '103FF', isPartial: true });
      expect(passwords.lookUp('sha1', hash)).toMatchObject({ count });
      expect(passwords.lookUp('sha1', `10000${'0'.repeat(35)}`)).toMatchObject({ count: 0 });
      for (const prefix of ['0FFFF', '10400', 'FFFFF']) {
        const refusal = expect.objectContaining({ reason: 'not-covered' });
        expect(passwords.isAnswered('sha1', prefix)).toBe(false);
        expect(() => passwords.lookUp('sha1', prefix.padEnd(40, '0'))).toThrow(refusal);
        expect(() => passwords.range('sha1', prefix, false)).toThrow(NoAnswer);
        expect(passwords.find({ algorithm: 'sha1', value: prefix.padEnd(40, '0') })).toBeNull();
      }
    } finally {
      await passwords.close();
    }
  });

  test('that lacks a part of its own prefixes is refused', async () => {
    const lacking = listOf([...HASHES.slice(0, 400), ...HASHES.slice(500)]);
    await expect(load([inFolder('part.txt', lacking)])).rejects.toThrow('not complete');
  });
});

test('an unfinished build of other lists is not used', async () => {
  const path = inFolder('part.txt', listOf(HASHES));
  const dataDir = join(folder, 'other');
  beginBuilding(dataDir, 'sha1', 'another plan');
  writeFileSync(buildingFile(dataDir, 'sha1'), 'not even a database');
  const options = { dataDir, paths: [path], type: 'sha1', partial: PART, nowMs: NOW_MS } as const;
  expect(await loadPasswords(options)).toMatchObject({ entries: HASHES.length, resumedAfter: null });
});
