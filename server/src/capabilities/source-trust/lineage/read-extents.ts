import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Source } from '#capabilities/corpus/index.ts';
import type { Db } from '#platform/postgres.ts';
import { ipv4Intervals, ipv6Intervals, NO_INTERVALS } from './coverage.ts';
import type { Extent, KeySet } from './overlaps.ts';
import { keySets, packedRanges } from './store.ts';

export type Extents = { readonly extents: readonly Extent[]; readonly sets: readonly KeySet[] };

const NOTHING = { entries: 0, covered: NO_INTERVALS };

export async function readExtents(db: Db, sources: readonly Source[]): Promise<Extents> {
  const numbers = sources.map(({ number }) => number);
  const sets = await keySets(db, numbers);
  const keys = new Map<number, number>();
  for (const set of sets)
    for (const number of set.sources) keys.set(number, (keys.get(number) ?? 0) + set.keys);
  const covered = new Map<string, Extent['ipv4']>();
  for (const { sourceNumber, version, entries, packed } of await packedRanges(db, numbers)) {
    const intervals = version === 4 ? ipv4Intervals(packed) : ipv6Intervals(packed);
    covered.set(`${sourceNumber} ${version}`, { entries, covered: intervals });
    // Reading a large source takes 0.1 s, so the event loop gets a turn after each, in which the lease is renewed.
    await nextTurn();
  }
  const extents = sources.map(({ number, id }) => ({
    number,
    id,
    ipv4: covered.get(`${number} 4`) ?? NOTHING,
    ipv6: covered.get(`${number} 6`) ?? NOTHING,
    keys: keys.get(number) ?? 0,
  }));
  return { extents, sets };
}
