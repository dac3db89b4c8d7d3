import { type Db, sql } from '#platform/postgres.ts';
import { appendChangesFrom } from '#platform/replica/change-log.ts';
import { CVE, FACTS } from '../dataset.ts';

/** SQL to load one day of EPSS. The rows of the file are first written to a temporary table. */

/** Memory to compare the rows of two days without files. */
export const allowMemory = (tx: Db): Promise<unknown> => sql`set local work_mem = '64MB'`.execute(tx);

export const createGiven = (tx: Db): Promise<unknown> =>
  sql`create temporary table epss_given (
        cve_id text collate "C" not null, score real not null, percentile real) on commit drop`.execute(tx);

export type GivenScore = {
  readonly cveId: string;
  readonly score: number;
  readonly percentile: number | null;
};

/** Ids and numbers need no quotes, so the arrays are written by hand: the driver takes ten times as long. */
export const insertGiven = (tx: Db, rows: readonly GivenScore[]): Promise<unknown> => {
  const array = (values: readonly (string | number | null)[]) =>
    `{${values.map((value) => value ?? 'NULL').join(',')}}`;
  return sql`
    insert into epss_given (cve_id, score, percentile)
    select * from unnest(${array(rows.map(({ cveId }) => cveId))}::text[],
                         ${array(rows.map(({ score }) => score))}::real[],
                         ${array(rows.map(({ percentile }) => percentile))}::real[])`.execute(tx);
};

/** Selects the new and changed rows, with the score of the day before, so that later statements read few rows. */
export const createChanged = (tx: Db): Promise<unknown> =>
  sql`create temporary table epss_changed on commit drop as
      select g.cve_id, g.score, g.percentile, e.score as score_before, e.cve_id is null as is_new
        from epss_given g left join cve_epss e using (cve_id)
       where e.cve_id is null or (e.score, e.percentile) is distinct from (g.score, g.percentile)`.execute(
    tx,
  );

/**
 * Marks CVEs whose record must be made again: those without a record, and those whose score crosses 0.1 or 0.5, which
 * is a change in the record. Answers read all other new scores from `cve_epss`.
 */
export const markSteps = (tx: Db): Promise<unknown> =>
  sql`insert into cve_pending as p (cve_id, epss_before)
      select x.cve_id, x.score_before from epss_changed x
       where (coalesce(x.score_before, 0) >= 0.1) <> (x.score >= 0.1)
          or (coalesce(x.score_before, 0) >= 0.5) <> (x.score >= 0.5)
          or (x.is_new and not exists (select from cve c where c.id = x.cve_id))
      on conflict (cve_id) do update set epss_before = coalesce(p.epss_before, excluded.epss_before)`.execute(
    tx,
  );

export type EpssWritten = { readonly added: number; readonly changed: number };

/** Writes only the rows of `epss_changed`. */
export async function writeChanged(tx: Db): Promise<EpssWritten> {
  const { rows } = await sql<EpssWritten>`
    with added as (
      insert into cve_epss (cve_id, score, percentile)
      select cve_id, score, percentile from epss_changed where is_new
      returning 1
    ), changed as (
      update cve_epss e set score = x.score, percentile = x.percentile
        from epss_changed x where not x.is_new and x.cve_id = e.cve_id
      returning 1
    )
    select (select count(*)::int from added) as added, (select count(*)::int from changed) as changed`.execute(
    tx,
  );
  return rows[0] ?? { added: 0, changed: 0 };
}

/** Removes scores that the day no longer has and marks their CVEs, which may have no other source. */
export async function removeGone(tx: Db): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from cve_epss e where not exists (select from epss_given g where g.cve_id = e.cve_id)
      returning e.cve_id
    ), marked as (
      insert into cve_pending (cve_id) select cve_id from gone on conflict do nothing
    ), logged as (
      insert into epss_changed (cve_id) select cve_id from gone returning 1
    )
    select count(*)::int as removed from logged`.execute(tx);
  return rows[0]?.removed ?? 0;
}

export const logEpssChanges = (tx: Db): Promise<number> =>
  appendChangesFrom(tx, CVE, FACTS, sql`select decode(cve_id, 'escape') as key from epss_changed`);

export async function countEpss(tx: Db): Promise<number> {
  const { rows } = await sql<{ scores: number }>`select count(*)::int as scores from cve_epss`.execute(tx);
  return rows[0]?.scores ?? 0;
}
