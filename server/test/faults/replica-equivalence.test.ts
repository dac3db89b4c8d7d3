import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { verifyGeneration } from '#platform/replica/verify.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { bySize } from '#test/lane.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import {
  cleanContents,
  contentsOf,
  createToyTables,
  currentFolder,
  toyDataset,
  writeToy,
} from '#test/replica-toy.ts';

let database: TestDatabase;
let postgres: Postgres;
let built: BuiltReplica;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 6 });
  built = await buildReplica(postgres, toyDataset());
});

afterAll(async () => {
  await built?.close();
  await postgres?.close();
  await database?.drop();
});

const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: fc.string({ maxLength: 40 }).map((text) => text.replaceAll('\0', '')) },
  // Large values move from the leaf page to overflow pages.
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 20_000 }).map((length) => 'L'.repeat(length)) },
);
const write = fc.record({
  kind: fc.constant('write' as const),
  collection: fc.constantFrom('items' as const, 'flags' as const),
  changes: fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), body), { minLength: 1, maxLength: 25 }),
  isRolledBack: fc.nat({ max: 3 }).map((quarter) => quarter === 3),
});
const step = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
);

async function take(action: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  if (action.kind === 'sync') return built.sync();
  if (action.kind === 'compact') return built.replicator.compact();
  const rolledBack = new Error('rolled back on purpose');
  await postgres
    .transaction(async (tx) => {
      await writeToy(tx, action.collection, new Map(action.changes));
      if (action.isRolledBack) throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
}

describe('a replica that followed the log', () => {
  it('equals a newly built one, entry by entry, and its set hash matches its entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        for (const action of steps) await take(action);
        await built.sync();
        const folder = currentFolder(built.dataDir);
        expect(contentsOf(folder)).toEqual(await cleanContents(postgres));
        // The replica updates the hash by sums and differences; the verifier computes it from the pages.
        expect(await verifyGeneration(folder)).toMatchObject({
          ok: true,
          head: { setHash: built.replicator.status().setHash, seq: built.replica.view().seq },
        });
      }),
      // No time limit: fast-check would continue an interrupted run in the background, during the next test.
      { numRuns: bySize(4, 12) },
    );
  }, 300_000);

  it('builds no new generation where a delta is enough', async () => {
    const generation = built.replica.view().generation;
    for (let id = 0; id < 5; id += 1) {
      await postgres.transaction((tx) => writeToy(tx, 'items', new Map([[id, `again ${id}`]])));
      await built.sync();
    }
    expect(built.replica.view().generation).toBe(generation);
  });

  it('applies a delta of many batches in one step', async () => {
    const many = new Map(
      Array.from({ length: 12_345 }, (_, index) => [1_000 + index, `bulk ${index}`] as const),
    );
    await postgres.transaction((tx) => writeToy(tx, 'items', many));
    await built.sync();
    await sql`delete from toy_item where id >= 1000 and id % 2 = 0`.execute(postgres.db);
    const gone = [...many.keys()].filter((id) => id % 2 === 0);
    await postgres.transaction((tx) => writeToy(tx, 'items', new Map(gone.map((id) => [id, null]))));
    await built.sync();
    expect(contentsOf(currentFolder(built.dataDir))).toEqual(await cleanContents(postgres));
  });
});
