import { isFollowerFilled } from '#capabilities/corpus/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL of a search. Each statement reads through an index, and at most ROWS_SCANNED_MAX rows. */

/** `login` is part of 60,000 names; a search for it gets the first of them, not all. */
const ROWS_SCANNED_MAX = 20_000;

/**
 * Returns false while the first walk is running. For the rest of the transaction an index is forced: the
 * planner estimates 800 tokens as a third of the table and would scan it (18 s against 9 ms, measured).
 */
export async function prepareSearch(tx: Db): Promise<boolean> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx);
  return isFollowerFilled(tx, 'search');
}

/** The most accused first, then the shortest, because a name with little beside the brand is easily mistaken for it. */
const closest = (found: ReturnType<typeof sql>, limit: number) => sql<{ name: string }>`
  select name from (${found} limit ${ROWS_SCANNED_MAX}) as found
   order by danger desc, length(spelling), name limit ${limit}`;

const namesOf = async (query: ReturnType<typeof closest>, tx: Db): Promise<readonly string[]> =>
  (await query.execute(tx)).rows.map(({ name }) => name);

export const namesWithAny = (tx: Db, tokens: readonly string[], limit: number): Promise<readonly string[]> =>
  namesOf(
    closest(sql`select name, danger, spelling from search_name where tokens && ${tokens}::text[]`, limit),
    tx,
  );

/** A query for a single token, because with a list the index compares each row it finds with every token. */
export const namesWith = (tx: Db, token: string, limit: number): Promise<readonly string[]> =>
  namesOf(
    closest(sql`select name, danger, spelling from search_name where tokens @> array[${token}::text]`, limit),
    tx,
  );

export const namesContaining = (tx: Db, text: string, limit: number): Promise<readonly string[]> =>
  namesOf(
    closest(
      sql`select name, danger, spelling from search_name where spelling like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`,
      limit,
    ),
    tx,
  );
