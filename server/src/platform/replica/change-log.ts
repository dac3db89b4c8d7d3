import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../postgres.ts';

/** PostgreSQL channel on which the replicator hears the name of a dataset that changed. */
export const REPLICA_CHANNEL = 'assay_replica';
const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;
/** A replay of 90 days ago asks for what was delisted up to 90 days before that (scoring rulings 5 and 12). */
const EDITIONS_KEPT_MS = 180 * DAY_MS;

/**
 * Says which keys changed; the replicator reads their values itself. Call it as the LAST step of the transaction that
 * changed them: it takes one lock per dataset and holds it to the commit, so that the order of numbers is the order
 * of commits (rule 1). Returns the number drawn, or the newest number of the dataset when there is nothing to say.
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

/** The same for bulk: `keysQuery` is a select with one column `key`; the keys never leave PostgreSQL. */
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
 * Says that a dataset changed beyond what a log of keys is worth: draws a number, and every replica whose position is
 * before it builds a new generation while the old one serves. `keys` are written at that number: a replica confirms
 * its position by them, so there must be one. As with the others: the last step of the transaction.
 */
export async function appendRebuild(
  tx: Db,
  dataset: string,
  collection: string,
  keys: readonly Uint8Array[],
): Promise<number> {
  if (keys.length === 0) throw new Error('A rebuild is told by at least one key.');
  const seq = await appendChanges(tx, dataset, collection, keys);
  await sql`
    insert into replica_trimmed (dataset, through_seq) values (${dataset}, ${seq})
    on conflict (dataset) do update set through_seq = greatest(replica_trimmed.through_seq, excluded.through_seq)`.execute(
    tx,
  );
  return seq;
}

/** A statement of its own: the number must be drawn after the lock is held (seen to lose changes otherwise). */
const lockLog = (tx: Db, dataset: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.replica.' || ${dataset}::text, 0))`.execute(tx);

/**
 * In key order the index grows at its end: a million keys in any order took 20 s instead of 4. The number and its time
 * outlive the keys, so that a past moment can be named by its number.
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
 * Nightly: forgets changes older than seven days. The newest number of each dataset stays, so that a replica can always
 * confirm its position; what was forgotten is remembered as a number, so that a replica further behind rebuilds. When
 * each number was drawn is kept 180 days.
 */
export async function trimChangeLog(db: Db, nowMs: number): Promise<number> {
  const { rows } = await sql<{ deleted: string }>`
    with newest as (
      select dataset, max(seq) as seq from replica_change group by dataset
    ), gone as (
      delete from replica_change c using newest n
       where c.dataset = n.dataset and c.seq < n.seq and c.at < to_timestamp(${(nowMs - KEPT_MS) / 1000}::float8)
      returning c.dataset, c.seq
    ), remembered as (
      insert into replica_trimmed (dataset, through_seq)
      select dataset, max(seq) from gone group by dataset
      on conflict (dataset) do update set through_seq = greatest(replica_trimmed.through_seq, excluded.through_seq)
    ), editions as (
      delete from replica_edition e using newest n
       where e.dataset = n.dataset and e.seq < n.seq
         and e.at < to_timestamp(${(nowMs - EDITIONS_KEPT_MS) / 1000}::float8)
    )
    select count(*) as deleted from gone`.execute(db);
  return Number(rows[0]?.deleted ?? 0);
}
