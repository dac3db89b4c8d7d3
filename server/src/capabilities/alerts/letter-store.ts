import { type Db, sql } from '#platform/postgres.ts';

/** SQL of the recipients of alert letters, and of the alerts that wait for the hourly letter. */

export type Owner = { readonly accountId: string; readonly userId: string; readonly email: string };
const OWNERS_MAX = 10_000;

/** The owners of an organization, or the user of a personal account unless its instant key is unclaimed. */
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

export const addPending = (
  tx: Db,
  alerts: readonly { readonly id: string; readonly accountId: string }[],
): Promise<unknown> =>
  sql`insert into alert_pending_letter (alert_id, account_id)
      select id, "accountId" from json_to_recordset(${JSON.stringify(alerts)}::json) as g (id text, "accountId" text)
      on conflict do nothing`.execute(tx);

export async function pendingAccounts(tx: Db, after: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id as "accountId" from alert_pending_letter where account_id > ${after}
     order by 1 limit ${limit}`.execute(tx);
  return rows.map(({ accountId }) => accountId);
}

export type PendingAlert = {
  readonly id: string;
  readonly severity: number;
  readonly title: string;
  readonly isResolved: boolean;
};

/** Takes everything that waits for the letter of one account, the most severe first. */
export async function takePending(tx: Db, accountId: string): Promise<readonly PendingAlert[]> {
  const { rows } = await sql<PendingAlert>`
    with taken as (delete from alert_pending_letter where account_id = ${accountId} returning alert_id)
    select a.id, a.severity, a.title, a.status = 'RESOLVED' as "isResolved"
      from taken t join alert a on a.id = t.alert_id
     order by a.severity desc, a.id`.execute(tx);
  return rows;
}
