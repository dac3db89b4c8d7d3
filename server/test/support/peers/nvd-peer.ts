import type { Behaviour } from '../publisher.ts';

const DAY_MS = 86_400_000;
const WINDOW_DAYS_MAX = 120;
const PAGE_RECORDS_MAX = 2_000;
/** 5 requests in any 30 seconds without a key. */
const RATE = { requests: 5, withKey: 50, windowMs: 30_000 };

export type NvdRecord = { readonly id: string; readonly lastModified: string } & Readonly<
  Record<string, unknown>
>;
export type NvdPage = {
  readonly resultsPerPage: number;
  readonly startIndex: number;
  readonly totalResults: number;
  readonly vulnerabilities: readonly unknown[];
} & Readonly<Record<string, unknown>>;

export type NvdOptions = {
  readonly now: () => number;
  /** Records of a page: fewer than NVD's 2,000, so that a walk of a few records has several pages. */
  readonly pageRecords: number;
  readonly records: () => readonly NvdRecord[];
  /** Changes a page before it is sent; `nth` counts the answered pages from 1. */
  readonly turn?: (page: NvdPage, nth: number) => unknown;
};

/** NVD's API 2.0: windows of 120 days at most, pages, totals, and 403 to callers that ask too often. */
export function nvdPeer({ now, pageRecords, records, turn }: NvdOptions): Behaviour {
  const asked: number[] = [];
  let answered = 0;
  return (request, response) => {
    const refuse = (status: number, message: string) =>
      response.writeHead(status, { message, 'content-type': 'text/plain' }).end(message);
    const limit = request.headers.apikey === undefined ? RATE.requests : RATE.withKey;
    asked.push(now());
    if (asked.filter((atMs) => atMs > now() - RATE.windowMs).length > limit)
      return refuse(403, 'Request forbidden by administrative rules.');
    const query = new URL(request.url ?? '/', 'http://nvd').searchParams;
    const from = Date.parse(query.get('lastModStartDate') ?? '');
    const to = Date.parse(query.get('lastModEndDate') ?? '');
    const wanted = Number(query.get('resultsPerPage') ?? PAGE_RECORDS_MAX);
    const startIndex = Number(query.get('startIndex') ?? 0);
    if (Number.isNaN(from) || Number.isNaN(to) || to < from || to - from > WINDOW_DAYS_MAX * DAY_MS)
      return refuse(404, 'Invalid date range.');
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > PAGE_RECORDS_MAX)
      return refuse(404, 'Invalid resultsPerPage.');
    const found = records().filter(({ lastModified }) => {
      const atMs = Date.parse(`${lastModified}Z`);
      return atMs >= from && atMs <= to;
    });
    const shown = found.slice(startIndex, startIndex + Math.min(wanted, pageRecords));
    const page: NvdPage = {
      resultsPerPage: shown.length,
      startIndex,
      totalResults: found.length,
      format: 'NVD_CVE',
      version: '2.0',
      timestamp: new Date(now()).toISOString().slice(0, -1),
      vulnerabilities: shown.map((cve) => ({ cve })),
    };
    answered += 1;
    const said = turn === undefined ? page : turn(page, answered);
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(typeof said === 'string' ? said : JSON.stringify(said));
  };
}
