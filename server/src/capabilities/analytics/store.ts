import { KIND } from '#capabilities/corpus/index.ts';
import { formatIpv4 } from '#domain/indicator/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { DAY_S, HOUR_S } from '#platform/time-units.ts';
import type { ListedAddress } from './choose-accused.ts';
import type { HourCount } from './count-activity.ts';
import { type ListedAlike, RANKS_FROM, SIGNATURE_BASE, UNDATED } from './count-levels.ts';
import type { MaskCount } from './count-threats.ts';

/** The value of `dated_by` for an entry that nothing dates (docs/decisions/0013). */
const UNDATED_BY = 2;

/** Allows one computation at a time. Returns false when another one runs and `wait` is false. */
export async function lockStatistics(tx: Db, wait: boolean): Promise<boolean> {
  const lock = sql.raw(wait ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock');
  const { rows } = await sql<{ taken: unknown }>`
    select ${lock}(hashtextextended('assay.statistics', 0)) as taken`.execute(tx);
  return rows[0]?.taken !== false;
}

export async function newestSeq(db: Db, dataset: string): Promise<number> {
  const { rows } = await sql<{ seq: string }>`select replica_newest_seq(${dataset}) as seq`.execute(db);
  return Number(rows[0]?.seq ?? 0);
}

export type Statistic<T> = { readonly value: T; readonly seq: number; readonly computedAtMs: number };

export async function findStatistic<T = unknown>(db: Db, name: string): Promise<Statistic<T> | undefined> {
  const { rows } = await sql<{ value: T; seq: string; computedAtMs: number }>`
    select value, seq, ${msOf('computed_at')} as "computedAtMs"
      from corpus_statistic where name = ${name}`.execute(db);
  const row = rows[0];
  return row === undefined ? undefined : { ...row, seq: Number(row.seq) };
}

export async function writeStatistic(tx: Db, name: string, statistic: Statistic<unknown>): Promise<void> {
  await sql`
    insert into corpus_statistic (name, computed_at, seq, value)
    values (${name}, ${timestampOf(statistic.computedAtMs)}, ${statistic.seq},
            ${JSON.stringify(statistic.value)}::jsonb)
    on conflict (name) do update
      set computed_at = excluded.computed_at, seq = excluded.seq, value = excluded.value`.execute(tx);
}

/**
 * Forces a scan along the primary key, which sorts and spills nothing, even when the statistics of a freshly
 * loaded table are missing. 5.0 M listings of 3.0 M indicators: 3 s after a vacuum, 10 s before one.
 */
export const prepareScan = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true)`.execute(tx);

/**
 * Counts indicators by kind and by the combined bits of their sources. The bits come from an array by source
 * number, which costs a fraction of a join, and listings of one indicator are neighbours in the primary key.
 */
export async function countByMask(tx: Db, bySource: readonly bigint[]): Promise<readonly MaskCount[]> {
  const masks = bySource.slice(1).map(String);
  const { rows } = await sql<{ kind: number; mask: string; count: number }>`
    select kind, mask::text as mask, count(*)::float8 as count
      from (select get_byte(key, 0) as kind, coalesce(bit_or((${masks}::bigint[])[source_number]), 0) as mask
              from listing group by key) as indicator
     group by kind, mask`.execute(tx);
  return rows.map((row) => ({ ...row, mask: BigInt(row.mask) }));
}

/** A last sighting before March 1973 is a rank in a popularity list, not a date; ranks are grouped by powers of ten. */
const RANK_MAX = 100_000_000;
const CIDR_KINDS = [KIND.cidr4, KIND.cidr6];

/** One number per listing of an indicator, in the order of the primary key (`SIGNATURE_BASE`). */
const signatureOf = (agingByEntry: readonly number[]) => sql`
  array_agg(source_number::int8 * ${SIGNATURE_BASE} + case
    when source_number = any(${agingByEntry}::smallint[]) then case
      when dated_by = 2 then ${UNDATED}
      else floor(date_part('epoch', case when dated_by = 0 then coalesce(last_seen, first_seen)
                                         else first_seen end) / ${DAY_S})::int end
    when last_seen is null then 0
    when date_part('epoch', last_seen) >= ${RANK_MAX} then floor(date_part('epoch', last_seen) / ${DAY_S})::int
    else ${RANKS_FROM} + ceil(log(greatest(1, date_part('epoch', last_seen))))::int end)`;

/**
 * Groups indicators by their sources and the days from which they age: some thousand groups of millions of
 * indicators (scoring ruling 11), so that each group is scored once. Listings of one indicator come in the
 * order of the primary key.
 */
export async function countAlike(
  tx: Db,
  agingByEntry: readonly number[],
  kinds: readonly number[],
): Promise<readonly ListedAlike[]> {
  const { rows } = await sql<{ kind: number; bits: number; signature: string[]; count: number }>`
    select kind, bits, signature, count(*)::float8 as count
      from (select get_byte(key, 0) as kind,
                   case when get_byte(key, 0) = any(${CIDR_KINDS}::int[]) then get_byte(key, length(key) - 1)
                        else 0 end as bits,
                   ${signatureOf(agingByEntry)} as signature
              from unnest(${kinds.map((kind) => Buffer.of(kind))}::bytea[],
                          ${kinds.map((kind) => Buffer.of(kind + 1))}::bytea[]) as span(first, last)
              join listing on listing.key >= span.first and listing.key < span.last
             group by key) as indicator
     group by kind, bits, signature`.execute(tx);
  return rows.map((row) => ({ ...row, signature: row.signature.map(Number) }));
}

type MostListed = {
  readonly agingByEntry: readonly number[];
  /** Numbers of the threat sources, by whose count the addresses are ordered. */
  readonly accusing: readonly number[];
  readonly limit: number;
};

/** The IPv4 addresses listed by the most threat sources. */
export async function mostListedAddresses(
  tx: Db,
  { agingByEntry, accusing, limit }: MostListed,
): Promise<readonly ListedAddress[]> {
  const { rows } = await sql<{ key: Buffer; signature: string[] }>`
    select key, signature
      from (select key, ${signatureOf(agingByEntry)} as signature,
                   count(*) filter (where source_number = any(${accusing}::smallint[])) as accusers
              from listing
             where key >= ${Buffer.of(KIND.ipv4)} and key < ${Buffer.of(KIND.ipv4 + 1)}
             group by key) as address
     where accusers > 0
     order by accusers desc, key
     limit ${limit}`.execute(tx);
  return rows.map(({ key, signature }) => ({
    value: formatIpv4(key.readUInt32BE(1)),
    kind: KIND.ipv4,
    signature: signature.map(Number),
  }));
}

export type AddressRange = {
  readonly kind: number;
  readonly size: number;
  readonly after: Buffer;
  readonly sourceNumbers: readonly number[];
  readonly limit: number;
};

/**
 * Makes PostgreSQL read batches along the primary key and stop when a batch is full. Without statistics of a freshly
 * loaded table the planner would read all remaining rows for each batch.
 */
export async function walkAlongKey(tx: Db, isOn: boolean): Promise<void> {
  const others = isOn ? 'off' : 'on';
  await sql`
    select set_config('enable_seqscan', ${others}, true), set_config('enable_sort', ${others}, true),
           set_config('enable_hashagg', ${others}, true), set_config('enable_bitmapscan', ${others}, true)`.execute(
    tx,
  );
}

/** The next addresses of these sources, concatenated without their kind; null at the end. */
export async function addressesAfter(tx: Db, range: AddressRange): Promise<Buffer | null> {
  const { kind, size, after, sourceNumbers, limit } = range;
  const { rows } = await sql<{ bytes: Buffer | null }>`
    select string_agg(substring(key from 2), ''::bytea order by key) as bytes
      from (select distinct key from listing
             where key > ${after} and key < ${Buffer.of(kind + 1)} and length(key) = ${size + 1}
               and source_number = any(${sourceNumbers}::int[])
             order by key limit ${limit}) as address`.execute(tx);
  return rows[0]?.bytes ?? null;
}

const hourOf = (time: ReturnType<typeof sql>) => sql`floor(date_part('epoch', ${time}) / ${HOUR_S})::int`;

/**
 * Listings that began since `fromMs`, by source and hour, those that have left since included. Entries that nothing dates
 * are left out: they came with the first load of their list and may be years old. Scans listings and past listings: a
 * million of the former and half a million of the latter took 2.4 s on a machine with a load of 17.
 */
export async function addedByHour(tx: Db, fromMs: number): Promise<readonly HourCount[]> {
  const from = timestampOf(fromMs);
  const { rows } = await sql<HourCount>`
    select source_number as "sourceNumber", hour, sum(count)::float8 as count
      from (select source_number, ${hourOf(sql`first_seen`)} as hour, count(*) as count
              from listing where dated_by < ${UNDATED_BY} and first_seen >= ${from}
             group by 1, 2
            union all
            select source_number, ${hourOf(sql`first_seen`)}, count(*)
              from (select distinct on (p.key, p.source_number) p.source_number, p.first_seen
                      from listing_past p
                     where p.dated_by < ${UNDATED_BY} and p.first_seen >= ${from} and p.listed_to >= ${from}
                       and not exists (select 1 from listing l
                                        where l.key = p.key and l.source_number = p.source_number)
                     order by p.key, p.source_number, p.listed_from desc) as gone
             group by 1, 2) as began
     group by 1, 2`.execute(tx);
  return rows;
}

/** Listings that threat sources dropped, by source and hour of the fetch that noticed it. */
export async function removedByHour(
  tx: Db,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Promise<readonly HourCount[]> {
  const { rows } = await sql<HourCount>`
    select f.source_number as "sourceNumber", ${hourOf(sql`f.fetched_at`)} as hour, sum(f.removed)::float8 as count
      from source s join source_fetch f on f.source_number = s.number
     where s.enabled and s.threat_class = 'threat' and not s.ad_only and f.removed > 0
       and f.fetched_at >= ${timestampOf(fromMs)} and f.fetched_at <= ${timestampOf(nowMs)}
     group by 1, 2`.execute(tx);
  return rows;
}

/** Whether any source has entries. Without any, figures of zero are correct and not just not computed yet. */
export async function hasEntries(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from source where entries > 0 limit 1`.execute(db);
  return rows.length > 0;
}
