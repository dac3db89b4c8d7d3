import type { IndicatorContext, Listing, Source } from '#capabilities/corpus/index.ts';
import type { JudgeInput } from '#capabilities/judging/index.ts';
import {
  agesByEntry,
  hourOf,
  isExpired,
  nameFactsOf,
  parentFactsOf,
  type SignalFacts,
  weightsOf,
} from '#domain/scoring/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';
import { sha256Of } from '#platform/sha256.ts';

/**
 * Everything that decides the level of an indicator, now and at any later hour: indicators with equal facts have equal
 * levels for as long as the facts hold. "Still listed" stands for the date of the source's data, so a refetch moves
 * no indicator; names, words and numbers that only a sentence shows are left out.
 */
export function classFactsOf(input: JudgeInput): string {
  const { subject, listings, context, asn, signals } = input;
  let facts = `${subject.kind}${subject.ipVersion ?? ''}${context.isReserved ? 'r' : ''}${context.isTenantSuffix ? 't' : ''}${nameFactsOf(input)}`;
  if (context.platform !== null) facts += 'p';
  if (context.service) facts += `=${context.service.name}`;
  if (signals !== undefined && signals !== null) facts += signalFacts(signals);
  for (const { guard, scope } of context.guards) facts += `,${guard}${scope}`;
  facts += `|${context.rankBucket ?? ''}${(context.popularKinds ?? []).join('+')}|${asn?.sourceId ?? ''}`;
  for (const listing of listings) facts += `;${listingFacts(listing, input)}`;
  return facts;
}

/** The listings that stand now. Leaves out what changes without a merge: delisted entries, signals and networks. */
export const listedFactsOf = (input: ListingInput): string =>
  input.listings
    .filter(({ isDelisted }) => isDelisted !== true)
    .map((listing) => listingFacts(listing, input))
    .join(';');

type ListingInput = Pick<JudgeInput, 'subject' | 'listings' | 'context' | 'weights'>;

/**
 * Only which signals there are, and the technique of a brand: the weight of a signal depends on these, not on the names and
 * numbers it mentions.
 */
const signalFacts = ({ neighbourhood, name, imitates, tenant, brand }: SignalFacts): string =>
  `~${neighbourhood ?? ''}${name === null ? '' : 'n'}${imitates === null ? '' : 'i'}${tenant === null ? '' : 't'}${brand === null ? '' : `b${brand.technique}`}`;

function listingFacts(listing: Listing, input: ListingInput): string {
  const { source, matchType, prefixBits, isDelisted } = listing;
  const guards = matchType === 'parent' ? parentGuards(input.context, listing.matched) : '';
  return `${guards}${source.number}${matchType}${prefixBits ?? ''}${isDelisted === true ? 'd' : ''}${dateFacts(listing, input)}${parentFactsOf(listing, input)}`;
}

function parentGuards({ inheritedGuards }: IndicatorContext, matched: string): string {
  let facts = '';
  for (const { guard, rankBucket, ...of } of inheritedGuards)
    if (of.matched === matched) facts += `^${guard}${rankBucket ?? ''}`;
  return facts;
}

/**
 * The hours from which a listing may age: its own last sighting, and its first where its source dates entries. Of other
 * lists of names the day of the first sighting, which decides the age group now and later (scoring 2).
 */
function dateFacts(listing: Listing, input: ListingInput): string {
  const { source, dating, firstSeenS, lastSeenS, hasOwnLastSeen, isDelisted } = listing;
  const last = hasOwnLastSeen === true || isDelisted === true ? `@${hourOf(lastSeenS)}` : '';
  const isByHour = agesByEntry(source) || weightsOf(input).classOf(source) === 'keeps';
  if (!isByHour && !hasGroups(listing, input)) return last;
  if (dating === 'undated') return `${last}u`;
  return `${last}${dating.charAt(0)}${isByHour ? hourOf(firstSeenS) : Math.floor(hourOf(firstSeenS) / HOURS_PER_DAY)}`;
}

const HOURS_PER_DAY = 24;
/** Only a listing of a name has an age group; a page or an address has none. */
const hasGroups = ({ matchType }: Listing, { subject }: ListingInput): boolean =>
  (subject.kind === 'domain' && matchType !== 'page') || matchType === 'parent' || matchType === 'child';

/**
 * By source number, what the registry decides about the facts themselves: whether its listings are read, what they guard,
 * which dates count, and whether its period is over (O81). Reliability and the like change judgements and not facts.
 */
export const shapesOf = (
  sources: readonly Source[],
  weights: WeightBook,
  nowMs: number,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sources.map((s) => [
      String(s.number),
      sha256Of(
        JSON.stringify([
          [s.id, s.enabled, s.threatClass, s.adOnly, agesByEntry(s), s.guard, s.rankMax, weights.classOf(s)],
          [s.attributes, s.tags, s.category],
          ...(isExpired(s, hourOf(nowMs / 1_000)) ? ['expired'] : []),
        ]),
      ).slice(0, 8),
    ]),
  );
