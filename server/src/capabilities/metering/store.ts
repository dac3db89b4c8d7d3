import { type Db, sql } from '#platform/postgres.ts';
import { METERS, type MeterName } from './account-usage.ts';

export type LedgerRow = {
  readonly accountId: string;
  readonly meter: MeterName;
  readonly period: string;
  readonly granted: number;
  readonly refunded: number;
};

export async function selectUsage(db: Db, accountId: string, period: string): Promise<readonly LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select account_id as "accountId", meter, period, granted::float8 as granted, refunded::float8 as refunded
      from usage_ledger
     where account_id = ${accountId} and period = ${period}
     limit ${METERS.length}`.execute(db);
  return rows;
}

/** Keeps the greater value of each counter, so the order of writers does not matter. Returns the stored values. */
export async function raiseUsage(db: Db, rows: readonly LedgerRow[]): Promise<readonly LedgerRow[]> {
  const result = await sql<LedgerRow>`
    insert into usage_ledger as known (account_id, meter, period, granted, refunded, updated_at)
    select account_id, meter, period, granted, refunded, now()
      from unnest(${rows.map((row) => row.accountId)}::text[], ${rows.map((row) => row.meter)}::text[],
                  ${rows.map((row) => row.period)}::text[], ${rows.map((row) => row.granted)}::bigint[],
                  ${rows.map((row) => row.refunded)}::bigint[]) as seen (account_id, meter, period, granted, refunded)
     -- One order for all writers prevents deadlocks between batches.
     order by account_id, period, meter
    on conflict (account_id, period, meter) do update
      set granted = greatest(known.granted, excluded.granted),
          refunded = greatest(known.refunded, excluded.refunded),
          updated_at = excluded.updated_at
    returning account_id as "accountId", meter, period, granted::float8 as granted, refunded::float8 as refunded`.execute(
    db,
  );
  return result.rows;
}

/** For a process that stops while it owes units: no other process adds them, so they are added here. */
export async function addUsage(db: Db, rows: readonly LedgerRow[]): Promise<void> {
  await sql`
    insert into usage_ledger as known (account_id, meter, period, granted, refunded, updated_at)
    select account_id, meter, period, granted, refunded, now()
      from unnest(${rows.map((row) => row.accountId)}::text[], ${rows.map((row) => row.meter)}::text[],
                  ${rows.map((row) => row.period)}::text[], ${rows.map((row) => row.granted)}::bigint[],
                  ${rows.map((row) => row.refunded)}::bigint[]) as owed (account_id, meter, period, granted, refunded)
     order by account_id, period, meter
    on conflict (account_id, period, meter) do update
      set granted = known.granted + excluded.granted,
          refunded = known.refunded + excluded.refunded,
          updated_at = excluded.updated_at`.execute(db);
}
