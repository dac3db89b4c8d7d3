import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** Whether the account watches the value; one read of an index. */
export async function hasItem(tx: Db, accountId: string, key: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from watch_item where account_id = ${accountId} and target_key = ${key} limit 1`.execute(tx);
  return rows.length > 0;
}

/** When places of other values than this one were freed, after `sinceMs`. */
export async function selectFreedPlaces(
  tx: Db,
  accountId: string,
  key: Buffer,
  sinceMs: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{ freedAtMs: number }>`
    select ${msOf('freed_at')} as "freedAtMs" from watch_freed_place
     where account_id = ${accountId} and target_key <> ${key} and freed_at > ${timestampOf(sinceMs)}
     limit 1000`.execute(tx);
  return rows.map(({ freedAtMs }) => freedAtMs);
}

export const insertFreedPlace = (tx: Db, accountId: string, key: Buffer, nowMs: number): Promise<unknown> =>
  sql`
    insert into watch_freed_place (account_id, target_key, freed_at) values (${accountId}, ${key}, ${timestampOf(nowMs)})
    on conflict (account_id, target_key) do update set freed_at = excluded.freed_at`.execute(tx);

/** Deletes the freed places that are free again, and the one of this value. */
export const deleteFreedPlaces = (
  tx: Db,
  accountId: string,
  key: Buffer | null,
  untilMs: number,
): Promise<unknown> =>
  sql`
    delete from watch_freed_place
     where account_id = ${accountId} and (target_key = ${key} or freed_at <= ${timestampOf(untilMs)})`.execute(
    tx,
  );
