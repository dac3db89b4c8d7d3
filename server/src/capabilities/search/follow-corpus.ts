import { accuses, CORPUS, KIND, listSources } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { TRACE_FORMAT, traceOf } from '#domain/lookalike/index.ts';
import type { Db } from '#platform/postgres.ts';
import {
  beginWalk,
  changesAfter,
  claimState,
  endWalk,
  type ListedKey,
  type LogPosition,
  listedAmong,
  listedKeysAfter,
  preferKeyOrder,
  putNames,
  readLogPosition,
  releaseState,
  removeNames,
  removeOthers,
  type SearchState,
  type Sides,
  savePosition,
  saveWalk,
  settleIndexes,
  type TracedName,
} from './projection-store.ts';

const LISTINGS = 'listing';
const FIRST_KEY = Buffer.of(KIND.domain);
/** Sorts after every key of a name. As a position within a sequence number it means that the number is done. */
const END_KEY = Buffer.of(KIND.domain + 1);
const ROWS_PER_BATCH = 20_000;
/** A batch takes some seconds; a run without a renewed claim for this long is dead. */
const CLAIM_MS = 120_000;

export type FollowDeps = {
  readonly run: string;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (soFar: FollowReport) => void;
  readonly rowsPerBatch?: number;
};

export type FollowReport = {
  readonly isOurs: boolean;
  readonly walks: number;
  readonly put: number;
  readonly removed: number;
};

type Step = { readonly kind: 'began' | 'walked' | 'followed' | 'done' } & Pick<
  FollowReport,
  'put' | 'removed'
>;

/**
 * Brings the searchable names to what threat sources list now. A batch is one transaction that saves its
 * position with its rows, so a killed run resumes there, and a repeated batch changes nothing.
 */
export async function followCorpus(deps: FollowDeps): Promise<FollowReport> {
  const { transaction, run, signal, onProgress, rowsPerBatch = ROWS_PER_BATCH } = deps;
  const sum = { isOurs: true, walks: 0, put: 0, removed: 0 };
  try {
    for (;;) {
      signal?.throwIfAborted();
      const step = await transaction((tx) => nextStep(tx, run, rowsPerBatch));
      if (step === null) return { ...sum, isOurs: false };
      sum.put += step.put;
      sum.removed += step.removed;
      if (step.kind === 'began') sum.walks += 1;
      if (step.kind === 'done') break;
      onProgress?.(sum);
    }
    if (sum.put + sum.removed > 0) await transaction((tx) => settleIndexes(tx, sum.walks > 0));
    return sum;
  } finally {
    await transaction((tx) => releaseState(tx, run)).catch(() => undefined);
  }
}

async function nextStep(tx: Db, run: string, limit: number): Promise<Step | null> {
  const state = await claimState(tx, run, CLAIM_MS);
  if (state === null) return null;
  // The log position is read first: listings read after it are at least as new, and newer changes come again
  // through the log.
  const log = await readLogPosition(tx, CORPUS);
  const accusers = await accusersNow(tx);
  await preferKeyOrder(tx);
  if (isOfOtherRules(state, accusers) || (state.walkKey === null && !isFollowable(state, log))) {
    const position = { seq: log.newestSeq, key: END_KEY, firstKey: FIRST_KEY };
    await beginWalk(tx, { ...accusers, ...position, format: TRACE_FORMAT });
    return { kind: 'began', put: 0, removed: 0 };
  }
  if (state.walkKey !== null) return walk(tx, state.walkKey, accusers, limit);
  return follow(tx, state, accusers, { throughSeq: log.newestSeq, limit });
}

type Accusers = Sides & {
  /** Keyed by source number; 0 for a source that is switched off. */
  readonly reliability: ReadonlyMap<number, number>;
};

async function accusersNow(tx: Db): Promise<Accusers> {
  const sources = await listSources(tx);
  const accusing = sources.filter(accuses);
  return {
    known: sources.map(({ number }) => number),
    accusing: accusing.map(({ number }) => number),
    reliability: new Map(
      accusing.map(({ number, reliability, enabled }) => [number, enabled ? reliability : 0]),
    ),
  };
}

/** A source that becomes a threat source, or stops being one, changes all its names without a key in the log. */
function isOfOtherRules({ format, known, accusing }: SearchState, now: Sides): boolean {
  const [before, after] = [new Set(accusing), new Set(now.accusing)];
  return format !== TRACE_FORMAT || known.some((number) => before.has(number) !== after.has(number));
}

/** Whether the log covers everything since the saved position. It is trimmed after a week, and by a first load. */
function isFollowable(
  { isFilled, seq, key }: SearchState,
  { newestSeq, trimmedThrough }: LogPosition,
): boolean {
  const isGap = seq < trimmedThrough || (seq === trimmedThrough && key.compare(END_KEY) < 0);
  return isFilled && !isGap && seq <= newestSeq;
}

async function walk(tx: Db, after: Buffer, accusers: Accusers, limit: number): Promise<Step> {
  const wanted = { after, end: END_KEY, sources: accusers.accusing, limit };
  const rows = await listedKeysAfter(tx, wanted);
  const last = rows.length < limit ? undefined : rows.at(-1)?.key;
  const names = traced(rows, accusers);
  const through = last === undefined ? null : nameOf(last);
  const kept = names.map(({ name }) => name);
  const removed = await removeOthers(tx, kept, nameOf(after), through);
  const put = await putNames(tx, names);
  if (last === undefined) await endWalk(tx);
  else await saveWalk(tx, last);
  return { kind: 'walked', put, removed };
}

async function follow(
  tx: Db,
  position: SearchState,
  accusers: Accusers,
  { throughSeq, limit }: { readonly throughSeq: number; readonly limit: number },
): Promise<Step> {
  const span = { position, throughSeq, first: FIRST_KEY, end: END_KEY, limit };
  const changes = await changesAfter(tx, { dataset: CORPUS, collection: LISTINGS, ...span });
  const keys = changes.map(({ key }) => key);
  const names = traced(await listedAmong(tx, keys, accusers.accusing), accusers);
  const listed = new Set(names.map(({ name }) => name));
  const gone = keys.map(nameOf).filter((name) => !listed.has(name));
  const removed = await removeNames(tx, gone);
  const put = await putNames(tx, names);
  const last = changes.length < limit ? undefined : changes.at(-1);
  await savePosition(tx, { ...accusers, seq: last?.seq ?? throughSeq, key: last?.key ?? END_KEY });
  return { kind: last === undefined ? 'done' : 'followed', put, removed };
}

/** The name follows the first byte of its key; canonical names are ASCII (decisions 3.1). */
const nameOf = (key: Buffer): string => key.toString('latin1', 1);

/** Skips names that have become public suffixes since they were listed: the list of suffixes grows. */
const traced = (rows: readonly ListedKey[], accusers: Accusers): readonly TracedName[] =>
  rows.flatMap(({ key, sources }) => {
    const name = nameOf(key);
    const parsed = parseIndicator(name);
    const trace = parsed.ok && parsed.indicator.kind === 'domain' ? traceOf(parsed.indicator) : null;
    return trace === null ? [] : [{ name, danger: dangerOf(sources, accusers), ...trace }];
  });

/** Combines reliabilities as the score does: 1 minus the product of the remaining doubts. */
function dangerOf(sources: readonly number[], { reliability }: Accusers): number {
  const doubt = sources.reduce((left, number) => left * (1 - (reliability.get(number) ?? 0)), 1);
  return Math.round(1_000 * (1 - doubt));
}
