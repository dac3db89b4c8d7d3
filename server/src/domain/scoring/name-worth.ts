import {
  type AgeGroup,
  ageGroupOf,
  type ListClass,
  type RatedShare,
  SHIPPED_BOOK,
  type WeightBook,
} from '../weights/index.ts';
import { scoreCategoryOf, tierOf } from './categories.ts';
import {
  type Case,
  hourOf,
  isScannerFor,
  type ListingFacts,
  SECONDS_PER_HOUR,
  type SourceFacts,
} from './facts.ts';
import { MODEL } from './model.ts';
import { isOwnList } from './own-list.ts';
import { stalenessOf } from './source-freshness.ts';

/** What one listing of a name is worth alone, before its relation to the name that was asked for (scoring 2). */
export type NameWorth = {
  readonly share: number;
  readonly from: RatedShare['from'];
  /** False for what is no list: the caller's organization, a live scanner. */
  readonly isPublished: boolean;
  readonly group: AgeGroup;
  readonly listClass: ListClass;
  /** D: what is left of the listing; null: it fades by the age of the entry. */
  readonly decay: number | null;
  /** The most points of this listing alone. */
  readonly cap: number;
  /** The least points of this listing alone. */
  readonly least: number;
  /** Its source got it a few days ago; without a second lineage it does not lead to `block`. */
  readonly isYoung: boolean;
};

const HOURS_PER_DAY = 24;
const SECONDS_PER_DAY = HOURS_PER_DAY * SECONDS_PER_HOUR;

/** Whole days of UTC, so that entries of one day are worth the same. */
const daysBetween = (fromS: number, toS: number): number =>
  Math.floor(toS / SECONDS_PER_DAY) - Math.floor(fromS / SECONDS_PER_DAY);

export const weightsOf = ({ weights }: Pick<Case, 'weights'>): WeightBook => weights ?? SHIPPED_BOOK;

/** The worth of a listed name; null for a list that an operator imported, which has no learned share (O81). */
export function nameWorthOf(listing: ListingFacts, of: Case): NameWorth | null {
  const { source } = listing;
  if (isOwnList(source)) return null;
  const book = weightsOf(of);
  const listClass = book.classOf(source);
  const nowS = of.nowH * SECONDS_PER_HOUR;
  const group = ageGroupOf(listing.dating === 'undated' ? null : listing.firstSeenS, nowS);
  const { share, from, isProven } = book.shareOf(source, group);
  const isGraded = from === 'lineage' || from === 'grade';
  return {
    share,
    from,
    isPublished: isPublished(source),
    group,
    listClass,
    decay: decayOfName(listing, listClass, of.nowH),
    cap: capOf(listing, listClass, { isProven, isGraded, nowS }),
    least: listing.isDelisted !== true && listClass !== 'keeps' ? MODEL.names.least : 0,
    isYoung:
      listClass === 'unknown' &&
      isPublished(source) &&
      listing.dating !== 'undated' &&
      daysBetween(listing.firstSeenS, nowS) < MODEL.names.youngDays,
  };
}

/**
 * A list that takes entries back asserts what it still holds, so nothing fades while it is listed. A stale copy of such a
 * list asserts nothing any more: its entries count as if they had left on the date of the data.
 */
function decayOfName(listing: ListingFacts, listClass: ListClass, nowH: number): number | null {
  const { source } = listing;
  if (listClass === 'keeps' || listing.isDelisted === true) return null;
  const nowMs = nowH * SECONDS_PER_HOUR * 1_000;
  if (listClass === 'removes') return stalenessOf(source, nowMs).isFresh || source.dataAtS === 0 ? 1 : null;
  return daysOfDataBeyond(source, nowH) <= 0 ? 1 : null;
}

const daysOfDataBeyond = ({ dataAtS }: SourceFacts, nowH: number): number =>
  dataAtS === 0 ? 0 : (nowH - hourOf(dataAtS)) / HOURS_PER_DAY - MODEL.names.unknownDays;

/** The age in days from which a listed name fades, where it fades (`decay` is null). */
export function fadeAgeOf(listing: ListingFacts, listClass: ListClass, nowH: number): number {
  const { source, dating, firstSeenS, lastSeenS, hasOwnLastSeen, isDelisted } = listing;
  const since = (seconds: number): number => Math.max(0, nowH - hourOf(seconds)) / HOURS_PER_DAY;
  if (listClass === 'keeps') {
    if (dating === 'undated') return 0;
    return since(dating === 'own' && hasOwnLastSeen === true && isDelisted !== true ? lastSeenS : firstSeenS);
  }
  if (isDelisted === true) return since(lastSeenS);
  return listClass === 'removes' ? since(source.dataAtS) : Math.max(0, daysOfDataBeyond(source, nowH));
}

/** Of an entry that left, or whose list is stale: how much an entry counts that may come back. */
export function backOf(sourceId: string, book: WeightBook): number {
  const { base, rest, unmeasured } = MODEL.names.back;
  const back30 = book.back30Of(sourceId);
  return back30 === null ? unmeasured : base + rest * back30;
}

type CapFacts = { readonly isProven: boolean; readonly isGraded: boolean; readonly nowS: number };

/** The smallest limit that applies, because each says something else that one listing does not prove (scoring 2). */
function capOf(listing: ListingFacts, listClass: ListClass, { isProven, isGraded, nowS }: CapFacts): number {
  const { source, dating } = listing;
  const { caps } = MODEL.names;
  const tracked = isTracked(listing, nowS);
  let cap: number = caps.any;
  const limit = (most: number): void => {
    cap = Math.min(cap, most);
  };
  if (listClass === 'keeps') limit(dating === 'undated' ? caps.undated : tracked ? caps.tracked : caps.kept);
  if (source.aggregate) limit(caps.aggregate);
  if (source.id !== ORGANIZATION && tierOf(scoreCategoryOf(source.category)) !== 'crit') limit(caps.attack);
  if (!isPublished(source)) return cap;
  if (!SERIOUS.has(source.letter)) limit(caps.poorGrade);
  if (isGraded || !isProven) limit(tracked ? caps.tracked : caps.unproven);
  return cap;
}

const SERIOUS: ReadonlySet<string> = new Set(MODEL.seriousLetters);

/** The caller's own organization as a source (O14). */
export const ORGANIZATION = 'organization';

/** True for a list that somebody publishes; the caller's organization and a live scanner speak for themselves. */
const isPublished = ({ id }: Pick<SourceFacts, 'id'>): boolean => !SPEAKERS.has(id);
/** Sources of a case that are no lists: capabilities/judging adds them. */
const SPEAKERS: ReadonlySet<string> = new Set([ORGANIZATION, 'live-scanner']);

/** A source that verifies each entry itself says so of this one, with high confidence, and not long ago. */
function isTracked(listing: ListingFacts, nowS: number): boolean {
  const { source, confidence = -1, firstSeenS, lastSeenS, dating } = listing;
  if (!isScannerFor(source, 'domain') || confidence < MODEL.names.trackedConfidence || dating === 'undated')
    return false;
  return nowS - Math.max(firstSeenS, lastSeenS) <= MODEL.names.trackedDays * SECONDS_PER_DAY;
}
