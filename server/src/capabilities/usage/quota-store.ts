import type { Limits, Plan, SubscriptionStatus } from '#domain/plans/plans.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';
import type { QuotaMeter, QuotaShare } from './events.ts';

export type LedgerPlace = { readonly accountId: string; readonly meter: QuotaMeter };

export type MeteredMonth = LedgerPlace & {
  readonly used: number;
  readonly plan: Plan;
  readonly status: SubscriptionStatus;
  readonly overrides: Partial<Limits>;
};

/**
 * Months that may have reached 80 percent. `least` is the lowest number of units at which any plan reaches it; an
 * account with its own limits is always returned. A month whose 100 percent was noticed is left out.
 */
export async function selectMonths(
  tx: Db,
  period: string,
  least: Readonly<Record<QuotaMeter, number>>,
  after: LedgerPlace | null,
  limit: number,
): Promise<readonly MeteredMonth[]> {
  const { rows } = await sql<MeteredMonth>`
    select l.account_id as "accountId", l.meter, l.used::float8 as used, coalesce(s.plan, 'FREE') as plan,
           coalesce(s.status, 'active') as status, coalesce(s.limits, '{}') as overrides
      from usage_ledger l left join subscription s on s.account_id = l.account_id
     where l.period = ${period} and l.used > 0
       and (l.account_id, l.meter) > (${after?.accountId ?? ''}, ${after?.meter ?? ''})
       and (l.used >= case l.meter when 'checks' then ${least.checks}::bigint else ${least.scans}::bigint end
            or s.limits <> '{}')
       and not exists (select 1 from quota_notice n
                        where n.account_id = l.account_id and n.period = l.period and n.meter = l.meter and n.share = 100)
     order by l.account_id, l.meter limit ${limit}`.execute(tx);
  return rows;
}

export type QuotaNotice = LedgerPlace & {
  readonly period: string;
  readonly share: QuotaShare;
  readonly used: number;
  readonly allowed: number;
};

/** Returns the notices that are new: the unique key lets only one of several processes write each. */
export async function insertNotices(
  tx: Db,
  notices: readonly QuotaNotice[],
  nowMs: number,
): Promise<readonly QuotaNotice[]> {
  const { rows } = await sql<QuotaNotice>`
    insert into quota_notice (account_id, period, meter, share, used, allowed, noticed_at)
    select n."accountId", n.period, n.meter, n.share, n.used, n.allowed, ${timestampOf(nowMs)}
      from json_to_recordset(${JSON.stringify(notices)}::json)
           as n ("accountId" text, period text, meter text, share smallint, used bigint, allowed bigint)
     order by 1, 2, 3, 4
    on conflict do nothing
    returning account_id as "accountId", period, meter, share, used::float8 as used, allowed::float8 as allowed`.execute(
    tx,
  );
  return rows;
}

export type Owner = { readonly accountId: string; readonly userId: string; readonly email: string };

const OWNERS_MAX = 10_000;

/** The user behind a personal account, or the owners of an organization; without unclaimed users of instant keys. */
export async function selectOwners(tx: Db, accountIds: readonly string[]): Promise<readonly Owner[]> {
  const { rows } = await sql<Owner>`
    select a.id as "accountId", u.id as "userId", u.email
      from unnest(${[...accountIds]}::text[]) as a (id)
      join app_user u on u.id = a.id
        or exists (select 1 from membership m where m.account_id = a.id and m.user_id = u.id and m.role = 'OWNER')
     where u.unclaimed_since is null
     order by 1, 2 limit ${OWNERS_MAX}`.execute(tx);
  return rows;
}

export async function forgetNotices(tx: Db, beforePeriod: string): Promise<void> {
  await sql`delete from quota_notice where period < ${beforePeriod}`.execute(tx);
}
