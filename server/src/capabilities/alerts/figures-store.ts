import type { AlertStatus, AlertType, Counted } from '#domain/alerts/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { HOUR_MS } from '#platform/time-units.ts';

/** Figures about the alerts of one account, from the counts that triggers keep. */

export type StateCount = {
  readonly status: AlertStatus;
  readonly severity: number;
  readonly type: AlertType;
  readonly count: number;
};

export async function countByState(tx: Db, accountId: string): Promise<readonly StateCount[]> {
  const { rows } = await sql<StateCount>`
    select status, severity, type, sum(count)::float8 as count from alert_count
     where account_id = ${accountId} and status <> 'RESOLVED'
     group by status, severity, type having sum(count) > 0`.execute(tx);
  return rows;
}

/** Values of the column `alert_day.what`, which the migration explains. */
export const WHAT = { detected: 0, opened: 1, acknowledged: 2, resolved: 3, handled: 4, ended: 5 } as const;

export type DayCount = { readonly day: string; readonly what: number; readonly count: number };
export type TimeCount = Counted & { readonly what: number };

/** Counts of events by day in UTC, from `sinceDay` on. */
export async function countByDay(
  tx: Db,
  accountId: string,
  whats: readonly number[],
  sinceDay: string,
): Promise<readonly DayCount[]> {
  const { rows } = await sql<DayCount>`
    select day::text as day, what, sum(count)::float8 as count from alert_day
     where account_id = ${accountId} and what = any(${[...whats]}::smallint[]) and day >= ${sinceDay}::date
     group by day, what`.execute(tx);
  return rows;
}

/** Counts of durations by bucket, summed over all days from `sinceDay` on, because no answer shows them by day. */
export async function countByTime(
  tx: Db,
  accountId: string,
  whats: readonly number[],
  sinceDay: string,
): Promise<readonly TimeCount[]> {
  const { rows } = await sql<TimeCount>`
    select what, bucket, sum(count)::float8 as count from alert_day
     where account_id = ${accountId} and what = any(${[...whats]}::smallint[]) and day >= ${sinceDay}::date
     group by what, bucket having sum(count) <> 0`.execute(tx);
  return rows;
}

/**
 * Open alerts without activity since `beforeMs`: whole hours come from the counts, the rest of one hour from the
 * alerts. The hour must be a parameter value, because only then PostgreSQL starts its index scan there.
 */
export async function countStale(tx: Db, accountId: string, beforeMs: number): Promise<number> {
  const edgeMs = Math.floor(beforeMs / HOUR_MS) * HOUR_MS;
  const edge = new Date(edgeMs);
  const day = sql`${edge.toISOString().slice(0, 10)}::date`;
  const { rows } = await sql<{ count: number }>`
    select (coalesce((select sum(count) from alert_day
                       where account_id = ${accountId} and what = 6
                         and (day < ${day} or (day = ${day} and bucket < ${edge.getUTCHours()}))), 0)
            + (select count(*) from alert
                where account_id = ${accountId} and status = 'OPEN'
                  and updated_at >= ${timestampOf(edgeMs)} and updated_at < ${timestampOf(beforeMs)}))::float8 as count`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

export async function oldestOpen(tx: Db, accountId: string): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select ${msOf('created_at')} as "atMs" from alert
     where account_id = ${accountId} and status = 'OPEN' order by created_at limit 1`.execute(tx);
  return rows[0]?.atMs ?? null;
}

export async function countOpen(tx: Db, accountId: string, source: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::float8 as count from alert_count
     where account_id = ${accountId} and status = 'OPEN'
       and (type <> 'cve.finding') = (${source} = 'monitoring')`.execute(tx);
  return rows[0]?.count ?? 0;
}
