import type { Clock } from '#platform/clock.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { newId } from '#platform/ids.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import type { ListQuery, Report, ReportList, ReportSummary, SaveBody } from './contract.ts';
import { readResult } from './read-result.ts';
import {
  countMatching,
  countReports,
  deleteReport,
  findReport,
  insertReport,
  lockAccountReports,
  type ReportRow,
  type SummaryRow,
  selectReports,
} from './store.ts';

export type ReportsDeps = { readonly postgres: Postgres; readonly clock: Clock };

/** Equal to the limit of one export (decisions 3.17), so that an account can always export everything. */
export const REPORTS_MAX = 10_000;
/** Text that is not an id is not looked up, because the database refuses U+0000. */
const isReportId = (id: string): boolean => /^rpt_[0-9A-Z]+$/.test(id);

export function saveReport(
  { postgres, clock }: ReportsDeps,
  { accountId, userId, organizationId }: Principal,
  body: SaveBody,
): Promise<Report> {
  const row = {
    ...readResult(body),
    id: newId('rpt', clock.now()),
    userId,
    note: body.note ?? null,
    tags: [...new Set(body.tags ?? [])],
    origin: 'client' as const,
    createdAtMs: clock.now(),
  };
  return postgres.withAccount(accountId, async (tx) => {
    await lockAccountReports(tx, accountId);
    if ((await countReports(tx, accountId)) >= REPORTS_MAX) throw full();
    await insertReport(tx, { ...row, accountId });
    return presentReport({ ...row, organizationId });
  });
}

export function listReports(
  { postgres }: ReportsDeps,
  { accountId }: Principal,
  query: ListQuery,
): Promise<ReportList> {
  return postgres.withAccount(accountId, async (tx) => ({
    reports: (await selectReports(tx, accountId, query)).map(presentSummary),
    total: await countMatching(tx, accountId, query),
    page: query.page,
    limit: query.limit,
  }));
}

/** A report of another account gives the same answer as a missing one (decisions 1.2). */
export async function readReport(
  { postgres }: ReportsDeps,
  { accountId }: Principal,
  id: string,
): Promise<Report> {
  const row = isReportId(id)
    ? await postgres.withAccount(accountId, (tx) => findReport(tx, accountId, id))
    : undefined;
  if (row === undefined) throw notFound('Report', id);
  return presentReport(row);
}

/** Part of a transaction of the account that links a report. */
export const hasReport = async (tx: Db, accountId: string, id: string): Promise<boolean> =>
  isReportId(id) && (await findReport(tx, accountId, id)) !== undefined;

export async function removeReport(
  { postgres }: ReportsDeps,
  { accountId }: Principal,
  id: string,
): Promise<void> {
  const isGone =
    isReportId(id) && (await postgres.withAccount(accountId, (tx) => deleteReport(tx, accountId, id)));
  if (!isGone) throw notFound('Report', id);
}

export const presentSummary = (row: SummaryRow): ReportSummary => ({
  id: row.id,
  userId: row.userId,
  organizationId: row.organizationId,
  entityType: row.entityType,
  entityValue: row.entityValue,
  verdict: row.verdict,
  riskScore: row.riskScore,
  riskLevel: row.riskLevel,
  word: row.word,
  note: row.note,
  tags: row.tags,
  origin: row.origin,
  createdAt: new Date(row.createdAtMs).toISOString(),
});

export const presentReport = (row: ReportRow): Report => ({
  ...presentSummary(row),
  result: JSON.parse(row.result) as Report['result'],
});

const full = (): ServiceError =>
  new ServiceError(
    'Conflict',
    `This account has saved ${REPORTS_MAX} reports, which is the maximum. Export them and delete some first.`,
  );
