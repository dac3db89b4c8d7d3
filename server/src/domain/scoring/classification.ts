import type { GuardFactor } from './attenuation.ts';
import { scoreCategoryOf } from './categories.ts';
import { type Findings, isTracker } from './findings.ts';
import { isAccusing } from './ladder.ts';
import type { ScoreCategory } from './model.ts';
import { round3 } from './round.ts';
import type { Verdict } from './verdict.ts';
import { listingSentence } from './wording.ts';

/** G5 has no class for the categories `exploit` and `test`. */
export const classOf = (category: ScoreCategory): string => {
  if (category === 'exploit') return 'attack';
  return category === 'test' ? 'suspicious' : category;
};

const SECONDARY_MAX = 8;
const INDICATORS_MAX = 50;

export function classificationOf(findings: Findings, confidence: number): Verdict['classification'] {
  const ranked = rankedCategories(findings);
  const primary = primaryOf(findings, ranked);
  const total = ranked.reduce((sum, { share }) => sum + share, 0);
  const leading = ranked.find(({ category }) => classOf(category) === primary);
  return {
    primary,
    secondary: [...new Set(ranked.map(({ category }) => classOf(category)))]
      .filter((word) => word !== primary)
      .slice(0, SECONDARY_MAX),
    confidence: Math.round(
      leading === undefined || total === 0 ? confidence : (confidence * leading.share) / total,
    ),
    indicators: indicatorsOf(findings),
  };
}

function primaryOf(
  { standing, level, isKnownGood, of, scored }: Findings,
  [strongest]: readonly RankedCategory[],
): string {
  switch (standing) {
    case 'reserved':
      return 'safe';
    case 'vouched':
      return of.listings.some(isTracker) ? 'tracking' : 'safe';
    case 'tracker':
      return 'tracking';
    case 'listed':
      if (isAccusing(level) && scored.guards.some(isVerifiedScanner)) return 'scanner';
      if (isAccusing(level) && strongest !== undefined) return classOf(strongest.category);
      return isKnownGood ? 'safe' : 'suspicious';
    // An accusation of a neighbour, or a former one, does not determine the class; the indicators show its category.
    case 'trace':
      if (isAccusing(level)) return 'suspicious';
      return isKnownGood ? 'safe' : 'unknown';
    case 'foreseen':
      return isAccusing(level) ? 'suspicious' : 'unknown';
    default:
      return 'unknown';
  }
}

const isVerifiedScanner = ({ name, scope }: GuardFactor): boolean =>
  name === 'research_scanner' && scope === 'itself';

export type RankedCategory = { readonly category: ScoreCategory; readonly share: number };

export function rankedCategories({ scored }: Findings): readonly RankedCategory[] {
  const shares = new Map<ScoreCategory, number>();
  for (const { opinion, effective } of scored.counted)
    shares.set(opinion.category, (shares.get(opinion.category) ?? 0) + effective);
  return [...shares]
    .map(([category, share]) => ({ category, share }))
    .sort((a, b) => b.share - a.share || (a.category < b.category ? -1 : 1));
}

/** The score categories of current listings, strongest first; categories that have faded come last. */
export function activeCategoriesOf(findings: Findings): readonly string[] {
  const active = new Set(findings.active.map(({ source }) => scoreCategoryOf(source.category)));
  const strong = rankedCategories(findings).flatMap(({ category }) =>
    active.has(category) ? [category] : [],
  );
  return [...new Set([...strong, ...[...active].sort()])];
}

function indicatorsOf({ of, scored }: Findings): Verdict['classification']['indicators'] {
  const counted = scored.counted.map(({ listing, opinion, weight }) => ({
    type: listing.isDelisted === true ? 'former-listing' : 'listing',
    category: classOf(opinion.category),
    description: listingSentence(listing, of),
    weight: round3(weight.strength),
  }));
  const trackers = of.listings.filter(isTracker).map(({ source }) => ({
    type: 'listing',
    category: 'tracking',
    description: `${source.name} lists it as advertising or tracking, which is no accusation.`,
    weight: 0,
  }));
  return [...counted, ...trackers].slice(0, INDICATORS_MAX);
}
