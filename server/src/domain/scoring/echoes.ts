import type { ListingFacts } from './facts.ts';
import type { Opinion } from './opinion.ts';

export type Said = ReadonlyMap<Opinion, ListingFacts>;

/**
 * A source that repeats another one dates an entry later and so makes it look younger. If the original lists the value
 * as well, the repeated entry gets the age of the original's.
 */
export function withOriginalAges(said: Said): Said {
  if (![...said.keys()].some(({ isEchoing }) => isEchoing)) return said;
  const originals = new Map<string, number>();
  for (const { isEchoing, isUndated, lineage, ageDays } of said.keys())
    if (!isEchoing && !isUndated)
      originals.set(lineage, Math.min(ageDays, originals.get(lineage) ?? ageDays));
  return new Map([...said].map(([opinion, listing]) => [aged(opinion, originals), listing]));
}

function aged(opinion: Opinion, originals: ReadonlyMap<string, number>): Opinion {
  const original = opinion.isEchoing ? originals.get(opinion.lineage) : undefined;
  return original === undefined || original <= opinion.ageDays ? opinion : { ...opinion, ageDays: original };
}
