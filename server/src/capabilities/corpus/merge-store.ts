import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { DigestLink } from './copy-rows.ts';
import { FADE_DAYS_MAX, type Fading } from './fade.ts';

/** SQL of a merge. Its functions share temporary tables: staging, delta, and two lists of keys. */

/** A merge sorts and hashes a million rows; these settings keep that in memory. */
export const prepareMerge = (tx: Db): Promise<unknown> =>
  sql`select set_config('work_mem', '256MB', true)`.execute(tx);

export const createStaging = (tx: Db): Promise<unknown> =>
  sql`create temporary table staging (
    key bytea not null, value text not null, first_seen timestamptz, last_seen timestamptz, dated_by smallint,
    confidence smallint, reference text, family text, rank integer, parent_key bytea) on commit drop`.execute(
    tx,
  );

export const COPY_INTO_STAGING = `copy staging
  (key, value, first_seen, last_seen, dated_by, confidence, reference, family, rank, parent_key) from stdin (format binary)`;

export const createDelta = (tx: Db): Promise<unknown> =>
  sql`create temporary table delta (
    key bytea not null, is_listed boolean not null, was_listed boolean not null, value text,
    first_seen timestamptz, last_seen timestamptz, dated_by smallint, confidence smallint, reference text, family text,
    rank integer, parent_key bytea) on commit drop`.execute(tx);

export type DeltaCounts = { readonly added: number; readonly removed: number; readonly changed: number };
const NO_CHANGE: DeltaCounts = { added: 0, removed: 0, changed: 0 };

export type SnapshotFacts = {
  readonly sourceNumber: number;
  readonly dataAtMs: number;
  /** Last sighting of a row without one; null means that it follows the source's date. */
  readonly undatedAtMs: number | null;
  /** `dated_by` of an entry that is new and has no date: a first sighting in a known list, undated in a new one. */
  readonly newDatedBy: number;
  /** True for a rollback: its rows have the dating of each entry, which replaces that of the listing. */
  readonly isWhole: boolean;
};

/** First sighting over several rows of a key: the earliest of the best dating (0 own, 1 sighted, else undated). */
export const FOLDED_FIRST_SEEN = `
  case min(dated_by) when 0 then min(first_seen) filter (where dated_by = 0)
                     when 1 then min(first_seen) filter (where dated_by = 1)
                     else min(first_seen) end`;

/** One row from all rows of a key: earliest first and latest last sighting; the rest must not depend on the order. */
const FOLDED = sql`
  min(value) as value, ${sql.raw(FOLDED_FIRST_SEEN)} as first_seen, min(dated_by) as dated_by,
  max(last_seen) as last_seen, max(confidence) as confidence, min(reference) as reference, min(family) as family, min(rank) as rank, one_of(parent_key) as parent_key`;

/**
 * Compares a snapshot row `s` with a listing `c`. A date of the source always counts; a sighting only where it dates an
 * undated entry or is an earlier one; a row without a date changes nothing. Of two rows of one key the first sighting of
 * one may lie after the last sighting of the other, and is then stored as the last one.
 */
const differs = ({ isWhole }: SnapshotFacts) => sql`(
  ((s.dated_by = 0 or ${isWhole})
   and (s.dated_by <> c.dated_by or (s.first_seen is not null and least(s.first_seen, s.last_seen) <> c.first_seen)))
  or (s.dated_by = 1 and (c.dated_by = 2 or (c.dated_by = 1 and s.first_seen < c.first_seen)))
  or s.last_seen is distinct from c.last_seen
  or s.confidence is distinct from c.confidence or s.reference is distinct from c.reference
  or s.family is distinct from c.family or s.rank is distinct from c.rank)`;

/** `dated_by` and first sighting of an entry that is in the snapshot (`s`) and listed (`c`, null columns: it is new). */
const keptDating = ({ isWhole, newDatedBy }: SnapshotFacts) => sql`
  case when s.dated_by = 0 or ${isWhole} or c.dated_by is null
       then coalesce(s.dated_by, c.dated_by, ${newDatedBy}::smallint)
       when c.dated_by = 0 then 0
       when s.dated_by = 1 then 1
       else c.dated_by end`;
const keptFirstSeen = ({ isWhole, dataAtMs }: SnapshotFacts) => sql`
  least(case when s.dated_by = 0 or ${isWhole} or c.dated_by is null or c.dated_by = 2
             then coalesce(s.first_seen, c.first_seen, ${timestampOf(dataAtMs)})
             when c.dated_by = 0 then c.first_seen
             else least(s.first_seen, c.first_seen) end, s.last_seen)`;

/** The staged rows with a last sighting: for an entry of a window source its last appearance (scoring finding 3). */
const stagedRows = ({ undatedAtMs }: SnapshotFacts) => sql`
  select key, value, case when first_seen is not null then least(first_seen, dated.last_seen) end as first_seen,
         dated.last_seen, dated_by, confidence, reference, family, rank, parent_key
    from staging, lateral (select coalesce(staging.last_seen, ${timestampOf(undatedAtMs)}) as last_seen) as dated`;

const COUNTS = sql`
  count(*) filter (where not was_listed)::int as added,
  count(*) filter (where not is_listed)::int as removed,
  count(*) filter (where is_listed and was_listed)::int as changed`;

/**
 * Finds the differences between the snapshot and the source's active listings. One hash join over both sets finds the
 * rows that differ, and the rest touches only those (1.6 s for a million lines of which 1 % changed; folding all
 * candidates again took 2.9 s). A key given twice keeps its earliest first and latest last sighting. A key whose
 * listing seems to change is folded again from the whole snapshot, because the join drops a twin that equals the
 * listing. A first sighting that the source does not give is kept, or is the date of the data, and never lies after the
 * last one.
 */
export async function computeDelta(
  tx: Db,
  facts: SnapshotFacts & { absenceDelists: boolean },
): Promise<DeltaCounts> {
  const { rows } = await sql<DeltaCounts>`
    with current as (
      select key, first_seen, last_seen, dated_by, confidence, reference, family, rank from listing
       where source_number = ${facts.sourceNumber}
    ), snapshot as (${stagedRows(facts)}), differing as (
      select coalesce(s.key, c.key) as key, s.key is not null as is_listed, c.key is not null as was_listed,
             s.value, s.first_seen, s.last_seen, s.dated_by, s.confidence, s.reference, s.family, s.rank,
             s.parent_key
        from snapshot s full join current c on c.key = s.key
       where c.key is null or (s.key is null and ${facts.absenceDelists}) or (s.key is not null and ${differs(facts)})
    ), candidate as materialized (
      select key, bool_or(is_listed) as is_listed, bool_or(was_listed) as was_listed, ${FOLDED}
        from differing group by key
    ), folded_again as (
      select key, ${FOLDED} from snapshot
       where key in (select key from candidate where is_listed and was_listed)
       group by key
    ), written as (
      insert into delta
        (key, is_listed, was_listed, value, first_seen, last_seen, dated_by, confidence, reference, family, rank,
         parent_key)
      select key, is_listed, was_listed, value,
             least(coalesce(first_seen, ${timestampOf(facts.dataAtMs)}), last_seen), last_seen,
             coalesce(dated_by, ${facts.newDatedBy}::smallint), confidence, reference, family, rank, parent_key
        from candidate where not (is_listed and was_listed)
      union all
      select key, true, true, s.value, ${keptFirstSeen(facts)}, s.last_seen, ${keptDating(facts)}, s.confidence,
             s.reference, s.family, s.rank, s.parent_key
        from folded_again s join listing c using (key)
       where c.source_number = ${facts.sourceNumber} and ${differs(facts)}
      returning is_listed, was_listed
    )
    select ${COUNTS} from written`.execute(tx);
  return rows[0] ?? NO_CHANGE;
}

export const insertGoneKeys = (tx: Db, keys: readonly Buffer[]): Promise<unknown> =>
  sql`insert into delta (key, is_listed, was_listed)
      select key, false, true from unnest(${keys}::bytea[]) as gone(key) order by key`.execute(tx);

/** Stages the listings that equal an unstaged row, so that they are folded with the other rows of their key. */
export const stageTwins = (
  tx: Db,
  keys: readonly Buffer[],
  given: { readonly sourceNumber: number; readonly hasFirstSeen: boolean },
): Promise<unknown> =>
  sql`insert into staging (key, value, first_seen, last_seen, dated_by, confidence, reference, family, rank, parent_key)
      select l.key, i.value, case when ${given.hasFirstSeen} or l.dated_by = 1 then l.first_seen end, l.last_seen,
             nullif(l.dated_by, 2), l.confidence, l.reference,
             l.family, l.rank, i.parent_key
        from unnest(${keys}::bytea[]) as twin(key)
        join listing l on l.key = twin.key and l.source_number = ${given.sourceNumber}
        join indicator i on i.key = twin.key`.execute(tx);

/** For joins of few staged rows with millions of listings: without statistics the planner would read all of them. */
export const preferIndexJoins = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
             set_config('enable_seqscan', 'off', true)`.execute(tx);

/** Like `computeDelta`, for a staging table with only the rows that may differ; removes nothing. */
export async function computeNamedDelta(tx: Db, facts: SnapshotFacts): Promise<Omit<DeltaCounts, 'removed'>> {
  const { rows } = await sql<DeltaCounts>`
    with s as (
      select key, ${FOLDED} from (${stagedRows(facts)}) as snapshot group by key order by key
    ), written as (
      insert into delta
        (key, is_listed, was_listed, value, first_seen, last_seen, dated_by, confidence, reference, family, rank,
         parent_key)
      select s.key, true, c.key is not null, s.value,
             ${keptFirstSeen(facts)}, s.last_seen, ${keptDating(facts)}, s.confidence,
             s.reference, s.family, s.rank, s.parent_key
        from s left join listing c on c.key = s.key and c.source_number = ${facts.sourceNumber}
       where c.key is null or ${differs(facts)}
      returning is_listed, was_listed
    )
    select ${COUNTS} from written`.execute(tx);
  return rows[0] ?? NO_CHANGE;
}

export async function countDistinctStaged(tx: Db): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(distinct key)::int as count from staging`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** In key order, which is fast for the index and keeps two merges with the same keys from a deadlock: one waits. */
export const insertIndicators = (tx: Db): Promise<unknown> =>
  sql`insert into indicator (key, value, parent_key)
      select key, value, parent_key from delta where is_listed and not was_listed order by key
      on conflict (key) do nothing`.execute(tx);

/**
 * Closes the periods of listings that left or changed; returns how many. A listing that left fades from its own last
 * sighting, or from now, for the days that `fading` gives for its kind (scoring ruling 5).
 */
export async function moveToPast(
  tx: Db,
  given: { readonly sourceNumber: number; readonly atMs: number; readonly fading: readonly Fading[] },
): Promise<number> {
  const { sourceNumber, atMs, fading } = given;
  const { rows } = await sql<{ count: number }>`
    with closed as (
      delete from listing l using delta d
       where d.was_listed and l.key = d.key and l.source_number = ${sourceNumber}
      returning l.key, l.source_number, l.listed_from, l.first_seen, l.last_seen, l.dated_by, l.confidence,
                l.reference, l.family, l.rank, d.is_listed
    ), kept as (
      insert into listing_past
        (key, source_number, listed_from, listed_to, first_seen, last_seen, dated_by, confidence, reference, family,
         rank)
      select key, source_number, listed_from, ${timestampOf(atMs)}, first_seen, last_seen, dated_by, confidence,
             reference, family, rank
        from closed order by key
    ), fading as (
      insert into listing_fading (key, source_number, first_seen, last_seen, dated_by, confidence, fades_until)
      select key, source_number, first_seen, seen_at, dated_by, confidence, until
        from closed
        join unnest(${fading.map(({ kind }) => kind)}::int[], ${fading.map(({ days }) => days)}::float8[])
             as fade(kind, days) on fade.kind = get_byte(key, 0),
             lateral (select coalesce(last_seen, ${timestampOf(atMs)}) as seen_at) as seen,
             lateral (select least(seen_at + days * interval '1 day',
                                   ${timestampOf(atMs)} + ${FADE_DAYS_MAX} * interval '1 day') as until) as fades
       where not is_listed and until > ${timestampOf(atMs)}
       order by key
      on conflict (key, source_number) do update set first_seen = excluded.first_seen,
        last_seen = excluded.last_seen, dated_by = excluded.dated_by, confidence = excluded.confidence,
        fades_until = excluded.fades_until
    )
    select count(*)::int as count from closed`.execute(tx);
  return rows[0]?.count ?? 0;
}

export const insertListings = (tx: Db, sourceNumber: number, atMs: number): Promise<unknown> =>
  sql`insert into listing
        (key, source_number, listed_from, first_seen, last_seen, dated_by, confidence, reference, family, rank)
      select key, ${sourceNumber}::smallint, ${timestampOf(atMs)}, first_seen, last_seen, dated_by, confidence, reference,
             family, rank
        from delta where is_listed order by key`.execute(tx);

/** Returns the keys with a link they did not have before. In key order, like `insertIndicators`. */
export async function insertDigestLinks(
  tx: Db,
  sourceNumber: number,
  links: readonly DigestLink[],
): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ key: Buffer }>`
    with fresh as (
      insert into file_digest (key, sibling, source_number)
      select key, sibling, ${sourceNumber}::smallint
        from unnest(${links.map((link) => link.key)}::bytea[], ${links.map((link) => link.sibling)}::bytea[])
             as given(key, sibling)
       order by key, sibling
      on conflict (key, sibling) do nothing
      returning key
    )
    select distinct key from fresh`.execute(tx);
  return rows.map(({ key }) => key);
}

export type FetchRecord = DeltaCounts & {
  readonly sourceNumber: number;
  readonly atMs: number;
  readonly dataAtMs: number;
  readonly entries: number;
  readonly version: number;
  readonly duplicates: number;
  readonly rejected: number;
};

export const recordFetch = (tx: Db, fetch: FetchRecord): Promise<unknown> =>
  sql`with dated as (
        update source set data_at = ${timestampOf(fetch.dataAtMs)}, last_fetch_at = ${timestampOf(fetch.atMs)},
               entries = ${fetch.entries}, version = ${fetch.version}
         where number = ${fetch.sourceNumber}
        returning number, last_fetch_at, data_at, entries
      )
      insert into source_fetch
        (source_number, fetched_at, data_at, entries, added, removed, changed, duplicates, rejected)
      select number, last_fetch_at, data_at, entries, ${fetch.added}, ${fetch.removed}, ${fetch.changed},
             ${fetch.duplicates}, ${fetch.rejected}
        from dated`.execute(tx);

/** Records a fetch without a change. Has no effect on a source that was never read. */
export const recordConfirmation = (tx: Db, sourceNumber: number, atMs: number): Promise<unknown> =>
  sql`with confirmed as (
        update source set last_fetch_at = ${timestampOf(atMs)} where number = ${sourceNumber} and data_at is not null
        returning number, last_fetch_at, data_at, entries
      )
      insert into source_fetch
        (source_number, fetched_at, data_at, entries, added, removed, changed, duplicates, rejected)
      select number, last_fetch_at, data_at, entries, 0, 0, 0, 0, 0 from confirmed`.execute(tx);

export const changedKeys = () => sql<{ key: Buffer }>`select key from delta`;
