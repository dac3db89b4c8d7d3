import { type Db, sql } from '#platform/postgres.ts';

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
