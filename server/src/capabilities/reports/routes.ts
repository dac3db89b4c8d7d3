import { z } from 'zod';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type PreparedBody, preparedBody, type Route, route } from '#platform/http/route.ts';
import {
  EntityExportBody,
  ExportQuery,
  ListQuery,
  RESULT_BYTES_MAX,
  Report,
  ReportList,
  ReportParams,
  SaveBody,
  SavedReport,
} from './contract.ts';
import { type ExportFile, exportEntity, exportReports } from './export-reports.ts';
import { listReports, type ReportsDeps, readReport, removeReport, saveReport } from './keep-reports.ts';

const TAGS = ['reports'];
/** Room for the largest result, and as much again for the note, the tags and JSON escapes. */
const BODY_MAX = RESULT_BYTES_MAX * 2;
/** As many values as fit: a result may have any shape, and the shortest value with its comma takes two bytes. */
const BODY_VALUES_MAX = RESULT_BYTES_MAX / 2;
/** A viewer may not write for the organization. */
const WRITERS = ['OWNER', 'ADMIN', 'MEMBER'] as const;
const WRITE: Policy = { ...KEYED, role: WRITERS, class: 'C' };

export const reportsRoutes = (deps: ReportsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/reports',
    summary: 'The checks this account has saved, newest first.',
    tags: TAGS,
    policy: KEYED,
    query: ListQuery,
    reply: ReportList,
    handle: ({ principal, query }) => listReports(deps, principal, query),
  }),
  ...['/reports/save', '/reports'].map((path) => saveRoute(deps, path)),
  ...exportRoutes(deps),
  route({
    method: 'GET',
    path: '/reports/:id',
    summary: 'One saved check, with its result as it was.',
    tags: TAGS,
    policy: KEYED,
    params: ReportParams,
    reply: Report,
    handle: ({ principal, params }) => readReport(deps, principal, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/reports/:id',
    summary: 'Delete a saved check.',
    tags: TAGS,
    policy: WRITE,
    params: ReportParams,
    status: 204,
    reply: z.undefined(),
    handle: async ({ principal, params }) => {
      await removeReport(deps, principal, params.id);
      return undefined;
    },
  }),
];

const saveRoute = (deps: ReportsDeps, path: string): Route =>
  route({
    method: 'POST',
    path,
    summary: 'Keep the result of a check.',
    description:
      'Checks are never saved by themselves. The result is kept as it was sent, without any `pwnedPassword`. An account keeps at most 10,000 reports; the next one is refused with 409. `POST /reports` and `POST /reports/save` are the same.',
    tags: TAGS,
    policy: { ...WRITE, bodyMax: BODY_MAX, bodyValuesMax: BODY_VALUES_MAX, idempotent: true, stores: true },
    body: SaveBody,
    status: 201,
    reply: SavedReport,
    again: {
      idOf: ({ report }) => report.id,
      read: async ({ principal }, id) => ({ report: await readReport(deps, principal, id) }),
    },
    handle: async ({ principal, body }) => ({
      report: await saveReport(deps, principal, body),
    }),
  });

const exportRoutes = (deps: ReportsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/reports/export',
    summary: 'Everything saved in a range of time, as a file.',
    description:
      'CSV (the default) has a row a report and is safe to open in a spreadsheet; JSON is `{reports[]}` with each result whole. At most 10,000 reports, which is all an account can have.',
    tags: TAGS,
    policy: { ...KEYED, class: 'E', deadlineMs: 60_000 },
    query: ExportQuery,
    produces: 'text/csv',
    alsoProduces: ['application/json'],
    reply: z.string().describe('A file: text/csv, or application/json with `format=json`.'),
    handle: async ({ principal, query, reply }) => send(reply, await exportReports(deps, principal, query)),
  }),
  route({
    method: 'POST',
    path: '/reports/entity-export',
    summary: 'What was saved about one entity, as a file.',
    description:
      'The newest 100 reports about it, as JSON, CSV, or an HTML page that stands alone: no script, nothing loaded, the indicator defanged. 404 when none was saved.',
    tags: TAGS,
    policy: { ...KEYED, class: 'E', deadlineMs: 30_000 },
    body: EntityExportBody,
    mayBeAbsent: true,
    produces: 'text/html',
    alsoProduces: ['text/csv', 'application/json'],
    reply: z.string().describe('A file: application/json, text/csv or text/html, by `format`.'),
    handle: async ({ principal, body, reply }) => send(reply, await exportEntity(deps, principal, body)),
  }),
];

type Headers = {
  readonly header: (name: string, value: string) => unknown;
  readonly type: (value: string) => unknown;
};

/** Always sent as a download: a browser must not show a file made of outside text as a page of this host. */
function send(reply: Headers, file: ExportFile): PreparedBody {
  reply.header('content-disposition', `attachment; filename="${file.name}"`);
  reply.header('x-content-type-options', 'nosniff');
  reply.type(file.type);
  return preparedBody(file.body);
}
