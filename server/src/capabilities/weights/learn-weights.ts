import { type CorpusWriteDeps, listSources, type Source } from '#capabilities/corpus/index.ts';
import {
  type Learned,
  type LearnedTable,
  learnTable,
  SHIPPED_TABLE,
  type SourceCount,
} from '#domain/weights/index.ts';
import type { Log } from '#platform/log.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Counting, countNames } from './count-names.ts';
import { countTurnover } from './count-turnover.ts';
import { countVisits, type NameSuspicion } from './count-visits.ts';
import { countedSources } from './counted-sources.ts';
import { GroupTally } from './group-tally.ts';
import { type Outcome, type PutDeps, putIntoForce } from './put-into-force.ts';
import { readVersion } from './read-version.ts';
import { openReferenceFile, RefusedReference } from './reference-file.ts';
import { runBefore, versionBefore } from './store.ts';
import { parseTable } from './table-file.ts';

/** `countMoves` absent: no version waits because of the lists that it moves. */
export type LearnDeps = CorpusWriteDeps &
  PutDeps & {
    readonly log: Log;
    /** REFERENCE_HOSTS_FILE: hosts that people visit; null: the counts of the shipped table stay. */
    readonly referenceFile: string | null;
    /** Tells of a visited host whether its name looks like phishing, because a list may then name it rightly. */
    readonly openSuspicion: () => Promise<NameSuspicion>;
  };

export type LearnRun = {
  /** A job writes through its own transactions, which commit only while it holds its lease. */
  readonly transaction?: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
  /** True: nothing is written. */
  readonly isDryRun?: boolean;
  /** The fewest hosts that make a reference. */
  readonly hostsMin?: number;
};

export type LearnReport = Learned & {
  readonly outcome: Outcome | 'dry-run';
  readonly shipped: LearnedTable;
  readonly inForce: LearnedTable;
  /** Why the version waits; empty where it does not. */
  readonly reasons: readonly string[];
};

const HOSTS_MIN = 100_000;

/**
 * Learns the weights of this day and puts them into force on every node. A run starts from the last run of an earlier day, so a
 * second run on one day replaces the first, and the same corpus with the same reference gives the same bytes. Everything
 * but the last step only reads.
 */
export async function learnWeights(deps: LearnDeps, run: LearnRun = {}): Promise<LearnReport> {
  const { system, clock, artifacts } = deps;
  const startedMs = clock.monotonic();
  const nowMs = clock.now();
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const last = await runBefore(system.db, day);
  const before = last === null ? null : parseTable(last.learned);
  const inForce = (await readVersion(artifacts, await versionBefore(system.db, day))).table;
  const { counts, reference } = await countAll(deps, run, {
    nowMs,
    last: last === null ? null : { atMs: last.atMs, day: daysOf(Date.parse(last.day)) },
  });
  const learnAs = (version: string): Learned =>
    learnTable({
      shipped: SHIPPED_TABLE,
      before,
      inForce,
      counts,
      reference,
      day,
      version,
    });
  const known = { shipped: SHIPPED_TABLE, inForce };
  if (run.isDryRun === true) return { ...learnAs(`${day}.1`), ...known, outcome: 'dry-run', reasons: [] };
  const put = await putIntoForce(deps, run.transaction ?? system.transaction, {
    day,
    nowMs,
    isFirst: before?.base !== SHIPPED_TABLE.version,
    learnAs,
  });
  const { version, cells, lists, reference: used } = put.learned.table;
  deps.log.info(
    {
      version,
      outcome: put.outcome,
      reasons: put.reasons,
      cells: cells.length,
      lists: lists.length,
      reference: used.id,
      durationMs: Math.round(clock.monotonic() - startedMs),
    },
    'weights.learned',
  );
  return { ...put.learned, ...known, outcome: put.outcome, reasons: put.reasons };
}

const daysOf = (ms: number): number => Math.floor(ms / DAY_MS);

type Counts = {
  readonly counts: readonly SourceCount[];
  readonly reference: { readonly id: string; readonly hosts: number } | null;
};

async function countAll(
  { system, referenceFile, openSuspicion }: LearnDeps,
  { signal, hostsMin = HOSTS_MIN }: LearnRun,
  { nowMs, last }: { readonly nowMs: number; readonly last: Counting['last'] },
): Promise<Counts> {
  const { threats, numbers } = countedSources(await listSources(system.db));
  const counting = { db: system.db, numbers, day: daysOf(nowMs), last, signal };
  const tally = new GroupTally();
  const popular = await countNames(counting, tally);
  const file = referenceFile === null ? null : await openReferenceFile(referenceFile, signal);
  if (file !== null) {
    await countVisits(counting, file, await openSuspicion(), tally);
    if (file.size() < hostsMin)
      throw new RefusedReference(
        `REFERENCE_HOSTS_FILE has ${file.size()} hosts that count; at least ${hostsMin} are needed. Unset it, or collect more.`,
      );
  }
  const turnovers = await countTurnover(system.db, threats, nowMs);
  return {
    counts: threats.map((source) => ({
      source: ratedOf(source),
      groups: tally.groupsOf(source.number),
      topHits: popular.get(source.number) ?? 0,
      turnover: turnovers.get(source.number) ?? null,
    })),
    reference: file === null ? null : { id: file.id, hosts: file.size() },
  };
}

const ratedOf = ({ id, letter, fpRisk, category, lineage, semantics, keepsEntries }: Source) => ({
  id,
  letter,
  fpRisk,
  category,
  lineage,
  semantics,
  keepsEntries,
});
