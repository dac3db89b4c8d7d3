import { NO_ENGINES } from './engines.ts';
import { type Case, isActive, isThreat, type ListingFacts } from './facts.ts';
import { levelOf, type RiskLevel } from './levels.ts';
import { MODEL } from './model.ts';
import { listingsAt } from './own-list.ts';
import { type Adjustment, type ScoredCase, scoreCase } from './score-case.ts';
import { SIGNAL_NAMES } from './signal-facts.ts';
import { type Voucher, vouchersOf } from './vouchers.ts';

/**
 * The kind of answer, the first that applies: a private or reserved address or name; accused now; accused before, or a
 * neighbour is accused; vouched for; not accused, but a signal foresees it; on ad and tracker lists only; no source for
 * this kind is loaded; never seen.
 */
export type Standing =
  | 'reserved'
  | 'listed'
  | 'trace'
  | 'vouched'
  | 'foreseen'
  | 'tracker'
  | 'not-loaded'
  | 'unknown';

export type Findings = {
  readonly of: Case;
  readonly scored: ScoredCase;
  readonly standing: Standing;
  readonly level: RiskLevel;
  /** The current threat listings of the subject itself, which are the hits. */
  readonly active: readonly ListingFacts[];
  readonly vouchers: readonly Voucher[];
  /** True if a voucher names the subject itself and is strong enough to contradict an accusation. */
  readonly isKnownGood: boolean;
};

const NO_SCORE: ScoredCase = {
  score: 0,
  counted: [],
  adjustments: [],
  guards: [],
  evidence: 0,
  engines: NO_ENGINES,
  isMalicious: false,
};

export function findingsOf(given: Case): Findings {
  const listings = listingsAt(given.listings, given.nowH);
  const of = listings === given.listings ? given : { ...given, listings };
  const active = of.listings.filter((listing) => isThreat(listing) && isActive(listing));
  // A listing of a private address is about another network than the caller's.
  const scored = of.context.isReserved ? NO_SCORE : scoreCase(of);
  const vouchers = vouchersOf(of, scored.guards);
  const standing = standingOf(of, { active, scored, vouchers });
  const isKnownGood = vouchers.some(({ strength, isGood }) => isGood && strength !== 'faint');
  const isVouched = standing === 'reserved' || ((standing === 'vouched' || isKnownGood) && !isEmptyFile(of));
  const level = levelOfCase(scored, isVouched);
  return { of, scored, standing, level, active, vouchers, isKnownGood };
}

function standingOf(
  { context, listings, subject, corpus }: Case,
  { active, scored, vouchers }: Pick<Findings, 'active' | 'scored' | 'vouchers'>,
): Standing {
  if (context.isReserved) return 'reserved';
  if (active.length > 0) return 'listed';
  if (scored.counted.length > 0) return 'trace';
  if (vouchers.some(({ isGood }) => isGood)) return 'vouched';
  if (scored.adjustments.some(isSignal)) return 'foreseen';
  if (subject.kind !== 'hash' && listings.some(isTracker)) return 'tracker';
  return corpus.coverage === 0 ? 'not-loaded' : 'unknown';
}

const SIGNALS: ReadonlySet<string> = new Set(SIGNAL_NAMES);
export const isSignal = ({ name }: Adjustment): boolean => SIGNALS.has(name);

const EMPTY_FILE = 'empty-file';
/** Lists of frequent false alarms vouch for the empty file, but a file without content is neither good nor bad (O53). */
export const isEmptyFile = ({ listings }: Case): boolean =>
  listings.some((listing) => isActive(listing) && listing.source.category === EMPTY_FILE);

/** Listings of advertising and tracker lists are shown but never counted (contract 2.1 rule 2). */
export const isTracker = (listing: ListingFacts): boolean =>
  listing.source.threatClass === 'threat' && listing.source.adOnly && isActive(listing);

/** A score below `low` says nothing by itself: `safe` needs a voucher, for every kind (O51). */
function levelOfCase({ score }: ScoredCase, isVouched: boolean): RiskLevel {
  const level = levelOf(score);
  return level === 'safe' && !isVouched ? 'inconclusive' : level;
}

const GRADES: ReadonlySet<string> = new Set(MODEL.seriousLetters);
export const hasSeriousGrade = ({ active }: Pick<Findings, 'active'>): boolean =>
  active.some(({ source }) => GRADES.has(source.letter));
