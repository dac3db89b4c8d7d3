import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import { DAY_S } from '#platform/time-units.ts';

/** All SQL of reliability. Each function is one statement. */

/** What a listing by another source means for an entry. The SQL of `sampleGroups` uses these numbers. */
export const ROLE = { none: 0, peer: 1, authority: 2, popularity: 3 } as const;

/** Facts about other sources as three parallel arrays; source number 1 is the first element. */
export type OtherSources = {
  readonly roles: readonly number[];
  readonly dataAtS: readonly number[];
  /** 0: the list has no maximum rank. */
  readonly rankMax: readonly number[];
};

export type SampleOptions = {
  readonly sourceNumber: number;
  readonly others: OtherSources;
  readonly rankMax: number;
  readonly sinceMs: number;
  readonly withinDays: number;
  readonly limit: number;
};

export type SampleGroup = {
  readonly isConfirmed: boolean;
  readonly isPopular: boolean;
  /** 0: neither an address nor a range. */
  readonly version: 0 | 4 | 6;
  readonly entries: number;
  /** Records in the layout of lineage/coverage.ts; empty where the version is 0. */
  readonly packed: Buffer;
};

/**
 * A sample of the source's recent new entries, grouped by fate. It is ordered by digest, which is the same every night
 * and independent of the entries' meaning. Two lists confirm each other when their own dates of the entry lie within
 * `withinDays`; an authority confirms with any date. Keys of kinds 1 to 4 are addresses and ranges
 * (corpus/indicator-key.ts). The facts of the other sources are passed as arrays, so that one probe by key finds them
 * all: a join with source made 140 probes per key (21 s for one source of 140, once, on a busy machine), their numbers
 * as a condition 49 (6 s), this takes 1 s.
 */
export async function sampleGroups(db: Db, given: SampleOptions): Promise<readonly SampleGroup[]> {
  const { roles, dataAtS, rankMax } = given.others;
  const { rows } = await sql<SampleGroup>`
    with sampled as materialized (
      select l.key, get_byte(l.key, 0) as kind, date_part('epoch', coalesce(l.last_seen, s.data_at)) as seen_at
        from listing l join source s on s.number = l.source_number
       where l.source_number = ${given.sourceNumber} and l.first_seen > ${timestampOf(given.sinceMs)}
       order by md5(l.key) limit ${given.limit}
    ), judged as (
      select key, kind, case when kind in (1, 3) then 4 when kind in (2, 4) then 6 else 0 end as version, confirmed, popular
        from sampled cross join lateral (
               select coalesce(bool_or(role = ${ROLE.authority}
                        or (role = ${ROLE.peer} and abs(other_seen_at - seen_at) <= ${given.withinDays * DAY_S})),
                        false) as confirmed,
                      coalesce(bool_or(role = ${ROLE.popularity} and rank <= ${given.rankMax}), false) as popular
                 from (select (${roles}::smallint[])[o.source_number] as role,
                              coalesce(date_part('epoch', o.last_seen), (${dataAtS}::float8[])[o.source_number])
                                as other_seen_at,
                              coalesce(o.rank, nullif((${rankMax}::int[])[o.source_number], 0)) as rank
                         from listing o where o.key = sampled.key) as listed) as others
    )
    select confirmed as "isConfirmed", popular as "isPopular", version, count(*)::int as entries,
           coalesce(string_agg(case kind when 1 then substring(key from 2 for 4) || '\\x20'::bytea
                                         when 3 then substring(key from 2 for 5)
                                         when 2 then substring(key from 2 for 7) || '\\x80'::bytea
                                         when 4 then substring(key from 2 for 7) || substring(key from 18 for 1)
                                         end, ''::bytea), ''::bytea) as packed
      from judged group by confirmed, popular, version`.execute(db);
  return rows;
}

export type Withdrawals = {
  readonly sourceNumber: number;
  readonly ended: number;
  /** Of the ended listings, those that lasted less than a day. */
  readonly shortLived: number;
};

/**
 * Counts listings that ended since `sinceMs`. A past row is the end of a listing when no row of its source follows it,
 * and its beginning when none precedes it; a row that a change replaced is neither.
 */
export async function recentWithdrawals(
  db: Db,
  sourceNumbers: readonly number[],
  sinceMs: number,
): Promise<readonly Withdrawals[]> {
  const { rows } = await sql<Withdrawals>`
    select source_number as "sourceNumber", count(*)::int as ended,
           count(*) filter (
             where listed_to - listed_from < interval '24 hours'
               and not exists (select 1 from listing_past q where q.key = p.key and q.source_number = p.source_number
                                  and q.listed_to = p.listed_from))::int as "shortLived"
      from listing_past p
     where listed_to > ${timestampOf(sinceMs)} and source_number = any(${sourceNumbers}::smallint[])
       and not exists (select 1 from listing l where l.key = p.key and l.source_number = p.source_number)
       and not exists (select 1 from listing_past q where q.key = p.key and q.source_number = p.source_number
                          and q.listed_from >= p.listed_to)
     group by source_number`.execute(db);
  return rows;
}

export type DayRow = {
  readonly sourceNumber: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly sampled: number;
  readonly confirmed: number;
  readonly disputed: number;
  readonly seen: number;
  readonly conf: number;
  readonly disp: number;
  readonly previous: number;
  readonly reliability: number;
};

/** The latest row of each source before a day; null: without a limit. */
export async function latestDays(db: Db, before: string | null): Promise<readonly DayRow[]> {
  const { rows } = await sql<DayRow>`
    select distinct on (source_number) source_number as "sourceNumber", to_char(day, 'YYYY-MM-DD') as day, sampled,
           confirmed, disputed, seen, conf, disp, previous, reliability
      from source_reliability_day where ${before}::date is null or day < ${before}::date
     order by source_number, source_reliability_day.day desc limit 32767`.execute(db);
  return rows;
}

/** A second run on one day replaces the first. */
export const saveDay = (tx: Db, row: DayRow): Promise<unknown> =>
  sql`insert into source_reliability_day
        (source_number, day, sampled, confirmed, disputed, seen, conf, disp, previous, reliability)
      values (${row.sourceNumber}, ${row.day}::date, ${row.sampled}, ${row.confirmed}, ${row.disputed}, ${row.seen},
              ${row.conf}, ${row.disp}, ${row.previous}, ${row.reliability})
      on conflict (source_number, day) do update set sampled = excluded.sampled, confirmed = excluded.confirmed,
        disputed = excluded.disputed, seen = excluded.seen, conf = excluded.conf, disp = excluded.disp, previous = excluded.previous,
        reliability = excluded.reliability`.execute(tx);

/** The latest row of a source stays, however old, because it tells a learned value from an operator's. */
export const forgetDaysBefore = (tx: Db, day: string): Promise<unknown> =>
  sql`delete from source_reliability_day d
       where day < ${day}::date
         and exists (select 1 from source_reliability_day n where n.source_number = d.source_number and n.day > d.day)`.execute(
    tx,
  );

/**
 * The registry's value, locked until the commit; undefined while a merge holds the row. A merge may hold it for
 * minutes, and the source is observed again tomorrow.
 */
export async function lockReliability(tx: Db, sourceNumber: number): Promise<number | undefined> {
  const { rows } = await sql<{ reliability: number }>`
    select reliability from source where number = ${sourceNumber} for no key update skip locked`.execute(tx);
  return rows[0]?.reliability;
}

export type CatalogueSays = { readonly sourceNumber: number; readonly reliability: number };

export async function catalogueSays(db: Db): Promise<readonly CatalogueSays[]> {
  const { rows } = await sql<CatalogueSays>`
    select source_number as "sourceNumber", (catalogue ->> 'reliability')::float8 as reliability
      from feed_state where catalogue ? 'reliability' limit 32767`.execute(db);
  return rows;
}
