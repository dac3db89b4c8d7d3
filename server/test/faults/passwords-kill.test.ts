import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LoadedPasswords, loadPasswords, openPasswords } from '#capabilities/passwords/index.ts';
import { createLog } from '#platform/log.ts';
import { bySize } from '#test/lane.ts';
import { runLoader } from '#test/password-loader.ts';
import { keepResult } from '#test/proof-results.ts';
import { seededRandom } from '#test/seeded-random.ts';

const KILLS = bySize(2, 20);
const HASHES = bySize(20_000, 600_000);
const PACKINGS = bySize(['plain'], ['plain', 'gzip']);
const SWAPPED = 3_000;
const SWAPS = bySize(6, 60);
const PREFIXES = 2 ** 20;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-passwords-kill-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const prefixOf = (at: number, total: number): string =>
  Math.floor((at * PREFIXES) / total)
    .toString(16)
    .toUpperCase()
    .padStart(5, '0');

/** Evenly spread made-up hashes; the count tells the lists apart. */
function listOf(total: number, count: number): string {
  const lines: string[] = [];
  for (let at = 0; at < total; at += 1) {
    const rest = createHash('sha1').update(`rest ${at}`).digest('hex').slice(5).toUpperCase();
    lines.push(`${prefixOf(at, total)}${rest}:${count}`);
  }
  return `${lines.sort().join('\n')}\n`;
}

describe.each(PACKINGS)('a loader that is killed again and again (%s)', (packing) => {
  test('goes on after its last prefix and ends in the same file', async () => {
    const random = seededRandom(`passwords-kill ${packing}`);
    const path = join(folder, `list-${packing}`);
    const text = listOf(HASHES, 7);
    writeFileSync(path, packing === 'gzip' ? gzipSync(text, { level: 1 }) : text);
    const [whole, killed] = [join(folder, `whole-${packing}`), join(folder, `killed-${packing}`)];
    const expected = await runLoader({ dataDir: whole, paths: [path] });
    const targets = Array.from({ length: KILLS }, random).toSorted((a, b) => a - b);
    let resumes = 0;
    for (const target of targets) {
      let isKilled = false;
      const run = await runLoader({ dataDir: killed, paths: [path] }, ({ step, share }, child) => {
        if (isKilled || (step === 'reading' && share < target)) return;
        isKilled = true;
        setTimeout(() => child.kill('SIGKILL'), random() * 30);
      });
      if (run !== null) rmSync(killed, { recursive: true, force: true });
      else resumes += 1;
    }
    const run = await runLoader({ dataDir: killed, paths: [path] });
    expect(run?.loaded).toMatchObject({ digest: expected?.loaded.digest, entries: HASHES });
    const differing = firstDifference(fileOf(killed, run?.loaded), fileOf(whole, expected?.loaded));
    expect(differing).toBe(-1);
    expect(resumes).toBeGreaterThan(0);
    keepResult(`passwords-killed.${packing}`, { kills: resumes, entries: HASHES });
  });
});

const fileOf = (dataDir: string, loaded: LoadedPasswords | undefined): Buffer =>
  readFileSync(join(dataDir, 'passwords', 'sha1', loaded?.generation ?? '', 'data.mdb'));

function firstDifference(a: Buffer, b: Buffer): number {
  if (a.equals(b)) return -1;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return at;
  return a.length;
}

test('a reader beside repeated swaps sees one list or the other, never half of one', async () => {
  const dataDir = join(folder, 'swaps');
  const paths = [1, 2].map((count) => {
    const path = join(folder, `swap-${count}`);
    writeFileSync(path, listOf(SWAPPED, count));
    return path;
  });
  const options = { dataDir, type: 'sha1', dataAtMs: 0, nowMs: Date.UTC(2026, 7, 23) } as const;
  await loadPasswords({ ...options, paths: [paths[0] ?? ''] });
  const passwords = openPasswords({ dataDir, log: createLog('silent'), refreshMs: 1 });
  let [isDone, reads] = [false, 0];
  const seen = new Set<number>();
  const reading = (async () => {
    for (let at = 0; !isDone; at = (at + 1) % SWAPPED) {
      const of = prefixOf(at, SWAPPED);
      const { etag, bytes } = passwords.range('sha1', of, false);
      const { entries } = JSON.parse(bytes().toString()) as { entries: { count: number }[] };
      expect(new Set(entries.map(({ count }) => count)).size).toBeLessThanOrEqual(1);
      if (entries[0] !== undefined) seen.add(entries[0].count);
      expect(passwords.range('sha1', of, false).etag).toBe(etag);
      reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let swap = 1; swap <= SWAPS; swap += 1) {
    const { digest } = await loadPasswords({ ...options, paths: [paths[swap % 2] ?? ''] });
    await expect.poll(() => passwords.status().sha1?.digest, { interval: 2 }).toBe(digest);
  }
  isDone = true;
  await reading;
  await passwords.close();
  expect(seen).toEqual(new Set([1, 2]));
  expect(reads).toBeGreaterThan(SWAPS);
});
