import { type Db, lendConnection, type Postgres, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import { PROMPT_MS } from './places.ts';

/** SQL that puts deliveries into lanes and claims them. Works across accounts, so only the worker uses it. */

export type ListeningEndpoint = {
  readonly id: string;
  readonly accountId: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly verified: boolean;
  readonly nextSequence: string;
};

/**
 * The endpoints of these accounts, under the weakest lock: it excludes changes of their settings, and senders may go
 * on. Only the one reader of the events, whose cursor is locked, reads and moves `next_sequence`.
 */
export async function lockListening(
  tx: Db,
  accountIds: readonly string[],
): Promise<readonly ListeningEndpoint[]> {
  const { rows } = await sql<ListeningEndpoint>`
    select id, account_id as "accountId", events, enabled, verified_at is not null as verified,
           next_sequence as "nextSequence" from webhook_endpoint
     where account_id = any(${[...accountIds]}::text[]) order by id for key share`.execute(tx);
  return rows;
}

export type Advance = { readonly id: string; readonly nextSequence: number };

/** Moves lanes to their next sequence. Every statement here locks endpoints by id, which avoids deadlocks. */
export async function advanceLanes(tx: Db, lanes: readonly Advance[], nowMs: number): Promise<void> {
  await sql`
    with moved as (
      select * from json_to_recordset(${JSON.stringify(lanes)}::json) as a (id text, "nextSequence" bigint)
    ), locked as materialized (
      select e.id from webhook_endpoint e where e.id in (select id from moved) order by e.id for no key update
    )
    update webhook_endpoint e
       set next_sequence = a."nextSequence", lane_wakes = lane_wakes + 1,
           lane_at = case when e.enabled and e.verified_at is not null then coalesce(e.lane_at, ${timestampOf(nowMs)}) end
      from moved a join locked l on l.id = a.id
     where e.id = a.id`.execute(tx);
}

/** Makes a lane due, because a delivery waits in it again. `isUrgent`: even during the pause of a failing endpoint. */
export async function wakeLane(
  tx: Db,
  endpointId: string,
  nowMs: number,
  { isUrgent }: { readonly isUrgent: boolean },
): Promise<void> {
  const at = timestampOf(nowMs);
  await sql`
    update webhook_endpoint set lane_wakes = lane_wakes + 1,
           lane_at = case when claimed_by is null and ${isUrgent} then ${at} else coalesce(lane_at, ${at}) end
     where id = ${endpointId} and enabled and verified_at is not null`.execute(tx);
}

export type Claim = {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly event: string;
  /** What the answer to a verification has to hold; null once the endpoint is verified. */
  readonly challenge: string | null;
  readonly status: 'pending' | 'parked' | 'once';
  readonly attempts: number;
  readonly refusals: number;
  /** How many retry pauses were used: of the lane, or of the parked delivery itself. */
  readonly step: number;
  readonly outOfOrder: boolean;
  /** Its endpoint answers within PROMPT_MS and does not fail. */
  readonly isPrompt: boolean;
  readonly body: string;
  readonly createdAtMs: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly olderSecret: Buffer | null;
  readonly olderUntilMs: number | null;
};

const CLAIM = sql`
  d.id, d.endpoint_id as "endpointId", d.account_id as "accountId", d.event, e.challenge, d.attempts, d.refusals,
  d.out_of_order as "outOfOrder", e.prompt as "isPrompt", d.body, ${msOf('d.created_at')} as "createdAtMs", e.url, e.secret,
  e.older_secret as "olderSecret", ${msOf('e.older_until')} as "olderUntilMs"`;

/** A lane, and the host that it leads to; endpoints of earlier releases may have none. */
const LANE = sql`e.id, e.lane_wakes, e.account_id, coalesce(e.host, e.id) as lane_host, e.prompt, e.lane_at`;
const HOST_IS_FREE = sql`not exists (
  select 1 from webhook_endpoint o
   where o.account_id = e.account_id and o.host = e.host and o.id <> e.id and o.claimed_by is not null)`;

export type ClaimOptions = {
  readonly sender: number;
  readonly nowMs: number;
  readonly leaseEndMs: number;
  readonly rowsMax: number;
};

/**
 * Takes the first waiting delivery of each lane that is due: a lease for each delivery, never for a batch. Of the lanes of an account
 * that lead to one host one goes at a time, so that a host gets one request after the other. Lanes of
 * endpoints that are slow or fail come last and are at most `slowMax`, so they take no place from others. A lane in which
 * nothing waits is closed, unless something came since it was looked at. A delivery that changed meanwhile is not taken;
 * its lane stays due.
 */
export async function claimLanes(
  db: Db,
  { sender, nowMs, leaseEndMs, rowsMax, slowMax }: ClaimOptions & { readonly slowMax: number },
): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    with prompt as (
      select ${LANE} from webhook_endpoint e
       where e.prompt and e.lane_at <= ${timestampOf(nowMs)} and ${HOST_IS_FREE}
       order by e.lane_at limit ${rowsMax} for no key update of e skip locked
    ), slow as (
      select ${LANE} from webhook_endpoint e
       where not e.prompt and e.lane_at <= ${timestampOf(nowMs)} and ${HOST_IS_FREE}
       order by e.lane_at limit least(${slowMax}::int, ${rowsMax}::int - (select count(*)::int from prompt))
         for no key update of e skip locked
    ), due as (
      select distinct on (account_id, lane_host) id, lane_wakes
        from (select * from prompt union all select * from slow) lanes
       order by account_id, lane_host, prompt desc, lane_at, id
    ), heads as (
      select due.id as endpoint_id, due.lane_wakes, h.id as delivery_id from due
        left join lateral (
          select d.id from webhook_delivery d where d.endpoint_id = due.id and d.status = 'pending'
           order by d.sequence limit 1) h on true
    ), taken as (
      update webhook_delivery d set attempts = d.attempts + 1, last_attempt_at = ${timestampOf(nowMs)}
        from heads h where d.id = h.delivery_id and d.status = 'pending'
      returning d.*
    ), leased as (
      update webhook_endpoint e set lane_at = ${timestampOf(leaseEndMs)}, claimed_by = ${sender}
        from taken t where e.id = t.endpoint_id
      returning e.id, e.lane_step, e.prompt, e.url, e.challenge, e.secret, e.older_secret, e.older_until
    ), closed as (
      update webhook_endpoint e set lane_at = null
        from heads h where e.id = h.endpoint_id and h.delivery_id is null and e.lane_wakes = h.lane_wakes
    )
    select ${CLAIM}, d.status, e.lane_step as step from taken d join leased e on e.id = d.endpoint_id`.execute(
    db,
  );
  return rows;
}

export type AsideOptions = ClaimOptions & {
  readonly ofAccountMax: number;
  readonly fullAccounts: readonly string[];
};

/**
 * Claims deliveries beside their lanes: parked ones whose time has come, tests, and those sent again by request. One
 * account gets a few at a time, because it can request many.
 */
export async function claimAside(
  db: Db,
  { nowMs, leaseEndMs, rowsMax, ofAccountMax, fullAccounts }: AsideOptions,
): Promise<readonly Claim[]> {
  const { rows } = await sql<Claim>`
    with first as (
      select id, row_number() over (partition by account_id order by next_at) as turn from (
        select id, account_id, next_at from webhook_delivery
         where next_at <= ${timestampOf(nowMs)} and account_id <> all(${[...fullAccounts]}::text[])
         order by next_at limit ${rowsMax}) waiting
    ), due as (
      select id from webhook_delivery
       where id in (select id from first where turn <= ${ofAccountMax}) and next_at <= ${timestampOf(nowMs)}
         for update skip locked
    ), d as (
      update webhook_delivery set attempts = attempts + 1, last_attempt_at = ${timestampOf(nowMs)},
             next_at = ${timestampOf(leaseEndMs)}
       where id in (select id from due) and next_at is not null
      returning *
    )
    select ${CLAIM}, d.status, d.step from d join webhook_endpoint e on e.id = d.endpoint_id`.execute(db);
  return rows;
}

export type Result = {
  readonly id: string;
  readonly endpointId: string;
  /** Number of the attempt that was claimed; the result is dropped if the delivery was claimed or changed since. */
  readonly attempts: number;
  readonly was: 'pending' | 'parked' | 'once';
  readonly status: 'pending' | 'parked' | 'delivered' | 'failed';
  readonly isOutOfOrder: boolean;
  readonly refusals: number;
  readonly step: number;
  readonly nextAtMs: number | null;
  readonly isDelivered: boolean;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  /** When the lane goes on, and with which step; null for a delivery beside its lane. */
  readonly laneAtMs: number | null;
  readonly laneStep: number | null;
};

/** Average answer time, one quarter of it the last attempt, so that one long answer does not make it slow. */
const SMOOTHED = sql`(3 * coalesce(e.answer_ms, t."durationMs") + t."durationMs") / 4`;

/** At most one result for each endpoint, because a statement changes a row once. Endpoints are locked first, by id. */
export async function recordResults(db: Db, results: readonly Result[], nowMs: number): Promise<number> {
  const now = timestampOf(nowMs);
  const { numAffectedRows } = await sql`
    with told as (
      select * from json_to_recordset(${JSON.stringify(results)}::json) as t (
        id text, "endpointId" text, attempts int, was text, status text, "isOutOfOrder" boolean, refusals int, step int,
        "nextAtMs" float8, "isDelivered" boolean, "responseStatus" int, "responseBody" text, error text,
        "durationMs" int, "laneAtMs" float8, "laneStep" int)
    ), locked as materialized (
      select e.id from webhook_endpoint e where e.id in (select "endpointId" from told) order by e.id for no key update
    ), done as (
      update webhook_delivery d
         set status = t.status, out_of_order = d.out_of_order or t."isOutOfOrder", refusals = t.refusals, step = t.step,
             next_at = to_timestamp(t."nextAtMs" / 1000), response_status = t."responseStatus",
             response_body = t."responseBody", error = t.error, duration_ms = t."durationMs",
             delivered_at = case when t."isDelivered" then ${now} else d.delivered_at end
        from told t join locked l on l.id = t."endpointId"
       where d.id = t.id and d.attempts = t.attempts and d.status = t.was
      returning t.*
    )
    update webhook_endpoint e
       set lane_at = case when t."laneAtMs" is null then e.lane_at when e.enabled then to_timestamp(t."laneAtMs" / 1000) end,
           lane_step = coalesce(t."laneStep", e.lane_step),
           answer_ms = ${SMOOTHED}, prompt = coalesce(t."laneStep", e.lane_step) = 0 and ${SMOOTHED} <= ${PROMPT_MS},
           claimed_by = case when t."laneAtMs" is null then e.claimed_by end,
           last_delivery_at = ${now}, last_status = t."responseStatus",
           failure_count = case when t."isDelivered" then 0 else e.failure_count + 1 end,
           failing_since = case when not t."isDelivered" then coalesce(e.failing_since, ${now}) end
      from done t where e.id = t."endpointId"`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const SENDER_LOCK = 4_021_007;

export type Registered = { readonly sender: number; readonly broken: AbortSignal };

/**
 * Lends a connection whose advisory lock says that this sender lives: it ends with the process, also when that is
 * killed.
 */
export const holdSender = (
  postgres: Postgres,
  work: (registered: Registered) => Promise<void>,
): Promise<void> =>
  lendConnection(
    postgres,
    async ({ db, broken }) => {
      const { rows } = await sql<{ sender: number }>`
        with drawn as (select nextval('webhook_sender')::int as sender)
        select sender from drawn, lateral pg_advisory_lock(${SENDER_LOCK}::int, sender)`.execute(db);
      await work({ sender: rows[0]?.sender ?? 0, broken });
    },
    { isClosed: true },
  );

/** Lanes whose sender has ended are due at once. A sender that is alive but stuck loses its lanes with their leases. */
export async function releaseDead(db: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_endpoint set lane_at = ${timestampOf(nowMs)}, claimed_by = null
     where claimed_by is not null and claimed_by not in (
       select objid::bigint::int from pg_locks
        where locktype = 'advisory' and classid::bigint = ${SENDER_LOCK} and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database()))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
