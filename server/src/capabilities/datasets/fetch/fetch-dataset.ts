import { GateError } from '#capabilities/lists/index.ts';
import { type Fetched, type FetchOptions, OutboundError } from '#platform/outbound.ts';
import { DAY_MS } from '#platform/time-units.ts';
import type { DatasetCursor, DatasetDeps, Fetchable, FetchedPart } from '../contract.ts';
import { contentShaOf } from './content-sha.ts';
import { DownloadError, refusalOf } from './download-error.ts';
import { isWebPage } from './sniff-page.ts';
import { openSpool, type Spool, SpoolError } from './spool.ts';

const DEADLINE_MS = 300_000;
const REDIRECTS_MAX = 3;
/** A server whose ETag never changes would freeze a source, so once a week the request has no conditions. */
const CONDITIONAL_FOR_MS = 7 * DAY_MS;

export type FetchGiven = {
  readonly known: readonly FetchedPart[];
  readonly unconditional: boolean;
  readonly signal?: AbortSignal;
};

export type FetchedDataset = {
  /** False: every part is unchanged (304), and no file was written. */
  readonly hasFiles: boolean;
  readonly paths: readonly string[];
  readonly parts: readonly FetchedPart[];
  readonly sha256: string;
  readonly bytes: number;
  /** The publisher's date of the newest part, if it lies in the past; null: none given. */
  readonly lastModifiedMs: number | null;
  /** Where the next download starts, for publishers that are asked for changes. It is saved with the loaded data. */
  readonly cursor?: DatasetCursor;
};

type PartTask = {
  readonly deps: DatasetDeps;
  readonly row: Fetchable;
  readonly spool: Spool;
  readonly given: FetchGiven;
};
type PartAnswer = { readonly part: FetchedPart; readonly isOnDisk: boolean; readonly bytes: number };

/** Downloads a data set into the spool. Throws a DownloadError (no file came) or a GateError (the file is not a list). */
export async function fetchDataset(
  deps: DatasetDeps,
  row: Fetchable,
  given: FetchGiven,
): Promise<FetchedDataset> {
  const spool = await openSpool(deps.dataDir, row.id);
  const task: PartTask = { deps, row, spool, given };
  const answers: PartAnswer[] = [];
  for (const [index, url] of row.urls.entries())
    answers.push(await fetchPart(task, index, url, usable(deps, given, url)));
  // A snapshot consists of all its parts: when one changed, the unchanged ones are needed too.
  const hasFiles = answers.some(({ isOnDisk }) => isOnDisk);
  for (const [index, answer] of answers.entries())
    if (hasFiles && !answer.isOnDisk) answers[index] = await fetchPart(task, index, answer.part.url, null);
  const parts = answers.map(({ part }) => part);
  return {
    hasFiles,
    paths: hasFiles ? parts.map((_, index) => spool.path(index)) : [],
    parts,
    sha256: contentShaOf(parts.map(({ sha256 }) => sha256)),
    bytes: answers.reduce((sum, { bytes }) => sum + bytes, 0),
    lastModifiedMs: newestPast(parts, deps.clock.now()),
  };
}

function usable({ clock }: DatasetDeps, given: FetchGiven, url: string): FetchedPart | null {
  if (given.unconditional) return null;
  const known = given.known.find((part) => part.url === url);
  if (known === undefined || (known.etag ?? known.lastModified) === null) return null;
  return clock.now() - known.atMs < CONDITIONAL_FOR_MS ? known : null;
}

export async function fetchPart(
  task: PartTask,
  index: number,
  url: string,
  known: FetchedPart | null,
): Promise<PartAnswer> {
  const { spool, deps } = task;
  const spooled = await spool.found(index, url);
  const base = spooled ?? known;
  const answer = await request(task, url, base);
  if (answer.isNotModified && base !== null) {
    answer.body.destroy();
    return { part: base, isOnDisk: spooled !== null, bytes: 0 };
  }
  if (answer.status !== 200) {
    answer.body.destroy();
    throw refusalOf(answer, task.row.key?.env, deps.clock.now());
  }
  const written = await receive(task, index, answer);
  const part = {
    url,
    etag: answer.etag,
    lastModified: answer.lastModified,
    ...written,
    atMs: deps.clock.now(),
  };
  await spool.keep(index, part);
  return { part, isOnDisk: true, bytes: written.bytes };
}

async function request(task: PartTask, url: string, base: FetchedPart | null): Promise<Fetched> {
  const { deps, row } = task;
  const { address, headers } = withKey(deps, row, url);
  const options: FetchOptions = {
    deadlineMs: deps.downloadDeadlineMs ?? DEADLINE_MS,
    bytesMax: row.bytesMax,
    redirects: REDIRECTS_MAX,
    schemes: ['https', 'http'],
    headers,
    etag: base?.etag ?? null,
    // Servers must prefer the ETag (RFC 9110 13.1.3), but some check the date first, so only the ETag is sent.
    lastModified: base?.etag === null ? base.lastModified : null,
    ...(task.given.signal === undefined ? {} : { signal: task.given.signal }),
  };
  try {
    return await deps.outbound.fetch(address, options);
  } catch (error) {
    throw failureOf(error, row, 0);
  }
}

function withKey(
  { keys }: DatasetDeps,
  { key }: Fetchable,
  url: string,
): { address: string; headers: Readonly<Record<string, string>> } {
  if (key === undefined) return { address: url, headers: {} };
  const value = keys(key.env);
  if (value === undefined) throw new DownloadError(`This source needs a key: set ${key.env}.`);
  return {
    address: url.replaceAll('{key}', encodeURIComponent(value)),
    headers: key.header === undefined ? {} : { [key.header]: credential(key.header, value) },
  };
}

/** Only Authorization has a scheme before the key (RFC 6750); publishers' own headers take the bare key. */
const credential = (header: string, value: string): string =>
  header.toLowerCase() === 'authorization' ? `Bearer ${value}` : value;

async function receive(
  { spool, row }: PartTask,
  index: number,
  answer: Fetched,
): Promise<{ sha256: string; bytes: number }> {
  const written = await spool.write(index, answer.body).catch((error: unknown) => {
    throw error instanceof SpoolError ? failureOf(error.cause, row, error.bytes) : error;
  });
  const refuse = async (error: GateError): Promise<never> => {
    await spool.drop(index);
    throw error;
  };
  // One part of many may be empty (a family without a server today); whether all are is checked at the end.
  if (written.bytes === 0 && row.urls.length === 1)
    return refuse(
      new GateError('empty', 'The publisher answered with an empty file. It is asked again later.', false),
    );
  const isPage =
    row.isPage !== true && (await isWebPage(spool.path(index), answer.headers['content-type'] ?? ''));
  if (isPage)
    return refuse(
      new GateError(
        'web-page',
        'The publisher answered with a web page instead of the list: an error, a login or a check for robots. Open the URL in a browser to see which.',
        false,
      ),
    );
  return written;
}

/** Errors of our own disk keep their code; others become a sentence. `bytes`: how much of the body had arrived. */
function failureOf(error: unknown, { bytesMax }: Fetchable, bytes: number): unknown {
  if (
    error instanceof Error &&
    'code' in error &&
    /^E(?:NOSPC|ROFS|DQUOT|IO|ACCES|MFILE)$/.test(String(error.code))
  )
    return new DownloadError(
      `The download could not be written to the data folder (${String(error.code)}). Free some space or repair the disk.`,
      { cause: error },
    );
  const reason = error instanceof OutboundError ? error.reason : null;
  if (reason === 'too_large')
    return new GateError(
      'too-large',
      `The download is larger than the ${bytesMax.toLocaleString('en-US')} bytes this list may have, or unpacks to far more than it is. It was not taken.`,
      false,
    );
  if (reason === 'aborted')
    return new DownloadError('The run was stopped before the download ended.', { cause: error });
  if (reason === 'deadline')
    return new DownloadError(
      bytes === 0
        ? 'The publisher did not answer in time. It is asked again later.'
        : `The download was too slow: ${bytes.toLocaleString('en-US')} bytes had arrived at the deadline. It is asked again later.`,
      { cause: error },
    );
  if (reason !== null)
    return new DownloadError(`The publisher could not be reached: ${(error as Error).message}`, {
      cause: error,
    });
  return new GateError(
    'truncated',
    'The download was cut off or damaged on its way. It is asked again later.',
    false,
  );
}

/** A publisher's clock that runs ahead must not make data look newer than now (scoring finding 2). */
function newestPast(parts: readonly FetchedPart[], nowMs: number): number | null {
  const dates = parts.flatMap(({ lastModified }) => {
    const ms = lastModified === null ? Number.NaN : Date.parse(lastModified);
    return Number.isNaN(ms) || ms > nowMs || ms <= 0 ? [] : [ms];
  });
  return dates.length === 0 ? null : Math.max(...dates);
}
