import { setTimeout as sleep } from 'node:timers/promises';
import type { DatasetDeps, Fetchable, FetchedPart } from '../contract.ts';
import { contentShaOf } from './content-sha.ts';
import { type FetchedDataset, type FetchGiven, fetchPart } from './fetch-dataset.ts';
import { openSpool } from './spool.ts';

export type PageWalk = {
  /** The address after the page at `path`; null: it was the last one. Throws a GateError when the page is not one. */
  readonly next: (path: string | null) => Promise<string | null>;
  /** Between two requests, by the publisher's rate. */
  readonly pauseMs: number;
  readonly pagesMax: number;
};

/** Downloads the pages of a publisher one after another; each becomes a part of the snapshot. */
export async function fetchPages(
  deps: DatasetDeps,
  row: Fetchable,
  given: FetchGiven,
  { next, pauseMs, pagesMax }: PageWalk,
): Promise<FetchedDataset> {
  const spool = await openSpool(deps.dataDir, row.id);
  const parts: FetchedPart[] = [];
  const paths: string[] = [];
  for (let path: string | null = null; parts.length < pagesMax; ) {
    const url = await next(path);
    if (url === null) break;
    if (parts.length > 0)
      await sleep(pauseMs, undefined, given.signal === undefined ? {} : { signal: given.signal });
    const { part } = await fetchPart({ deps, row, spool, given }, parts.length, url, null);
    path = spool.path(parts.length);
    parts.push(part);
    paths.push(path);
  }
  return {
    hasFiles: paths.length > 0,
    paths,
    parts,
    sha256: contentShaOf(parts.map(({ sha256 }) => sha256)),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    lastModifiedMs: null,
  };
}
