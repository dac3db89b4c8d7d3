import { type ChildProcess, spawn } from 'node:child_process';
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
import { openReplica } from '#platform/replica/reader.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { changeToy, createToyTables, fillToy, toyDataset, toyKey } from '#test/replica-toy.ts';

const [log, clock] = [createLog('silent'), systemClock()];
const SCRIPT = join(import.meta.dirname, '../support/replica-process.ts');
const NOBODY_LISTENS = 'postgres://postgres@127.0.0.1:9/assay';
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // Large enough that its build takes a while, during which the test changes the other dataset.
  await client.query(`
    create view toy_big_entry as
      select int4send(id) as key, decode(md5(id::text), 'hex') as value from generate_series(1, 400000) id;
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

const startReplicator = (mode: string, url: string): ChildProcess =>
  spawn(process.execPath, [SCRIPT, mode, url, dataDir], { stdio: ['ignore', 'ignore', 'ignore'] });

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

describe('a replicator', () => {
  it(`makes a change visible ${bySize('', 'within a second ')}while another dataset is being built`, async () => {
    const child = startReplicator('run-big', database.url);
    const replica = await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 60_000 });
    const waitsMs: number[] = [];
    let duringBuild = 0;
    for (let round = 0; round < 5; round += 1) {
      const seq = await changeToy(postgres, 'items', [[1, `revoked ${round}`]]);
      waitsMs.push(await eventually(`change ${round} is visible`, 10_000, () => replica.view().seq >= seq));
      if (readPointer(dataDir, 'big') === null) duringBuild += 1;
    }
    expect(duringBuild).toBeGreaterThan(0);
    expectWithin(waitsMs.toSorted((a, b) => a - b)[2] ?? 0, 1_000);
    await replica.close();
    await stop(child);
  });

  it('starts with PostgreSQL unavailable and attests the generations it can verify, so that listeners start too', async () => {
    const child = startReplicator('run', NOBODY_LISTENS);
    const fromMs = clock.monotonic();
    while (!attestedByLiving()) await sleep(20);
    const replica = await openReplica({ dataDir, dataset: toyDataset(), log, clock });
    expectWithin(clock.monotonic() - fromMs, 10_000);
    expect(Buffer.from(replica.view().get('items', toyKey(1)) ?? []).toString()).toBe('revoked 4');
    const { contactAtMs } = replica.view();
    await sleep(1_200);
    replica.refresh();
    // `contactAtMs` is the last contact with PostgreSQL, not with the replicator, so it stays, to the exactness of two
    // clocks that are read one after the other.
    expect(Math.abs(replica.view().contactAtMs - contactAtMs)).toBeLessThan(600);
    await replica.close();
    await stop(child);
  });

  it('tells listeners once a second that it is in contact', async () => {
    const child = startReplicator('run', database.url);
    const replica = await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 30_000 });
    const view = replica.view();
    const before = view.contactAtMs;
    const fromMs = clock.monotonic();
    while (replica.view().contactAtMs < before + 1_000 && clock.monotonic() - fromMs < 20_000)
      await sleep(50);
    expect(replica.view().contactAtMs).toBeGreaterThan(before);
    // The same sequence keeps the same view, so decoded structures survive a new time stamp.
    expect(replica.view()).toBe(view);
    await replica.close();
    await stop(child);
  });
});

function attestedByLiving(): boolean {
  const pointer = readPointer(dataDir, 'toy');
  return pointer !== null && isReplicatorAlive(dataDir, pointer.attestedBy);
}
