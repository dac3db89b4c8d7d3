import { KIND } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of what the shared collections leave out. */

export type CountedClass = {
  /** The first byte of the keys. */
  readonly kind: number;
  readonly score: number;
  readonly isWithheld: boolean;
  /** Numbers of the sources that list them; null: written by a version that did not store them. */
  readonly sources: readonly number[] | null;
  /** Bits of the collections that hold them. */
  readonly collections: number;
  readonly members: number;
};

/** Listed indicators with the collections that hold them; those that are judged alike are one row. */
export async function countedClasses(db: Db): Promise<readonly CountedClass[]> {
  const { rows } = await sql<CountedClass>`
    select c.kind, c.score, (c.withheld | c.shared_withheld) <> 0 as "isWithheld",
           string_to_array(nullif(c.listed_sources, ''), ',')::int[] as sources,
           coalesce(t.collections, 0) as collections, sum(s.members)::float8 as members
      from standing_class c
      join (select class_id, count(*) as members from standing group by class_id) s on s.class_id = c.id
      left join taxii_class t on t.class_id = c.id
     where c.score is not null
     group by 1, 2, 3, c.listed_sources, 5`.execute(db);
  return rows;
}

/** URLs that one of `sources` lists and no object of the collection is about; `open` are those that may be exported. */
export async function countedUrls(
  db: Db,
  {
    sources,
    open,
    bit,
  }: { readonly sources: readonly number[]; readonly open: readonly number[]; readonly bit: number },
): Promise<{ readonly belowScore: number; readonly license: number }> {
  const { rows } = await sql<{ belowScore: number; license: number }>`
    select count(*) filter (where listed.is_open)::float8 as "belowScore",
           count(*) filter (where not listed.is_open)::float8 as license
      from (select key, bool_or(source_number = any(${open}::smallint[])) as is_open from listing
             where source_number = any(${sources}::smallint[])
               and key >= ${Buffer.of(KIND.url)} and key < ${Buffer.of(KIND.url + 1)}
             group by key) as listed
     where not exists (select 1 from taxii_url u where u.key = listed.key and u.collections & ${bit} <> 0)`.execute(
    db,
  );
  return rows[0] ?? { belowScore: 0, license: 0 };
}
