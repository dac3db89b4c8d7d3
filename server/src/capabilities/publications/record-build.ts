import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { type PublicationName, retryAtMs } from './schedule.ts';
import { type Outcome, saveEnded } from './store.ts';

/** How a build ended, in the words of the freshness report. */
export type BuildResult = {
  readonly outcome: Outcome;
  /** What is wrong or waited for; null where every file is as it should be. */
  readonly message?: string | null;
  /** Entries of the files in force; null or absent: as before. */
  readonly entries?: number | null;
  /** False: nothing is imported, so no file is missed. */
  readonly isExpected?: boolean;
};

/** What recording a build needs. */
export type RecordDeps = {
  readonly clock: Clock;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
};

/** One attempt of a job; a command has none and is not tried again. */
export type Attempt = { readonly attempt: number; readonly attemptsMax: number };

/** The attempt that is recorded, and when it is given up. */
export type RecordGiven = {
  readonly attempt?: Attempt;
  /** Aborts when the build takes too long. It is then recorded as failed, whether or not it ever ends. */
  readonly signal?: AbortSignal;
};

/** Thrown by a build without the replica that it judges with: the job is tried again, and nothing is called failed. */
export class JudgeMissing extends Error {
  constructor() {
    super('The copy of the data that this worker judges with is still loading.');
  }
}

const MESSAGE_MAX = 500;

/** Runs a build and records how it ended. An exception is recorded as a failure and passed on. */
export async function recordBuild<T>(
  deps: RecordDeps,
  name: PublicationName,
  build: () => Promise<T>,
  given: RecordGiven & {
    /** Null: another run is at work and records how it ends. */
    readonly resultOf: (built: T) => BuildResult | null;
  },
): Promise<T> {
  try {
    const built = await untilAborted(build(), given.signal);
    const result = given.resultOf(built);
    if (result !== null) await record(deps, name, result, given.attempt);
    return built;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The failure that is passed on matters more than one that keeps it from being recorded.
    const outcome = error instanceof JudgeMissing ? 'waiting' : 'failed';
    const isExpected = outcome === 'failed';
    await record(deps, name, { outcome, message, isExpected }, given.attempt).catch(() => undefined);
    throw error;
  }
}

function record(
  { clock, transaction }: RecordDeps,
  name: PublicationName,
  { outcome, message = null, entries = null, isExpected = true }: BuildResult,
  attempt: Attempt | undefined,
): Promise<unknown> {
  const nowMs = clock.now();
  const isTriedAgain = (outcome === 'failed' || message !== null) && attempt !== undefined;
  return transaction((tx) =>
    saveEnded(tx, name, {
      outcome,
      message: message?.slice(0, MESSAGE_MAX) ?? null,
      entries,
      isExpected,
      nowMs,
      retryAtMs: isTriedAgain ? retryAtMs(nowMs, attempt.attempt, attempt.attemptsMax) : null,
    }),
  );
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(new Error('It took too long.', { cause: signal.reason }));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
