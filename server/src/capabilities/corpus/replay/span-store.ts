import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { Source } from '../contract.ts';
import { CORPUS } from '../dataset.ts';
import { SOURCE_COLUMNS } from '../store.ts';
import { ms, PERIOD_COLUMNS, type Period, STORED_COLUMNS, seconds } from './store.ts';

/** SQL of a span of time: reads every row that was valid in it once, so that any moment in it can be computed. */

/** Bounds the cost of one answer. Even 30 lists that redate a value every day make only 5,400 periods in 180 days. */
const PERIODS_MAX = 50_000;

/** Every period of these keys that was valid at some time since `fromMs`. */
export async function periodsSince(
  db: Db,
  keys: readonly Buffer[],
  fromMs: number,
): Promise<readonly Period[]> {
  const { rows } = await sql<Period>`
    select ${PERIOD_COLUMNS}
      from unnest(${keys}::bytea[]) as asked(asked_key)
     cross join lateral (
       select ${STORED_COLUMNS}
         from listing_period
        where key = asked_key and (listed_to is null or listed_to > ${timestampOf(fromMs)})
       offset 0) as held
     order by key, source_number, listed_from
     limit ${PERIODS_MAX}`.execute(db);
  return rows;
}

export async function periodsBetweenSince(
  db: Db,
  { first, last }: { readonly first: Buffer; readonly last: Buffer },
  fromMs: number,
): Promise<readonly Period[]> {
  const { rows } = await sql<Period>`
    select ${PERIOD_COLUMNS}
      from listing_period
     where key between ${first} and ${last} and (listed_to is null or listed_to > ${timestampOf(fromMs)})
     order by key, source_number, listed_from
     limit ${PERIODS_MAX}`.execute(db);
  return rows;
}

export type RelatedPeriod = Period & { readonly parentKey: Buffer };
/** `periodsSince` for entries on hosts and below names. Of a host with more pages only this many are read. */
const CHILDREN_MAX = 5_000;
export async function relatedPeriodsSince(
  db: Db,
  parents: readonly Buffer[],
  fromMs: number,
): Promise<readonly RelatedPeriod[]> {
  const { rows } = await sql<RelatedPeriod>`
    select parent_key as "parentKey", ${PERIOD_COLUMNS}
      from (select key as child_key, parent_key from indicator
             where parent_key = any(${parents}::bytea[]) limit ${CHILDREN_MAX}) as child
     cross join lateral (
       select ${STORED_COLUMNS}
         from listing_period
        where key = child_key and (listed_to is null or listed_to > ${timestampOf(fromMs)})
       offset 0) as held
     order by key, source_number, listed_from
     limit ${PERIODS_MAX}`.execute(db);
  return rows;
}

export type Edition = { readonly atMs: number; readonly seq: number };

/** The newest number of the change log at each moment; moments before the first number are left out. */
export async function editionsAt(db: Db, momentsMs: readonly number[]): Promise<readonly Edition[]> {
  const { rows } = await sql<Edition>`
    select moment as "atMs", seq::float8 as seq
      from unnest(${momentsMs}::float8[]) as moment
     cross join lateral (
       select seq from replica_edition
        where dataset = ${CORPUS} and at <= ${timestampOf(sql.ref('moment'))}
        order by at desc, seq desc limit 1) as newest
     order by moment`.execute(db);
  return rows;
}

/** When the kept change log begins; null before anything was loaded. */
export async function firstEditionMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ atMs: number | null }>`
    select ${ms(sql`min(at)`)} as "atMs" from replica_edition where dataset = ${CORPUS}`.execute(db);
  return rows[0]?.atMs ?? null;
}

export type FetchSample = {
  readonly atMs: number;
  readonly sourceNumber: number;
  readonly dataAtS: number;
  readonly lastFetchAtS: number;
  readonly entries: number;
};

/** The newest fetch of every source at each moment: hundreds of sources at about ninety moments, read by index. */
export async function fetchesAt(db: Db, momentsMs: readonly number[]): Promise<readonly FetchSample[]> {
  const { rows } = await sql<FetchSample>`
    select moment as "atMs", s.number as "sourceNumber", ${seconds(sql`newest.data_at`)} as "dataAtS",
           ${seconds(sql`newest.fetched_at`)} as "lastFetchAtS", newest.entries
      from unnest(${momentsMs}::float8[]) as moment
     cross join source s
     cross join lateral (
       select fetched_at, data_at, entries from source_fetch
        where source_number = s.number and fetched_at <= ${timestampOf(sql.ref('moment'))}
        order by fetched_at desc limit 1) as newest`.execute(db);
  return rows;
}

export type Revision = { readonly validFromMs: number; readonly source: Source };

/** The registry revisions of these sources since `fromMs`, and the ones valid at that time; oldest first. */
export async function revisionsOf(
  db: Db,
  sourceNumbers: readonly number[],
  fromMs: number,
): Promise<readonly Revision[]> {
  const { rows } = await sql<Revision>`
    with revision as (
      select r.valid_from, p.*
        from source s
       cross join lateral (
         select valid_from, settings from source_revision
          where source_number = s.number
            and valid_from >= coalesce((select max(valid_from) from source_revision
                                         where source_number = s.number and valid_from <= ${timestampOf(fromMs)}),
                                       '-infinity')) r
       cross join lateral jsonb_populate_record(s, r.settings || '{"version": 0}') p
       where s.number = any(${sourceNumbers}::smallint[])
    )
    select ${ms(sql`valid_from`)} as "validFromMs", to_jsonb(row) as source
      from (select valid_from, ${SOURCE_COLUMNS} from revision) as row
     order by number, valid_from`.execute(db);
  return rows;
}
