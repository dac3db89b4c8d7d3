import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** All SQL of signals; each function is one statement. */

export type AddressSources = {
  readonly addresses: readonly number[];
  readonly commandServers: readonly number[];
};

/**
 * The distinct IPv4 addresses that one of the sources listed at any time since the given moment, ascending, five bytes each:
 * the address (corpus/indicator-key.ts) and its bits, 1 listed now, 2 a command server (`LISTED_NOW`, `COMMAND_SERVER`).
 */
export async function packedAddresses(
  db: Db,
  { addresses, commandServers }: AddressSources,
  sinceMs: number,
): Promise<Buffer> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select string_agg(address || set_byte('\\x00'::bytea, 0, bits), ''::bytea order by address) as packed
      from (select substring(key from 2 for 4) as address,
                   bit_or(case when listed_to is null then 1 else 0 end
                          | case when source_number = any(${commandServers}::smallint[]) then 2 else 0 end) as bits
              from listing_period
             where key >= '\\x01' and key < '\\x02' and source_number = any(${addresses}::smallint[])
               and (listed_to is null or listed_to >= ${timestampOf(sinceMs)})
             group by 1) as listed`.execute(db);
  return rows[0]?.packed ?? Buffer.alloc(0);
}

export type ListedName = {
  readonly name: string;
  /** Lists of phishing that first listed the name lately. */
  readonly badSources: readonly number[];
  /** A list of phishing that heats platforms first listed the name lately. */
  readonly isNew: boolean;
  /** Listed now by a list of good names, and by none of attacks. */
  readonly isGood: boolean;
};

/**
 * After a first load the planner has no statistics and would sort all remaining names for each page: two million names
 * took longer than the import itself. Along the primary keys a page costs only its own rows.
 */
export const readAlongKeys = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashagg', 'off', true), set_config('enable_sort', 'off', true),
             set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx);

export type NameSources = {
  readonly bad: readonly number[];
  readonly accusing: readonly number[];
  readonly heating: readonly number[];
  readonly good: readonly number[];
};
/** A name counts as new for a use when no source of that use has an earlier date of it; undated entries say nothing. */
export type NewSince = { readonly badMs: number; readonly heatMs: number };

/** The next names after one, in the order of their keys, with their periods since a listing was first dated. */
export async function namesAfter(
  db: Db,
  after: string,
  { bad, accusing, heating, good }: NameSources,
  { badMs, heatMs }: NewSince,
  limit: number,
): Promise<readonly ListedName[]> {
  const { rows } = await sql<ListedName>`
    select convert_from(substring(key from 2), 'UTF8') as name,
           case when min(first_seen) filter (where is_dated and is_bad) >= ${timestampOf(badMs)}
                then array_agg(distinct source_number) filter (where is_dated and is_bad)
                else '{}' end as "badSources",
           coalesce(min(first_seen) filter (where is_dated and is_heating) >= ${timestampOf(heatMs)}, false) as "isNew",
           bool_or(listed_to is null and is_good)
             and not bool_or(listed_to is null and is_accusing) as "isGood"
      from (select key, source_number, listed_to, first_seen, dated_by < 2 as is_dated,
                   source_number = any(${bad}::smallint[]) as is_bad,
                   source_number = any(${accusing}::smallint[]) as is_accusing,
                   source_number = any(${heating}::smallint[]) as is_heating,
                   source_number = any(${good}::smallint[]) as is_good
              from listing_period
             where key > '\\x05'::bytea || convert_to(${after}, 'UTF8') and key < '\\x06'
               and source_number = any(${[...bad, ...accusing, ...heating, ...good]}::smallint[])) as period
     group by key order by key limit ${limit}`.execute(db);
  return rows;
}

/** The names among the first places of lists with ranks, and all names of the lists that have no ranks. */
export async function popularNames(
  db: Db,
  { ranked, whole }: { readonly ranked: readonly number[]; readonly whole: readonly number[] },
  rankMax: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct convert_from(substring(key from 2), 'UTF8') as name
      from listing
     where key >= '\\x05' and key < '\\x06'
       and (source_number = any(${whole}::smallint[])
            or (source_number = any(${ranked}::smallint[]) and rank <= ${rankMax}))
     order by name limit 200000`.execute(db);
  return rows.map(({ name }) => name);
}

export type SignalVersion = {
  readonly version: string;
  readonly artifact: string;
  readonly bytes: number;
  readonly trainedAtMs: number;
  /** Figures about the data that it was trained on. */
  readonly details: Readonly<Record<string, number>>;
};

const COLUMNS = sql`version, artifact, bytes::float8 as bytes, ${msOf('trained_at')} as "trainedAtMs", details`;

export async function newestVersion(db: Db): Promise<SignalVersion | null> {
  const { rows } = await sql<SignalVersion>`
    select ${COLUMNS} from signal_version order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function versionAt(db: Db, ms: number): Promise<SignalVersion | null> {
  const { rows } = await sql<SignalVersion>`
    select ${COLUMNS} from signal_version where trained_at <= ${timestampOf(ms)} order by id desc limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Newest first. */
export async function listVersions(db: Db): Promise<readonly SignalVersion[]> {
  const { rows } = await sql<SignalVersion>`
    select ${COLUMNS} from signal_version order by id desc limit 1000`.execute(db);
  return rows;
}

/** One training at a time, because two at once would both replace the same version. */
export const lockSignals = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended('assay.signals', 0))`.execute(tx);

export const insertVersion = (tx: Db, row: SignalVersion): Promise<unknown> =>
  sql`
    insert into signal_version (version, artifact, bytes, trained_at, details)
    values (${row.version}, ${row.artifact}, ${row.bytes}, ${timestampOf(row.trainedAtMs)},
            ${JSON.stringify(row.details)}::jsonb)`.execute(tx);

/** Deletes versions that a newer one replaced before that moment; the newest always stays. */
export async function deleteReplacedBefore(tx: Db, ms: number): Promise<readonly string[]> {
  const { rows } = await sql<{ artifact: string }>`
    delete from signal_version old
     where exists (select 1 from signal_version newer
                    where newer.id > old.id and newer.trained_at < ${timestampOf(ms)})
    returning artifact`.execute(tx);
  return rows.map(({ artifact }) => artifact);
}

/** Whether a version still uses the artifact: two trainings with equal content share one. */
export async function isArtifactUsed(tx: Db, artifact: string): Promise<boolean> {
  const { rows } = await sql`select 1 from signal_version where artifact = ${artifact} limit 1`.execute(tx);
  return rows.length > 0;
}
