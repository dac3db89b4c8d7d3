import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL for the weekly brief about watched values. Needs the system role. */

/** Counts the items whose last change lies between `fromMs` and `toMs`. */
export async function countChangedItems(
  tx: Db,
  accountId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from watch_item i join watch_target t on t.key = i.target_key
     where i.account_id = ${accountId}
       and greatest(t.changed_at, i.own_changed_at) > greatest(i.created_at, ${timestampOf(fromMs)})
       and greatest(t.changed_at, i.own_changed_at) < ${timestampOf(toMs)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A page of the ids of accounts that watch at least one value, in ascending order. */
export async function selectWatchingValues(tx: Db, after: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from watch_account
     where items > 0 and account_id collate "C" > ${after}
     order by account_id collate "C" limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}
