import { type Db, sql } from '#platform/postgres.ts';

export type QualityRow = {
  readonly source: string;
  readonly field: string;
  /** The source whose word the record has; null: none has one. */
  readonly winner: string | null;
  readonly given: number;
  readonly nulls: number;
};

/** Reads every told row, so it is for an operator and takes seconds. `lists` add up and have no winner. */
export async function readQualityRows(
  db: Db,
  fields: readonly { readonly told: string; readonly record: string | null }[],
): Promise<readonly QualityRow[]> {
  const { rows } = await sql<QualityRow>`
    select t.source, f.told as field, c.record->'provenance'->>f.record as winner,
           count(*) filter (where coalesce(t.told->>f.told, '[]') <> '[]')::int as given,
           count(*) filter (where coalesce(t.told->>f.told, '[]') = '[]')::int as nulls
      from cve_told t
      left join cve c on c.id = t.cve_id
     cross join json_to_recordset(${JSON.stringify(fields)}::json) as f(told text, record text)
     group by 1, 2, 3 order by 1, 2, 3 limit 10000`.execute(db);
  return rows;
}
