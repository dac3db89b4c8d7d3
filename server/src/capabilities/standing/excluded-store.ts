import { KIND } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** Indicators that are judged alike for every shared list. */
export type CountedClass = {
  readonly kind: 'ip' | 'domain';
  readonly score: number;
  readonly lists: number;
  readonly sharedLists: number;
  readonly withheld: number;
  readonly sharedWithheld: number;
  /** Numbers of the sources that list them; null: written by a version that did not store them. */
  readonly sources: readonly number[] | null;
  readonly members: number;
};

/** Classes of addresses, ranges and names with the number of their members; those that are judged alike are one row. */
export async function countedClasses(db: Db): Promise<readonly CountedClass[]> {
  const { rows } = await sql<CountedClass>`
    select case when c.kind < ${KIND.domain} then 'ip' else 'domain' end as kind, c.score, c.lists,
           c.shared_lists as "sharedLists", c.withheld, c.shared_withheld as "sharedWithheld",
           string_to_array(nullif(c.listed_sources, ''), ',')::int[] as sources, sum(s.members)::float8 as members
      from standing_class c
      join (select class_id, count(*) as members from standing group by class_id) s on s.class_id = c.id
     where c.kind <= ${KIND.domain} and c.score is not null
     group by 1, 2, 3, 4, 5, 6, c.listed_sources`.execute(db);
  return rows;
}
