import { KIND } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { bitOf, kindOfList, type ListName } from './list-rules.ts';

/** SQL of what the shared lists are made of. */

/** The readers of a list: `public` anybody, `internal` the operator's own devices (O36). */
export type Audience = 'public' | 'internal';

export type ListedMember = {
  readonly key: Buffer;
  readonly score: number;
  readonly summary: string;
  /** In the word of a source that this audience may know. */
  readonly family: string | null;
};

const SPANS = {
  ip: [Buffer.of(KIND.ipv4), Buffer.of(KIND.domain)],
  domain: [Buffer.of(KIND.domain), Buffer.of(KIND.url)],
} as const;

const columnsFor = (audience: Audience) =>
  audience === 'public'
    ? {
        lists: sql`shared_lists`,
        withheld: sql`shared_withheld`,
        score: sql`shared_score`,
        summary: sql`shared_summary`,
      }
    : { lists: sql`lists`, withheld: sql`withheld`, score: sql`score`, summary: sql`summary` };

/** Members of a list in the order of their keys, a page after the key `after`; null for the first page. */
export async function membersAfter(
  db: Db,
  list: ListName,
  {
    audience,
    after,
    limit,
  }: { readonly audience: Audience; readonly after: Buffer | null; readonly limit: number },
): Promise<readonly ListedMember[]> {
  const { lists, score, summary } = columnsFor(audience);
  const [first, end] = SPANS[kindOfList(list)];
  const { rows } = await sql<ListedMember>`
    select s.key, c.score, c.summary,
           (select l.family from listing l join source o on o.number = l.source_number
             where l.key = s.key and l.family is not null and o.enabled
               and (o.redistributable or ${audience === 'internal'})
             order by o.reliability desc, o.number limit 1) as family
      from standing s
      join (select id, ${score} as score, ${summary} as summary from standing_class
             where ${lists} & ${bitOf(list)} <> 0) c on c.id = s.class_id
     where s.key > ${after ?? first} and s.key < ${end}
     order by s.key limit ${limit}`.execute(db);
  return rows;
}

export async function countWithheld(db: Db, list: ListName, audience: Audience): Promise<number> {
  const { withheld } = columnsFor(audience);
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from standing_class c join standing s on s.class_id = c.id
     where c.${withheld} & ${bitOf(list)} <> 0`.execute(db);
  return rows[0]?.count ?? 0;
}
