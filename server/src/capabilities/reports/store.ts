import { type Db, sql } from '#platform/postgres.ts';
import type { EntityType, ListQuery, ReportSummary } from './contract.ts';

/** Each function is one statement and runs under row-level security: it sees the rows of one account. */

export type ReportRow = Omit<ReportSummary, 'createdAt'> & {
  readonly createdAtMs: number;
  readonly result: string;
};
export type SummaryRow = Omit<ReportRow, 'result'>;

const SUMMARY = sql`
  id, user_id as "userId", case when account_id ^@ 'org_' then account_id end as "organizationId",
  entity_type as "entityType", entity_value as "entityValue", verdict, risk_score as "riskScore",
  risk_level as "riskLevel", note, tags, origin, (extract(epoch from created_at) * 1000)::float8 as "createdAtMs"`;

export type NewReport = Omit<ReportRow, 'organizationId'> & { readonly accountId: string };

export async function insertReport(tx: Db, report: NewReport): Promise<void> {
  await sql`
    insert into report (id, account_id, user_id, entity_type, entity_value, verdict, risk_score, risk_level, note, tags,
                        origin, result, created_at)
    values (${report.id}, ${report.accountId}, ${report.userId}, ${report.entityType}, ${report.entityValue},
            ${report.verdict}, ${report.riskScore}, ${report.riskLevel}, ${report.note}, ${report.tags}::text[],
            ${report.origin}, ${report.result}, to_timestamp(${report.createdAtMs / 1000}::float8))`.execute(
    tx,
  );
}

/** One writer an account at a time, or two could both find the last place free. */
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

/** `%` and `_` in what a person types are themselves. */
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
/** Where the last page ended. */
export type After = { readonly createdAtMs: number; readonly id: string };

/** Newest first, one page of an export: a keyset, so that saving meanwhile neither repeats nor skips a row. */
export async function selectForExport(
  tx: Db,
  accountId: string,
  range: Range,
  after: After | null,
  limit: number,
): Promise<readonly ReportRow[]> {
  const at = (ms: number | null) => (ms === null ? null : ms / 1000);
  const { rows } = await sql<ReportRow>`
    select ${SUMMARY}, result from report
     where account_id = ${accountId}
       and (${at(range.fromMs)}::float8 is null or created_at >= to_timestamp(${at(range.fromMs)}::float8))
       and (${at(range.toMs)}::float8 is null or created_at <= to_timestamp(${at(range.toMs)}::float8))
       and (${after?.id ?? null}::text is null
            or (created_at, id) < (to_timestamp(${at(after?.createdAtMs ?? null)}::float8), ${after?.id ?? null}))
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
