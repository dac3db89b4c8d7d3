import type { CallOptions } from './exchange.ts';
import type { Operations } from './generated/operations.ts';
import type { Report, ReportSummary } from './generated/schemas.ts';

type ListQuery = NonNullable<Operations['getReports']['query']>;
export type ReportPage = Operations['getReports']['reply'];
export type SaveReport = Operations['postReports']['body'];
export type ReportFilter = Pick<ListQuery, 'search' | 'entityType'> & {
  /** Reports per request, at most 100. */
  readonly pageSize?: number | undefined;
};

export type Reports = {
  readonly list: (query?: ListQuery, options?: CallOptions) => Promise<ReportPage>;
  /** All matching reports, newest first, fetched page by page. */
  readonly all: (
    filter?: ReportFilter,
    options?: CallOptions,
  ) => AsyncGenerator<ReportSummary, void, undefined>;
  readonly get: (id: string, options?: CallOptions) => Promise<Report>;
  readonly save: (report: SaveReport, options?: CallOptions) => Promise<Report>;
  readonly remove: (id: string, options?: CallOptions) => Promise<void>;
};

const PAGE_SIZE = 100;

/** The newest come first, so a report saved meanwhile shifts some of the last page onto the next; those are skipped. */
export async function* allReports(
  list: Reports['list'],
  { pageSize = PAGE_SIZE, ...filter }: ReportFilter,
  options: CallOptions,
): AsyncGenerator<ReportSummary, void, undefined> {
  let before = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { reports, total, limit } = await list({ ...filter, page, limit: pageSize }, options);
    for (const report of reports) if (!before.has(report.id)) yield report;
    if (reports.length === 0 || page * limit >= total) return;
    before = new Set(reports.map(({ id }) => id));
  }
}
