import { type Case, isActive, isThreat, type ListingFacts } from './facts.ts';
import { levelOf, type RiskLevel } from './levels.ts';
import { MODEL } from './model.ts';
import { type ScoredCase, scoreCase } from './score-case.ts';
import { type Voucher, vouchersOf } from './vouchers.ts';

/**
 * What kind of answer a case gets, first that fits: a private or reserved address · accused now · accused before, or a
 * neighbour is · somebody vouches for it · on ad and tracker lists only · nobody could have said anything · never seen.
 */
export type Standing = 'reserved' | 'listed' | 'trace' | 'vouched' | 'tracker' | 'not-loaded' | 'unknown';

/** The case with what every part of the verdict asks of it. */
export type Findings = {
  readonly of: Case;
  readonly scored: ScoredCase;
  readonly standing: Standing;
  readonly level: RiskLevel;
  /** Threat listings of the subject itself that stand now: the hits. */
  readonly active: readonly ListingFacts[];
  readonly vouchers: readonly Voucher[];
  /** Somebody vouches for the subject itself, firmly enough to stand against an accusation. */
  readonly isKnownGood: boolean;
};

const NO_SCORE: ScoredCase = { score: 0, counted: [], adjustments: [], guards: [], evidence: 0 };

export function findingsOf(of: Case): Findings {
  const active = of.listings.filter((listing) => isThreat(listing) && isActive(listing));
  // Whoever lists a private address has another network in mind than the one who asks.
  const scored = of.context.isReserved ? NO_SCORE : scoreCase(of);
  const vouchers = vouchersOf(of, scored.guards);
  const standing = standingOf(of, { active, scored, vouchers });
  const isKnownGood = vouchers.some(({ strength, isGood }) => isGood && strength !== 'faint');
  return { of, scored, standing, level: levelOfCase(of, standing, scored), active, vouchers, isKnownGood };
}

function standingOf(
  { context, listings, subject, corpus }: Case,
  { active, scored, vouchers }: Pick<Findings, 'active' | 'scored' | 'vouchers'>,
): Standing {
  if (context.isReserved) return 'reserved';
  if (active.length > 0) return 'listed';
  if (scored.counted.length > 0) return 'trace';
  if (vouchers.some(({ isGood }) => isGood)) return 'vouched';
  if (subject.kind !== 'hash' && listings.some(isTracker)) return 'tracker';
  return corpus.freshSources === 0 ? 'not-loaded' : 'unknown';
}

/** Contract 2.1 rule 2: shown, never counted. */
export const isTracker = (listing: ListingFacts): boolean =>
  listing.source.threatClass === 'threat' && listing.source.adOnly && isActive(listing);

/** Section 6: `inconclusive` where nothing could be known; contract 2.1 rule 4: a hash nobody has seen is that too. */
function levelOfCase({ subject }: Case, standing: Standing, { score }: ScoredCase): RiskLevel {
  if (standing === 'not-loaded') return 'inconclusive';
  if (standing === 'unknown') return subject.kind === 'hash' ? 'inconclusive' : 'safe';
  return levelOf(score);
}

/** Letters that make an accusation one to take seriously by itself. */
const GRADES: ReadonlySet<string> = new Set(MODEL.seriousLetters);
export const hasSeriousGrade = ({ active }: Pick<Findings, 'active'>): boolean =>
  active.some(({ source }) => GRADES.has(source.letter));
