import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';

/** Deliveries as callers and jobs see them; how they are sent is in lane-store.ts. */

export type StoredStatus = 'pending' | 'parked' | 'once' | 'delivered' | 'failed' | 'skipped';

export type DeliveryRow = {
  readonly id: string;
  readonly event: string;
  readonly sequence: string | null;
  readonly status: StoredStatus;
  readonly outOfOrder: boolean;
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly lastAttemptAtMs: number | null;
  readonly nextAtMs: number | null;
  readonly deliveredAtMs: number | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number | null;
};

const DELIVERY = sql`
  id, event, sequence, status, out_of_order as "outOfOrder", attempts, ${msOf('created_at')} as "createdAtMs",
  ${msOf('last_attempt_at')} as "lastAttemptAtMs", ${msOf('next_at')} as "nextAtMs",
  ${msOf('delivered_at')} as "deliveredAtMs", response_status as "responseStatus", response_body as "responseBody",
  error, duration_ms as "durationMs"`;

type Filter = { readonly endpointId: string; readonly statuses: readonly StoredStatus[] | null };
const isIn = ({ endpointId, statuses }: Filter): RawBuilder<unknown> =>
  sql`endpoint_id = ${endpointId} ${statuses === null ? sql`` : sql`and status = any(${[...statuses]}::text[])`}`;

export async function selectDeliveries(
  tx: Db,
  filter: Filter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY} from webhook_delivery where ${isIn(filter)}
     order by id desc limit ${limit} offset ${(page - 1) * limit}`.execute(tx);
  return rows;
}

export async function countDeliveries(tx: Db, filter: Filter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_delivery where ${isIn(filter)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function selectDelivery(
  tx: Db,
  endpointId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${DELIVERY} from webhook_delivery where endpoint_id = ${endpointId} and id = ${id}`.execute(tx);
  return rows[0];
}

export type NewDelivery = {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly event: string;
  readonly sequence: number | null;
  readonly body: string;
  readonly status: 'pending' | 'once' | 'skipped';
};

/** Inserts the deliveries of a batch of events in one statement. */
export async function insertDeliveries(tx: Db, rows: readonly NewDelivery[], nowMs: number): Promise<void> {
  await sql`
    insert into webhook_delivery (id, account_id, endpoint_id, event, sequence, body, status, next_at, created_at)
    select id, "accountId", "endpointId", event, sequence, body, status,
           case when status = 'once' then ${timestampOf(nowMs)} end, ${timestampOf(nowMs)}
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as d (id text, "accountId" text, "endpointId" text, event text, sequence bigint, body text, status text)`.execute(
    tx,
  );
}

/** Deliveries of an endpoint that wait to be sent once, by request. */
export async function countOnce(tx: Db, endpointId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_delivery where endpoint_id = ${endpointId} and status = 'once'`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Sends one delivery again, beside its lane. */
export async function sendOnce(tx: Db, id: string, nowMs: number): Promise<void> {
  await sql`
    update webhook_delivery set status = 'once', out_of_order = sequence is not null, next_at = ${timestampOf(nowMs)}
     where id = ${id}`.execute(tx);
}

/** Skips at most `rowsMax` waiting deliveries of an endpoint that is being disabled, so that no statement runs long. */
export async function skipSome(tx: Db, endpointId: string, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set status = 'skipped', next_at = null where id in (
      select id from webhook_delivery where endpoint_id = ${endpointId} and status in ('pending', 'parked')
       limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export type Span = {
  readonly endpointId: string;
  /** Ids of deliveries begin with their time, so a span of ids is a span of time. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly statuses: readonly StoredStatus[];
};

export async function countSpan(tx: Db, span: Span): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_delivery
     where endpoint_id = ${span.endpointId} and id >= ${span.fromId} and id < ${span.beforeId}
       and status = any(${[...span.statuses]}::text[]) and sequence is not null`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Puts deliveries back into their lane, which sends the lowest sequence first and so repeats the original order. */
export async function replaySpan(tx: Db, span: Span): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_delivery set status = 'pending', refusals = 0, step = 0, out_of_order = false
     where endpoint_id = ${span.endpointId} and id >= ${span.fromId} and id < ${span.beforeId}
       and status = any(${[...span.statuses]}::text[]) and sequence is not null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteSomeOf(tx: Db, endpointId: string, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where endpoint_id = ${endpointId} limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export async function deleteOlder(tx: Db, beforeId: string, rowsMax: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_delivery where id in (
      select id from webhook_delivery where id < ${beforeId} and status not in ('pending', 'parked', 'once')
       order by id limit ${rowsMax})`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
