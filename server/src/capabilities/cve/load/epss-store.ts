import { type Db, sql } from '#platform/postgres.ts';
import { appendChangesFrom } from '#platform/replica/change-log.ts';
import { CVE, FACTS } from '../dataset.ts';

/** SQL of a day of EPSS. The rows of the file wait in a table of the transaction. */

export const createGiven = (tx: Db): Promise<unknown> =>
  sql`create temporary table epss_given (
        cve_id text collate "C" not null, score real not null, percentile real) on commit drop`.execute(tx);

export const insertGiven = (
  tx: Db,
  ids: readonly string[],
  scores: readonly number[],
  percentiles: readonly (number | null)[],
): Promise<unknown> =>
  sql`insert into epss_given (cve_id, score, percentile)
      select * from unnest(${ids}::text[], ${scores}::real[], ${percentiles}::real[])`.execute(tx);

/** CVEs that no record exists of, and those whose score steps across 0.1 or 0.5: their record tells it. */
export const markSteps = (tx: Db): Promise<unknown> =>
  sql`insert into cve_pending (cve_id)
      select distinct g.cve_id
        from epss_given g left join cve_epss e using (cve_id) left join cve c on c.id = g.cve_id
       where c.id is null or (e.score >= 0.1) is distinct from (g.score >= 0.1)
          or (e.score >= 0.5) is distinct from (g.score >= 0.5)
      on conflict do nothing`.execute(tx);

export type EpssDelta = { readonly added: number; readonly changed: number; readonly removed: number };

/** Writes rows whose values changed, and no other. */
export async function applyGiven(tx: Db): Promise<EpssDelta> {
  await sql`create temporary table epss_changed (cve_id text collate "C") on commit drop`.execute(tx);
  const { rows } = await sql<EpssDelta>`
    with latest as (
      select distinct on (cve_id) cve_id, score, percentile from epss_given order by cve_id
    ), written as (
      insert into cve_epss as e (cve_id, score, percentile) select cve_id, score, percentile from latest
      on conflict (cve_id) do update set score = excluded.score, percentile = excluded.percentile
       where (e.score, e.percentile) is distinct from (excluded.score, excluded.percentile)
      returning e.cve_id, (e.xmax = 0) as is_new
    ), gone as (
      delete from cve_epss e where not exists (select from latest l where l.cve_id = e.cve_id)
      returning e.cve_id
    ), marked as (
      insert into cve_pending (cve_id) select cve_id from gone on conflict do nothing
    ), logged as (
      insert into epss_changed select cve_id from written union all select cve_id from gone
    )
    select (select count(*)::int from written where is_new) as added,
           (select count(*)::int from written where not is_new) as changed,
           (select count(*)::int from gone) as removed`.execute(tx);
  return rows[0] ?? { added: 0, changed: 0, removed: 0 };
}

export const logEpssChanges = (tx: Db): Promise<number> =>
  appendChangesFrom(tx, CVE, FACTS, sql`select decode(cve_id, 'escape') as key from epss_changed`);

export async function countEpss(tx: Db): Promise<number> {
  const { rows } = await sql<{ scores: number }>`select count(*)::int as scores from cve_epss`.execute(tx);
  return rows[0]?.scores ?? 0;
}
