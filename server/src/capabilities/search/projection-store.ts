import type { Trace } from '#domain/lookalike/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL that keeps `search_name` equal to the names that threat sources list. */

/** Forces key order through the primary key: without statistics the planner sorts the whole table (36 s measured). */
export const preferKeyOrder = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true)`.execute(tx);

export type ListedKey = { readonly key: Buffer; readonly sources: readonly number[] };

export async function listedKeysAfter(
  tx: Db,
  given: {
    readonly after: Buffer;
    readonly end: Buffer;
    readonly sources: readonly number[];
    readonly limit: number;
  },
): Promise<readonly ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select key, array_agg(source_number) as sources from listing
     where key > ${given.after} and key < ${given.end} and source_number = any(${given.sources}::smallint[])
     group by key order by key limit ${given.limit}`.execute(tx);
  return rows;
}

export async function listedAmong(
  tx: Db,
  keys: readonly Buffer[],
  sources: readonly number[],
): Promise<readonly ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select key, array_agg(source_number) as sources from listing
     where key = any(${keys}::bytea[]) and source_number = any(${sources}::smallint[])
     group by key`.execute(tx);
  return rows;
}

export type TracedName = Trace & { readonly name: string; readonly danger: number };

export async function putNames(tx: Db, names: readonly TracedName[]): Promise<number> {
  const { rows } = await sql<{ written: number }>`
    with put as (
      insert into search_name (name, danger, spelling, tokens)
      select name, danger, spelling, string_to_array(tokens, ' ')
        from unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ danger }) => danger)}::smallint[],
                    ${names.map(({ spelling }) => spelling)}::text[],
                    ${names.map(({ tokens }) => tokens.join(' '))}::text[]) as given(name, danger, spelling, tokens)
      on conflict (name) do update
        set danger = excluded.danger, spelling = excluded.spelling, tokens = excluded.tokens
        where (search_name.danger, search_name.spelling, search_name.tokens)
              is distinct from (excluded.danger, excluded.spelling, excluded.tokens)
      returning 1
    )
    select count(*)::int as written from put`.execute(tx);
  return rows[0]?.written ?? 0;
}

export async function removeNames(tx: Db, names: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from search_name where name = any(${names}::text[])`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Removes names after `after` and up to `through` (null: to the end) that are not in the given list. */
export async function removeOthers(
  tx: Db,
  names: readonly string[],
  after: string,
  through: string | null,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from search_name s
     where s.name > ${after} and (${through}::text is null or s.name <= ${through}::text)
       and not exists (select 1 from unnest(${names}::text[]) as kept(name) where kept.name = s.name)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

export const settleIndexes = (tx: Db, isAfterWalk: boolean): Promise<unknown> =>
  sql`select search_settle(${isAfterWalk})`.execute(tx);
