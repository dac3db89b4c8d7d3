import type { AlertStatus, AlertType } from '#domain/alerts/index.ts';
import { type Db, type RawBuilder, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { AlertQuery } from './contract.ts';

/** SQL of alerts. Row-level security limits callers to their own. */

export type AlertRow = {
  readonly id: string;
  readonly accountId: string;
  readonly type: AlertType;
  /** Index into SEVERITIES. */
  readonly severity: number;
  readonly status: AlertStatus;
  readonly entityType: string;
  readonly entityValue: string;
  readonly title: string;
  readonly description: string;
  readonly reason: string;
  readonly source: string;
  readonly confidence: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly monitorId: string | null;
  readonly findingId: string | null;
  readonly cveId: string | null;
  readonly priority: number | null;
  readonly occurrences: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly acknowledgedAtMs: number | null;
  readonly resolvedAtMs: number | null;
};

const ALERT = sql`
  a.id, a.account_id as "accountId", a.type, a.severity, a.status, a.entity_type as "entityType",
  a.entity_value as "entityValue", a.title, a.description, a.reason, a.source, a.confidence, a.data,
  a.monitor_id as "monitorId", a.finding_id as "findingId", a.cve_id as "cveId", a.priority, a.occurrences,
  ${msOf('a.created_at')} as "createdAtMs", ${msOf('a.updated_at')} as "updatedAtMs",
  ${msOf('a.acknowledged_at')} as "acknowledgedAtMs", ${msOf('a.resolved_at')} as "resolvedAtMs"`;

export type StoredAlert = Omit<
  AlertRow,
  'createdAtMs' | 'updatedAtMs' | 'acknowledgedAtMs' | 'resolvedAtMs' | 'occurrences'
> & {
  /** The fingerprint in hexadecimal digits. */
  readonly fingerprint: string;
};

const GIVEN = sql`
  (id text, "accountId" text, type text, severity smallint, status text, "entityType" text, "entityValue" text,
   fingerprint text, title text, description text, reason text, source text, confidence smallint, data jsonb,
   "monitorId" text, "findingId" text, "cveId" text, priority smallint)`;
const COLUMNS = sql`
  id, account_id, type, severity, status, entity_type, entity_value, fingerprint, title, description, reason, source,
  confidence, data, monitor_id, finding_id, cve_id, priority`;
const VALUES = sql`
  g.id, g."accountId", g.type, g.severity, g.status, g."entityType", g."entityValue", decode(g.fingerprint, 'hex'),
  g.title, g.description, g.reason, g.source, g.confidence, g.data, g."monitorId", g."findingId", g."cveId", g.priority`;

/** Stores alerts: one that exists and is not resolved gets one more occurrence; the others are new. */
export async function putAlerts(
  tx: Db,
  alerts: readonly StoredAlert[],
  nowMs: number,
): Promise<readonly (AlertRow & { readonly isNew: boolean })[]> {
  const { rows } = await sql<AlertRow & { isNew: boolean }>`
    insert into alert as a (${COLUMNS}, created_at, updated_at, open_since)
    select ${VALUES}, ${timestampOf(nowMs)}, ${timestampOf(nowMs)}, ${timestampOf(nowMs)}
      from json_to_recordset(${JSON.stringify(alerts)}::json) as g ${GIVEN}
     order by g."accountId", g.fingerprint
    on conflict (account_id, fingerprint) where status <> 'RESOLVED' and finding_id is null
    do update set occurrences = a.occurrences + 1, updated_at = excluded.updated_at, severity = excluded.severity,
                  title = excluded.title, description = excluded.description, reason = excluded.reason,
                  confidence = excluded.confidence, data = excluded.data, monitor_id = excluded.monitor_id
    returning ${ALERT}, (a.xmax = 0) as "isNew"`.execute(tx);
  return rows;
}

/** Stores alerts of findings, except where the finding has an alert already. */
export async function insertFindingAlerts(
  tx: Db,
  alerts: readonly StoredAlert[],
  nowMs: number,
): Promise<readonly AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    insert into alert as a (${COLUMNS}, created_at, updated_at, open_since)
    select ${VALUES}, ${timestampOf(nowMs)}, ${timestampOf(nowMs)}, ${timestampOf(nowMs)}
      from json_to_recordset(${JSON.stringify(alerts)}::json) as g ${GIVEN}
     order by g."accountId", g."findingId"
    on conflict (account_id, finding_id) where finding_id is not null do nothing
    returning ${ALERT}`.execute(tx);
  return rows;
}

export async function selectFindingAlerts(
  tx: Db,
  findingIds: readonly string[],
): Promise<readonly AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select ${ALERT}
      from (select distinct account_id, id from cve_watch_finding where id = any(${[...findingIds]}::text[])) f
      join alert a on a.account_id = f.account_id and a.finding_id = f.id
     for no key update of a`.execute(tx);
  return rows;
}

/** Open alerts about findings that ended or were deleted with their component. */
export async function selectEndedFindings(tx: Db, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from alert a
     where a.finding_id is not null and a.status <> 'RESOLVED'
       and not exists (select 1 from cve_watch_finding f where f.id = a.finding_id and f.ended_at is null)
     limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Moves alerts to a status. The time an alert was open before each reopening adds up in `open_before_s`. A `severity`,
 * `priority` or `title` of null leaves the value as it is.
 */
export async function moveAlerts(
  tx: Db,
  moves: readonly {
    readonly id: string;
    readonly status: AlertStatus;
    readonly severity: number | null;
    readonly priority: number | null;
    readonly title: string | null;
  }[],
  nowMs: number,
): Promise<readonly AlertRow[]> {
  const now = timestampOf(nowMs);
  const { rows } = await sql<AlertRow>`
    update alert a set
           status = m.status, updated_at = ${now},
           severity = coalesce(m.severity, a.severity), priority = coalesce(m.priority, a.priority),
           title = coalesce(m.title, a.title),
           acknowledged_at = case when m.status = 'OPEN' then null
                                  when m.status = 'ACKNOWLEDGED' then coalesce(a.acknowledged_at, ${now})
                                  else a.acknowledged_at end,
           resolved_at = case when m.status <> 'RESOLVED' then null else coalesce(a.resolved_at, ${now}) end,
           open_before_s = case when a.status = 'RESOLVED' and m.status <> 'RESOLVED'
                                then a.open_before_s + greatest(0, extract(epoch from a.resolved_at - a.open_since))::bigint
                                else a.open_before_s end,
           open_since = case when a.status = 'RESOLVED' and m.status <> 'RESOLVED' then ${now} else a.open_since end
      from json_to_recordset(${JSON.stringify(moves)}::json)
           as m (id text, status text, severity smallint, priority smallint, title text)
     where a.id = m.id
    returning ${ALERT}`.execute(tx);
  return rows;
}

export async function lockAlert(tx: Db, accountId: string, id: string): Promise<AlertRow | undefined> {
  const { rows } = await sql<AlertRow>`
    select ${ALERT} from alert a where a.account_id = ${accountId} and a.id = ${id} for no key update`.execute(
    tx,
  );
  return rows[0];
}

/** Whether another alert about the same thing is open; it must be resolved before this one can be reopened. */
export async function hasOpenTwin(tx: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select 1 from alert a join alert b
                     on b.account_id = a.account_id and b.fingerprint = a.fingerprint and b.id <> a.id
                    where a.id = ${id} and a.finding_id is null and b.finding_id is null
                      and b.status <> 'RESOLVED') as has`.execute(tx);
  return rows[0]?.has ?? false;
}

const SEARCH_COUNT_MAX = 10_000;

const numbersOf = (numbers: readonly number[]): RawBuilder<unknown> => sql`${[...numbers]}::smallint[]`;

export type AlertFilter = Pick<AlertQuery, 'entityType' | 'search' | 'eventType'> & {
  readonly statuses: readonly AlertStatus[];
  /** Indexes into SEVERITIES; null for all. */
  readonly severities: readonly number[] | null;
};

const OPEN_AND_ACKNOWLEDGED = ['ACKNOWLEDGED', 'OPEN'].join();

/** The condition of a filter, worded so that PostgreSQL uses an index: the usual filter is `<> 'RESOLVED'`. */
function matching(accountId: string, filter: AlertFilter): RawBuilder<unknown> {
  const { statuses, severities, eventType, entityType, search } = filter;
  const parts = [sql`a.account_id = ${accountId}`];
  if (statuses.toSorted().join() === OPEN_AND_ACKNOWLEDGED) parts.push(sql`a.status <> 'RESOLVED'`);
  else if (statuses.length === 1) parts.push(sql`a.status = ${statuses[0]}`);
  else if (statuses.length < 3) parts.push(sql`a.status = any(${[...statuses]}::text[])`);
  if (severities?.length === 1) parts.push(sql`a.severity = ${severities[0]}`);
  else if (severities !== null) parts.push(sql`a.severity = any(${numbersOf(severities)})`);
  if (eventType?.length === 1) parts.push(sql`a.type = ${eventType[0]}`);
  else if (eventType !== undefined) parts.push(sql`a.type = any(${[...eventType]}::text[])`);
  if (entityType !== undefined) parts.push(sql`a.entity_type = ${entityType}`);
  if (search !== undefined)
    parts.push(
      sql`(a.entity_value || ' ' || a.title) ilike ${`%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`,
    );
  return sql.join(parts, sql` and `);
}

type Page = { readonly limit: number; readonly offset: number };

/**
 * The newest alerts that match a filter without a search. Reads the newest of each matching state (status, severity,
 * type, entity) that the account has, and takes the newest of those, because matching alerts may be rare in a plain
 * scan by time.
 */
const newestOfStates = (
  accountId: string,
  filter: AlertFilter,
  { limit, offset }: Page,
): RawBuilder<unknown> => sql`
  (select a.* from (
     select newest.id
       from (select a.status, a.severity, a.type, a.entity_type from alert_count a
              where ${matching(accountId, filter)} and a.count > 0) c
      cross join lateral (
        select b.id, b.updated_at from alert b
         where b.account_id = ${accountId} and b.status = c.status and b.severity = c.severity and b.type = c.type
           and b.entity_type = c.entity_type
         order by b.updated_at desc, b.id desc limit ${limit + offset}) newest
      order by newest.updated_at desc, newest.id desc limit ${limit} offset ${offset}) page
     join alert a on a.id = page.id)`;

export async function selectAlerts(
  tx: Db,
  accountId: string,
  filter: AlertFilter,
  page: Page,
): Promise<readonly AlertRow[]> {
  const { severities, eventType, entityType, search } = filter;
  const isByState =
    search === undefined && (severities !== null || eventType !== undefined || entityType !== undefined);
  const { rows } = await sql<AlertRow>`${
    isByState
      ? sql`select ${ALERT} from ${newestOfStates(accountId, filter, page)} a order by a.updated_at desc, a.id desc`
      : sql`select ${ALERT} from alert a where ${matching(accountId, filter)}
             order by a.updated_at desc, a.id desc limit ${page.limit} offset ${page.offset}`
  }`.execute(tx);
  return rows;
}

/** The number of matching alerts, from the counts that triggers keep; a search counts the rows, up to 10,000. */
export async function countAlerts(tx: Db, accountId: string, filter: AlertFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`${
    filter.search === undefined
      ? sql`select coalesce(sum(a.count), 0)::float8 as count from alert_count a where ${matching(accountId, filter)}`
      : sql`select count(*)::float8 as count
              from (select 1 from alert a where ${matching(accountId, filter)} limit ${SEARCH_COUNT_MAX}) as found`
  }`.execute(tx);
  return rows[0]?.count ?? 0;
}
