import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import { DAY_S } from '#platform/time-units.ts';

/** SQL that counts names (keys of kind 5, corpus/indicator-key.ts). Each function is one statement. */

/** The numbers of the sources that take part in the counts. */
export type CountedNumbers = {
  readonly threats: readonly number[];
  /** Popularity lists with a rank for each name. */
  readonly ranked: readonly number[];
  /** Popularity lists without ranks of at most the first 100,000 names. */
  readonly whole: readonly number[];
  /** Lists of names below which anyone can register. */
  readonly roots: readonly number[];
};

/** A name of a popularity list protects itself up to this rank. */
export const RANK_MAX = 100_000;

/**
 * After a first load the planner has no statistics and would sort all remaining names for each page. Along the primary key
 * a page costs only its own rows.
 */
export const readAlongKeys = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config('max_parallel_workers_per_gather', '0', true), set_config('work_mem', '64MB', true)`.execute(
    tx,
  );

/** The first day of an entry, in days since the epoch; null for an undated one. */
const dayOf = (table: string) => sql`
  case when ${sql.ref(`${table}.dated_by`)} <> 2
       then floor(date_part('epoch', ${sql.ref(`${table}.first_seen`)}) / ${DAY_S})::int end`;
const isRanked = ({ ranked, whole }: CountedNumbers) => sql`
  (source_number = any(${whole}::smallint[]) or (source_number = any(${ranked}::smallint[]) and rank <= ${RANK_MAX}))`;

export type NameCount = {
  readonly sourceNumber: number;
  /** The first day of the entries, in days since the epoch; null: nothing dates them. */
  readonly day: number | null;
  /** Whether they were listed at the moment of the last run. */
  readonly wasListed: boolean;
  readonly names: number;
  readonly popular: number;
};
export type NamePage = {
  readonly counts: readonly NameCount[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
};

/**
 * Counts the listings of one page of names. A page ends before the last name it has read, because the rows of that name may
 * go on in the next one; so a page must have room for all listings of one name.
 */
export async function countNamesFrom(
  db: Db,
  from: string,
  numbers: CountedNumbers,
  { sinceMs, limit }: { readonly sinceMs: number | null; readonly limit: number },
): Promise<NamePage> {
  const { rows } = await sql<{ readonly counts: readonly NameCount[]; readonly next: string | null }>`
    with page as materialized (
      select key, source_number, ${dayOf('listing')} as day,
             coalesce(listed_from <= ${timestampOf(sinceMs)}, false) as was_listed,
             source_number = any(${numbers.threats}::smallint[]) as is_threat, ${isRanked(numbers)} as is_ranked
        from listing
       where key >= '\\x05'::bytea || convert_to(${from}, 'UTF8') and key < '\\x06'
         and (source_number = any(${numbers.threats}::smallint[]) or ${isRanked(numbers)})
       order by key, source_number limit ${limit}
    ), last as materialized (
      select (select key from page order by key desc limit 1) as key
       where (select count(*) from page) = ${limit}
    ), marked as (
      select source_number, day, was_listed, is_threat, bool_or(is_ranked) over (partition by key) as is_popular
        from page where not exists (select 1 from last where last.key = page.key)
    ), counted as (
      select source_number as "sourceNumber", day, was_listed as "wasListed", count(*)::int as names,
             count(*) filter (where is_popular)::int as popular
        from marked where is_threat group by source_number, day, was_listed
    )
    select coalesce((select json_agg(counted) from counted), '[]') as counts,
           (select convert_from(substring(key from 2), 'UTF8') from last) as next`.execute(db);
  return rows[0] ?? { counts: [], next: null };
}

export type DepartedCount = {
  readonly sourceNumber: number;
  readonly day: number | null;
  /** The first day of the entry as it is listed now. */
  readonly dayNow: number | null;
  readonly isListed: boolean;
  readonly names: number;
};

/**
 * The names of the last run whose period has ended since, with what the source lists in their place. The current listing
 * is looked up row by row, because a join would read all listings.
 */
export async function countDeparted(
  db: Db,
  threats: readonly number[],
  sinceMs: number,
): Promise<readonly DepartedCount[]> {
  const { rows } = await sql<DepartedCount>`
    select p.source_number as "sourceNumber", ${dayOf('p')} as day, current.day as "dayNow",
           current.key is not null as "isListed", count(*)::int as names
      from listing_past p
      left join lateral (select l.key, ${dayOf('l')} as day
                           from listing l where l.key = p.key and l.source_number = p.source_number
                          limit 1) as current on true
     where p.key >= '\\x05' and p.key < '\\x06' and p.source_number = any(${threats}::smallint[])
       and p.listed_from <= ${timestampOf(sinceMs)} and p.listed_to > ${timestampOf(sinceMs)}
     group by 1, 2, 3, 4`.execute(db);
  return rows;
}

/** One source naming a host or a name above it. */
export type Naming = {
  readonly name: string;
  readonly sourceNumber: number;
  readonly day: number | null;
  /** Whether it was listed at the moment of the last run. */
  readonly wasListed: boolean;
};

const namesAsKeys = (names: readonly string[]) => sql`
  array(select '\\x05'::bytea || convert_to(name, 'UTF8') from unnest(${names}::text[]) as asked(name))`;

/** What the counted sources list now of these names. */
export async function namingsOf(
  db: Db,
  names: readonly string[],
  numbers: CountedNumbers,
  sinceMs: number | null,
): Promise<readonly Naming[]> {
  const { rows } = await sql<Naming>`
    select convert_from(substring(key from 2), 'UTF8') as name, source_number as "sourceNumber",
           ${dayOf('listing')} as day, coalesce(listed_from <= ${timestampOf(sinceMs)}, false) as "wasListed"
      from listing
     where key = any(${namesAsKeys(names)})
       and (source_number = any(${[...numbers.threats, ...numbers.roots]}::smallint[]) or ${isRanked(numbers)})`.execute(
    db,
  );
  return rows;
}

/** What the threat sources listed of these names at the moment of the last run, where that period has ended since. */
export async function endedNamingsOf(
  db: Db,
  names: readonly string[],
  threats: readonly number[],
  sinceMs: number,
): Promise<readonly Naming[]> {
  const { rows } = await sql<Naming>`
    select convert_from(substring(key from 2), 'UTF8') as name, source_number as "sourceNumber",
           ${dayOf('listing_past')} as day, true as "wasListed"
      from listing_past
     where key = any(${namesAsKeys(names)}) and source_number = any(${threats}::smallint[])
       and listed_from <= ${timestampOf(sinceMs)} and listed_to > ${timestampOf(sinceMs)}`.execute(db);
  return rows;
}
