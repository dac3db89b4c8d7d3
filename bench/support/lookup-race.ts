import type { Corpus } from '../../server/src/capabilities/corpus/index.ts';
import { createKeyWriter } from '../../server/src/capabilities/corpus/indicator-key.ts';
import type { Indicator } from '../../server/src/domain/indicator/index.ts';
import type { Clock } from '../../server/src/platform/clock.ts';
import type { Table } from '../../server/src/platform/lmdb.ts';

export type Race = {
  readonly name: string;
  readonly queries: number;
  readonly listingsPerQuery: number;
  readonly bareNs: number;
  readonly ourNs: number;
  readonly ratio: number;
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Short turns, so that other load on the machine affects both sides alike. */
const TURN_QUERIES = 4_000;

/**
 * The same queries in the same order, turn by turn: our lookup from a parsed indicator to decoded listings, and one
 * bare LMDB read with a prepared key. The bare side runs half a lap ahead, so that neither side finds entries warmed by
 * the other. Medians over all turns.
 */
export function race(
  clock: Clock,
  contest: {
    readonly name: string;
    readonly corpus: Corpus;
    readonly table: Table;
    readonly indicators: readonly Indicator[];
    readonly rounds: number;
  },
): Race {
  const { name, corpus, table, indicators, rounds } = contest;
  const writer = createKeyWriter();
  const ourTurns = turnsOf(indicators);
  const bareTurns = turnsOf(indicators.map((indicator) => Buffer.from(writer.of(indicator))));
  const bareNs: number[] = [];
  const ourNs: number[] = [];
  let bytes = 0;
  let listings = 0;
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, ours] of ourTurns.entries()) {
      const bare = bareTurns[(at + (bareTurns.length >> 1)) % bareTurns.length] ?? [];
      const startMs = clock.monotonic();
      for (const key of bare) bytes += table.getBinary(key)?.length ?? 0;
      const middleMs = clock.monotonic();
      for (const indicator of ours) listings += corpus.lookup(indicator).listings.length;
      const endMs = clock.monotonic();
      if (round === 0) continue; // Warms both sides up.
      bareNs.push(((middleMs - startMs) * 1e6) / bare.length);
      ourNs.push(((endMs - middleMs) * 1e6) / ours.length);
    }
  // Both results are used, so that nothing measured is optimised away.
  if (bytes === 0 || listings === 0) throw new Error(`No query of '${name}' found anything.`);
  return {
    name,
    queries: indicators.length,
    listingsPerQuery: listings / indicators.length / (rounds + 1),
    bareNs: median(bareNs),
    ourNs: median(ourNs),
    ratio: median(bareNs) / median(ourNs),
  };
}

function turnsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  const turns = Math.ceil(list.length / TURN_QUERIES);
  return Array.from({ length: turns }, (_, turn) =>
    list.slice(turn * TURN_QUERIES, (turn + 1) * TURN_QUERIES),
  );
}
