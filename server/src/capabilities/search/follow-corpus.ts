import {
  accuses,
  type Change,
  type FollowDeps,
  type FollowReport,
  followLog,
  KIND,
  LISTINGS,
  type LogReader,
  listSources,
} from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { TRACE_FORMAT, traceOf } from '#domain/lookalike/index.ts';
import type { Db } from '#platform/postgres.ts';
import {
  type ListedKey,
  listedAmong,
  listedKeysAfter,
  preferKeyOrder,
  putNames,
  removeNames,
  removeOthers,
  settleIndexes,
  type TracedName,
} from './projection-store.ts';

const FIRST_KEY = Buffer.of(KIND.domain);
/** Sorts after every key of a domain name in the corpus. */
const END_KEY = Buffer.of(KIND.domain + 1);

/** The rules by which names were projected: the format of a trace, and which known sources accused. */
type Rules = {
  readonly format: number;
  readonly known: readonly number[];
  readonly accusing: readonly number[];
};
type Accusers = Rules & {
  /** Reliability by source number; 0 for a source that is switched off. */
  readonly reliability: ReadonlyMap<number, number>;
};

/** Updates the searchable names to those that threat sources list now. */
export async function followCorpus(deps: FollowDeps): Promise<FollowReport> {
  const report = await followLog(NAMES, deps);
  if (report.put + report.removed > 0) await deps.transaction((tx) => settleIndexes(tx, report.walks > 0));
  return report;
}

const NAMES: LogReader<Accusers> = {
  name: 'search',
  collections: [LISTINGS],
  firstKey: FIRST_KEY,
  endKey: END_KEY,
  rulesNow: accusersNow,
  isOfOtherRules: (stored, now) => isOfOtherRules(stored as Partial<Rules>, now),
  prepare: preferKeyOrder,
  walk,
  follow,
};

async function accusersNow(tx: Db): Promise<Accusers> {
  const sources = await listSources(tx);
  const accusing = sources.filter(accuses);
  return {
    format: TRACE_FORMAT,
    known: sources.map(({ number }) => number),
    accusing: accusing.map(({ number }) => number),
    reliability: new Map(
      accusing.map(({ number, reliability, enabled }) => [number, enabled ? reliability : 0]),
    ),
  };
}

/** Whether the rules changed. If a source becomes or stops being a threat source, the change log has no key of it. */
function isOfOtherRules({ format, known = [], accusing }: Partial<Rules>, now: Rules): boolean {
  const [before, after] = [new Set(accusing), new Set(now.accusing)];
  return format !== TRACE_FORMAT || known.some((number) => before.has(number) !== after.has(number));
}

async function walk(tx: Db, after: Buffer, accusers: Accusers, limit: number) {
  const wanted = { after, end: END_KEY, sources: accusers.accusing, limit };
  const rows = await listedKeysAfter(tx, wanted);
  const last = rows.length < limit ? null : (rows.at(-1)?.key ?? null);
  const names = traced(rows, accusers);
  const through = last === null ? null : nameOf(last);
  const kept = names.map(({ name }) => name);
  const removed = await removeOthers(tx, kept, nameOf(after), through);
  return { last, read: rows.length, removed, put: await putNames(tx, names) };
}

async function follow(tx: Db, changes: readonly Change[], accusers: Accusers) {
  const keys = changes.map(({ key }) => key);
  const names = traced(await listedAmong(tx, keys, accusers.accusing), accusers);
  const listed = new Set(names.map(({ name }) => name));
  const gone = keys.map(nameOf).filter((name) => !listed.has(name));
  const removed = await removeNames(tx, gone);
  return { removed, put: await putNames(tx, names) };
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
