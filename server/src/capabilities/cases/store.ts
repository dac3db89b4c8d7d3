import { CASE_PRIORITIES, type CasePriority, type StoredEvidence } from '#domain/cases/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { ActionCase, ListQuery } from './contract.ts';

/** Cases and their evidence, one statement for each function, under row-level security or for one account. */

export type CaseRow = Omit<ActionCase, 'organizationId' | 'evidence' | 'createdAt' | 'updatedAt'> & {
  readonly accountId: string;
  readonly evidenceCount: number;
  readonly evidenceBytes: number;
  readonly head: string;
  readonly version: number;
  readonly changedBy: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly resolvedAtMs: number | null;
};

type Selected = Omit<CaseRow, 'priority'> & { readonly rank: number };
const CASE = sql`
  id, account_id as "accountId", user_id as "userId", title, description, status, priority as rank,
  entity_type as "entityType", entity_value as "entityValue", linked_alert_id as "linkedAlertId",
  linked_cve_finding_id as "linkedCveFindingId", linked_report_id as "linkedReportId",
  evidence_count as "evidenceCount", evidence_bytes as "evidenceBytes", encode(head_hash, 'hex') as head, version,
  changed_by as "changedBy", ${msOf('created_at')} as "createdAtMs", ${msOf('updated_at')} as "updatedAtMs",
  ${msOf('resolved_at')} as "resolvedAtMs"`;

const rowOf = ({ rank, ...row }: Selected): CaseRow => ({ ...row, priority: priorityOf(rank) });
export const priorityOf = (rank: number): CasePriority => CASE_PRIORITIES[rank - 1] ?? 'LOW';
const rankOf = (priority: CasePriority): number => CASE_PRIORITIES.indexOf(priority) + 1;

export async function insertCase(tx: Db, row: CaseRow): Promise<void> {
  await sql`
    insert into action_case (id, account_id, user_id, title, description, status, priority, entity_type, entity_value,
                             linked_alert_id, linked_cve_finding_id, linked_report_id, head_hash, changed_by, created_at,
                             updated_at)
    values (${row.id}, ${row.accountId}, ${row.userId}, ${row.title}, ${row.description}, ${row.status},
            ${rankOf(row.priority)}, ${row.entityType}, ${row.entityValue}, ${row.linkedAlertId},
            ${row.linkedCveFindingId}, ${row.linkedReportId}, decode(${row.head}, 'hex'), ${row.changedBy},
            ${timestampOf(row.createdAtMs)}, ${timestampOf(row.updatedAtMs)})`.execute(tx);
}

export async function findCase(tx: Db, accountId: string, id: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<Selected>`
    select ${CASE} from action_case where account_id = ${accountId} and id = ${id}`.execute(tx);
  return rows.map(rowOf)[0];
}

/** Writers of one case come one after the other, so that each piece has one place in the chain. */
export async function lockCase(tx: Db, accountId: string, id: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<Selected>`
    select ${CASE} from action_case where account_id = ${accountId} and id = ${id} for no key update`.execute(
    tx,
  );
  return rows.map(rowOf)[0];
}

export async function updateCase(tx: Db, row: CaseRow): Promise<void> {
  await sql`
    update action_case
       set title = ${row.title}, description = ${row.description}, status = ${row.status},
           priority = ${rankOf(row.priority)}, entity_type = ${row.entityType}, entity_value = ${row.entityValue},
           linked_alert_id = ${row.linkedAlertId}, linked_cve_finding_id = ${row.linkedCveFindingId},
           linked_report_id = ${row.linkedReportId}, evidence_count = ${row.evidenceCount},
           evidence_bytes = ${row.evidenceBytes}, head_hash = decode(${row.head}, 'hex'), version = ${row.version},
           changed_by = ${row.changedBy}, updated_at = ${timestampOf(row.updatedAtMs)},
           resolved_at = ${timestampOf(row.resolvedAtMs)}
     where account_id = ${row.accountId} and id = ${row.id}`.execute(tx);
}

const matching = (accountId: string, { status, priority }: Pick<ListQuery, 'status' | 'priority'>) => sql`
  account_id = ${accountId}
    and (${status ?? null}::text is null or status = ${status ?? null})
    and (${priority === undefined ? null : rankOf(priority)}::int is null
         or priority = ${priority === undefined ? null : rankOf(priority)}::int)`;

export async function selectCases(tx: Db, accountId: string, query: ListQuery): Promise<readonly CaseRow[]> {
  const { rows } = await sql<Selected>`
    select ${CASE} from action_case
     where ${matching(accountId, query)} and (${query.cursor ?? null}::text is null or id < ${query.cursor ?? null})
     order by id desc limit ${query.limit + 1}`.execute(tx);
  return rows.map(rowOf);
}

export async function countCases(
  tx: Db,
  accountId: string,
  query: Pick<ListQuery, 'status' | 'priority'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from action_case where ${matching(accountId, query)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type EvidenceRow = StoredEvidence & { readonly caseId: string; readonly accountId: string };

export async function insertEvidence(tx: Db, row: EvidenceRow, nowMs: number): Promise<void> {
  await sql`
    insert into case_evidence (id, account_id, case_id, position, kind, title, description, payload, hash, created_at)
    values (${row.id}, ${row.accountId}, ${row.caseId}, ${row.position}, ${row.kind}, ${row.title}, ${row.description},
            ${row.payload}, decode(${row.hash}, 'hex'), ${timestampOf(nowMs)})`.execute(tx);
}

type SelectedEvidence = Omit<EvidenceRow, 'createdAt'> & { readonly createdAtMs: number };

/** Ordered by case and position. `account_id` is compared too, so that a row moved to another account is missing. */
export async function selectEvidence(
  tx: Db,
  accountId: string,
  caseIds: readonly string[],
): Promise<readonly EvidenceRow[]> {
  if (caseIds.length === 0) return [];
  const { rows } = await sql<SelectedEvidence>`
    select id, account_id as "accountId", case_id as "caseId", position, kind, title, description, payload,
           encode(hash, 'hex') as hash, ${msOf('created_at')} as "createdAtMs"
      from case_evidence where case_id = any(${caseIds}::text[]) and account_id = ${accountId}
     order by case_id, position, id`.execute(tx);
  return rows.map(({ createdAtMs, ...row }) => ({ ...row, createdAt: timeText(createdAtMs) }));
}

/** This service writes whole milliseconds. A fraction means tampering, so it stays visible and changes the hash. */
const timeText = (ms: number): string => (Number.isInteger(ms) ? new Date(ms).toISOString() : String(ms));

/** The e-mail address of a person of this account; undefined where the person left. */
export async function nameOfPerson(tx: Db, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`select email from app_user where id = ${userId}`.execute(tx);
  return rows[0]?.email;
}
