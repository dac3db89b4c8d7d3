import { familyNameOf } from '#domain/families/index.ts';
import { isActive, isThreat, type ListingFacts } from './facts.ts';
import { lineageOf } from './opinion-of.ts';

const NONE: readonly string[] = [];

/**
 * The malware families that current accusations name, in normal form, heaviest first, equal ones by name. The weight of
 * a family is the sum of the best reliability of each lineage that names it (O52), so that copies of one list count
 * once.
 */
export function chooseFamilies(listings: readonly ListingFacts[]): readonly string[] {
  if (!listings.some(({ family }) => family !== undefined)) return NONE;
  const voices = new Map<string, Map<string, number>>();
  for (const listing of listings) {
    if (listing.family === undefined || !isThreat(listing) || !isActive(listing)) continue;
    const name = familyNameOf(listing.family);
    if (name === null) continue;
    const ofFamily = voices.get(name) ?? new Map<string, number>();
    const lineage = lineageOf(listing.source);
    ofFamily.set(lineage, Math.max(ofFamily.get(lineage) ?? 0, listing.source.reliability));
    voices.set(name, ofFamily);
  }
  return [...voices]
    .map(([name, ofFamily]) => ({ name, weight: weightOf(ofFamily) }))
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/** Summed in whole thousandths, so that the order of the listings cannot change the sum. */
const weightOf = (lineages: ReadonlyMap<string, number>): number =>
  [...lineages.values()].reduce((sum, reliability) => sum + Math.round(reliability * 1_000), 0);
