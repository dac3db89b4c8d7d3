import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { appendChanges, trimChangeLog } from '#platform/replica/change-log.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { changeToy, createToyTables, toyDataset, toyKey, writeToy } from '#test/replica-toy.ts';

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

const text = (id: number) => {
  const value = built.replica.view().get('items', toyKey(id));
  return value === undefined ? undefined : Buffer.from(value).toString();
};

describe('the change log', () => {
  it('loses nothing when overlapping transactions commit in reverse order (foundation rule 1)', async () => {
    const appended = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = postgres.transaction(async (tx) => {
      await writeToy(tx, 'items', new Map([[1, 'drew its number first']]));
      appended.resolve();
      await mayCommit.promise;
    });
    await appended.promise;
    const second = changeToy(postgres, 'items', [[2, 'would commit first']]);
    // Without the lock the second transaction commits now, and the replica skips the number of the first one
    // for good.
    await Promise.race([second, sleep(300)]);
    await built.sync();
    mayCommit.resolve();
    await Promise.all([first, second]);
    await built.sync();
    expect(text(1)).toBe('drew its number first');
    expect(text(2)).toBe('would commit first');
  });

  it('numbers several appends of one transaction and makes them visible together', async () => {
    const [items, flags] = await postgres.transaction(async (tx) => [
      await writeToy(tx, 'items', new Map([[10, 'ten']])),
      await writeToy(tx, 'flags', new Map([[10, 'X']])),
    ]);
    expect(flags).toBeGreaterThan(items as number);
    await built.sync();
    expect(built.replica.view().seq).toBe(flags);
    expect(Buffer.from(built.replica.view().derived('flag-list')).toString()).toContain('X');
  });

  it('gets no entry when no key changed', async () => {
    const before = built.replica.view().seq;
    expect(await postgres.transaction((tx) => appendChanges(tx, 'toy', 'items', []))).toBe(before);
  });

  it('may be written, but not read, by the role that serves callers', async () => {
    const app = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
    const seq = await app.transaction((tx) => appendChanges(tx, 'toy', 'items', [toyKey(1)]));
    expect(seq).toBeGreaterThan(0);
    await expect(sql`select key from replica_change`.execute(app.db)).rejects.toThrow('permission denied');
    await app.close();
  });

  it('drops entries after seven days, keeps the newest number, and a replica further behind rebuilds', async () => {
    await built.sync();
    const generation = built.replica.view().generation;
    const eightDaysOn = Date.now() + 8 * 86_400_000;
    expect(await trimChangeLog(postgres.db, eightDaysOn)).toBeGreaterThan(0);
    await built.sync();
    expect(built.replica.view().generation).toBe(generation);
    await changeToy(postgres, 'items', [[20, 'seen by nobody']]);
    await changeToy(postgres, 'items', [[21, 'newest']]);
    await trimChangeLog(postgres.db, eightDaysOn);
    await built.sync();
    expect(built.replica.view().generation).not.toBe(generation);
    expect(text(20)).toBe('seen by nobody');
  });

  it('keeps the time of each number for 180 days, and that of the newest one for good', async () => {
    const editions = async () => {
      const { rows } = await sql<{ seq: number; atMs: number }>`
        select seq::int, (date_part('epoch', at) * 1000)::float8 as "atMs" from replica_edition
         where dataset = 'toy' order by seq`.execute(postgres.db);
      return rows;
    };
    const before = (await editions()).length;
    const startMs = Date.now();
    await changeToy(postgres, 'items', [[22, 'earlier']]);
    await changeToy(postgres, 'items', [[23, 'later']]);
    const seq = await postgres.transaction((tx) => appendChanges(tx, 'toy', 'items', []));
    const drawn = await editions();
    expect(drawn.length).toBe(before + 2);
    expect(drawn.at(-1)?.seq).toBe(seq);
    expect(drawn.at(-1)?.atMs).toBeGreaterThan(startMs - 1_000);
    await trimChangeLog(postgres.db, startMs + 179 * 86_400_000);
    expect(await editions()).toEqual(drawn);
    await trimChangeLog(postgres.db, startMs + 181 * 86_400_000);
    expect(await editions()).toEqual(drawn.slice(-1));
  });

  it('that was restored to an earlier state is detected, and the replica rebuilds', async () => {
    await changeToy(postgres, 'items', [[30, 'will be lost']]);
    await built.sync();
    const { seq, generation } = built.replica.view();
    // As after restoring a backup: the last transaction is lost and another one gets its number.
    await sql`delete from replica_change where dataset = 'toy' and seq = ${seq}`.execute(postgres.db);
    await sql`delete from toy_item where id = 30`.execute(postgres.db);
    await sql`
      insert into replica_change (dataset, seq, collection, key, at)
      values ('toy', ${seq}, 'items', ${toyKey(31)}, clock_timestamp())`.execute(postgres.db);
    await built.sync();
    expect(built.replica.view().generation).not.toBe(generation);
    expect(text(30)).toBeUndefined();
  });
});
