import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import { DAY_S } from '#platform/time-units.ts';

/** SQL of what lists take back, from the periods of listings. Each function is one statement. */

export type TurnoverCount = {
  readonly sourceNumber: number;
  readonly isName: boolean;
  readonly all: number;
  readonly some: number;
};

export type YoungBounds = {
  /** The moment at which the entries were listed. */
  readonly atMs: number;
  /** Their first day lies at or after this moment, and before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
};

/**
 * Entries that were young at a past moment, and how many of them (`some`) have left since, for however long. A period that
 * another one follows at once is a listing that changed.
 */
export async function countYoung(
  db: Db,
  sourceNumbers: readonly number[],
  { atMs, fromMs, toMs }: YoungBounds,
): Promise<readonly TurnoverCount[]> {
  const wasYoung = sql`
    source_number = any(${sourceNumbers}::smallint[]) and listed_from <= ${timestampOf(atMs)} and dated_by <> 2
    and first_seen >= ${timestampOf(fromMs)} and first_seen < ${timestampOf(toMs)}`;
  const { rows } = await sql<TurnoverCount>`
    select source_number as "sourceNumber", is_name as "isName", count(*)::int as "all",
           count(*) filter (where has_left)::int as some
      from (select source_number, get_byte(key, 0) = 5 as is_name, false as has_left
              from listing where ${wasYoung}
             union all
            select source_number, get_byte(key, 0) = 5,
                   exists (select 1 from listing_past q
                            where q.key = p.key and q.source_number = p.source_number
                              and q.listed_to > ${timestampOf(atMs)}
                              and not exists (select 1 from listing_period r
                                               where r.key = q.key and r.source_number = q.source_number
                                                 and r.listed_from = q.listed_to))
              from listing_past p where ${wasYoung} and listed_to > ${timestampOf(atMs)}) as young
     group by source_number, is_name`.execute(db);
  return rows;
}

/**
 * Entries that left in a span of time, and how many of them (`some`) came back within some days. A period that another one of
 * the same source follows at once is a listing that changed and has not left.
 */
export async function countReturned(
  db: Db,
  sourceNumbers: readonly number[],
  {
    fromMs,
    toMs,
    withinDays,
  }: { readonly fromMs: number; readonly toMs: number; readonly withinDays: number },
): Promise<readonly TurnoverCount[]> {
  const { rows } = await sql<TurnoverCount>`
    select source_number as "sourceNumber", get_byte(key, 0) = 5 as "isName", count(*)::int as "all",
           count(*) filter (where came_back)::int as some
      from (select p.source_number, p.key,
                   exists (select 1 from listing_period q
                            where q.key = p.key and q.source_number = p.source_number and q.listed_from > p.listed_to
                              and q.listed_from <= p.listed_to + ${withinDays * DAY_S} * interval '1 second') as came_back
              from listing_past p
             where p.source_number = any(${sourceNumbers}::smallint[])
               and p.listed_to >= ${timestampOf(fromMs)} and p.listed_to < ${timestampOf(toMs)}
               and not exists (select 1 from listing_period q
                                where q.key = p.key and q.source_number = p.source_number
                                  and q.listed_from = p.listed_to)) as left_then
     group by source_number, get_byte(key, 0) = 5`.execute(db);
  return rows;
}

export type DataDay = {
  readonly sourceNumber: number;
  readonly fetchedAtMs: number;
  readonly dataAtMs: number;
};

/** Of each source the last fetch of each day since a moment, and the last one before it, oldest first. */
export async function dataDaysSince(db: Db, sinceMs: number): Promise<readonly DataDay[]> {
  const { rows } = await sql<DataDay>`
    select distinct on (source_number, day) source_number as "sourceNumber",
           date_part('epoch', fetched_at) * 1000 as "fetchedAtMs", date_part('epoch', data_at) * 1000 as "dataAtMs"
      from (select source_number, fetched_at, data_at,
                   date_trunc('day', greatest(fetched_at, ${timestampOf(sinceMs)} - interval '1 day')) as day
              from source_fetch) as samples
     order by source_number, day, fetched_at desc limit 2000000`.execute(db);
  return rows;
}
