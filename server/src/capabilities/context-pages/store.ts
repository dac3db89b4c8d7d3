import { DATINGS, type Dating, KIND } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of the pages that the replica cannot answer: it knows listings by value, not by source or family. */

export type MemberRow = {
  readonly key: Buffer;
  /** Null except for a URL: its key is a digest, while all other keys hold the value itself. */
  readonly value: string | null;
  readonly firstSeenS: number;
  readonly dating: Dating;
};

export type FamilyPair = { readonly word: string; readonly sourceNumber: number };

const valueOfUrl = sql`
  case when get_byte(l.key, 0) = ${KIND.url} then (select i.value from indicator i where i.key = l.key) end as value`;
const firstSeen = sql`
  floor(date_part('epoch', l.first_seen)) as "firstSeenS", l.dated_by as "datedBy"`;
type StoredRow = Omit<MemberRow, 'dating'> & { readonly datedBy: number };
const memberRow = ({ datedBy, ...row }: StoredRow): MemberRow => ({
  ...row,
  dating: DATINGS[datedBy] ?? 'undated',
});

/** Forces walks along an index: on a fresh table without statistics the planner would sort a million rows. */
export const walkAlongIndex = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_sort', 'off', true)`.execute(tx);

/** The newest entries of a source. Entries of one merge have the same time and come in no defined order. */
export async function newestOfSource(
  tx: Db,
  sourceNumber: number,
  limit: number,
): Promise<readonly MemberRow[]> {
  const { rows } = await sql<StoredRow>`
    select l.key, ${valueOfUrl}, ${firstSeen}
      from (select key, first_seen, dated_by from listing
             where source_number = ${sourceNumber} order by listed_from desc limit ${limit}) as l`.execute(
    tx,
  );
  return rows.map(memberRow);
}

/** The next distinct words after `word`. Each step of the recursion skips all listings with the same word. */
export async function familyWordsAfter(tx: Db, word: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ word: string }>`
    with recursive found (word) as (
      (select family from listing where family > ${word} order by family limit 1)
      union all
      select next.family
        from found cross join lateral (
          select family from listing where family > found.word order by family limit 1) as next)
    select word from found limit ${limit}`.execute(tx);
  return rows.map((row) => row.word);
}

/** Which sources use these words. Each step of the recursion skips all listings of a pair. */
export async function pairsOfWords(
  tx: Db,
  words: readonly string[],
  limit: number,
): Promise<readonly FamilyPair[]> {
  const { rows } = await sql<FamilyPair>`
    with recursive pair (word, source_number) as (
      select given.word, (select min(source_number) from listing where family = given.word)
        from unnest(${words}::text[]) as given (word)
      union all
      select word, (select min(source_number) from listing
                     where family = pair.word and source_number > pair.source_number)
        from pair where source_number is not null)
    select word, source_number as "sourceNumber" from pair where source_number is not null
     limit ${limit}`.execute(tx);
  return rows;
}

/** Limits counting to 0.1 s: a row of a table that was not vacuumed takes 5 us under a load of 18 on two cores. */
const ROWS_COUNTED_MAX = 20_000;

/** How many listings each pair has, in the order given. ROWS_COUNTED_MAX is divided equally among the pairs. */
export async function countPairs(tx: Db, pairs: readonly FamilyPair[]): Promise<readonly number[]> {
  const countMax = Math.ceil(ROWS_COUNTED_MAX / Math.max(1, pairs.length));
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (
              select from listing where family = pair.word and source_number = pair.source_number
               limit ${countMax}) as counted)::int as count
      from unnest(${pairs.map(({ word }) => word)}::text[],
                  ${pairs.map(({ sourceNumber }) => sourceNumber)}::smallint[])
           with ordinality as pair (word, source_number, nth)
     order by nth`.execute(tx);
  return rows.map(({ count }) => count);
}

/**
 * How many rows are read to choose the newest listings of a family, divided equally among its pairs of word and source.
 * Up to ten pairs the choice is exact. Reading 1,000 rows of each of 117 pairs passed the statement timeout.
 */
const ROWS_READ_MAX = 10_000;

/** The newest listings of these pairs. */
export async function newestOfPairs(
  tx: Db,
  pairs: readonly FamilyPair[],
  limit: number,
): Promise<readonly MemberRow[]> {
  const limitEach = Math.min(limit, Math.ceil(ROWS_READ_MAX / Math.max(1, pairs.length)));
  const { rows } = await sql<StoredRow>`
    select l.key, ${valueOfUrl}, ${firstSeen}
      from (select newest.key, newest.first_seen, newest.dated_by
              from unnest(${pairs.map(({ word }) => word)}::text[],
                          ${pairs.map(({ sourceNumber }) => sourceNumber)}::smallint[])
                   as pair (word, source_number)
             cross join lateral (
               select key, first_seen, dated_by, listed_from from listing
                where family = pair.word and source_number = pair.source_number
                order by listed_from desc limit ${limitEach}) as newest
             order by newest.listed_from desc, newest.key limit ${limit}) as l`.execute(tx);
  return rows.map(memberRow);
}
