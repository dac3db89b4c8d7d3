import type { IndicatorContext, Listing, Source } from '#capabilities/corpus/index.ts';
import type { JudgeInput } from '#capabilities/judging/index.ts';
import { agesByEntry, hourOf, isExpired, isSharedParent, type SignalFacts } from '#domain/scoring/index.ts';
import { sha256Of } from '#platform/sha256.ts';

/**
 * Everything that decides the level of an indicator, now and at any later hour: indicators with equal facts have equal
 * levels for as long as the facts hold. "Still listed" stands for the date of the source's data, so a refetch moves
 * no indicator; names, words and numbers that only a sentence shows are left out.
 */
export function classFactsOf(input: JudgeInput): string {
  const { subject, listings, context, asn, signals } = input;
  let facts = `${subject.kind}${subject.ipVersion ?? ''}${context.isReserved ? 'r' : ''}${context.isTenantSuffix ? 't' : ''}`;
  if (context.platform !== null) facts += 'p';
  if (context.service) facts += `=${context.service.name}`;
  if (signals !== undefined && signals !== null) facts += signalFacts(signals);
  for (const { guard, scope } of context.guards) facts += `,${guard}${scope}`;
  facts += `|${context.rankBucket ?? ''}${(context.popularKinds ?? []).join('+')}|${asn?.sourceId ?? ''}`;
  for (const listing of listings) facts += `;${listingFacts(listing, context)}`;
  return facts;
}

/** The listings that stand now. Leaves out what changes without a merge: delisted entries, signals and networks. */
export const listedFactsOf = ({ listings, context }: Pick<JudgeInput, 'listings' | 'context'>): string =>
  listings
    .filter(({ isDelisted }) => isDelisted !== true)
    .map((listing) => listingFacts(listing, context))
    .join(';');

/**
 * Only which signals there are, and the technique of a brand: the weight of a signal depends on these, not on the names and
 * numbers it mentions.
 */
const signalFacts = ({ neighbourhood, name, imitates, tenant, brand }: SignalFacts): string =>
  `~${neighbourhood ?? ''}${name === null ? '' : 'n'}${imitates === null ? '' : 'i'}${tenant === null ? '' : 't'}${brand === null ? '' : `b${brand.technique}`}`;

function listingFacts(listing: Listing, context: IndicatorContext): string {
  const { source, matchType, prefixBits, isDelisted } = listing;
  const isParent = matchType === 'parent';
  const shared = isParent && isSharedParent(listing.matched, context) ? 'p' : '';
  const guards = isParent ? `${shared}${parentGuards(context, listing.matched)}` : '';
  return `${guards}${source.number}${matchType}${prefixBits ?? ''}${isDelisted === true ? 'd' : ''}${dateFacts(listing)}`;
}

function parentGuards({ inheritedGuards }: IndicatorContext, matched: string): string {
  let facts = '';
  for (const { guard, rankBucket, ...of } of inheritedGuards)
    if (of.matched === matched) facts += `^${guard}${rankBucket ?? ''}`;
  return facts;
}

/** The hours from which a listing may age: its own last sighting, and its first where its source dates entries. */
function dateFacts({ source, dating, firstSeenS, lastSeenS, hasOwnLastSeen, isDelisted }: Listing): string {
  const last = hasOwnLastSeen === true || isDelisted === true ? `@${hourOf(lastSeenS)}` : '';
  if (!agesByEntry(source)) return last;
  return dating === 'undated' ? `${last}u` : `${last}${dating.charAt(0)}${hourOf(firstSeenS)}`;
}

/**
 * By source number, what the registry decides about the facts themselves: whether its listings are read, what they guard,
 * which dates count, and whether its period is over (O81). Reliability and the like change judgements and not facts.
 */
export const shapesOf = (sources: readonly Source[], nowMs: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sources.map((s) => [
      String(s.number),
      sha256Of(
        JSON.stringify([
          [s.id, s.enabled, s.threatClass, s.adOnly, agesByEntry(s), s.guard, s.rankMax],
          [s.attributes, s.tags, s.category],
          ...(isExpired(s, hourOf(nowMs / 1_000)) ? ['expired'] : []),
        ]),
      ).slice(0, 8),
    ]),
  );
