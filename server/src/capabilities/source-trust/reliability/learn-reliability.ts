import {
  type CorpusWriteDeps,
  listSources,
  registerSource,
  type Source,
} from '#capabilities/corpus/index.ts';
import {
  addCounts,
  type Counts,
  fadeCounts,
  NO_COUNTS,
  posterior,
  stepTowards,
} from '#domain/scoring/source-reliability.ts';
import type { Log } from '#platform/log.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { isOperators, isSame, type Known, priorFor, standingOf } from './judged-source.ts';
import { NEW_DAYS, type Observation, observeSource, readYardstick } from './observe-source.ts';
import {
  catalogueSays,
  type DayRow,
  forgetDaysBefore,
  latestDays,
  lockReliability,
  recentWithdrawals,
  saveDay,
} from './store.ts';

export type ReliabilityDeps = CorpusWriteDeps & { readonly log: Log };

export type ReliabilityRun = {
  /** A job writes through its own transactions, which commit only while it holds its lease. */
  readonly transaction?: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
};

export type Learned = { readonly judged: number; readonly moved: number };

const KEPT_DAYS = 90;

/**
 * One night of learning (scoring 7): observes the new entries of each threat source, updates the counts, and moves the
 * registry value by one step where that is worth a revision. A second run on one day changes nothing.
 */
export async function learnReliability(deps: ReliabilityDeps, run: ReliabilityRun = {}): Promise<Learned> {
  const { system, clock } = deps;
  const transaction = run.transaction ?? system.transaction;
  const [startedMs, nowMs] = [clock.monotonic(), clock.now()];
  const sources = await listSources(system.db);
  const known = await readKnown(system.db, sources, dayOf(nowMs));
  const judged = sources.filter((source) => standingOf(source, known(source)) === 'learning');
  const yardstick = await readYardstick(system.db, sources);
  const withdrawals = new Map(
    (
      await recentWithdrawals(
        system.db,
        judged.map(({ number }) => number),
        nowMs - NEW_DAYS * DAY_MS,
      )
    ).map((row) => [row.sourceNumber, row]),
  );
  let moved = 0;
  for (const source of judged) {
    run.signal?.throwIfAborted();
    const observation = await system.transaction((tx) =>
      observeSource(tx, source, yardstick, { nowMs, withdrawals: withdrawals.get(source.number) }),
    );
    const isMoved = await transaction((tx) =>
      settleNight(deps, tx, { source, known: known(source), observation, nowMs }),
    );
    if (isMoved) moved += 1;
  }
  await transaction((tx) => forgetDaysBefore(tx, dayOf(nowMs - KEPT_DAYS * DAY_MS)));
  const durationMs = Math.round(clock.monotonic() - startedMs);
  deps.log.info({ sources: judged.length, moved, durationMs }, 'feeds.reliability.learned');
  return { judged: judged.length, moved };
}

/** The state before tonight, by source; a second run replaces the row that the first one wrote tonight. */
type Before = Known & { readonly last: DayRow | undefined; readonly yesterday: DayRow | undefined };

async function readKnown(
  db: Db,
  sources: readonly Source[],
  today: string,
): Promise<(source: Source) => Before> {
  const says = new Map((await catalogueSays(db)).map((row) => [row.sourceNumber, row.reliability]));
  const latest = byNumber(await latestDays(db, null));
  const earlier = byNumber(await latestDays(db, today));
  const facts = new Map(
    sources.map(({ number, letter, aggregate }): [number, Before] => {
      const [catalogue, last, before] = [says.get(number), latest.get(number), earlier.get(number)];
      return [
        number,
        {
          prior: priorFor({ letter, aggregate }, catalogue),
          isInCatalogue: catalogue !== undefined,
          last,
          yesterday: before,
        },
      ];
    }),
  );
  return (source) => facts.get(source.number) as Before;
}

const byNumber = (rows: readonly DayRow[]): ReadonlyMap<number, DayRow> =>
  new Map(rows.map((row) => [row.sourceNumber, row]));

type Night = {
  readonly source: Source;
  readonly known: Before;
  readonly observation: Observation;
  readonly nowMs: number;
};

async function settleNight(deps: ReliabilityDeps, tx: Db, night: Night): Promise<boolean> {
  const { source, known, observation, nowMs } = night;
  const current = await lockReliability(tx, source.number);
  // Leaves a source that a merge has locked, or that an operator changed since this run began.
  if (current === undefined || isOperators(current, known)) return false;
  const today = dayOf(nowMs);
  // Skips a night that was already learned before the clock went back (reliability R3).
  if (known.last !== undefined && known.last.day > today) return false;
  const counts = countsOf(known.yesterday, today, observation);
  // There is one step per day, so a second run starts from the same value as the first.
  const previous = known.last?.day === today ? known.last.previous : current;
  const target = posterior({ reliability: known.prior, isAggregate: source.aggregate }, counts);
  const reliability = stepTowards(previous, target);
  await saveDay(tx, {
    sourceNumber: source.number,
    day: today,
    ...observation,
    ...counts,
    previous,
    reliability,
  });
  if (isSame(reliability, current)) return false;
  // In this transaction, so that the learned counts and the registry value are written together or not at all.
  const system = { ...deps.system, transaction: <T>(work: (inner: Db) => Promise<T>) => work(tx) };
  await registerSource({ system, clock: deps.clock }, source.id, { reliability });
  return true;
}

/** An entry is new for 14 nights and observed on each of them, so one night counts a fourteenth of it. */
function countsOf(before: DayRow | undefined, today: string, observation: Observation): Counts {
  const { sampled, confirmed, disputed } = observation;
  const days = before === undefined ? 0 : (Date.parse(today) - Date.parse(before.day)) / DAY_MS;
  return addCounts(fadeCounts(before ?? NO_COUNTS, days), {
    seen: sampled / NEW_DAYS,
    conf: confirmed / NEW_DAYS,
    disp: disputed / NEW_DAYS,
  });
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
