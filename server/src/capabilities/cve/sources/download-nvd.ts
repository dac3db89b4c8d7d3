import { readFile } from 'node:fs/promises';
import {
  type DatasetCursor,
  type DatasetDeps,
  type Fetchable,
  type FetchGiven,
  fetchPages,
} from '#capabilities/datasets/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { DAY_MS } from '#platform/time-units.ts';

/** The widest range of dates that NVD answers. */
const WINDOW_MS = 120 * DAY_MS;
const PAGE_RECORDS = 2_000;
/** The first record of NVD was modified after this day. */
const FIRST_MS = Date.UTC(2002, 0, 1);
/** Pauses between requests: NVD allows 5 requests in 30 s, and 50 with a key. */
const PAUSE_MS = 6_000;
const PAUSE_WITH_KEY_MS = 600;
const PAGES_MAX = 1_000;
const KEY = { env: 'NVD_API_KEY', header: 'apiKey' } as const;
/** Changes of the last minutes may appear late, so a window begins a little before the last one ended. */
const OVERLAP_MS = 3_600_000;

type NvdPage = { readonly total: number; readonly startIndex: number; readonly ids: readonly unknown[] };

/** Asks for what changed since the last load, window by window and page by page. */
export async function downloadNvd(
  deps: DatasetDeps,
  row: Fetchable,
  given: FetchGiven,
  cursor: DatasetCursor,
) {
  const nowMs = deps.clock.now();
  const walk = new NvdWalk(row.urls[0] ?? '', cursor, nowMs);
  // The key is optional, because it only makes NVD faster; so it is added here and not declared in the row.
  const hasKey = deps.keys(KEY.env) !== undefined;
  return fetchPages(deps, hasKey ? { ...row, key: KEY } : row, given, {
    next: (path) => walk.next(path),
    pauseMs: hasKey ? PAUSE_WITH_KEY_MS : PAUSE_MS,
    pagesMax: PAGES_MAX,
    // The start of this download: records modified while pages are loaded belong to the next one.
    cursor: () => ({ through: new Date(nowMs).toISOString() }),
  });
}

class NvdWalk {
  readonly #base: string;
  readonly #nowMs: number;
  #fromMs: number;
  #total: number | null = null;
  /** Ids of the records on the pages of this window, to notice repeated ones. */
  #ids = new Set<unknown>();

  constructor(base: string, cursor: DatasetCursor, nowMs: number) {
    this.#base = base;
    this.#nowMs = nowMs;
    const through = typeof cursor?.through === 'string' ? Date.parse(cursor.through) : Number.NaN;
    this.#fromMs = Number.isNaN(through) ? FIRST_MS : through - OVERLAP_MS;
  }

  async next(path: string | null): Promise<{ readonly url: string } | null> {
    if (path !== null && this.#take(await readPage(path))) {
      [this.#fromMs, this.#total] = [this.#fromMs + WINDOW_MS, null];
      this.#ids.clear();
      if (this.#fromMs >= this.#nowMs) return null;
    }
    const url = new URL(this.#base);
    url.searchParams.set('lastModStartDate', new Date(this.#fromMs).toISOString());
    url.searchParams.set(
      'lastModEndDate',
      new Date(Math.min(this.#fromMs + WINDOW_MS, this.#nowMs)).toISOString(),
    );
    url.searchParams.set('resultsPerPage', String(PAGE_RECORDS));
    url.searchParams.set('startIndex', String(this.#ids.size));
    return { url: url.href };
  }

  /**
   * True: the window is complete. A total that changes between two pages, or a record on two of them, means that records
   * moved during the walk, and one of them may have been passed over.
   */
  #take({ total, startIndex, ids }: NvdPage): boolean {
    const at = this.#ids.size;
    for (const id of ids) this.#ids.add(id);
    const isNext =
      startIndex === at &&
      (this.#total === null || this.#total === total) &&
      (ids.length > 0 || total === at) &&
      this.#ids.size === at + ids.length &&
      this.#ids.size <= total;
    if (!isNext)
      throw new GateError(
        'truncated',
        `The pages of NVD do not fit together (${ids.length} records from ${startIndex} of ${total}, after ${at} others). They are asked for again later.`,
        false,
      );
    this.#total = total;
    return this.#ids.size === total;
  }
}

async function readPage(path: string): Promise<NvdPage> {
  try {
    const { totalResults, startIndex, vulnerabilities } = JSON.parse(await readFile(path, 'utf8')) as {
      readonly totalResults?: unknown;
      readonly startIndex?: unknown;
      readonly vulnerabilities?: readonly { readonly cve?: { readonly id?: unknown } }[];
    };
    if (
      Number.isSafeInteger(totalResults) &&
      Number.isSafeInteger(startIndex) &&
      Array.isArray(vulnerabilities)
    )
      return {
        total: totalResults as number,
        startIndex: startIndex as number,
        // Records without an id are counted here and refused by the reader.
        ids: vulnerabilities.map((item, at) => item?.cve?.id ?? `${String(startIndex)} ${at}`),
      };
  } catch {
    // A page that is not JSON ends in the error below.
  }
  throw new GateError(
    'truncated',
    'A page of NVD was cut off or is no page. It is asked again later.',
    false,
  );
}
