import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

export type FieldQuality = {
  readonly source: string;
  readonly field: string;
  readonly given: number;
  readonly nulls: number;
  /** How often the record has the value of another source instead, by that source. */
  readonly lostTo: Readonly<Record<string, number>>;
};

/** How often each source fills each field, and when that was counted; null where the worker has not counted yet. */
export type CountedQuality = { readonly countedAtMs: number; readonly fields: readonly FieldQuality[] };

export type QualityRow = {
  readonly source: string;
  readonly field: string;
  /** The source whose value the record has; null where the record names none. */
  readonly winner: string | null;
  readonly given: number;
  readonly nulls: number;
};

/**
 * Reads every told row, so it is for an operator and takes seconds; `offset 0` makes PostgreSQL parse each document once and not
 * once for each field. Lists of several sources add up and have no winner.
 */
export async function readQualityRows(
  db: Db,
  fields: readonly { readonly told: string; readonly record: string | null }[],
): Promise<readonly QualityRow[]> {
  const { rows } = await sql<QualityRow>`
    select t.source, f.told as field, p.told_by->>f.record as winner,
           count(*) filter (where said.value not in ('null', '[]'))::int as given,
           count(*) filter (where said.value in ('null', '[]'))::int as nulls
      from cve_told t
     cross join lateral (select key, value::text as value from json_each(t.told) offset 0) said
      join json_to_recordset(${JSON.stringify(fields)}::json) as f(told text, record text) on f.told = said.key
      left join lateral (select c.record->'provenance' as told_by from cve c where c.id = t.cve_id offset 0) p on true
     group by 1, 2, 3 order by 1, 2, 3 limit 10000`.execute(db);
  return rows;
}

/** Whether any data set was loaded since the last count. */
export async function hasNewLoads(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from cve_quality
                    where loaded_at > coalesce((select counted_at from cve_quality_count), '-infinity')) as has`.execute(
    db,
  );
  return rows[0]?.has === true;
}

export const storeCounted = (tx: Db, fields: readonly FieldQuality[], nowMs: number): Promise<unknown> =>
  sql`insert into cve_quality_count (counted_at, fields) values (${timestampOf(nowMs)}, ${JSON.stringify(fields)}::json)
      on conflict (id) do update set counted_at = excluded.counted_at, fields = excluded.fields`.execute(tx);

export async function readCounted(db: Db): Promise<CountedQuality | null> {
  const { rows } = await sql<CountedQuality>`
    select ${msOf('counted_at')} as "countedAtMs", fields from cve_quality_count`.execute(db);
  return rows[0] ?? null;
}

/** Known exploited CVEs, and how many of them name no product in any source. */
export async function countExploitedNames(
  db: Db,
): Promise<{ readonly records: number; readonly withoutProduct: number }> {
  const { rows } = await sql<{ records: number; withoutProduct: number }>`
    select count(*)::int as records,
           (count(*) filter (where not exists (select from cve_product p where p.cve_id = c.id)))::int as "withoutProduct"
      from cve c where c.is_kev and not c.is_rejected`.execute(db);
  return rows[0] ?? { records: 0, withoutProduct: 0 };
}
