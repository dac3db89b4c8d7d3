import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { CORPUS } from '../dataset.ts';
import { SOURCE_COLUMNS } from '../store.ts';

/** SQL of a past moment: its listings, their sources, and the registry data of those. All reads use an index. */

/** One period in which one source listed one value. Times are milliseconds, sightings whole seconds, as in replicas. */
export type Period = {
  readonly key: Buffer;
  readonly sourceNumber: number;
  readonly listedFromMs: number;
  /** Null: still listed today. */
  readonly listedToMs: number | null;
  readonly firstSeenS: number;
  /** Null: the listing has no last sighting of its own, so the date of the source's data counts while it is listed. */
  readonly lastSeenS: number | null;
  /** The last sighting of a dropped entry, else when it was dropped. Null while it is listed without a date. */
  readonly leftS: number | null;
  readonly confidence: number | null;
  readonly rank: number | null;
  readonly datedBy: number;
  readonly family: string | null;
  readonly reference: string | null;
  /** Numbers as in the view corpus_listing_entry; 0: the text is not in the dictionary, null: there is none. */
  readonly familyNumber: number | null;
  readonly referenceNumber: number | null;
};

type Sql = ReturnType<typeof sql>;
export const ms = (column: Sql) => sql`round(${msOf(column)})`;
/** Rounded as the view corpus_listing_entry rounds. */
export const seconds = (column: Sql) => sql`date_part('epoch', ${column})::bigint::float8`;

export const STORED_COLUMNS = sql`
  key, source_number, listed_from, listed_to, first_seen, last_seen, confidence, rank, dated_by, family, reference`;
export const PERIOD_COLUMNS = sql`
  key, source_number as "sourceNumber", ${ms(sql`listed_from`)} as "listedFromMs", ${ms(sql`listed_to`)} as "listedToMs",
  ${seconds(sql`first_seen`)} as "firstSeenS", ${seconds(sql`last_seen`)} as "lastSeenS",
  ${seconds(sql`coalesce(last_seen, listed_to)`)} as "leftS", confidence, rank, dated_by as "datedBy",
  family, reference,
  case when family is not null then coalesce(
    (select number from malware_family where name = family collate "C" and number < 65536), 0) end as "familyNumber",
  case when reference like 'http%' then coalesce(
    (select number from listing_reference where url = reference collate "C" and number < 16777216), 0)
  end as "referenceNumber"`;

/**
 * The newest period of each key and source that had begun: still valid, or the last one that ended. The query goes key
 * by key, because with all keys at once a planner without statistics reads the whole table (451 ms at 2.3 M listings
 * instead of 2 ms).
 */
export async function periodsAt(db: Db, keys: readonly Buffer[], atMs: number): Promise<readonly Period[]> {
  const { rows } = await sql<Period>`
    select ${PERIOD_COLUMNS}
      from unnest(${keys}::bytea[]) as asked(asked_key)
     cross join lateral (
       select distinct on (source_number) ${STORED_COLUMNS}
         from listing_period
        where key = asked_key and listed_from <= ${timestampOf(atMs)}
        order by source_number, listed_from desc) as newest
     order by key, source_number`.execute(db);
  return rows;
}

/** `periodsAt` for an interval of keys. Of a /64 with more listings only this many are read. */
const SITE_LISTINGS_MAX = 4_096;
export async function periodsBetween(
  db: Db,
  { first, last }: { readonly first: Buffer; readonly last: Buffer },
  atMs: number,
): Promise<readonly Period[]> {
  const { rows } = await sql<Period>`
    select distinct on (key, source_number) ${PERIOD_COLUMNS}
      from listing_period
     where key between ${first} and ${last} and listed_from <= ${timestampOf(atMs)}
     order by key, source_number, listed_from desc
     limit ${SITE_LISTINGS_MAX}`.execute(db);
  return rows;
}

/** Other digests of the same files. These links have no date, so a link found later counts for the past too. */
export async function siblingsOf(
  db: Db,
  keys: readonly Buffer[],
): Promise<readonly { readonly key: Buffer; readonly value: Buffer }[]> {
  const { rows } = await sql<{ key: Buffer; value: Buffer }>`
    select key, value from corpus_alias_entry where key = any(${keys}::bytea[])`.execute(db);
  return rows;
}

/** The entries of one source on a host or below a name, folded: earliest first and latest last sighting. */
export type RelatedFold = {
  readonly parentKey: Buffer;
  /** The key kind of the entries: URL for pages on a host, domain for names below it. */
  readonly kind: number;
  readonly sourceNumber: number;
  readonly firstSeenS: number;
  /** 0 when any of the entries is listed without a last sighting of its own. */
  readonly lastSeenS: number;
  readonly confidence: number | null;
  /** The dating of the best-dated entry, as numbered by DATINGS. */
  readonly datedBy: number;
};

/** `relatedAt` is the view corpus_related_entry as of a moment. Of a host with more pages only this many are read. */
const CHILDREN_MAX = 20_000;
export async function relatedAt(
  db: Db,
  parents: readonly Buffer[],
  atMs: number,
): Promise<readonly RelatedFold[]> {
  const { rows } = await sql<RelatedFold>`
    select parent_key as "parentKey", get_byte(key, 0) as kind, source_number as "sourceNumber",
           ${seconds(sql`min(first_seen)`)} as "firstSeenS",
           case when bool_or(last_seen is null) then 0 else ${seconds(sql`max(last_seen)`)} end as "lastSeenS",
           max(confidence) as confidence, min(dated_by) as "datedBy"
      from (select key as child_key, parent_key from indicator
             where parent_key = any(${parents}::bytea[]) limit ${CHILDREN_MAX}) as child
     cross join lateral (
       select ${STORED_COLUMNS}
         from listing_period
        where key = child_key and listed_from <= ${timestampOf(atMs)} and (listed_to is null or listed_to > ${timestampOf(atMs)})
       offset 0) as held
     group by parent_key, get_byte(key, 0), source_number
     order by parent_key, get_byte(key, 0), source_number`.execute(db);
  return rows;
}

export type PastMoment = {
  /** Newest number of the change log at that time; null: the record does not reach back that far. */
  readonly seq: number | null;
  readonly registryJson: string;
};

/**
 * The newest change number and the registry of a moment. Each source has its settings of then and the newest fetch
 * before it; today's row supplies columns that were added after a revision. `version` is not kept over time and does
 * not affect the verdict.
 */
export async function momentAt(db: Db, atMs: number): Promise<PastMoment> {
  const at = timestampOf(atMs);
  const { rows } = await sql<PastMoment>`
    with past as (
      select p.*
        from source s
       cross join lateral (
         select settings from source_revision
          where source_number = s.number and valid_from <= ${at} order by valid_from desc limit 1) r
        left join lateral (
         select fetched_at, data_at, entries from source_fetch
          where source_number = s.number and fetched_at <= ${at} order by fetched_at desc limit 1) f on true
       cross join lateral jsonb_populate_record(s, r.settings || jsonb_build_object('data_at', f.data_at,
         'last_fetch_at', f.fetched_at, 'entries', coalesce(f.entries, 0), 'version', 0)) p
    ), row as (select ${SOURCE_COLUMNS} from past)
    select (select seq::float8 from replica_edition
             where dataset = ${CORPUS} and at <= ${at} order by at desc, seq desc limit 1) as seq,
           (select '[' || coalesce(string_agg((to_jsonb(row) || jsonb_build_object(
              'dataAtS', "dataAtS"::bigint, 'lastFetchAtS', "lastFetchAtS"::bigint))::text, ',' order by number), '')
              || ']' from row) as "registryJson"`.execute(db);
  return rows[0] ?? { seq: null, registryJson: '[]' };
}
