import { type Db, sql } from '#platform/postgres.ts';

/** SQL of a search. Each statement reads what its index names and no more than ROWS_SCANNED_MAX rows of that. */

/** `login` stands in 60,000 names: whoever asks for it gets the first of them, not all. */
const ROWS_SCANNED_MAX = 20_000;

/**
 * False while the first walk is under way. For the rest of the transaction an index is used whatever the planner
 * believes: it takes a list of 800 tokens for a third of the table and would read it all (18 s against 9 ms, seen).
 */
export async function prepareSearch(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ isFilled: boolean }>`
    select set_config('enable_seqscan', 'off', true), filled_at is not null as "isFilled" from search_state`.execute(
    tx,
  );
  return rows[0]?.isFilled ?? false;
}

/** The most accused first; of those alike the shortest: the less there is beside the brand, the easier it is taken for it. */
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

/** One token is asked for apart from the many: the index compares each row it finds with every token it was given. */
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
