import { KIND } from '#capabilities/corpus/index.ts';
import type { ListName } from '#domain/shared-lists/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { bitOf, subjectOfList } from './list-rules.ts';

/** SQL of what the shared lists are made of. */

/** The readers of a list: `public` is every caller, `internal` are the operator's own devices (O36). */
export type Audience = 'public' | 'internal';

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

export type ListedClass = {
  readonly id: number;
  readonly digest: Buffer;
  readonly score: number;
  readonly summary: string;
};

/** The classes of a list. They are few, so the members are found through them and not among all indicators. */
export async function classesOfList(
  db: Db,
  list: ListName,
  audience: Audience,
): Promise<readonly ListedClass[]> {
  const { lists, score, summary } = columnsFor(audience);
  const { rows } = await sql<ListedClass>`
    select id, digest, ${score} as score, ${summary} as summary from standing_class
     where ${lists} & ${bitOf(list)} <> 0`.execute(db);
  return rows;
}

export type ListedKey = { readonly key: Buffer; readonly classId: number };

/** Members of these classes in the order of their keys, a page after the key `after`; null for the first page. */
export async function membersAfter(
  db: Db,
  list: ListName,
  given: { readonly classIds: readonly number[]; readonly after: Buffer | null; readonly limit: number },
): Promise<readonly ListedKey[]> {
  const [first, end] = SPANS[subjectOfList(list)];
  const { rows } = await sql<ListedKey>`
    select key, class_id as "classId" from standing
     where class_id = any(${given.classIds}::int[]) and key > ${given.after ?? first} and key < ${end}
     order by key limit ${given.limit}`.execute(db);
  return rows;
}

/** Opens a cursor over all members of these classes in the order of their keys. It lives as long as the transaction. */
export async function openMembers(tx: Db, list: ListName, classIds: readonly number[]): Promise<void> {
  const [first, end] = SPANS[subjectOfList(list)];
  // All rows are read, so the plan with the least total time is wanted, which sorts once. Between two pages the caller works.
  await sql`select set_config('cursor_tuple_fraction', '1', true),
                   set_config('idle_in_transaction_session_timeout', '600000', true)`.execute(tx);
  await sql`declare members no scroll cursor for
    select key, class_id as "classId" from standing
     where class_id = any(${classIds}::int[]) and key > ${first} and key < ${end} order by key`.execute(tx);
}

export async function fetchMembers(tx: Db, limit: number): Promise<readonly ListedKey[]> {
  const { rows } = await sql<ListedKey>`fetch forward ${sql.lit(limit)} from members`.execute(tx);
  return rows;
}

/** Families by key (as Latin-1 text), each from the most reliable source that this audience may see. */
export async function familiesOf(
  db: Db,
  keys: readonly Buffer[],
  audience: Audience,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ key: Buffer; family: string }>`
    select distinct on (l.key) l.key, l.family
      from listing l join source o on o.number = l.source_number
     where l.key = any(${keys}::bytea[]) and l.family is not null and o.enabled
       and (o.redistributable or ${audience === 'internal'})
     order by l.key, o.reliability desc, o.number`.execute(db);
  return new Map(rows.map(({ key, family }) => [key.toString('latin1'), family]));
}

export async function countWithheld(db: Db, list: ListName, audience: Audience): Promise<number> {
  const { withheld } = columnsFor(audience);
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from standing_class c join standing s on s.class_id = c.id
     where c.${withheld} & ${bitOf(list)} <> 0`.execute(db);
  return rows[0]?.count ?? 0;
}

export type WithheldKey = { readonly key: Buffer; readonly reason: string | null };

/** Keys that a guard keeps from a list, with the reason, in the order of keys. */
export async function withheldKeys(
  db: Db,
  list: ListName,
  { audience, limit }: { readonly audience: Audience; readonly limit: number },
): Promise<readonly WithheldKey[]> {
  const { withheld } = columnsFor(audience);
  const { rows } = await sql<WithheldKey>`
    select s.key, c.withheld_reason as reason from standing_class c join standing s on s.class_id = c.id
     where c.${withheld} & ${bitOf(list)} <> 0 order by s.key limit ${limit}`.execute(db);
  return rows;
}
