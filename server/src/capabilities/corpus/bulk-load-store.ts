import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { DigestLink } from './copy-rows.ts';
import { FOLDED_FIRST_SEEN } from './merge-store.ts';

/** SQL of the first load of an empty corpus: unlogged tables without an index, sorted into place at the end. */

export async function isCorpusEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isEmpty: boolean }>`
    select not exists (select 1 from listing) and not exists (select 1 from listing_past) as "isEmpty"`.execute(
    db,
  );
  return rows[0]?.isEmpty ?? false;
}

export const COPY_INTO_LOAD = `copy corpus_load
  (source_number, key, value, first_seen, last_seen, dated_by, confidence, reference, family, rank, parent_key)
  from stdin (format binary)`;

export type LoadedSource = {
  readonly sourceNumber: number;
  readonly contentSha256: string;
  readonly report: unknown;
};

export async function loadedSources(db: Db): Promise<readonly LoadedSource[]> {
  const { rows } = await sql<LoadedSource>`
    select source_number as "sourceNumber", content_sha256 as "contentSha256", report
      from corpus_load_source order by source_number limit 32767`.execute(db);
  return rows;
}

export async function isLoaded(tx: Db, sourceNumber: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from corpus_load_source where source_number = ${sourceNumber}`.execute(tx);
  return rows.length > 0;
}

/** Removes the rows of an earlier, interrupted load of this source. Scans the whole table, which has no index. */
export const forgetLoaded = (tx: Db, sourceNumber: number): Promise<unknown> =>
  sql`with rows as (
        delete from corpus_load where source_number = ${sourceNumber}
      ), links as (
        delete from corpus_load_digest where source_number = ${sourceNumber}
      )
      delete from corpus_load_source where source_number = ${sourceNumber}`.execute(tx);

export const insertLoaded = (
  tx: Db,
  { sourceNumber, contentSha256, report }: LoadedSource,
): Promise<unknown> =>
  sql`insert into corpus_load_source (source_number, content_sha256, report)
      values (${sourceNumber}, ${contentSha256}, ${JSON.stringify(report)}::jsonb)`.execute(tx);

export const insertLoadedLinks = (
  tx: Db,
  sourceNumber: number,
  links: readonly DigestLink[],
): Promise<unknown> =>
  sql`insert into corpus_load_digest (source_number, key, sibling)
      select ${sourceNumber}::smallint, key, sibling
        from unnest(${links.map((link) => link.key)}::bytea[], ${links.map((link) => link.sibling)}::bytea[])
             as given(key, sibling)`.execute(tx);

export const clearLoad = (tx: Db): Promise<unknown> =>
  sql`truncate corpus_load, corpus_load_digest, corpus_load_source`.execute(tx);

export const lockLoad = (tx: Db): Promise<unknown> => sql`lock table corpus_load in share mode`.execute(tx);

/** Two transactions could insert the same keys, so merges of other sources wait for the minute this takes. */
export const lockIndicators = (tx: Db): Promise<unknown> =>
  sql`lock table indicator in share row exclusive mode`.execute(tx);

export async function hasIndicators(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`
    select exists (select 1 from indicator) as "isThere"`.execute(tx);
  return rows[0]?.isThere ?? true;
}

/**
 * Settings for a session that sorts five million rows: 256 MB for each run of the sort, which else spills to files.
 * Grouping uses the sort, because hashing five million groups took 40 s longer.
 */
export const prepareSort = (tx: Db): Promise<unknown> =>
  sql`select set_config('work_mem', '256MB', true),
             set_config('enable_hashagg', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
    tx,
  );

export type LoadTimes = {
  readonly sourceNumber: number;
  readonly atMs: number;
  readonly dataAtMs: number;
  /** Last sighting of rows without one; null means that it follows the date of the source's data. */
  readonly undatedAtMs: number | null;
  /** `dated_by` of rows without a date of their own. */
  readonly newDatedBy: number;
};

export const createLoadTimes = (tx: Db): Promise<unknown> =>
  sql`create temporary table load_time (
    source_number smallint primary key, at timestamptz not null, data_at timestamptz not null,
    undated_at timestamptz, new_dated_by smallint not null) on commit drop`.execute(tx);

export const insertLoadTimes = (tx: Db, times: readonly LoadTimes[]): Promise<unknown> =>
  sql`insert into load_time (source_number, at, data_at, undated_at, new_dated_by)
      select source_number, ${timestampOf(sql.ref('at'))}, ${timestampOf(sql.ref('data_at'))},
             ${timestampOf(sql.ref('undated_at'))}, new_dated_by
        from unnest(${times.map((each) => each.sourceNumber)}::smallint[], ${times.map((each) => each.atMs)}::float8[],
                    ${times.map((each) => each.dataAtMs)}::float8[],
                    ${times.map((each) => each.undatedAtMs)}::float8[],
                    ${times.map((each) => each.newDatedBy)}::smallint[])
             as given(source_number, at, data_at, undated_at, new_dated_by)`.execute(tx);

/** In key order, so that the index grows at its end. */
export const READ_LOADED_INDICATORS = `copy (
    select distinct on (key) key, value, parent_key from corpus_load join load_time using (source_number) order by key
  ) to stdout (format binary)`;
/** As READ_LOADED_INDICATORS, without the indicators that are already in the corpus. */
export const READ_NEW_INDICATORS = `copy (
    select distinct on (key) key, value, parent_key from corpus_load l join load_time using (source_number)
     where not exists (select 1 from indicator i where i.key = l.key) order by key
  ) to stdout (format binary)`;
export const WRITE_INDICATORS = 'copy indicator (key, value, parent_key) from stdin (format binary)';

/** In the order of the primary key. Repeated rows of a source are folded as a merge folds them. */
export const READ_LOADED_LISTINGS = `copy (
    select key, source_number, min(at), least(coalesce(${FOLDED_FIRST_SEEN}, min(data_at)), max(last_seen)),
           max(last_seen), coalesce(min(dated_by), min(new_dated_by)), max(confidence), min(reference), min(family),
           min(rank)
      from (select l.key, l.source_number, t.at, t.data_at, t.new_dated_by, dated.last_seen, l.dated_by,
                   case when l.first_seen is not null then least(l.first_seen, dated.last_seen) end as first_seen,
                   l.confidence, l.reference, l.family, l.rank
              from corpus_load l join load_time t using (source_number),
                   lateral (select coalesce(l.last_seen, t.undated_at) as last_seen) as dated) as loaded
     group by key, source_number order by key, source_number
  ) to stdout (format binary)`;
export const WRITE_LISTINGS = `copy listing
  (key, source_number, listed_from, first_seen, last_seen, dated_by, confidence, reference, family, rank)
  from stdin (format binary)`;

export const insertLoadedDigests = (tx: Db): Promise<unknown> =>
  sql`insert into file_digest (key, sibling, source_number)
      select key, sibling, min(source_number) from corpus_load_digest group by key, sibling order by key, sibling
      on conflict (key, sibling) do nothing`.execute(tx);
