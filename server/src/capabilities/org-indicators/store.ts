import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { EntityType, ListQuery, OrgIndicator } from './contract.ts';
import type { StoredIndicator } from './plan-batch.ts';

/** Each function is one statement and runs under row-level security: it sees only the rows of one organization. */

export type State = {
  readonly revision: number;
  readonly kept: number;
  /** How much of the daily cap is used on the given day. */
  readonly used: number;
};

/** Makes the row if it is not there, and locks it: one writer per organization at a time. */
export async function lockState(tx: Db, accountId: string, day: string): Promise<State> {
  const { rows } = await sql<State>`
    insert into org_indicator_state as s (account_id, day) values (${accountId}, ${day}::date)
    on conflict (account_id) do update set day = excluded.day, used = case when s.day = excluded.day then s.used else 0 end
    returning revision::float8 as revision, kept, used`.execute(tx);
  return rows[0] ?? { revision: 0, kept: 0, used: 0 };
}

/** How many indicators were charged on the given day; 0 for an account without indicators. */
export async function selectUsedOn(tx: Db, accountId: string, day: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select used from org_indicator_state where account_id = ${accountId} and day = ${day}::date`.execute(tx);
  return rows[0]?.used ?? 0;
}

export async function updateState(
  tx: Db,
  accountId: string,
  added: { readonly kept: number; readonly used: number },
  bits4: readonly number[],
  bits6: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update org_indicator_state set
      revision = revision + 1, kept = kept + ${added.kept}, used = used + ${added.used},
      bits4 = array(select distinct unnest(bits4 || ${bits4}::smallint[]) order by 1),
      bits6 = array(select distinct unnest(bits6 || ${bits6}::smallint[]) order by 1)
    where account_id = ${accountId} returning revision::float8 as revision`.execute(tx);
  return rows[0]?.revision ?? 0;
}

/** Counts against the day without a change of the lists. */
export const countCharged = (tx: Db, accountId: string, used: number): Promise<unknown> =>
  sql`update org_indicator_state set used = used + ${used} where account_id = ${accountId}`.execute(tx);

export async function insertRevision(
  tx: Db,
  accountId: string,
  revision: number,
  atMs: number,
): Promise<void> {
  await sql`
    insert into org_indicator_revision (account_id, revision, at)
    values (${accountId}, ${revision}, ${timestampOf(atMs)})`.execute(tx);
}

const CONTENT = sql`
  id, entity_type as "entityType", value, status, disposition, category, comment, reason,
  ${msOf('ends_at')} as "endsAtMs"`;

export async function findByValues(
  tx: Db,
  accountId: string,
  entityTypes: readonly string[],
  values: readonly string[],
): Promise<readonly StoredIndicator[]> {
  const { rows } = await sql<StoredIndicator>`
    select ${CONTENT} from org_indicator
     where account_id = ${accountId}
       and (entity_type, value) in (select * from unnest(${entityTypes}::text[], ${values}::text[]))`.execute(
    tx,
  );
  return rows;
}

const ALLOWED_COUNTED_MAX = 10_000;

/** How many allowed entries in force have a key in this span, and the first of them. */
export async function selectAllowedBetween(
  tx: Db,
  { from, to }: { readonly from: Buffer; readonly to: Buffer },
  nowMs: number,
): Promise<{ readonly count: number; readonly example: string | null }> {
  const { rows } = await sql<{ count: number; example: string | null }>`
    select count(*)::int as count, (array_agg(value order by entry_key))[1] as example
      from (select value, entry_key from org_indicator
             where status = 'approved' and entry_key >= ${from} and entry_key < ${to} and disposition = 'allow'
               and (ends_at is null or ends_at > ${timestampOf(nowMs)})
             order by entry_key limit ${ALLOWED_COUNTED_MAX}) a`.execute(tx);
  return rows[0] ?? { count: 0, example: null };
}

export type WrittenIndicator = Omit<StoredIndicator, 'status'> & { readonly entryKey: Buffer };

/** Writes new values and everything about known ones; a revoked one is approved again. */
export async function upsertIndicators(
  tx: Db,
  accountId: string,
  rows: readonly WrittenIndicator[],
  submittedBy: string,
  nowMs: number,
): Promise<void> {
  const given = rows.map(({ entryKey, ...row }) => ({ ...row, entryKey: entryKey.toString('hex') }));
  await sql`
    insert into org_indicator (id, account_id, entity_type, value, entry_key, disposition, category, comment, reason,
                                    ends_at, status, submitted_by, created_at, updated_at)
    select g.id, ${accountId}, g."entityType", g.value, decode(g."entryKey", 'hex'), g.disposition, g.category, g.comment,
           g.reason, ${timestampOf(sql`g."endsAtMs"`)}, 'approved', ${submittedBy}, ${timestampOf(nowMs)},
           ${timestampOf(nowMs)}
      from json_to_recordset(${JSON.stringify(given)}::json)
           as g (id text, "entityType" text, value text, "entryKey" text, disposition text, category text, comment text,
                 reason text, "endsAtMs" float8)
    on conflict (account_id, entity_type, value) do update set
      disposition = excluded.disposition, category = excluded.category, comment = excluded.comment,
      reason = excluded.reason, ends_at = excluded.ends_at, status = 'approved', revoked_at = null,
      submitted_by = excluded.submitted_by, updated_at = excluded.updated_at`.execute(tx);
}

export async function endPeriods(tx: Db, ids: readonly string[], nowMs: number): Promise<void> {
  await sql`
    update org_indicator_period set ended_at = ${timestampOf(nowMs)}
     where indicator_id = any(${ids}::text[]) and ended_at is null`.execute(tx);
}

export async function startPeriods(tx: Db, ids: readonly string[], nowMs: number): Promise<void> {
  await sql`
    insert into org_indicator_period (account_id, indicator_id, entry_key, started_at, disposition, category, reason, ends_at)
    select account_id, id, entry_key, ${timestampOf(nowMs)}, disposition, category, reason, ends_at
      from org_indicator where id = any(${ids}::text[])`.execute(tx);
}

/** Locks the row, so that of two revocations at once one finds it revoked. */
export async function lockIndicator(
  tx: Db,
  accountId: string,
  id: string,
): Promise<(StoredIndicator & { readonly entryKey: Buffer }) | undefined> {
  const { rows } = await sql<StoredIndicator & { entryKey: Buffer }>`
    select ${CONTENT}, entry_key as "entryKey" from org_indicator
     where account_id = ${accountId} and id = ${id} for no key update`.execute(tx);
  return rows[0];
}

export async function revokeIndicator(tx: Db, accountId: string, id: string, nowMs: number): Promise<void> {
  await sql`
    update org_indicator set status = 'revoked', revoked_at = ${timestampOf(nowMs)}, updated_at = ${timestampOf(nowMs)}
     where account_id = ${accountId} and id = ${id}`.execute(tx);
}

export type IndicatorRow = Omit<OrgIndicator, 'createdAt' | 'updatedAt' | 'revokedAt' | 'endsAt'> & {
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly revokedAtMs: number | null;
  readonly endsAtMs: number | null;
};

const matching = (
  accountId: string,
  { entityType, status, disposition }: Pick<ListQuery, 'entityType' | 'status' | 'disposition'>,
) => sql`
  where account_id = ${accountId}
    and (${entityType ?? null}::text is null or entity_type = ${entityType ?? null})
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${disposition ?? null}::text is null or disposition = ${disposition ?? null})`;

export async function selectIndicators(
  tx: Db,
  accountId: string,
  query: ListQuery,
): Promise<readonly IndicatorRow[]> {
  const { rows } = await sql<IndicatorRow>`
    select ${CONTENT}, submitted_by as "submittedBy", ${msOf('created_at')} as "createdAtMs",
           ${msOf('updated_at')} as "updatedAtMs", ${msOf('revoked_at')} as "revokedAtMs"
      from org_indicator ${matching(accountId, query)}
     order by created_at desc, id desc
     limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(tx);
  return rows;
}

export async function countIndicators(tx: Db, accountId: string, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from org_indicator ${matching(accountId, query)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type InForce = {
  readonly value: string;
  readonly disposition: 'block' | 'allow';
};

/** One page of what is in force, in the order of the list. */
export async function selectInForce(
  tx: Db,
  accountId: string,
  entityType: EntityType,
  page: { readonly after: string; readonly limit: number; readonly nowMs: number },
): Promise<readonly InForce[]> {
  const { rows } = await sql<InForce>`
    select value, disposition from org_indicator
     where account_id = ${accountId} and entity_type = ${entityType} and value > ${page.after}
       and status = 'approved' and (ends_at is null or ends_at > ${timestampOf(page.nowMs)})
     order by value limit ${page.limit}`.execute(tx);
  return rows;
}

/** The last change of the organization's indicators; null before the first. */
export async function lastChangeMs(tx: Db, accountId: string): Promise<number | null> {
  const { rows } = await sql<{ atMs: number }>`
    select ${msOf('at')} as "atMs" from org_indicator_revision
     where account_id = ${accountId} order by revision desc limit 1`.execute(tx);
  return rows[0]?.atMs ?? null;
}

export type PastEntry = {
  readonly entryKey: Buffer;
  readonly id: string;
  readonly disposition: 'block' | 'allow';
  readonly category: string;
  readonly reason: string | null;
  readonly sinceMs: number;
  readonly endsAtMs: number | null;
};

export async function selectPastEntries(
  tx: Db,
  entryKeys: readonly Buffer[],
  atMs: number,
): Promise<readonly PastEntry[]> {
  const { rows } = await sql<PastEntry>`
    select entry_key as "entryKey", indicator_id as id, disposition, category, reason,
           ${msOf('started_at')} as "sinceMs", ${msOf('ends_at')} as "endsAtMs"
      from org_indicator_period
     where entry_key = any(${entryKeys}::bytea[]) and started_at <= ${timestampOf(atMs)}
       and (ended_at is null or ended_at > ${timestampOf(atMs)})
     limit 1000`.execute(tx);
  return rows;
}

/** Periods of these entries that were in force at some time since `fromMs`, oldest first. */
export async function selectPeriodsSince(
  tx: Db,
  entryKeys: readonly Buffer[],
  fromMs: number,
): Promise<readonly (PastEntry & { readonly endedAtMs: number | null })[]> {
  const { rows } = await sql<PastEntry & { readonly endedAtMs: number | null }>`
    select entry_key as "entryKey", indicator_id as id, disposition, category, reason,
           ${msOf('started_at')} as "sinceMs", ${msOf('ends_at')} as "endsAtMs", ${msOf('ended_at')} as "endedAtMs"
      from org_indicator_period
     where entry_key = any(${entryKeys}::bytea[]) and (ended_at is null or ended_at > ${timestampOf(fromMs)})
     order by started_at limit 10000`.execute(tx);
  return rows;
}

export async function revisionAt(tx: Db, accountId: string, atMs: number): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    select coalesce(max(revision), 0)::float8 as revision from org_indicator_revision
     where account_id = ${accountId} and at <= ${timestampOf(atMs)}`.execute(tx);
  return rows[0]?.revision ?? 0;
}

/** Across organizations: deletes periods that ended, and revisions that were superseded, before `beforeMs`. */
export async function forgetBefore(tx: Db, beforeMs: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with periods as (
      delete from org_indicator_period where ended_at < ${timestampOf(beforeMs)} returning 1
    ), revisions as (
      delete from org_indicator_revision r using org_indicator_revision next
       where next.account_id = r.account_id and next.revision = r.revision + 1
         and next.at < ${timestampOf(beforeMs)} returning 1
    )
    select ((select count(*) from periods) + (select count(*) from revisions))::int as gone`.execute(tx);
  return rows[0]?.gone ?? 0;
}
