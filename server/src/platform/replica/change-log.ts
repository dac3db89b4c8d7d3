import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres.ts';
import { timestampOf } from '../sql-time.ts';
import { DAY_MS } from '../time-units.ts';

export const REPLICA_CHANNEL = 'assay_replica';
const KEPT_MS = 7 * DAY_MS;
/** A replay of 90 days ago needs entries delisted up to 90 days before that (scoring rulings 5 and 12). */
const EDITIONS_KEPT_MS = 180 * DAY_MS;

/**
 * Logs which keys changed; the replicator reads their values itself. Call it as the LAST step of the transaction that
 * changed them: it takes one lock for each dataset and holds it until the commit, so that the order of numbers is the
 * order of commits (foundation rule 1). Returns the number drawn, or the newest number of the dataset when no key changed.
 */
export async function appendChanges(
  tx: Db,
  dataset: string,
  collection: string,
  keys: readonly Uint8Array[],
): Promise<number> {
  const buffers = keys.map((key) => Buffer.from(key.buffer, key.byteOffset, key.byteLength));
  return appendChangesFrom(tx, dataset, collection, sql`select unnest(${buffers}::bytea[]) as key`);
}

/** Logs the keys that `keysQuery` selects as its one column `key`. For many keys: they never leave PostgreSQL. */
export async function appendChangesFrom(
  tx: Db,
  dataset: string,
  collection: string,
  keysQuery: RawBuilder<{ key: Buffer }>,
): Promise<number> {
  await lockLog(tx, dataset);
  return insertChanges(tx, dataset, collection, keysQuery);
}

/**
 * Logs that a dataset changed too much for a log of keys: draws a number, and every replica before it builds a new
 * generation while the old one serves. `keys` are written at that number, because a replica confirms its position by
 * a key of the log; at least one is needed. Call it as the last step of the transaction.
 */
export async function appendRebuild(
  tx: Db,
  dataset: string,
  collection: string,
  keys: readonly Uint8Array[],
): Promise<number> {
  if (keys.length === 0) throw new Error('A rebuild needs at least one key.');
  const seq = await appendChanges(tx, dataset, collection, keys);
  await sql`
    insert into replica_trimmed (dataset, through_seq) values (${dataset}, ${seq})
    on conflict (dataset) do update set through_seq = greatest(replica_trimmed.through_seq, excluded.through_seq)`.execute(
    tx,
  );
  return seq;
}

/** A separate statement, because the number must be drawn after the lock is held (changes were lost, seen). */
const lockLog = (tx: Db, dataset: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.replica.' || ${dataset}::text, 0))`.execute(tx);

/**
 * In key order the index grows at its end: a million keys in any order took 20 s instead of 4. The number and its
 * time are kept longer than the keys, so that a past moment can be named by its number.
 */
async function insertChanges(
  tx: Db,
  dataset: string,
  collection: string,
  keysQuery: RawBuilder<{ key: Buffer }>,
): Promise<number> {
  const { rows } = await sql<{ seq: string }>`
    with changed as materialized (
      select distinct key from (${keysQuery}) as given(key)
    ), drawn as materialized (
      select nextval('replica_seq') as seq, clock_timestamp() as at where exists (select 1 from changed)
    ), logged as (
      insert into replica_change (dataset, seq, collection, key, at)
      select ${dataset}::text, drawn.seq, ${collection}::text, changed.key, drawn.at from drawn, changed
       order by changed.key
    ), edition as (
      insert into replica_edition (dataset, seq, at) select ${dataset}::text, drawn.seq, drawn.at from drawn
    ), told as materialized (
      select pg_notify(${REPLICA_CHANNEL}, ${dataset}::text) from drawn
    )
    select coalesce(
      (select drawn.seq from drawn, told),
      replica_newest_seq(${dataset}::text)) as seq`.execute(tx);
  return Number(rows[0]?.seq ?? 0);
}

/**
 * Runs every night and deletes changes older than seven days. The newest number of each dataset stays, so that a
 * replica can always confirm its position; the last deleted number is recorded, so that a replica further behind
 * rebuilds. The time of each number is kept for 180 days.
 */
export async function trimChangeLog(db: Db, nowMs: number): Promise<number> {
  const { rows } = await sql<{ deleted: string }>`
    with newest as (
      select dataset, max(seq) as seq from replica_change group by dataset
    ), gone as (
      delete from replica_change c using newest n
       where c.dataset = n.dataset and c.seq < n.seq and c.at < ${timestampOf(nowMs - KEPT_MS)}
      returning c.dataset, c.seq
    ), remembered as (
      insert into replica_trimmed (dataset, through_seq)
      select dataset, max(seq) from gone group by dataset
      on conflict (dataset) do update set through_seq = greatest(replica_trimmed.through_seq, excluded.through_seq)
    ), editions as (
      delete from replica_edition e using newest n
       where e.dataset = n.dataset and e.seq < n.seq
         and e.at < ${timestampOf(nowMs - EDITIONS_KEPT_MS)}
    )
    select count(*) as deleted from gone`.execute(db);
  return Number(rows[0]?.deleted ?? 0);
}
