import { type Db, sql } from '#platform/postgres.ts';

/** Endpoints of all accounts, for operators. */

type DeskRow = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly failureCount: number;
  readonly lastStatus: number | null;
  readonly lastDeliveryAt: Date | null;
};

/** The endpoint fails now, or was disabled because it failed; one that its account paused does not count. */
const IS_FAILING = sql`(failing_since is not null or disabled_reason in ('failing', 'gone'))`;

export type DeskPage = {
  /** True: only endpoints that fail. */
  readonly failing: boolean;
  readonly before: string | null;
  readonly limit: number;
};

/** Endpoints of all accounts, newest first. */
export async function selectDesk(db: Db, { failing, before, limit }: DeskPage): Promise<readonly DeskRow[]> {
  const { rows } = await sql<DeskRow>`
    select id, account_id as "accountId", url, enabled, disabled_reason as "disabledReason",
           failure_count as "failureCount", last_status as "lastStatus", last_delivery_at as "lastDeliveryAt"
      from webhook_endpoint
     where (${before}::text is null or id < ${before}) and (not ${failing} or ${IS_FAILING})
     order by id desc limit ${limit}`.execute(db);
  return rows;
}

export async function countFailing(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoint where ${IS_FAILING}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function accountOfEndpoint(tx: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from webhook_endpoint where id = ${id}`.execute(tx);
  return rows[0]?.accountId;
}

/** Locks the endpoint until the transaction ends; undefined if there is none. */
export async function lockForDesk(
  tx: Db,
  id: string,
): Promise<{ readonly accountId: string; readonly enabled: boolean } | undefined> {
  const { rows } = await sql<{ accountId: string; enabled: boolean }>`
    select account_id as "accountId", enabled from webhook_endpoint where id = ${id} for update`.execute(tx);
  return rows[0];
}
