import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { listGenerations, readPointer, writePointer } from '#platform/replica/generations.ts';
import { openReplica } from '#platform/replica/reader.ts';
import { openReplicator, replicateOnce } from '#platform/replica/replicator.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
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

const [log, clock] = [createLog('silent'), systemClock()];
let database: TestDatabase;
let postgres: Postgres;
let built: BuiltReplica;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  await fillToy(postgres, 1, 2_000);
});

afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

beforeEach(async () => {
  built = await buildReplica(postgres, toyDataset());
});
afterEach(() => built.close());

const text = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

describe('generations', () => {
  it('do not change a view that was taken before the swap', async () => {
    await changeToy(postgres, 'items', [[1, 'before']]);
    await built.sync();
    // A view refuses two seconds after a newer one appeared; on a clock that stands still it answers however long the
    // compaction takes.
    const still: Clock = { now: clock.now, monotonic: () => 0 };
    const reader = await openReplica({ dataDir: built.dataDir, dataset: toyDataset(), log, clock: still });
    const view = reader.view();
    await changeToy(postgres, 'items', [
      [1, 'after'],
      [2, null],
    ]);
    await built.replicator.compact();
    await built.sync();
    reader.refresh();
    expect(reader.view().generation).not.toBe(view.generation);
    expect(text(reader.view().get('items', toyKey(1)))).toBe('after');
    expect(text(view.get('items', toyKey(1)))).toBe('before');
    expect(view.get('items', toyKey(2))).toBeDefined();
    await reader.close();
    await changeToy(postgres, 'items', [[2, 'back']]);
  });

  it('shrink by compaction without losing an entry', async () => {
    await built.replicator.compact();
    const dense = built.replicator.status().bytes;
    for (let round = 0; round < 6; round += 1) {
      const ids = Array.from({ length: 700 }, (_, index) => ((index * 37 + round * 11) % 2_000) + 1);
      await changeToy(
        postgres,
        'items',
        ids.map((id) => [id, `round ${round} of ${id}`]),
      );
      await built.sync();
    }
    const grown = built.replicator.status().bytes;
    expect(grown).toBeGreaterThan(dense * 1.5);
    await built.replicator.compact();
    expect(built.replicator.status().bytes).toBeLessThan(dense * 1.2);
    expect(contentsOf(currentFolder(built.dataDir))).toEqual(await cleanContents(postgres));
  });

  it('are built again when the format changes, and a listener of the old format keeps the old one', async () => {
    await built.replicator.close();
    const upgraded = await openReplicator({
      postgres,
      dataset: toyDataset(2),
      dataDir: built.dataDir,
      log,
      clock,
    });
    const before = built.replica.view().generation;
    built.replica.refresh();
    expect(built.replica.view().generation).toBe(before);
    const reader = await openReplica({ dataDir: built.dataDir, dataset: toyDataset(2), log, clock });
    expect(reader.view().generation).not.toBe(before);
    expect(text(reader.view().get('items', toyKey(3)))).toBeDefined();
    await reader.close();
    await upgraded.close();
  });

  it('are kept on disk, the newest two only', async () => {
    for (let round = 0; round < 4; round += 1) await built.replicator.compact();
    // The listener holds views of older generations for two seconds after it has moved.
    const untilMs = clock.monotonic() + 180_000;
    while (listGenerations(built.dataDir, 'toy').length > 2 && clock.monotonic() < untilMs) {
      await sleep(200);
      await built.replicator.sweep();
    }
    const kept = listGenerations(built.dataDir, 'toy');
    expect(kept.length).toBe(2);
    // The listener moves to the newest generation at its next poll.
    await expect.poll(() => built.replica.view().generation).toBe(kept[0]);
    expect(existsSync(currentFolder(built.dataDir))).toBe(true);
  });
});

describe('a listener', () => {
  it('decodes a structure once, and again only when an entry it read has changed', async () => {
    let builds = 0;
    const flags = () =>
      built.replica.view().memo('flags', (view) => {
        builds += 1;
        return Buffer.from(view.derived('flag-list')).toString();
      });
    flags();
    flags();
    await changeToy(postgres, 'items', [[5, 'does not concern the flags']]);
    await built.sync();
    flags();
    expect(builds).toBe(1);
    await changeToy(postgres, 'flags', [[1, 'F']]);
    await built.sync();
    expect(flags()).toContain('F');
    expect(builds).toBe(2);
  });

  it(`sees a change ${bySize('', 'within 100 ms of the commit ')}without a notification`, async () => {
    const seen = Promise.withResolvers<void>();
    const seq = await changeToy(postgres, 'items', [[6, 'soon']]);
    built.replica.onChange(() => {
      if (built.replica.view().seq === seq) seen.resolve();
    });
    await built.replicator.sync();
    const committedMs = clock.monotonic();
    await seen.promise;
    expectWithin(clock.monotonic() - committedMs, 100);
  });

  it('starts from the last good generation without PostgreSQL and without the replicator', async () => {
    await changeToy(postgres, 'items', [[7, 'survives']]);
    await built.sync();
    await built.replicator.close();
    const alone = await openReplica({ dataDir: built.dataDir, dataset: toyDataset(), log, clock });
    expect(text(alone.view().get('items', toyKey(7)))).toBe('survives');
    expect(alone.status().isReplicatorAlive).toBe(false);
    await alone.close();
  });

  it('refuses to answer when the only generation was withdrawn, and answers again after the rebuild', async () => {
    const pointer = readPointer(built.dataDir, 'toy');
    if (pointer === null) throw new Error('There must be a pointer.');
    writePointer(built.dataDir, 'toy', { ...pointer, generation: null });
    built.replica.refresh();
    expect(() => built.replica.view()).toThrow('being rebuilt');
    writePointer(built.dataDir, 'toy', pointer);
    built.replica.refresh();
    expect(text(built.replica.view().get('items', toyKey(7)))).toBeDefined();
  });

  it('stops waiting for a missing replica after its time limit', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-none-'));
    await expect(openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 150 })).rejects.toThrow(
      'No verified replica',
    );
    await rm(dataDir, { recursive: true });
  });
});

describe('a folder', () => {
  it('has one replicator: a second one is refused with one message', async () => {
    await expect(
      replicateOnce({ postgres, dataset: toyDataset(), dataDir: built.dataDir, log, clock }),
    ).rejects.toThrow('Another replicator already keeps the replica');
  });
});
