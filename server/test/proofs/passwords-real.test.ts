import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { loadPasswords, openPasswords, type Passwords } from '#capabilities/passwords/index.ts';
import { createLog } from '#platform/log.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';

const REAL = join(import.meta.dirname, '../../../../shared/data/passwords/pwned');
const PREFIXES = 2 ** 20;
const RANDOM_HASHES = 1_000_000;
const PADDED = 1_000;
const NOW_MS = Date.UTC(2026, 10, 17);
const BYTES = { sha1: 20, ntlm: 16 } as const;
const ALGORITHM = { sha1: 'sha1', ntlm: 'md5' } as const;

const folder = mkdtempSync(join(tmpdir(), 'assay-passwords-real-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (type: 'sha1' | 'ntlm') => join(REAL, `pwned-passwords-${type}-ordered-by-hash.txt.gz`);
const prefixText = (prefix: number) => prefix.toString(16).toUpperCase().padStart(5, '0');

describe.each(['sha1', 'ntlm'] as const)('the real %s list', (type) => {
  const lines = gunzipSync(readFileSync(fileOf(type)))
    .toString('latin1')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  const dataDir = join(folder, type);
  const opened: Passwords[] = [];
  const passwords = (): Passwords => {
    const open = opened[0] ?? openPasswords({ dataDir, log: createLog('silent') });
    opened[0] = open;
    return open;
  };
  afterAll(() => opened[0]?.close());

  test('loads to the same buckets from its file and from a folder of 1,048,576 range files', async () => {
    const ranges = join(folder, `ranges-${type}`);
    mkdirSync(ranges);
    const byPrefix = Map.groupBy(lines, (line) => line.slice(0, 5).toUpperCase());
    for (let prefix = 0; prefix < PREFIXES; prefix += 1) {
      const text = prefixText(prefix);
      const rests = (byPrefix.get(text) ?? []).map((line) => line.slice(5));
      writeFileSync(join(ranges, `${text}.txt`), rests.join('\r\n'));
    }
    const options = { type, dataAtMs: NOW_MS, nowMs: NOW_MS } as const;
    const started = performance.now();
    const fromFile = await loadPasswords({ ...options, dataDir, paths: [fileOf(type)] });
    const between = performance.now();
    const fromRanges = await loadPasswords({
      ...options,
      dataDir: join(folder, `${type}-2`),
      paths: [ranges],
    });
    const ended = performance.now();
    rmSync(ranges, { recursive: true, force: true });
    expect(fromRanges.digest).toBe(fromFile.digest);
    expect(fromFile.entries).toBe(lines.length);
    keepResult(`passwords-real.${type}`, {
      entries: fromFile.entries,
      'file-s': (between - started) / 1_000,
      'ranges-s': (ended - between) / 1_000,
    });
  });

  test('finds every entry by its hash and in its range', () => {
    const byPrefix = Map.groupBy(lines, (line) => line.slice(0, 5).toUpperCase());
    let found = 0;
    for (const [prefix, listed] of byPrefix) {
      const { bytes } = passwords().range(type, prefix, false);
      const { entries } = JSON.parse(bytes().toString()) as { entries: { suffix: string; count: number }[] };
      const inRange = new Map(entries.map(({ suffix, count }) => [suffix, count]));
      for (const line of listed) {
        const [hash = '', count = ''] = line.split(':');
        const isFound = passwords().lookUp(type, hash).count === Number(count);
        if (isFound && inRange.get(hash.slice(5, 17).toUpperCase()) === Number(count)) found += 1;
      }
      expect(entries.length).toBe(listed.length);
    }
    expect(found).toBe(lines.length);
  });

  test('finds none of 1,000,000 random hashes', () => {
    let falsePositives = 0;
    for (let at = 0; at < RANDOM_HASHES; at += 1) {
      const value = randomBytes(BYTES[type]).toString('hex');
      if (passwords().find({ algorithm: ALGORITHM[type], value }) !== null) falsePositives += 1;
    }
    expect(falsePositives).toBe(0);
  });

  test('no two of 1,000 padded prefixes are told apart by length', () => {
    const random = seededRandom(`passwords-real ${type}`);
    const lengths = new Set<number>();
    const plain = new Set<number>();
    for (let at = 0; at < PADDED; at += 1) {
      const prefix = prefixText(Math.floor(random() * PREFIXES));
      lengths.add(passwords().range(type, prefix, true).bytes().length);
      plain.add(passwords().range(type, prefix, false).bytes().length);
    }
    expect(plain.size).toBeGreaterThan(1);
    expect(lengths.size).toBe(1);
  });
});
