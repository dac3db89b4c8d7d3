import { type Db, sql } from '#platform/postgres.ts';
import { msOf, timestampOf } from '#platform/sql-time.ts';
import type { EntityType, ListQuery, ReportSummary } from './contract.ts';

/** Each function is one statement and runs under row-level security: it sees only the rows of one account. */

export type ReportRow = Omit<ReportSummary, 'createdAt'> & {
  readonly createdAtMs: number;
  readonly result: string;
};
export type SummaryRow = Omit<ReportRow, 'result'>;

const SUMMARY = sql`
  id, user_id as "userId", case when account_id ^@ 'org_' then account_id end as "organizationId",
  entity_type as "entityType", entity_value as "entityValue", verdict, risk_score as "riskScore",
  risk_level as "riskLevel", word, note, tags, origin, ${msOf('created_at')} as "createdAtMs"`;

export type NewReport = Omit<ReportRow, 'organizationId'> & { readonly accountId: string };

export async function insertReport(tx: Db, report: NewReport): Promise<void> {
  await sql`
    insert into report (id, account_id, user_id, entity_type, entity_value, verdict, risk_score, risk_level, word, note,
                        tags, origin, result, created_at)
    values (${report.id}, ${report.accountId}, ${report.userId}, ${report.entityType}, ${report.entityValue},
            ${report.verdict}, ${report.riskScore}, ${report.riskLevel}, ${report.word}, ${report.note},
            ${report.tags}::text[], ${report.origin}, ${report.result}, ${timestampOf(report.createdAtMs)})`.execute(
    tx,
  );
}

/** Locks the reports of an account until the commit, so that two writers cannot both take the last free place. */
export async function lockAccountReports(tx: Db, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('report ' || ${accountId}, 0))`.execute(tx);
}

export async function countReports(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from report where account_id = ${accountId}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findReport(tx: Db, accountId: string, id: string): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`
    select ${SUMMARY}, result from report where account_id = ${accountId} and id = ${id}`.execute(tx);
  return rows[0];
}

export async function deleteReport(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    delete from report where account_id = ${accountId} and id = ${id} returning id`.execute(tx);
  return rows.length > 0;
}

/** `%` and `_` in the search text are matched literally. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

const matching = (accountId: string, { search, entityType }: Pick<ListQuery, 'search' | 'entityType'>) => {
  const pattern = search === undefined || search === '' ? null : containing(search);
  return sql`
    where account_id = ${accountId}
      and (${entityType ?? null}::text is null or entity_type = ${entityType ?? null})
      and (${pattern}::text is null or entity_value ilike ${pattern} or note ilike ${pattern}
           or array_to_string(tags, ' ') ilike ${pattern})`;
};

export async function selectReports(
  tx: Db,
  accountId: string,
  query: ListQuery,
): Promise<readonly SummaryRow[]> {
  const { rows } = await sql<SummaryRow>`
    select ${SUMMARY} from report ${matching(accountId, query)}
     order by created_at desc, id desc
     limit ${query.limit} offset ${(query.page - 1) * query.limit}`.execute(tx);
  return rows;
}

export async function countMatching(tx: Db, accountId: string, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from report ${matching(accountId, query)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export type Range = { readonly fromMs: number | null; readonly toMs: number | null };
export type After = { readonly createdAtMs: number; readonly id: string };

/** One page of an export, newest first. The keyset neither repeats nor skips a row while others are saved. */
export async function selectForExport(
  tx: Db,
  accountId: string,
  range: Range,
  after: After | null,
  limit: number,
): Promise<readonly ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ${SUMMARY}, result from report
     where account_id = ${accountId}
       and (${timestampOf(range.fromMs)} is null or created_at >= ${timestampOf(range.fromMs)})
       and (${timestampOf(range.toMs)} is null or created_at <= ${timestampOf(range.toMs)})
       and (${after?.id ?? null}::text is null
            or (created_at, id) < (${timestampOf(after?.createdAtMs ?? null)}, ${after?.id ?? null}))
     order by created_at desc, id desc
     limit ${limit}`.execute(tx);
  return rows;
}

export async function selectByEntity(
  tx: Db,
  accountId: string,
  entity: { readonly entityType: EntityType; readonly entityValue: string },
  limit: number,
): Promise<readonly ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ${SUMMARY}, result from report
     where account_id = ${accountId} and entity_type = ${entity.entityType}
       and md5(entity_value) = md5(${entity.entityValue}) and entity_value = ${entity.entityValue}
     order by created_at desc, id desc
     limit ${limit}`.execute(tx);
  return rows;
}
