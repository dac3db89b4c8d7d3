import { readFile } from 'node:fs/promises';
import {
  type DatasetCursor,
  type DatasetDeps,
  type FetchGiven,
  fetchPages,
} from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { CveSourceRow } from './source-row.ts';

/** The widest range of dates that NVD answers. */
const WINDOW_MS = 120 * DAY_MS;
const PAGE_RECORDS = 2_000;
/** The first record of NVD was modified after this day. */
const FIRST_MS = Date.UTC(2002, 0, 1);
/** NVD allows 5 requests in 30 s, and 50 with a key. */
const PAUSE_MS = 6_000;
const PAUSE_WITH_KEY_MS = 600;
const PAGES_MAX = 1_000;
const KEY = { env: 'NVD_API_KEY', header: 'apiKey' } as const;
/** Changes of the last minutes may appear late, so a window begins a little before the last one ended. */
const OVERLAP_MS = 3_600_000;

type Page = { readonly total: number; readonly startIndex: number; readonly records: number };

/** Asks for what changed since the last load, window by window and page by page. */
export async function downloadNvd(
  deps: DatasetDeps,
  row: CveSourceRow,
  given: FetchGiven,
  cursor: DatasetCursor,
) {
  const [base = ''] = row.urls;
  const nowMs = deps.clock.now();
  const through = typeof cursor?.through === 'string' ? Date.parse(cursor.through) : Number.NaN;
  let fromMs = Number.isNaN(through) ? FIRST_MS : through - OVERLAP_MS;
  let startIndex = 0;
  let total: number | null = null;
  const next = async (path: string | null): Promise<string | null> => {
    if (path !== null) {
      const page = await readPage(path);
      judgePage(page, startIndex, total);
      total = page.total;
      startIndex += page.records;
      if (startIndex >= page.total) {
        [fromMs, startIndex, total] = [fromMs + WINDOW_MS, 0, null];
        if (fromMs >= nowMs) return null;
      }
    }
    const url = new URL(base);
    url.searchParams.set('lastModStartDate', new Date(fromMs).toISOString());
    url.searchParams.set('lastModEndDate', new Date(Math.min(fromMs + WINDOW_MS, nowMs)).toISOString());
    url.searchParams.set('resultsPerPage', String(PAGE_RECORDS));
    url.searchParams.set('startIndex', String(startIndex));
    return url.href;
  };
  // A key only makes NVD faster, so the row itself does not ask for one.
  const hasKey = deps.keys(KEY.env) !== undefined;
  return fetchPages(deps, hasKey ? { ...row, key: KEY } : row, given, {
    next,
    pauseMs: hasKey ? PAUSE_WITH_KEY_MS : PAUSE_MS,
    pagesMax: PAGES_MAX,
  });
}

async function readPage(path: string): Promise<Page> {
  try {
    const page = JSON.parse(await readFile(path, 'utf8')) as {
      readonly totalResults?: unknown;
      readonly startIndex?: unknown;
      readonly vulnerabilities?: unknown;
    };
    const { totalResults, startIndex, vulnerabilities } = page;
    if (typeof totalResults === 'number' && typeof startIndex === 'number' && Array.isArray(vulnerabilities))
      return { total: totalResults, startIndex, records: vulnerabilities.length };
  } catch {
    // The sentence below says it.
  }
  throw new GateError(
    'truncated',
    'A page of NVD was cut off or is no page. It is asked again later.',
    false,
  );
}

/** A total that changes between two pages means that records moved, and one of them may have been passed over. */
function judgePage(page: Page, startIndex: number, total: number | null): void {
  if (
    page.startIndex === startIndex &&
    (total === null || page.total === total) &&
    (page.records > 0 || page.total === startIndex)
  )
    return;
  throw new GateError(
    'truncated',
    `The pages of NVD do not fit together (${page.records} records from ${page.startIndex} of ${page.total}). They are asked for again later.`,
    false,
  );
}

/** NVD is asked from the end of the last window on. */
export const nvdCursor = (_before: DatasetCursor, nowMs: number) => ({
  through: new Date(nowMs).toISOString(),
});
