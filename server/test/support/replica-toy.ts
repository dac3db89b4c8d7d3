import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { type Db, type Postgres, sql } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import type { Dataset } from '#platform/replica/dataset.ts';
import { dataFile, generationFolder, readPointer } from '#platform/replica/generations.ts';
import { META_TABLE } from '#platform/replica/head.ts';
import { readPages } from '#platform/replica/pages.ts';
import { replicateOnce } from '#platform/replica/replicator.ts';

/** Two collections and a derived value: enough for every promise of the replica, without threat data. */
export const toyDataset = (format = 1): Dataset => ({
  name: 'toy',
  format,
  collections: [
    { name: 'items', view: 'toy_item_entry' },
    { name: 'flags', view: 'toy_flag_entry' },
  ],
  derived: [
    {
      name: 'flag-list',
      dependsOn: (collection) => collection === 'flags',
      build: async (tx) => {
        const { rows } = await sql<{ all: Buffer | null }>`
          select string_agg(key || value, '\\x2c'::bytea order by key) as all from toy_flag_entry`.execute(
          tx,
        );
        return rows[0]?.all ?? Buffer.alloc(0);
      },
    },
  ],
});

export async function createToyTables(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create table toy_item (id int primary key, body text not null);
    create table toy_flag (id int primary key, body text not null);
    create index on toy_item ((int4send(id)));
    create index on toy_flag ((int4send(id)));
    create view toy_item_entry with (security_invoker = true) as
      select int4send(id) as key, convert_to(body, 'UTF8') as value from toy_item;
    create view toy_flag_entry with (security_invoker = true) as
      select int4send(id) as key, convert_to(body, 'UTF8') as value from toy_flag;
    grant select, insert, update, delete on toy_item, toy_flag to assay_system;
    grant select on toy_item_entry, toy_flag_entry to assay_system`);
  await client.end();
}

export function toyKey(id: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeInt32BE(id);
  return key;
}

/** Writes one row and its change log entry in the caller's transaction. A null body deletes. */
export async function writeToy(
  tx: Db,
  collection: 'items' | 'flags',
  changes: ReadonlyMap<number, string | null>,
): Promise<number> {
  const table = sql.table(collection === 'items' ? 'toy_item' : 'toy_flag');
  const gone = [...changes].flatMap(([id, body]) => (body === null ? [id] : []));
  const kept = [...changes].flatMap(([id, body]) => (body === null ? [] : [{ id, body }]));
  if (gone.length > 0) await sql`delete from ${table} where id = any(${gone}::int[])`.execute(tx);
  if (kept.length > 0)
    await sql`
      insert into ${table} (id, body)
      select * from unnest(${kept.map((row) => row.id)}::int[], ${kept.map((row) => row.body)}::text[])
      on conflict (id) do update set body = excluded.body`.execute(tx);
  return appendChanges(tx, 'toy', collection, [...changes.keys()].map(toyKey));
}

export const changeToy = (
  postgres: Postgres,
  collection: 'items' | 'flags',
  changes: Iterable<readonly [number, string | null]>,
): Promise<number> => postgres.transaction((tx) => writeToy(tx, collection, new Map(changes)));

/** Writes rows `from` to `to` without change log entries, for a bootstrap. */
export const fillToy = (postgres: Postgres, from: number, to: number): Promise<unknown> =>
  sql`insert into toy_item (id, body)
      select id, 'body of item ' || id from generate_series(${from}::int, ${to}::int) id`.execute(
    postgres.db,
  );

const [log, clock] = [createLog('silent'), systemClock()];

/** Every entry of a generation, read page by page: `table key(hex)` -> value(hex), without the head. */
export function contentsOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  readPages(dataFile(folder), (table, key, value) => {
    if (table !== META_TABLE) found[`${table} ${key.toString('hex')}`] = value.toString('hex');
  });
  return found;
}

export function currentFolder(dataDir: string): string {
  const generation = readPointer(dataDir, 'toy')?.generation;
  if (generation == null) throw new Error('There is no current generation.');
  return generationFolder(dataDir, 'toy', generation);
}

/** The expected content of a replica of this database, built in a separate folder. */
export async function cleanContents(postgres: Postgres): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-replica-clean-'));
  try {
    await replicateOnce({ postgres, dataset: toyDataset(), dataDir, log, clock });
    return contentsOf(currentFolder(dataDir));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
