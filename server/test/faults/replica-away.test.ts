import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { isReplicatorAlive } from '#platform/replica/exclusive.ts';
import { readPointer } from '#platform/replica/generations.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { changeToy, createToyTables, fillToy, toyDataset, toyKey } from '#test/replica-toy.ts';

const [log, clock] = [createLog('silent'), systemClock()];
const SCRIPT = join(import.meta.dirname, '../support/replica-process.ts');
/** The advisory lock that holds back the last row of the large dataset. */
const LAST_ROW = 400_000;
const NOBODY_LISTENS = 'postgres://postgres@127.0.0.1:9/assay';
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The last of its rows waits for a lock that the test holds: however fast the machine is, the build is not over while
  // the test changes the other dataset.
  await client.query(`
    create function toy_last_row_may_go() returns boolean language plpgsql volatile as $$
      begin
        perform pg_advisory_lock_shared(${LAST_ROW});
        perform pg_advisory_unlock_shared(${LAST_ROW});
        return true;
      end $$;
    create view toy_big_entry as
      select int4send(id) as key, decode(md5(id::text), 'hex') as value from generate_series(1, 400000) id
      where id < 400000 or toy_last_row_may_go();
    grant select on toy_big_entry to assay_system`);
  await client.end();
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-away-'));
  await fillToy(postgres, 1, 1_000);
});

afterAll(async () => {
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const openToy = (waitMs?: number): Promise<Replica> =>
  openReplica({ dataDir, dataset: toyDataset(), log, clock, ...(waitMs === undefined ? {} : { waitMs }) });

/** The process ends in any case: one that stays would keep the replicators of the next tests out. */
async function withReplicator(mode: string, url: string, use: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, mode, url, dataDir], { stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    await use();
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
}

describe('a replicator', () => {
  it(`makes a change visible ${bySize('', 'within a second ')}while another dataset is being built`, async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('select pg_advisory_lock($1)', [LAST_ROW]);
    try {
      await withReplicator('run-big', database.url, async () => {
        const replica = await openToy(120_000);
        const waitsMs: number[] = [];
        for (let round = 0; round < 5; round += 1) {
          const seq = await changeToy(postgres, 'items', [[1, `revoked ${round}`]]);
          waitsMs.push(
            await eventually(`change ${round} is visible`, 10_000, () => replica.view().seq >= seq),
          );
        }
        expect(readPointer(dataDir, 'big')).toBeNull();
        expectWithin(waitsMs.toSorted((a, b) => a - b)[2] ?? 0, 1_000);
        await holder.query('select pg_advisory_unlock($1)', [LAST_ROW]);
        await eventually('the large dataset is built', 60_000, () => readPointer(dataDir, 'big') !== null);
        await replica.close();
      });
    } finally {
      await holder.end();
    }
  });

  it('starts with PostgreSQL unavailable and attests the generations it can verify, so that listeners start too', async () => {
    await withReplicator('run', NOBODY_LISTENS, async () => {
      const waitedMs = await eventually('a living replicator attests', 10_000, attestedByLiving);
      const replica = await openToy();
      expectWithin(waitedMs, 10_000);
      expect(Buffer.from(replica.view().get('items', toyKey(1)) ?? []).toString()).toBe('revoked 4');
      const { contactAtMs } = replica.view();
      await sleep(1_200);
      replica.refresh();
      // `contactAtMs` is the last contact with PostgreSQL, not with the replicator, so it stays, to the exactness of two
      // clocks that are read one after the other.
      expect(Math.abs(replica.view().contactAtMs - contactAtMs)).toBeLessThan(600);
      await replica.close();
    });
  });

  it('tells listeners once a second that it is in contact', async () => {
    await withReplicator('run', database.url, async () => {
      const replica = await openToy(120_000);
      const view = replica.view();
      const before = view.contactAtMs;
      await eventually('a later contact is told', 20_000, () => replica.view().contactAtMs >= before + 1_000);
      // The same sequence keeps the same view, so decoded structures survive a new time stamp.
      expect(replica.view()).toBe(view);
      await replica.close();
    });
  });
});

function attestedByLiving(): boolean {
  const pointer = readPointer(dataDir, 'toy');
  return pointer !== null && isReplicatorAlive(dataDir, pointer.attestedBy);
}
