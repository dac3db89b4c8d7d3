import { Readable } from 'node:stream';
import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { EntityExportBody, ExportQuery } from './contract.ts';
import { presentReport, REPORTS_MAX, type ReportsDeps } from './keep-reports.ts';
import { CSV_HEADER, presentCsvRow } from './present-csv.ts';
import { presentHtml } from './present-html.ts';
import { entityOf } from './read-result.ts';
import { type After, type ReportRow, selectByEntity, selectForExport } from './store.ts';

export type ExportFile = {
  readonly name: string;
  readonly type: string;
  readonly body: string | Readable;
};

/** An export holds one page in memory: 100 results of 256 KiB are 25 MiB. */
const PAGE = 100;
/** An entity checked once an hour for four days gives 96 reports; older ones are in the whole export. */
const ENTITY_REPORTS_MAX = 100;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

/**
 * Exports everything saved in a range, newest first, page by page; the limit of an account is also that of the export.
 * The first page is read before anything is sent, so that a failure of the database still gets its own status.
 */
export async function exportReports(
  deps: ReportsDeps,
  { accountId }: Principal,
  query: ExportQuery,
): Promise<ExportFile> {
  const readPage = (after: After | null) =>
    deps.postgres.withAccount(accountId, (tx) => selectForExport(tx, accountId, query, after, PAGE));
  const first = await readPage(null);
  const rows = rowsAfter(first, readPage);
  const day = dayOf(deps.clock);
  return {
    name: `reports-${day}.${query.format}`,
    type: TYPES[query.format],
    body: Readable.from(query.format === 'csv' ? csvText(rows) : jsonText(rows), { objectMode: false }),
  };
}

async function* rowsAfter(
  first: readonly ReportRow[],
  readPage: (after: After) => Promise<readonly ReportRow[]>,
): AsyncGenerator<ReportRow> {
  let page = first;
  for (let sent = 0; page.length > 0 && sent < REPORTS_MAX; sent += page.length) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    page = await readPage(last);
  }
}

async function* csvText(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  yield CSV_HEADER;
  for await (const row of rows) yield presentCsvRow(row);
}

async function* jsonText(rows: AsyncIterable<ReportRow>): AsyncGenerator<string> {
  let before = '{"reports":[';
  for await (const row of rows) {
    yield before + JSON.stringify(presentReport(row));
    before = ',';
  }
  yield before === ',' ? ']}\n' : `${before}]}\n`;
}

export async function exportEntity(
  deps: ReportsDeps,
  { accountId }: Principal,
  { entityType, entityValue, format }: EntityExportBody,
): Promise<ExportFile> {
  const entity = entityOf(entityValue, 'entityValue');
  const rows =
    entity.entityType === entityType
      ? await deps.postgres.withAccount(accountId, (tx) =>
          selectByEntity(tx, accountId, entity, ENTITY_REPORTS_MAX),
        )
      : [];
  if (rows.length === 0)
    throw new ServiceError(
      'Not Found',
      `No report about the ${entityType} '${entity.entityValue}' has been saved. Save one with POST /reports/save.`,
    );
  const name = `report-${entityType}-${dayOf(deps.clock)}.${format}`;
  const pieces = piecesOf(format, entity, rows, deps.clock.now());
  return { name, type: TYPES[format], body: Readable.from(pieces, { objectMode: false }) };
}

/** Written report by report: 25 MiB in one piece would block other requests for a second. */
function piecesOf(
  format: EntityExportBody['format'],
  entity: ReturnType<typeof entityOf>,
  rows: readonly ReportRow[],
  nowMs: number,
): Iterable<string> {
  switch (format) {
    case 'csv':
      return [CSV_HEADER, ...rows.map(presentCsvRow)];
    case 'html':
      return presentHtml(entity, rows, nowMs);
    case 'json':
      return entityJson(entity, rows, nowMs);
  }
}

function* entityJson(
  entity: ReturnType<typeof entityOf>,
  rows: readonly ReportRow[],
  nowMs: number,
): Generator<string> {
  const head = JSON.stringify({ ...entity, exportedAt: new Date(nowMs).toISOString() });
  yield `${head.slice(0, -1)},"reports":[`;
  for (const [index, row] of rows.entries())
    yield (index === 0 ? '' : ',') + JSON.stringify(presentReport(row));
  yield ']}\n';
}

const dayOf = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);
