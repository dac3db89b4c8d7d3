import type { Log } from '#platform/log.ts';
import { type Fetched, type Outbound, OutboundError } from '#platform/outbound.ts';
import type { Db } from '#platform/postgres.ts';
import type { ReferenceKind } from './compile-reference.ts';
import { type LoadDeps, loadReference, type ReferenceFile } from './load-reference.ts';
import { BYTES_MAX } from './read-file-bytes.ts';
import { RefusedFile } from './refused-file.ts';
import { type FetchState, fetchStates, writeFetchState } from './store.ts';

export type FetchDeps = LoadDeps & {
  readonly db: Db;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly log: Log;
};

export type FetchOutcome = {
  readonly kind: ReferenceKind;
  readonly outcome: 'loaded' | 'unchanged' | 'failed';
  /** One sentence; null after success. */
  readonly reason: string | null;
};

const DEADLINE_MS = 600_000;
const REDIRECTS_MAX = 3;
const REASON_MAX = 1_000;

type Answer = { readonly state: FetchState; readonly file: ReferenceFile | null };

/** Requests newer data from each URL, and loads it like a file given by an operator. */
export async function fetchReference(
  deps: FetchDeps,
  kind: ReferenceKind,
  urls: readonly string[],
  signal?: AbortSignal,
): Promise<FetchOutcome> {
  try {
    const known = await fetchStates(deps.db, kind);
    const answers: Answer[] = [];
    for (const url of urls)
      answers.push(await ask(deps, url, known.find((state) => state.url === url) ?? null, signal));
    if (answers.every(({ file }) => file === null)) return { kind, outcome: 'unchanged', reason: null };
    // A table in two files needs both: when one changed, the other is downloaded too.
    for (const [index, { file, state }] of answers.entries())
      if (file === null) answers[index] = await ask(deps, state.url, null, signal);
    const files = answers.flatMap(({ file }) => file ?? []);
    const { outcome } = await loadReference(deps, kind, files);
    await remember(deps, kind, answers);
    return { kind, outcome, reason: null };
  } catch (error) {
    if (!(error instanceof RefusedFile) && !(error instanceof OutboundError)) throw error;
    const reason = error.message.slice(0, REASON_MAX);
    await complain(deps, kind, urls, reason);
    return { kind, outcome: 'failed', reason };
  }
}

async function ask(
  { outbound, clock }: FetchDeps,
  url: string,
  known: FetchState | null,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const answer = await outbound.fetch(url, {
    deadlineMs: DEADLINE_MS,
    bytesMax: BYTES_MAX,
    redirects: REDIRECTS_MAX,
    schemes: ['https', 'http'],
    etag: known?.etag ?? null,
    lastModified: known?.etag === null ? known.lastModified : null,
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.isNotModified && known !== null) {
    answer.body.destroy();
    return { state: known, file: null };
  }
  if (answer.status !== 200) {
    answer.body.destroy();
    throw new RefusedFile(`The publisher answered with status ${answer.status} instead of the file.`);
  }
  const bytes = await answer.bytes();
  const state = { url, etag: answer.etag, lastModified: answer.lastModified, problem: null };
  return { state, file: { label: labelOf(url), bytes, modifiedAtMs: modifiedMs(answer, clock.now()) } };
}

const labelOf = (url: string): string => new URL(url).pathname.split('/').at(-1) || new URL(url).host;

function modifiedMs({ lastModified }: Fetched, nowMs: number): number {
  const ms = lastModified === null ? Number.NaN : Date.parse(lastModified);
  return Number.isNaN(ms) || ms <= 0 || ms > nowMs ? nowMs : ms;
}

const remember = (deps: FetchDeps, kind: ReferenceKind, answers: readonly Answer[]): Promise<void> =>
  deps.transaction(async (tx) => {
    for (const { state } of answers) await writeFetchState(tx, kind, state, deps.clock.now());
  });

/** Records a problem and forgets the ETag, so that the next run downloads the file again. */
const complain = (
  deps: FetchDeps,
  kind: ReferenceKind,
  urls: readonly string[],
  problem: string,
): Promise<void> =>
  deps.transaction(async (tx) => {
    for (const url of urls)
      await writeFetchState(tx, kind, { url, etag: null, lastModified: null, problem }, deps.clock.now());
  });
