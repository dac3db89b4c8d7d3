import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** SQL of billing. One statement per function; `findCustomer` runs under row-level security, the others as the system role. */

export type CustomerRow = {
  readonly accountId: string;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly periodEndMs: number | null;
  readonly toldAtMs: number;
};

const COLUMNS = sql`account_id as "accountId", customer_id as "customerId", subscription_id as "subscriptionId",
  ${msOf('period_end')} as "periodEndMs", ${msOf('told_at')} as "toldAtMs"`;

export async function findCustomer(tx: Db, accountId: string): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    select ${COLUMNS} from billing_customer where account_id = ${accountId}`.execute(tx);
  return rows[0];
}

export async function findAccountOfCustomer(tx: Db, customerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from billing_customer where customer_id = ${customerId}`.execute(tx);
  return rows[0]?.accountId;
}

/** Serialises events of one account; an advisory lock, because before its first event there is no row to lock. */
export async function lockBilling(tx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.billing.' || ${accountId}::text, 0))`.execute(
    tx,
  );
}

export async function putCustomer(tx: Db, row: CustomerRow): Promise<void> {
  await sql`
    insert into billing_customer (account_id, customer_id, subscription_id, period_end, told_at)
    values (${row.accountId}, ${row.customerId}, ${row.subscriptionId}, ${timestampOf(row.periodEndMs)},
            ${timestampOf(row.toldAtMs)})
    on conflict (account_id) do update set customer_id = excluded.customer_id,
      subscription_id = excluded.subscription_id, period_end = excluded.period_end, told_at = excluded.told_at`.execute(
    tx,
  );
}

export async function isEventKnown(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from billing_event where id = ${id}`.execute(db);
  return rows.length > 0;
}

/** False where the event was applied before; two deliveries at once wait for each other here. */
export async function insertEvent(
  tx: Db,
  { id, type }: { readonly id: string; readonly type: string },
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into billing_event (id, type, outcome, received_at)
    values (${id}, ${type}, 'begun', ${timestampOf(nowMs)}) on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export async function saveOutcome(tx: Db, id: string, outcome: string): Promise<void> {
  await sql`update billing_event set outcome = ${outcome} where id = ${id}`.execute(tx);
}

export async function deleteOldEvents(tx: Db, beforeMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from billing_event where id in (
      select id from billing_event where received_at < ${timestampOf(beforeMs)} order by received_at limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
