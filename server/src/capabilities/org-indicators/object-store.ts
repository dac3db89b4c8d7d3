import { type ExaminedPage, type PageEnd, pageEnd, pageRows } from '#platform/examined-page.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { EntityType } from './contract.ts';

/**
 * SQL of the STIX objects of organizations, under row-level security. Dates are microseconds since the epoch, and each
 * object of an organization has its own.
 */

/**
 * The dates of objects are set this far into the future, so that no TAXII walk that begins before the commit has passed
 * them already. A write that takes longer fails.
 */
export const DATES_AHEAD_MS = 5_000;

/**
 * Updates the STIX objects of these indicators: a new, restored or blocked indicator gets an object, a changed one a
 * new version, and a revoked or allowed one its last version. The row of the organization is locked, so dates grow in
 * the order of commits. Gives the number of the last object of each indicator that has one.
 */
export async function renewObjects(
  tx: Db,
  accountId: string,
  indicatorIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  await sql`
    with stamp as (
      select greatest(stamped_us + 1, ${(nowMs + DATES_AHEAD_MS) * 1_000}::bigint) as first_us
        from org_indicator_state where account_id = ${accountId}
    ), given as (
      select i.*, i.status = 'approved' and i.disposition = 'block' as is_live, o.n as open_n,
             (select max(n) from org_indicator_object past where past.indicator_id = i.id) as last_n,
             s.first_us + row_number() over (order by i.id) - 1 as at_us
        from stamp s, org_indicator i
        left join org_indicator_object o on o.indicator_id = i.id and not o.is_revoked
       where i.account_id = ${accountId} and i.id = any(${indicatorIds}::text[])
         and case when i.status = 'approved' and i.disposition = 'block'
                  then o.n is null or (o.category, o.ends_at) is distinct from (i.category, i.ends_at)
                  else o.n is not null end
    ), renewed as (
      update org_indicator_object o
         set changed_us = g.at_us, category = g.category, ends_at = g.ends_at, is_revoked = not g.is_live
        from given g where o.indicator_id = g.id and o.n = g.open_n
    ), added as (
      insert into org_indicator_object
             (account_id, indicator_id, n, entity_type, value, category, ends_at, created_us, changed_us)
      select account_id, id, coalesce(last_n + 1, 0), entity_type, value, category, ends_at, at_us, at_us
        from given where open_n is null
    )
    update org_indicator_state s set stamped_us = (select max(at_us) from given)
     where s.account_id = ${accountId} and exists (select 1 from given)`.execute(tx);
  const { rows } = await sql<{ id: string; n: number }>`
    select indicator_id as id, max(n) as n from org_indicator_object
     where account_id = ${accountId} and indicator_id = any(${indicatorIds}::text[]) group by 1`.execute(tx);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export type OrgObject = {
  /** The position in the walk: the date that the query orders by, in microseconds. */
  readonly at: number;
  readonly n: number;
  readonly value: string;
  readonly category: string;
  readonly endsAtMs: number | null;
  readonly createdUs: number;
  readonly changedUs: number;
  readonly isRevoked: boolean;
};

export type OrgObjectQuery = {
  readonly accountId: string;
  readonly entityType: EntityType;
  /** `changed`: ascending by date added; `created`: newest first. */
  readonly order: 'changed' | 'created';
  readonly key: number | null;
  readonly afterUs: number | null;
  readonly beforeUs: number | null;
  /** Versions with exactly these dates; null: all. */
  readonly versionsUs: readonly number[] | null;
  readonly hasRevoked: boolean;
  readonly nowMs: number;
  readonly revokedSinceUs: number;
  readonly limit: number;
  readonly examinedMax: number;
};

export async function selectObjects(
  tx: Db,
  query: OrgObjectQuery,
): Promise<PageEnd & { readonly objects: readonly OrgObject[] }> {
  const page = pageOf(query);
  const { rows } = await sql<OrgObject>`
    select at::float8 as at, n, value, category, ${msOf('ends_at')} as "endsAtMs", created_us::float8 as "createdUs",
           changed_us::float8 as "changedUs", is_revoked as "isRevoked" from ${pageRows(page)} p`.execute(tx);
  const end = await pageEnd(tx, page, { rows: rows.length, last: rows.at(-1)?.at ?? null });
  return { objects: rows, ...end };
}

function pageOf(query: OrgObjectQuery): ExaminedPage {
  const { order, key, afterUs, beforeUs, versionsUs } = query;
  const isDescending = order === 'created';
  const at = isDescending ? sql`created_us` : sql`changed_us`;
  const from = isDescending
    ? sql`${at} < ${key ?? Number.MAX_SAFE_INTEGER}::bigint`
    : sql`${at} > ${Math.max(key ?? 0, afterUs ?? 0)}::bigint`;
  return {
    isDescending,
    window: sql`
      select ${at} as at, changed_us as dated, n, value, category, ends_at, created_us, changed_us, is_revoked from org_indicator_object
       where account_id = ${query.accountId} and entity_type = ${query.entityType} and ${from}`,
    filter: sql`
      changed_us > ${afterUs ?? 0}::bigint and changed_us < ${beforeUs ?? Number.MAX_SAFE_INTEGER}::bigint
      and (${versionsUs}::bigint[] is null or changed_us = any(${versionsUs}::bigint[]))
      and case when is_revoked then ${query.hasRevoked} and changed_us > ${query.revokedSinceUs}::bigint
               -- Polls hear of what ended by its last version; a walk over everything leaves it out, as the lists do.
               else ${afterUs !== null} or ends_at is null or ends_at > ${timestampOf(query.nowMs)} end`,
    limit: query.limit,
    examinedMax: query.examinedMax,
  };
}

/** Across organizations: deletes old revoked objects. An indicator's last one stays: the next counts from it. */
export async function forgetObjects(tx: Db, beforeUs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from org_indicator_object o
     where o.is_revoked and o.changed_us < ${beforeUs}
       and exists (select 1 from org_indicator_object later where later.indicator_id = o.indicator_id and later.n > o.n)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
