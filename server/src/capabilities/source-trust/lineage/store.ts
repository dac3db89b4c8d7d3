import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { Evidence, Placement } from './clusters.ts';
import type { DayOverlap } from './joined-pairs.ts';
import type { KeySet, Overlap } from './overlaps.ts';

/** All SQL of lineage. Each function is one statement. */

export type PackedRanges = {
  readonly sourceNumber: number;
  readonly version: 4 | 6;
  readonly entries: number;
  /** Records in the layout of coverage.ts. */
  readonly packed: Buffer;
};

/**
 * The addresses and ranges of each source as one value: 5 or 8 bytes per entry instead of a row, so that 5 M listings
 * stay below 50 MB in memory. Keys of kinds 1 to 4 (corpus/indicator-key.ts).
 */
export async function packedRanges(
  db: Db,
  sourceNumbers: readonly number[],
): Promise<readonly PackedRanges[]> {
  const { rows } = await sql<PackedRanges>`
    select source_number as "sourceNumber", version, count(*)::int as entries,
           string_agg(case kind when 1 then substring(key from 2 for 4) || '\\x20'::bytea
                                when 3 then substring(key from 2 for 5)
                                when 2 then substring(key from 2 for 7) || '\\x80'::bytea
                                else substring(key from 2 for 7) || substring(key from 18 for 1) end, ''::bytea) as packed
      from (select source_number, key, get_byte(key, 0) as kind,
                   case when get_byte(key, 0) in (1, 3) then 4 else 6 end as version
              from listing
             where key < '\\x05' and source_number = any(${sourceNumbers}::smallint[])) as ranged
     group by source_number, version`.execute(db);
  return rows;
}

/** All other kinds are compared for equality: sets of sources that list the same key, with their number of keys. */
export async function keySets(db: Db, sourceNumbers: readonly number[]): Promise<readonly KeySet[]> {
  const { rows } = await sql<KeySet>`
    select sources, count(*)::int as keys
      from (select array_agg(source_number order by source_number) as sources
              from listing
             where key >= '\\x05' and source_number = any(${sourceNumbers}::smallint[])
             group by key) as listed
     group by sources`.execute(db);
  return rows;
}

/** A second run on one day replaces the first. */
export const forgetDay = (tx: Db, day: string): Promise<unknown> =>
  sql`delete from lineage_overlap where day = ${day}::date`.execute(tx);

export const insertOverlaps = (tx: Db, day: string, overlaps: readonly Overlap[]): Promise<unknown> =>
  sql`insert into lineage_overlap
        (day, smaller, larger, smaller_size, larger_size, shared, containment, smaller_entries)
      select ${day}::date, o.smaller, o.larger, o."smallerSize", o."largerSize", o.shared, o.containment,
             o."smallerEntries"
        from jsonb_to_recordset(${JSON.stringify(overlaps)}::jsonb) as o(
          smaller smallint, larger smallint, "smallerSize" float8, "largerSize" float8, shared float8,
          containment float8, "smallerEntries" integer)`.execute(tx);

export async function overlapsSince(db: Db, day: string): Promise<readonly DayOverlap[]> {
  const { rows } = await sql<DayOverlap>`
    select to_char(day, 'YYYY-MM-DD') as day, smaller, larger, containment, smaller_entries as "smallerEntries"
      from lineage_overlap where day >= ${day}::date
     order by day, smaller, larger`.execute(db);
  return rows;
}

export type MeasuredDays = { readonly sourceNumber: number; readonly days: readonly string[] };

/** Every measured source gets one row per night, so the rows show the days on which it was measured. */
export async function measuredDaysSince(db: Db, day: string): Promise<readonly MeasuredDays[]> {
  const { rows } = await sql<MeasuredDays>`
    select source_number as "sourceNumber",
           array_agg(distinct to_char(computed_at at time zone 'UTC', 'YYYY-MM-DD')) as days
      from lineage_cluster where computed_at >= ${day}::timestamptz
     group by source_number`.execute(db);
  return rows;
}

export const insertPlacements = (
  tx: Db,
  computedAtMs: number,
  placements: readonly Placement[],
): Promise<unknown> =>
  sql`insert into lineage_cluster (computed_at, source_number, cluster, is_provisional, evidence)
      select ${timestampOf(computedAtMs)}, p.number, p.cluster, p."isProvisional", p.evidence
        from jsonb_to_recordset(${JSON.stringify(placements)}::jsonb) as p(
          number smallint, cluster text, "isProvisional" boolean, evidence jsonb)`.execute(tx);

/** Overlaps are kept for the context of past verdicts (scoring ruling 12). */
export const forgetOverlapsBefore = (tx: Db, day: string): Promise<unknown> =>
  sql`delete from lineage_overlap where day < ${day}::date`.execute(tx);

export const forgetPlacementsBefore = (tx: Db, day: string): Promise<unknown> =>
  sql`delete from lineage_cluster where computed_at < ${day}::timestamptz`.execute(tx);

export type PlacementRow = {
  readonly computedAtMs: number;
  readonly id: string;
  readonly name: string;
  readonly aggregate: boolean;
  readonly lineage: string | null;
  readonly cluster: string;
  readonly isProvisional: boolean;
  readonly evidence: readonly Evidence[];
};

export async function latestPlacements(db: Db): Promise<readonly PlacementRow[]> {
  const { rows } = await sql<PlacementRow>`
    select ${msOf('c.computed_at')} as "computedAtMs", s.id, s.name, s.aggregate, s.lineage,
           c.cluster, c.is_provisional as "isProvisional", c.evidence
      from lineage_cluster c join source s on s.number = c.source_number
     where c.computed_at = (select max(computed_at) from lineage_cluster)
     order by c.cluster, s.id limit 32767`.execute(db);
  return rows;
}

export type PairRow = {
  readonly smaller: string;
  readonly larger: string;
  readonly containment: number;
  readonly smallerEntries: number;
  readonly smallerSize: number;
  readonly largerSize: number;
  readonly shared: number;
};

export async function latestPairs(db: Db, limit: number): Promise<readonly PairRow[]> {
  const { rows } = await sql<PairRow>`
    select a.id as smaller, b.id as larger, o.containment, o.smaller_entries as "smallerEntries",
           o.smaller_size as "smallerSize", o.larger_size as "largerSize", o.shared
      from lineage_overlap o
      join source a on a.number = o.smaller
      join source b on b.number = o.larger
     where o.day = (select max(day) from lineage_overlap)
     order by o.containment desc, o.smaller_entries desc, a.id, b.id
     limit ${limit}`.execute(db);
  return rows;
}
