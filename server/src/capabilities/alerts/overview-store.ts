import type { AlertFacts } from '#domain/action-center/index.ts';
import { SEVERITIES } from '#domain/alerts/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf } from '#platform/sql-time.ts';
import { countByState, countStale, WHAT } from './figures-store.ts';

/** SQL of what the action center, the brief and cases ask about the alerts of one account. */

export async function alertExists(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from alert where account_id = ${accountId} and id = ${id}`.execute(tx);
  return rows.length > 0;
}

export async function countPressing(tx: Db, accountId: string, staleBeforeMs: number) {
  const states = await countByState(tx, accountId);
  const open = (severity: (typeof SEVERITIES)[number]): number =>
    states
      .filter((state) => state.status === 'OPEN' && SEVERITIES[state.severity] === severity)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    critical: open('critical'),
    high: open('high'),
    stale: await countStale(tx, accountId, staleBeforeMs),
    acknowledged: states
      .filter(({ status }) => status === 'ACKNOWLEDGED')
      .reduce((sum, { count }) => sum + count, 0),
  };
}

type Selected = Omit<AlertFacts, 'severity'> & { readonly severity: number };

/** Alerts that are not resolved: most severe first, then oldest. */
export async function selectForemostAlerts(
  tx: Db,
  accountId: string,
  limit: number,
): Promise<readonly AlertFacts[]> {
  const { rows } = await sql<Selected>`
    select id, severity, status, title, description, reason, entity_type as "entityType",
           entity_value as "entityValue", finding_id as "findingId", ${msOf('created_at')} as "createdAtMs",
           ${msOf('updated_at')} as "updatedAtMs"
      from alert where account_id = ${accountId} and status <> 'RESOLVED'
     order by severity desc, created_at, id limit ${limit}`.execute(tx);
  return rows.map(({ severity, ...row }) => ({ ...row, severity: SEVERITIES[severity] ?? 'info' }));
}

/** Numbers of alerts raised in these days (UTC), and of their resolutions that were not undone later. */
export async function countRaisedAndResolved(
  tx: Db,
  accountId: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<{ opened: number; resolved: number }> {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const { rows } = await sql<{ opened: number; resolved: number }>`
    select coalesce(sum(count) filter (where what = ${WHAT.opened}), 0)::float8 as opened,
           coalesce(sum(count) filter (where what = ${WHAT.resolved}), 0)::float8 as resolved
      from alert_day
     where account_id = ${accountId} and what = any(${[WHAT.opened, WHAT.resolved]}::smallint[])
       and day >= ${day(fromMs)}::date and day < ${day(toMs)}::date`.execute(tx);
  return rows[0] ?? { opened: 0, resolved: 0 };
}
