import { setTimeout as sleep } from 'node:timers/promises';
import { GateError } from '#capabilities/lists/index.ts';
import type { DatasetCursor, DatasetDeps, Fetchable, FetchedPart } from '../contract.ts';
import { contentShaOf } from './content-sha.ts';
import { DownloadError } from './download-error.ts';
import { type FetchedDataset, type FetchGiven, fetchPart } from './fetch-dataset.ts';
import { openSpool, type Spool } from './spool.ts';

export type Page = {
  readonly url: string;
  /** True: the publisher may lack this page; on a 404 the walk goes on without it. */
  readonly mayBeMissing?: boolean;
};

export type PageWalk = {
  /**
   * The page after the one at `path`; null: it was the last one. `path` is null before the first page and after a page
   * that the publisher does not have. Throws a GateError when the page is not one.
   */
  readonly next: (path: string | null) => Promise<Page | null>;
  /** The pause between two requests that the publisher's rate limit asks for. */
  readonly pauseMs: number;
  readonly pagesMax: number;
  /** After the last page: where the next download starts. */
  readonly cursor: () => DatasetCursor;
};

const ATTEMPTS_MAX = 3;
const FIRST_RETRY_MS = 30_000;
/** A run waits this long at most for a busy publisher; a longer wait is left to the data set's schedule. */
const RETRY_AFTER_MAX_MS = 120_000;
/** Pages of a walk that was killed are used again for this long, because asking for hundreds of them takes an hour. */
const SPOOLED_FOR_MS = 6 * 3_600_000;

type Task = {
  readonly deps: DatasetDeps;
  readonly row: Fetchable;
  readonly spool: Spool;
  readonly given: FetchGiven;
};

/** Downloads the pages of a publisher one after another; each becomes a part of the snapshot. */
export async function fetchPages(
  deps: DatasetDeps,
  row: Fetchable,
  given: FetchGiven,
  walk: PageWalk,
): Promise<FetchedDataset> {
  const task: Task = { deps, row, given, spool: await openSpool(deps.dataDir, row.id) };
  const parts: FetchedPart[] = [];
  const paths: string[] = [];
  let asked = 0;
  for (let page = await walk.next(null); page !== null; ) {
    if (parts.length >= walk.pagesMax)
      throw new GateError(
        'too-large',
        `The publisher has more than ${walk.pagesMax.toLocaleString('en-US')} pages, which is more than is known of it. Nothing was taken.`,
        false,
      );
    const spooled = await task.spool.recent(parts.length, page.url, deps.clock.now() - SPOOLED_FOR_MS);
    if (spooled === null && asked > 0) await wait(task, walk.pauseMs);
    if (spooled === null) asked += 1;
    const part = spooled ?? (await askPatiently(task, parts.length, page));
    if (part !== null) {
      paths.push(task.spool.path(parts.length));
      parts.push(part);
    }
    page = await walk.next(part === null ? null : (paths.at(-1) ?? null));
  }
  return {
    hasFiles: true,
    paths,
    parts,
    sha256: contentShaOf(parts.map(({ sha256 }) => sha256)),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    lastModifiedMs: null,
    cursor: walk.cursor(),
  };
}

const wait = ({ deps, given: { signal } }: Task, ms: number): Promise<void> =>
  deps.wait === undefined
    ? sleep(ms, undefined, signal === undefined ? {} : { signal })
    : deps.wait(ms, signal);

/** Retries, so that one busy moment in hundreds of requests does not end the walk. Null: the page does not exist. */
async function askPatiently(task: Task, index: number, page: Page): Promise<FetchedPart | null> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return (await fetchPart(task, index, page.url, null)).part;
    } catch (error) {
      if (page.mayBeMissing === true && isMissing(error)) return null;
      const waitMs = retryWaitMs(error, attempt);
      if (waitMs === null || task.given.signal?.aborted === true) throw error;
      await wait(task, waitMs);
    }
}

const isMissing = (error: unknown): boolean => error instanceof DownloadError && error.status === 404;

/** Null: do not try again. NVD answers 403 and 503 to callers that ask too often, so both count as busy. */
function retryWaitMs(error: unknown, attempt: number): number | null {
  if (!(error instanceof DownloadError) || error.status === null || attempt >= ATTEMPTS_MAX) return null;
  const isBusy = error.status === 403 || error.status === 429 || error.status >= 500;
  const waitMs = Math.max(FIRST_RETRY_MS * attempt, error.retryAfterMs ?? 0);
  return isBusy && waitMs <= RETRY_AFTER_MAX_MS ? waitMs : null;
}
