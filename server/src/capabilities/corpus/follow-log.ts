import type { Db } from '#platform/postgres.ts';
import { CORPUS } from './dataset.ts';
import {
  ALL_COLLECTIONS,
  beginWalk,
  type Change,
  changesAfter,
  claimFollower,
  endWalk,
  type FollowerState,
  type LogPosition,
  readLogPosition,
  releaseFollower,
  savePosition,
  saveWalk,
} from './follower-store.ts';

/** How many rows a batch wrote and removed. */
export type Written = { readonly put: number; readonly removed: number };

/**
 * A projection of the corpus that is brought up to date from the change log. A batch is one transaction that saves its
 * position with its rows, so a killed run resumes there, and a repeated batch changes nothing.
 */
export type LogReader<Rules> = {
  /** Names the row of this reader in `corpus_follower`. */
  readonly name: string;
  readonly collections: readonly string[];
  /** The reader follows keys from `firstKey` up to but excluding `endKey`. */
  readonly firstKey: Buffer;
  readonly endKey: Buffer;
  readonly rulesNow: (tx: Db) => Promise<Rules>;
  /** True: the rows were written under other rules than those of now, so a walk must compare all of them again. */
  readonly isOfOtherRules: (stored: unknown, now: Rules) => boolean;
  /** The newest sequence number that the reader may follow; absent: the end of the log. */
  readonly throughSeq?: () => number;
  readonly prepare?: (tx: Db) => Promise<unknown>;
  /** Compares the next `limit` keys after `after` with the corpus; `last` is null when no key is left. */
  readonly walk: (
    tx: Db,
    after: Buffer,
    rules: Rules,
    limit: number,
  ) => Promise<Written & { readonly last: Buffer | null; readonly read: number }>;
  readonly follow: (tx: Db, changes: readonly Change[], rules: Rules) => Promise<Written>;
};

export type FollowDeps = {
  readonly run: string;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (soFar: FollowReport) => void;
  readonly rowsPerBatch?: number;
  /** Forces a walk over all keys, even where following the log would be enough. */
  readonly mustWalk?: boolean;
};

export type FollowReport = Written & {
  readonly isOurs: boolean;
  readonly walks: number;
  /** How many rows walks compared (`read`), and how many of them differed and were mended (`corrected`). */
  readonly read: number;
  readonly corrected: number;
};

type Step = Written & {
  readonly kind: 'began' | 'walked' | 'followed' | 'done';
  readonly read?: number;
};

const ROWS_PER_BATCH = 20_000;
/** A batch takes some seconds; a run without a renewed claim for this long is dead. */
const CLAIM_MS = 120_000;
const NOTHING: Written = { put: 0, removed: 0 };

export async function followLog<Rules>(reader: LogReader<Rules>, deps: FollowDeps): Promise<FollowReport> {
  const { transaction, run, signal, onProgress } = deps;
  const sum = { isOurs: true, walks: 0, put: 0, removed: 0, read: 0, corrected: 0 };
  try {
    for (;;) {
      signal?.throwIfAborted();
      const mustBegin = deps.mustWalk === true && sum.walks === 0;
      const step = await transaction((tx) => nextStep(tx, reader, { ...deps, mustBegin }));
      if (step === null) return { ...sum, isOurs: false };
      sum.put += step.put;
      sum.removed += step.removed;
      if (step.kind === 'began') sum.walks += 1;
      if (step.kind === 'walked') {
        sum.read += step.read ?? 0;
        sum.corrected += step.put + step.removed;
      }
      if (step.kind === 'done') return sum;
      onProgress?.(sum);
    }
  } finally {
    await transaction((tx) => releaseFollower(tx, reader.name, run)).catch(() => undefined);
  }
}

async function nextStep<Rules>(
  tx: Db,
  reader: LogReader<Rules>,
  { run, rowsPerBatch: limit = ROWS_PER_BATCH, mustBegin }: FollowDeps & { readonly mustBegin: boolean },
): Promise<Step | null> {
  const state = await claimFollower(tx, reader.name, run, CLAIM_MS);
  if (state === null) return null;
  // The log position is read first: listings read after it are at least as new, and newer changes come again
  // through the log.
  const log = await readLogPosition(tx, CORPUS);
  const throughSeq = Math.min(log.newestSeq, reader.throughSeq?.() ?? log.newestSeq);
  const rules = await reader.rulesNow(tx);
  await reader.prepare?.(tx);
  const isLost = state.walkKey === null && !isFollowable(state, log);
  if (mustBegin || isLost || reader.isOfOtherRules(state.rules, rules)) {
    await beginWalk(tx, reader.name, { rules, seq: throughSeq, firstKey: reader.firstKey, isGap: isLost });
    return { kind: 'began', ...NOTHING };
  }
  if (state.walkKey !== null) {
    const { last, ...written } = await reader.walk(tx, state.walkKey, rules, limit);
    if (last === null) await endWalk(tx, reader.name);
    else await saveWalk(tx, reader.name, last, written.read);
    return { kind: 'walked', ...written };
  }
  return followStep(tx, reader, { state, rules, throughSeq, limit });
}

async function followStep<Rules>(
  tx: Db,
  reader: LogReader<Rules>,
  given: {
    readonly state: FollowerState;
    readonly rules: Rules;
    readonly throughSeq: number;
    readonly limit: number;
  },
): Promise<Step> {
  const { state, rules, throughSeq, limit } = given;
  // Nothing to do: a replica that was rebuilt or lags is still behind the position of the reader.
  if (throughSeq < state.seq) return { kind: 'done', ...NOTHING };
  const changes = await changesAfter(tx, {
    dataset: CORPUS,
    collections: reader.collections,
    position: state,
    throughSeq,
    first: reader.firstKey,
    end: reader.endKey,
    limit,
  });
  const written = changes.length === 0 ? NOTHING : await reader.follow(tx, changes, rules);
  const last = changes.length < limit ? undefined : changes.at(-1);
  const position = last ?? { seq: throughSeq, collection: ALL_COLLECTIONS, key: Buffer.alloc(0) };
  await savePosition(tx, reader.name, {
    rules,
    ...position,
    read: changes.length,
    isLast: last === undefined,
  });
  return { kind: last === undefined ? 'done' : 'followed', ...written };
}

/** Whether the log covers everything since the saved position. It is trimmed after a week, and by a first load. */
function isFollowable(
  { isFilled, seq, collection }: FollowerState,
  { newestSeq, trimmedThrough }: LogPosition,
): boolean {
  const isGap = seq < trimmedThrough || (seq === trimmedThrough && collection < ALL_COLLECTIONS);
  return isFilled && !isGap && seq <= newestSeq;
}
