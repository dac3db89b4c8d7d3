import type { Source } from '#capabilities/corpus/index.ts';
import { stalenessOf } from '#domain/scoring/index.ts';
import type { SourceCount, Turnover } from '#domain/weights/index.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS } from '#platform/time-units.ts';
import {
  countReturned,
  countYoung,
  type DataDay,
  dataDaysSince,
  type TurnoverCount,
} from './turnover-store.ts';

const JUDGED_DAYS = 30;
/** The age of a judged entry in whole days; an older one is not fresh any more. */
const YOUNG_DAYS = { min: 14, max: 59 } as const;
/** Entries that left in this span are looked at for a return; the youngest of them 30 days ago. */
const LEFT_DAYS = { min: 30, max: 120 } as const;

type Turnovers = ReadonlyMap<number, NonNullable<SourceCount['turnover']>>;

/** What each source took back in the last 30 days; a source whose data was not fresh all the time is left out. */
export async function countTurnover(db: Db, sources: readonly Source[], nowMs: number): Promise<Turnovers> {
  const since = nowMs - JUDGED_DAYS * DAY_MS;
  const fresh = freshSince(sources, await dataDaysSince(db, since), since, nowMs);
  const numbers = fresh.map(({ number }) => number);
  const today = Math.floor(since / DAY_MS) * DAY_MS;
  const young = await countYoung(db, numbers, {
    atMs: since,
    fromMs: today - YOUNG_DAYS.max * DAY_MS,
    toMs: today - (YOUNG_DAYS.min - 1) * DAY_MS,
  });
  const returned = await countReturned(db, numbers, {
    fromMs: nowMs - LEFT_DAYS.max * DAY_MS,
    toMs: nowMs - LEFT_DAYS.min * DAY_MS,
    withinDays: LEFT_DAYS.min,
  });
  return new Map(
    numbers.map((number) => [
      number,
      {
        names: turnoverOf(number, young, returned, ({ isName }) => isName),
        all: turnoverOf(number, young, returned, () => true),
      },
    ]),
  );
}

function turnoverOf(
  number: number,
  young: readonly TurnoverCount[],
  returned: readonly TurnoverCount[],
  isWanted: (count: TurnoverCount) => boolean,
): Turnover {
  const of = (counts: readonly TurnoverCount[], field: 'all' | 'some'): number =>
    counts
      .filter((count) => count.sourceNumber === number && isWanted(count))
      .reduce((sum, count) => sum + count[field], 0);
  return {
    judged: of(young, 'all'),
    left: of(young, 'some'),
    ended: of(returned, 'all'),
    returned: of(returned, 'some'),
  };
}

/** The sources whose data was fresh on each of the days; a source that was not read before the first one is not. */
function freshSince(
  sources: readonly Source[],
  days: readonly DataDay[],
  sinceMs: number,
  nowMs: number,
): readonly Source[] {
  const known = Map.groupBy(days, ({ sourceNumber }) => sourceNumber);
  return sources.filter((source) => {
    const samples = known.get(source.number) ?? [];
    for (let atMs = sinceMs; atMs <= nowMs; atMs += DAY_MS) {
      const sample = samples.findLast(({ fetchedAtMs }) => fetchedAtMs <= atMs);
      if (sample === undefined) return false;
      const dated = { ...source, dataAtS: sample.dataAtMs / 1_000, lastFetchAtS: sample.fetchedAtMs / 1_000 };
      if (!stalenessOf(dated, atMs).isFresh) return false;
    }
    return true;
  });
}
