import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openPasswords } from '#capabilities/passwords/index.ts';
import { createLog } from '#platform/log.ts';
import { REAL_DENSITY, writeDenseRanges } from '#test/dense-ranges.ts';
import { runLoader } from '#test/password-loader.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';

/** 50 million hashes at real density. */
const PREFIXES = 52_429;
const WHOLE_LIST = 1e9;
const READS = 20_000;
const PADDED = 1_000;
const MEMORY_MB_MAX = 1_024;

const folder = mkdtempSync(join(tmpdir(), 'assay-passwords-dense-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('50 million hashes at real density: bytes, memory and time of a load, and what a thousand million take', async () => {
  const ranges = join(folder, 'ranges');
  const entries = writeDenseRanges(ranges, PREFIXES);
  expect(entries).toBeGreaterThan(PREFIXES * REAL_DENSITY * 0.99);
  const dataDir = join(folder, 'data');
  const run = await runLoader({ dataDir, paths: [ranges], first: 0, last: PREFIXES - 1 });
  rmSync(ranges, { recursive: true, force: true });
  expect(run?.loaded.entries).toBe(entries);
  const passwords = openPasswords({ dataDir, log: createLog('silent') });
  const { bytes = 0 } = passwords.status().sha1 ?? {};
  const random = seededRandom('passwords-dense');
  const prefix = () =>
    Math.floor(random() * PREFIXES)
      .toString(16)
      .padStart(5, '0');
  const microseconds = (work: () => void): number => {
    const before = process.cpuUsage();
    for (let read = 0; read < READS; read += 1) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / READS;
  };
  const lengths = new Set(
    Array.from({ length: PADDED }, () => passwords.range('sha1', prefix(), true).bytes().length),
  );
  const figures = {
    entries,
    'bytes-per-entry': bytes / entries,
    'load-s': run?.seconds ?? 0,
    'verify-s': run?.verifySeconds ?? 0,
    'load-cpu-s': run?.cpuSeconds ?? 0,
    'memory-mb': run?.memoryMb ?? 0,
    'whole-list-gb': (bytes / entries) * (WHOLE_LIST / 1e9),
    'whole-list-minutes': ((run?.seconds ?? 0) * (WHOLE_LIST / entries)) / 60,
    'exact-us': microseconds(() => passwords.lookUp('sha1', prefix().padEnd(40, '0'))),
    'range-us': microseconds(() => passwords.range('sha1', prefix(), false).bytes()),
    'padded-range-us': microseconds(() => passwords.range('sha1', prefix(), true).bytes()),
    'padded-bytes': [...lengths][0] ?? 0,
  };
  await passwords.close();
  keepResult('passwords-dense', figures);
  expect(lengths.size).toBe(1);
  expect(figures['memory-mb']).toBeLessThan(MEMORY_MB_MAX);
});
