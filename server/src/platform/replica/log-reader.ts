import { sql } from 'kysely';
import type { Db } from '../postgres.ts';
import { msOf } from '../sql-time.ts';
import type { Head } from './head.ts';

export type LogState = {
  readonly origin: string;
  readonly newestSeq: number;
  readonly newestAtUs: string;
  readonly trimmedThrough: number;
  /** The last change that the replica contains is still in the log and still the same. */
  readonly isConfirmed: boolean;
};

const microseconds = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000000)::bigint::text`);

export async function readLogState(db: Db, dataset: string, seq: number, seqAtUs: string): Promise<LogState> {
  const { rows } = await sql<{
    origin: string;
    newestSeq: string | null;
    newestAtUs: string | null;
    trimmedThrough: string | null;
    isConfirmed: boolean;
  }>`
    select o.id::text as origin, newest.seq as "newestSeq", newest.at_us as "newestAtUs",
           (select through_seq from replica_trimmed where dataset = ${dataset}) as "trimmedThrough",
           exists (select 1 from replica_change c where c.dataset = ${dataset} and c.seq = ${seq}::bigint
                      and ${microseconds('c.at')} = ${seqAtUs}) as "isConfirmed"
      from replica_origin o
      left join lateral (
        select c.seq, ${microseconds('c.at')} as at_us from replica_change c
         where c.dataset = ${dataset} order by c.seq desc limit 1) newest on true`.execute(db);
  const row = rows[0];
  if (row === undefined) throw new Error('The change log has no origin; run the migrations.');
  return {
    origin: row.origin,
    newestSeq: Number(row.newestSeq ?? 0),
    newestAtUs: row.newestAtUs ?? '0',
    trimmedThrough: Number(row.trimmedThrough ?? 0),
    isConfirmed: row.isConfirmed,
  };
}

export function positionDoubt(head: Head, log: LogState): string | null {
  if (head.origin !== log.origin) return 'origin';
  if (head.seq < log.trimmedThrough) return 'gap';
  if (head.seq > log.newestSeq) return 'rewound';
  if (head.seq > 0 && !log.isConfirmed) return 'rewound';
  return null;
}

export async function countPending(db: Db, dataset: string, fromSeq: number, max: number): Promise<number> {
  const { rows } = await sql<{ pending: string }>`
    select count(*) as pending from (
      select distinct collection, key from replica_change
       where dataset = ${dataset} and seq > ${fromSeq}::bigint limit ${max}) changed`.execute(db);
  return Number(rows[0]?.pending ?? 0);
}

export async function oldestPendingAtMs(db: Db, dataset: string, fromSeq: number): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select ${msOf('at')} as "atMs" from replica_change
     where dataset = ${dataset} and seq > ${fromSeq}::bigint order by seq limit 1`.execute(db);
  return rows[0]?.atMs ?? null;
}

export type ChangedKey = { readonly collection: string; readonly key: Buffer };

/** The distinct changed keys in LMDB's sort order, in batches; needs a transaction. */
export async function* readChangedKeys(
  tx: Db,
  dataset: string,
  fromSeq: number,
  toSeq: number,
  batchRows: number,
): AsyncGenerator<readonly ChangedKey[]> {
  await sql`
    declare replica_changed_keys no scroll cursor for
    select distinct collection, key from replica_change
     where dataset = ${sql.lit(dataset)} and seq > ${sql.lit(fromSeq)} and seq <= ${sql.lit(toSeq)}
     order by collection, key`.execute(tx);
  while (true) {
    const { rows } = await sql<ChangedKey>`
      fetch forward ${sql.lit(batchRows)} from replica_changed_keys`.execute(tx);
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) break;
  }
  await sql`close replica_changed_keys`.execute(tx);
}

/** Makes key lookups use an index until the transaction ends: without statistics the planner scans (seen). */
export const preferIndexes = (tx: Db, isPreferred: boolean): Promise<unknown> =>
  sql`set local enable_seqscan = ${sql.lit(isPreferred ? 'off' : 'on')}`.execute(tx);

/** An array of constants and not a join, because PostgreSQL pushes it down into a view that groups by key. */
export async function readValues(
  tx: Db,
  view: string,
  keys: readonly Buffer[],
): Promise<readonly { readonly key: Buffer; readonly value: Buffer }[]> {
  const { rows } = await sql<{ key: Buffer; value: Buffer }>`
    select key, value from ${sql.table(view)} where key = any(${keys}::bytea[])`.execute(tx);
  return rows;
}
