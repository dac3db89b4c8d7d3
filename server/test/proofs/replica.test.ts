import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openEnvironment, openTable } from '#platform/lmdb.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, type Postgres, sql } from '#platform/postgres.ts';
import { appendChangesFrom } from '#platform/replica/change-log.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { dataFile, generationFolder } from '#platform/replica/generations.ts';
import { openReplica, type Replica } from '#platform/replica/reader.ts';
import { readStatus } from '#platform/replica/status.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { keepResult } from '#test/proof-results.ts';
import { changeToy, createToyTables, toyDataset, toyKey } from '#test/replica-toy.ts';
import { seededRandom } from '#test/seeded-random.ts';

const ENTRIES = 3_000_000;
const READS = 200_000;
const [log, clock] = [createLog('silent'), systemClock()];
const SCRIPT = join(import.meta.dirname, '../support/replica-process.ts');
const BIG: Dataset = {
  name: 'big',
  format: 1,
  collections: [{ name: 'rows', view: 'toy_big_entry' }],
  derived: [],
};
let database: TestDatabase;
let postgres: Postgres;
let dataDir: string;
let replicator: ChildProcess;
let big: Replica;
let bootstrapMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await createToyTables(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`
    create table toy_big (id int primary key, body text not null);
    create view toy_big_entry as
      select int4send(id) || '\\x00000000000000000000'::bytea as key, convert_to(body, 'UTF8') as value from toy_big;
    create index on toy_big ((int4send(id) || '\\x00000000000000000000'::bytea));
    insert into toy_big select id, substr(md5(id::text), 1, 18) from generate_series(1, ${ENTRIES}) id;
    analyze toy_big;
    grant select, update on toy_big to assay_system;
    grant select on toy_big_entry to assay_system`);
  await client.end();
  postgres = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-scale-'));
  const fromMs = clock.monotonic();
  replicator = spawn(process.execPath, [SCRIPT, 'run-big', database.url, dataDir], { stdio: 'ignore' });
  big = await openReplica({ dataDir, dataset: BIG, log, clock, waitMs: 600_000 });
  bootstrapMs = clock.monotonic() - fromMs;
});

afterAll(async () => {
  await big?.close();
  replicator?.kill('SIGKILL');
  await postgres?.close();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const bigKey = (id: number) => Buffer.concat([toyKey(id), Buffer.alloc(10)]);

describe(`a replica of ${ENTRIES} entries`, () => {
  it('is built, verified and serving within two minutes, in at most 80 bytes per entry', async () => {
    await sleep(500);
    const status = readStatus(dataDir)?.datasets.find((dataset) => dataset.dataset === 'big');
    keepResult('replica-bootstrap', {
      entries: ENTRIES,
      bootstrapMs,
      bytesPerEntry: status?.bytesPerEntry ?? 0,
    });
    expect(status?.entries).toBe(ENTRIES);
    expect(bootstrapMs).toBeLessThan(120_000);
    expect(status?.bytesPerEntry).toBeLessThan(80);
  });

  it('takes at most 1.2 times as long to read as LMDB itself', async () => {
    const view = big.view();
    const environment = openEnvironment(dataFile(generationFolder(dataDir, 'big', view.generation)), 'read');
    const table = openTable(environment, 'c:rows');
    const random = seededRandom('replica reads');
    const keys = Array.from({ length: READS }, () => bigKey(Math.ceil(random() * ENTRIES)));
    const measure = (read: (key: Buffer) => unknown): number => {
      const fromMs = clock.monotonic();
      for (const key of keys) read(key);
      return ((clock.monotonic() - fromMs) * 1_000) / READS;
    };
    const ratios = Array.from({ length: 9 }, () => {
      const bareUs = measure((key) => table?.getBinary(key));
      const viewUs = measure((key) => view.get('rows', key));
      return { bareUs, viewUs, ratio: viewUs / bareUs };
    }).sort((a, b) => a.ratio - b.ratio);
    const median = ratios[4] ?? { bareUs: 0, viewUs: 0, ratio: Number.POSITIVE_INFINITY };
    keepResult('replica-get', median);
    expect(median.ratio).toBeLessThan(1.2);
    await environment.close();
  });

  it('applies a change of a tenth in one step, while another dataset still answers within a second', async () => {
    const toy = await openReplica({ dataDir, dataset: toyDataset(), log, clock, waitMs: 60_000 });
    const seq = await postgres.transaction(async (tx) => {
      await sql`update toy_big set body = 'x' || body where id % 10 = 0`.execute(tx);
      return appendChangesFrom(
        tx,
        'big',
        'rows',
        sql`select int4send(id) || '\\x00000000000000000000'::bytea as key from toy_big where id % 10 = 0`,
      );
    });
    const fromMs = clock.monotonic();
    const waitsMs: number[] = [];
    while (big.view().seq < seq && clock.monotonic() - fromMs < 300_000) {
      const toySeq = await changeToy(postgres, 'items', [[1, `revoked at ${clock.monotonic()}`]]);
      const askedMs = clock.monotonic();
      while (toy.view().seq < toySeq && clock.monotonic() - askedMs < 10_000) await sleep(5);
      waitsMs.push(clock.monotonic() - askedMs);
      await sleep(50);
    }
    const deltaMs = clock.monotonic() - fromMs;
    keepResult('replica-delta', { deltaMs, slowestMs: Math.max(...waitsMs), changes: waitsMs.length });
    expect(Buffer.from(big.view().get('rows', bigKey(10)) ?? []).toString()).toMatch(/^x/);
    expect(Buffer.from(big.view().get('rows', bigKey(11)) ?? []).toString()).not.toMatch(/^x/);
    expect(Math.max(...waitsMs)).toBeLessThan(1_000);
    await toy.close();
  });
});
