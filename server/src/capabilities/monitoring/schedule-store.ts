import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { FacetStates } from './target-store.ts';

/** SQL of the schedule: which targets are to be checked, and when. */

/** The follower's position in the change log. A check on an older state of the corpus would undo what it wrote. */
export async function followedSeq(tx: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq::float8 as seq from corpus_follower where name = 'monitoring'`.execute(tx);
  return rows[0]?.seq ?? 0;
}

export async function newestSeq(tx: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select replica_newest_seq('corpus')::float8 as seq`.execute(tx);
  return rows[0]?.seq ?? 0;
}

export type RequestRow = { readonly number: number; readonly key: Buffer };

export async function selectRequests(tx: Db, limit: number): Promise<readonly RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select number::float8 as number, key from watch_request order by number limit ${limit}
       for update skip locked`.execute(tx);
  return rows;
}

export const deleteRequests = (tx: Db, numbers: readonly number[]): Promise<unknown> =>
  sql`delete from watch_request where number = any(${[...numbers]}::bigint[])`.execute(tx);

export async function dueKeys(tx: Db, nowMs: number, limit: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    select key from watch_target where next_check_at <= ${timestampOf(nowMs)}
     order by next_check_at limit ${limit}`.execute(tx);
  return rows.map(({ key }) => key);
}

/**
 * Plans the next check of each target after the shortest interval among the plans of its accounts. With `isEarliest` a
 * check that is planned sooner stays.
 */
export const scheduleNext = (
  tx: Db,
  keys: readonly Buffer[],
  hours: Readonly<Record<string, number>>,
  {
    nowMs,
    isEarliest,
    isChecked,
  }: { readonly nowMs: number; readonly isEarliest: boolean; readonly isChecked: boolean },
): Promise<unknown> =>
  sql`update watch_target t
         set next_check_at = case when ${isEarliest} then least(t.next_check_at, n.at) else n.at end,
             checked_at = case when ${isChecked} then ${timestampOf(nowMs)} else t.checked_at end
        from (select k.key, ${timestampOf(nowMs)} + make_interval(secs => 3600 * coalesce(min(h.hours), ${hours.FREE ?? 24})) as at
                from unnest(${[...keys]}::bytea[]) as k (key)
                left join watch_item i on i.target_key = k.key
                left join subscription s on s.account_id = i.account_id
                left join json_to_recordset(${JSON.stringify(
                  Object.entries(hours).map(([plan, each]) => ({ plan, hours: each })),
                )}::json) as h (plan text, hours float8)
                  on h.plan = coalesce(s.plan, 'FREE')
               where i.id is not null
               group by k.key) n
       where t.key = n.key`.execute(tx);

/** Deletes those of the given targets that no account watches any longer. */
export async function deleteUnwatched(tx: Db, keys: readonly Buffer[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from watch_target t where t.key = any(${[...keys]}::bytea[])
       and not exists (select 1 from watch_item i where i.target_key = t.key)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export const putFacets = (
  tx: Db,
  found: readonly { readonly key: Buffer; readonly facets: FacetStates }[],
): Promise<unknown> =>
  sql`update watch_target t set facets = t.facets || g.facets
        from json_to_recordset(${JSON.stringify(
          found.map(({ key, facets }) => ({ key: key.toString('hex'), facets })),
        )}::json) as g (key text, facets jsonb)
       where t.key = decode(g.key, 'hex')`.execute(tx);
