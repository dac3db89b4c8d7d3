import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Db } from '#platform/postgres.ts';
import { type CountedNumbers, countDeparted, countNamesFrom, readAlongKeys } from './count-store.ts';
import { type GroupTally, groupOn } from './group-tally.ts';

export type Counting = {
  readonly db: Db;
  readonly numbers: CountedNumbers;
  /** The day of this run, in days since the epoch. */
  readonly day: number;
  /** The last run of an earlier day; null: nothing is known to have left. */
  readonly last: { readonly atMs: number; readonly day: number } | null;
  readonly signal?: AbortSignal | undefined;
};

const ROWS_A_PAGE = 200_000;

/**
 * Counts the listed names of each source and age group, and the names that left a group since the last run: they grew older
 * or are no longer listed. Names are read along the primary key in pages. Returns the popular names of each source.
 */
export async function countNames(
  counting: Counting,
  tally: GroupTally,
  rowsAPage = ROWS_A_PAGE,
): Promise<ReadonlyMap<number, number>> {
  const { db, numbers, day, last, signal } = counting;
  const popular = new Map<number, number>();
  const options = { sinceMs: last?.atMs ?? null, limit: rowsAPage };
  for (let from: string | null = ''; from !== null; ) {
    const begin: string = from;
    const page = await db.transaction().execute(async (tx) => {
      await readAlongKeys(tx);
      return countNamesFrom(tx, begin, numbers, options);
    });
    for (const count of page.counts) {
      const group = groupOn(count.day, day);
      tally.addListed(count.sourceNumber, group, { n: count.names, h: 0 });
      const before = last !== null && count.wasListed ? groupOn(count.day, last.day) : group;
      if (before !== group) tally.addLeft(count.sourceNumber, before, { n: count.names, h: 0 });
      popular.set(count.sourceNumber, (popular.get(count.sourceNumber) ?? 0) + count.popular);
    }
    from = page.next;
    signal?.throwIfAborted();
    await nextTurn();
  }
  if (last !== null) await countLeft(counting, last, tally);
  return popular;
}

async function countLeft(
  { db, numbers, day }: Counting,
  last: NonNullable<Counting['last']>,
  tally: GroupTally,
): Promise<void> {
  for (const departed of await countDeparted(db, numbers.threats, last.atMs)) {
    const before = groupOn(departed.day, last.day);
    if (departed.isListed && groupOn(departed.dayNow, day) === before) continue;
    tally.addLeft(departed.sourceNumber, before, { n: departed.names, h: 0 });
  }
}
