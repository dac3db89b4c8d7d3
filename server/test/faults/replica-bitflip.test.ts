import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { dataFile, listGenerations } from '#platform/replica/generations.ts';
import { packChanges } from '#platform/replica/packed-changes.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { openReplicator } from '#platform/replica/replicator.ts';
import { verifyGeneration } from '#platform/replica/verify.ts';
import { WriterProcess } from '#platform/replica/writer-process.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import {
  changeToy,
  cleanContents,
  contentsOf,
  createToyTables,
  currentFolder,
  fillToy,
  toyDataset,
  toyKey,
} from '#test/replica-toy.ts';
import { SEED, seededRandom } from '#test/seeded-random.ts';

const [log, clock] = [createLog('silent'), systemClock()];
const FLIPS = bySize(6, 50);
const LOOSE_FLIPS = bySize(2, 12);
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-flip-'));
  await fillToy(postgres, 1, 600);
  const replicator = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
  // Deltas leave free pages and large values use overflow pages; damage must be found in all of them.
  for (let round = 0; round < 5; round += 1) {
    await changeToy(
      postgres,
      'items',
      Array.from({ length: 60 }, (_, i) => [i * 10 + round, `r${round} ${i}`]),
    );
    await changeToy(postgres, 'flags', [[round, 'F'.repeat(6_000 + round)]]);
    await replicator.sync();
  }
  await replicator.close();
});

afterAll(async () => {
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function flipBit(folder: string, bit: number): void {
  const bytes = readFileSync(dataFile(folder));
  const at = Math.floor(bit / 8);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
  writeFileSync(dataFile(folder), bytes);
}

/** Forty changes spread over the tree, as a delta makes them. */
async function writeInto(folder: string): Promise<void> {
  const writer = new WriterProcess();
  const { head } = await writer.call('adopt', folder);
  const changes = Array.from({ length: 40 }, (_, i) => ({
    key: toyKey(i * 15),
    value: Buffer.from(`w${i}`),
  }));
  await writer.call('stage', 'items', packChanges(changes));
  await writer.call('commit', {
    seq: head.seq + 1,
    seqAtUs: '1',
    contactAtMs: 1,
    contactTookMs: 0,
    baseSeq: head.seq,
  });
  await writer.close();
}

/** A bit of a stored value, which is in use for certain. */
const usedBit = (folder: string): number => readFileSync(dataFile(folder)).indexOf('body of item') * 8 + 3;

/** Flips one bit at a time, each in a fresh copy; returns how many flips verification detected. */
async function foundAmong(flips: number, source: string, chosen: readonly number[] = []): Promise<number> {
  const expected = contentsOf(source);
  const bits = readFileSync(dataFile(source)).length * 8;
  const next = seededRandom(`replica-bitflip ${flips}`);
  const scratch = await mkdtemp(join(tmpdir(), 'assay-replica-scratch-'));
  const tryFlip = async (flip: number, bit: number): Promise<boolean> => {
    const folder = join(scratch, `f${flip}`);
    mkdirSync(folder);
    cpSync(dataFile(source), dataFile(folder));
    flipBit(folder, bit);
    const verdict = await verifyGeneration(folder);
    if (verdict.ok) {
      const flipped = `seed ${SEED}, bit ${bit}`;
      expect(contentsOf(folder), flipped).toEqual(expected);
      await writeInto(folder);
      expect(await verifyGeneration(folder), flipped).toMatchObject({ ok: true });
    }
    rmSync(folder, { recursive: true });
    return !verdict.ok;
  };
  const places = Array.from(
    { length: flips },
    (_, flip) => [flip, chosen[flip] ?? Math.floor(next() * bits)] as const,
  );
  let found = 0;
  // Two at a time, because each one takes one or two processes.
  for (let at = 0; at < flips; at += 2) {
    const pair = await Promise.all(places.slice(at, at + 2).map(([flip, bit]) => tryFlip(flip, bit)));
    found += pair.filter(Boolean).length;
  }
  await rm(scratch, { recursive: true });
  return found;
}

describe('a bit that flips at rest', () => {
  it(`in a used page is detected or harmless: ${FLIPS} flips, no wrong answer, not even after the next write`, async () => {
    // A compacted file has no free pages, so every flip falls into a page that LMDB reads.
    const replicator = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
    await replicator.compact();
    await replicator.close();
    const folder = currentFolder(dataDir);
    const found = await foundAmong(FLIPS, folder, [usedBit(folder)]);
    // One flip is in use for certain, because all of a few random ones may fall beside the used bytes. Undetected flips lie in the unused middle of a page, which is up to half of it: one seed detected 24 of 50.
    // Fewer than a quarter would mean that the scan skips used bytes.
    expect(found).toBeGreaterThan(bySize(0, FLIPS / 4));
  });

  it(`in a file with free pages is detected or harmless: ${LOOSE_FLIPS} flips`, async () => {
    const loose = await mkdtemp(join(tmpdir(), 'assay-replica-loose-'));
    cpSync(currentFolder(dataDir), loose, { recursive: true });
    await writeInto(loose);
    await writeInto(loose);
    const found = await foundAmong(LOOSE_FLIPS, loose);
    // Two flips may both fall into free pages, twelve may not.
    if (IS_FULL_SIZE) expect(found).toBeGreaterThan(0);
    await rm(loose, { recursive: true });
  });

  it('takes a listener back to the last good generation, and a rebuild follows', async () => {
    const first = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
    await first.compact();
    await first.close();
    expect(listGenerations(dataDir, 'toy').length).toBeGreaterThan(1);
    const damaged = currentFolder(dataDir);
    flipBit(damaged, usedBit(damaged));
    // Without a replicator the listener verifies the generation itself.
    const listener = await openReplica({ dataDir, dataset: toyDataset(), log, clock });
    expect(damaged).not.toContain(listener.view().generation);
    expect(Buffer.from(listener.view().get('items', toyKey(599)) ?? []).toString()).toBe('body of item 599');
    const second = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
    listener.refresh();
    expect(second.status().rebuildReason).toBeNull();
    expect(listener.view().generation).toBe(second.status().generation);
    expect(contentsOf(currentFolder(dataDir))).toEqual(await cleanContents(postgres));
    await listener.close();
    await second.close();
  });

  it('under a running replicator is detected by its verification, which replaces the generation', async () => {
    const replicator = await openReplicator({ postgres, dataset: toyDataset(), dataDir, log, clock });
    const listener = await openReplica({ dataDir, dataset: toyDataset(), log, clock });
    const damaged = currentFolder(dataDir);
    flipBit(damaged, readFileSync(dataFile(damaged)).indexOf('body of item') * 8 + 1);
    expect(await replicator.verify()).toBe(false);
    listener.refresh();
    expect(damaged).not.toContain(listener.view().generation);
    await replicator.sync();
    expect(contentsOf(currentFolder(dataDir))).toEqual(await cleanContents(postgres));
    await listener.close();
    await replicator.close();
  });
});
