import type { Trace } from '#domain/lookalike/index.ts';
import { type Db, sql } from '#platform/postgres.ts';

/** SQL that keeps `search_name` equal to the names that threat sources list. */

export type SearchState = {
  readonly format: number;
  readonly seq: number;
  readonly key: Buffer;
  readonly walkKey: Buffer | null;
  readonly isFilled: boolean;
  readonly known: readonly number[];
  readonly accusing: readonly number[];
};

/** Takes or renews the claim; null when another run holds it. The row stays locked until the commit. */
export async function claimState(tx: Db, run: string, forMs: number): Promise<SearchState | null> {
  const { rows } = await sql<Omit<SearchState, 'seq'> & { seq: string }>`
    update search_state set claimed_by = ${run}, claimed_until = clock_timestamp() + make_interval(secs => ${forMs / 1_000})
     where claimed_by is null or claimed_by = ${run} or claimed_until < clock_timestamp()
    returning format, seq, key, walk_key as "walkKey", filled_at is not null as "isFilled", known, accusing`.execute(
    tx,
  );
  return rows[0] === undefined ? null : { ...rows[0], seq: Number(rows[0].seq) };
}

export const releaseState = (tx: Db, run: string): Promise<unknown> =>
  sql`update search_state set claimed_by = null, claimed_until = null where claimed_by = ${run}`.execute(tx);

export type LogPosition = { readonly newestSeq: number; readonly trimmedThrough: number };

export async function readLogPosition(tx: Db, dataset: string): Promise<LogPosition> {
  const { rows } = await sql<{ newestSeq: string; trimmedThrough: string }>`
    select replica_newest_seq(${dataset}) as "newestSeq",
           coalesce((select through_seq from replica_trimmed where dataset = ${dataset}), 0) as "trimmedThrough"`.execute(
    tx,
  );
  return { newestSeq: Number(rows[0]?.newestSeq ?? 0), trimmedThrough: Number(rows[0]?.trimmedThrough ?? 0) };
}

export type Sides = Pick<SearchState, 'known' | 'accusing'>;

/** Starts a full walk at `firstKey`; afterwards the log is followed from its current number. */
export const beginWalk = (
  tx: Db,
  given: Sides & {
    readonly format: number;
    readonly seq: number;
    readonly key: Buffer;
    readonly firstKey: Buffer;
  },
): Promise<unknown> =>
  sql`update search_state set format = ${given.format}, seq = ${given.seq}, key = ${given.key},
             walk_key = ${given.firstKey}, known = ${given.known}::smallint[], accusing = ${given.accusing}::smallint[]`.execute(
    tx,
  );

export const saveWalk = (tx: Db, walkKey: Buffer): Promise<unknown> =>
  sql`update search_state set walk_key = ${walkKey}`.execute(tx);

export const endWalk = (tx: Db): Promise<unknown> =>
  sql`update search_state set walk_key = null, filled_at = coalesce(filled_at, clock_timestamp())`.execute(
    tx,
  );

export const savePosition = (
  tx: Db,
  given: Sides & { readonly seq: number; readonly key: Buffer },
): Promise<unknown> =>
  sql`update search_state set seq = ${given.seq}, key = ${given.key}, known = ${given.known}::smallint[],
             accusing = ${given.accusing}::smallint[]`.execute(tx);

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

export type Change = { readonly seq: number; readonly key: Buffer };

/** Changed keys of one collection from `first` to `end`, after a position and up to a sequence number, in log order. */
export async function changesAfter(
  tx: Db,
  given: {
    readonly dataset: string;
    readonly collection: string;
    readonly position: Change;
    readonly throughSeq: number;
    readonly first: Buffer;
    readonly end: Buffer;
    readonly limit: number;
  },
): Promise<readonly Change[]> {
  const { position } = given;
  const { rows } = await sql<{ seq: string; key: Buffer }>`
    select seq, key from replica_change
     where dataset = ${given.dataset} and seq <= ${given.throughSeq}::bigint
       and (seq, collection, key) > (${position.seq}::bigint, ${given.collection}, ${position.key}::bytea)
       and collection = ${given.collection} and key >= ${given.first} and key < ${given.end}
     order by dataset, seq, collection, key limit ${given.limit}`.execute(tx);
  return rows.map(({ seq, key }) => ({ seq: Number(seq), key }));
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
