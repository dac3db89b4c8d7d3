import type { CaseFacts } from '#domain/action-center/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { priorityOf } from './store.ts';

/** Queries for what the action center and the brief show of the cases of one account. */

type Selected = Omit<CaseFacts, 'priority'> & { readonly rank: number };

export async function countOpenCases(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from action_case
     where account_id = ${accountId} and status in ('OPEN', 'IN_PROGRESS')`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Most urgent first, then oldest. */
export async function selectForemostCases(
  tx: Db,
  accountId: string,
  limit: number,
): Promise<readonly CaseFacts[]> {
  const { rows } = await sql<Selected>`
    select id, title, description, status, priority as rank, entity_type as "entityType",
           entity_value as "entityValue", linked_alert_id as "linkedAlertId",
           linked_cve_finding_id as "linkedCveFindingId", evidence_count as "evidenceCount",
           ${msOf('created_at')} as "createdAtMs", ${msOf('updated_at')} as "updatedAtMs"
      from action_case
     where account_id = ${accountId} and status in ('OPEN', 'IN_PROGRESS')
     order by priority desc, created_at, id limit ${limit}`.execute(tx);
  return rows.map(({ rank, ...row }) => ({ ...row, priority: priorityOf(rank) }));
}

export type ResolutionHours = {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly sampleSize: number;
};

/** Median and 90th percentile of the hours from opening to resolution, over the cases resolved since `sinceMs`. */
export async function measureResolutions(
  tx: Db,
  accountId: string,
  sinceMs: number,
): Promise<ResolutionHours> {
  const hours = sql`date_part('epoch', resolved_at - created_at) / 3600`;
  const { rows } = await sql<ResolutionHours>`
    select percentile_cont(0.5) within group (order by ${hours}) as p50,
           percentile_cont(0.9) within group (order by ${hours}) as p90, count(*)::int as "sampleSize"
      from action_case where account_id = ${accountId} and resolved_at >= ${timestampOf(sinceMs)}`.execute(
    tx,
  );
  return rows[0] ?? { p50: null, p90: null, sampleSize: 0 };
}

/** Open cases of priority HIGH or CRITICAL that were opened before then. */
export async function countOverdueCases(tx: Db, accountId: string, beforeMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from action_case
     where account_id = ${accountId} and status in ('OPEN', 'IN_PROGRESS') and priority >= 3
       and created_at < ${timestampOf(beforeMs)}`.execute(tx);
  return rows[0]?.count ?? 0;
}
