import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { DISABLED_REASONS } from './contract.ts';

/** Endpoints. Row-level security limits callers to their own rows. */

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export type EndpointRow = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** The host answered a challenge of this account. */
  readonly verified: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly lastDeliveryAtMs: number | null;
  readonly lastStatus: number | null;
  readonly failureCount: number;
};

const ENDPOINT = sql`
  id, account_id as "accountId", url, description, events, enabled, verified_at is not null as verified,
  disabled_reason as "disabledReason",
  ${msOf('created_at')} as "createdAtMs", ${msOf('updated_at')} as "updatedAtMs",
  ${msOf('last_delivery_at')} as "lastDeliveryAtMs", last_status as "lastStatus", failure_count as "failureCount"`;

export async function selectEndpoints(
  tx: Db,
  accountId: string,
  rowsMax: number,
): Promise<readonly EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`
    select ${ENDPOINT} from webhook_endpoint where account_id = ${accountId} order by id limit ${rowsMax}`.execute(
    tx,
  );
  return rows;
}

export async function selectEndpoint(
  tx: Db,
  accountId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${ENDPOINT} from webhook_endpoint where account_id = ${accountId} and id = ${id}`.execute(tx);
  return rows[0];
}

/** Locks an endpoint to change its settings; it excludes writers of its deliveries until the end of the transaction. */
export async function lockEndpoint(tx: Db, accountId: string, id: string): Promise<EndpointRow | undefined> {
  const { rows } = await sql<EndpointRow>`
    select ${ENDPOINT} from webhook_endpoint where account_id = ${accountId} and id = ${id} for update`.execute(
    tx,
  );
  return rows[0];
}

/** Lets an account make or enable one webhook at a time, so that two requests do not both take the last one allowed. */
export async function lockEndpointsOf(tx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${accountId}`}, 0))`.execute(tx);
}

export async function countEnabled(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoint where account_id = ${accountId} and enabled`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** Enabled endpoints of these accounts, oldest first, locked in the order in which deliveries lock them. */
export async function lockEnabled(
  tx: Db,
  accountIds: readonly string[],
): Promise<readonly Pick<EndpointRow, 'id' | 'accountId'>[]> {
  const { rows } = await sql<Pick<EndpointRow, 'id' | 'accountId'>>`
    select id, account_id as "accountId" from webhook_endpoint
     where account_id = any(${[...accountIds]}::text[]) and enabled order by id for update`.execute(tx);
  return rows;
}

export async function countEndpoints(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_endpoint where account_id = ${accountId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type NewEndpoint = Pick<
  EndpointRow,
  'id' | 'accountId' | 'url' | 'description' | 'events' | 'enabled'
> & {
  readonly secret: Uint8Array;
  readonly host: string;
  /** Null: the host has not answered a challenge of this account yet. */
  readonly verifiedAtMs: number | null;
};

export async function insertEndpoint(tx: Db, row: NewEndpoint, nowMs: number): Promise<void> {
  await sql`
    insert into webhook_endpoint (id, account_id, url, host, verified_at, description, events, enabled, disabled_reason,
                                  secret, created_at, updated_at)
    values (${row.id}, ${row.accountId}, ${row.url}, ${row.host}, ${timestampOf(row.verifiedAtMs)}, ${row.description},
            ${[...row.events]}::text[], ${row.enabled}, ${row.enabled ? null : 'paused'}, ${row.secret},
            ${timestampOf(nowMs)}, ${timestampOf(nowMs)})`.execute(tx);
}

export async function updateEndpoint(
  tx: Db,
  {
    id,
    url,
    host,
    description,
    events,
  }: Pick<EndpointRow, 'id' | 'url' | 'description' | 'events'> & { readonly host: string },
  nowMs: number,
): Promise<void> {
  await sql`
    update webhook_endpoint set url = ${url}, host = ${host}, description = ${description},
           events = ${[...events]}::text[], updated_at = ${timestampOf(nowMs)} where id = ${id}`.execute(tx);
}

/** Failures before the endpoint was disabled say nothing about now, so counters restart. Its lane is empty already. */
export async function enableEndpoint(tx: Db, id: string, nowMs: number): Promise<void> {
  await sql`
    update webhook_endpoint set enabled = true, disabled_reason = null, failure_count = 0, failing_since = null,
           lane_step = 0, updated_at = ${timestampOf(nowMs)} where id = ${id} and not enabled`.execute(tx);
}

/** False if it is disabled already. Locks as `lockEndpoint` does, so that no writer adds to a disabled endpoint. */
export async function disableEndpoint(
  tx: Db,
  id: string,
  reason: DisabledReason,
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with locked as materialized (select id from webhook_endpoint where id = ${id} for update)
    update webhook_endpoint e set enabled = false, disabled_reason = ${reason}, lane_at = null, claimed_by = null,
           updated_at = ${timestampOf(nowMs)} from locked where e.id = locked.id and e.enabled`.execute(tx);
  return numAffectedRows === 1n;
}

export async function replaceSecret(
  tx: Db,
  {
    id,
    secret,
    olderUntilMs,
    nowMs,
  }: {
    readonly id: string;
    readonly secret: Uint8Array;
    readonly olderUntilMs: number;
    readonly nowMs: number;
  },
): Promise<void> {
  await sql`
    update webhook_endpoint set older_secret = secret, older_until = ${timestampOf(olderUntilMs)}, secret = ${secret},
           updated_at = ${timestampOf(nowMs)} where id = ${id}`.execute(tx);
}

export async function deleteEndpoint(tx: Db, id: string): Promise<void> {
  await sql`delete from webhook_endpoint where id = ${id}`.execute(tx);
}

export type FailingRow = Pick<EndpointRow, 'id' | 'accountId' | 'url'>;

/** Enabled endpoints whose attempts have all failed since then. */
export async function selectFailing(
  tx: Db,
  sinceMs: number,
  rowsMax: number,
): Promise<readonly FailingRow[]> {
  const { rows } = await sql<FailingRow>`
    select id, account_id as "accountId", url from webhook_endpoint
     where failing_since <= ${timestampOf(sinceMs)} and enabled order by failing_since limit ${rowsMax}`.execute(
    tx,
  );
  return rows;
}

export type Owner = { readonly userId: string; readonly email: string };
const OWNERS_MAX = 100;

/** The person of an account, or the owners of an organization. */
export async function selectOwners(tx: Db, accountId: string): Promise<readonly Owner[]> {
  const { rows } = await sql<Owner>`
    select u.id as "userId", u.email from app_user u
     where (u.id = ${accountId}
            or exists (select 1 from membership m where m.account_id = ${accountId} and m.user_id = u.id
                                                    and m.role = 'OWNER'))
       and u.unclaimed_since is null
     order by 1 limit ${OWNERS_MAX}`.execute(tx);
  return rows;
}
