import type { Listing, Source } from '#capabilities/corpus/index.ts';
import { hostOf, specialPurposeOf } from '#domain/indicator/index.ts';
import { confidenceBaseOf, isActive } from '#domain/scoring/index.ts';
import type { Assessment } from './assess.ts';
import type { Infrastructure, SourceEntry } from './contract-listings.ts';

type Match = SourceEntry['matchType'];

/** Cached by registry row, which is one object until the row changes: most answers name the same few sources. */
const entries = new WeakMap<Source, Partial<Record<Match, SourceEntry>>>();

/**
 * Current listings of the subject itself (contract 2.2). Neighbours and delisted entries are factors, never entries.
 */
export function presentSources(listings: readonly Listing[]): SourceEntry[] {
  const shown: SourceEntry[] = [];
  for (const listing of listings)
    if (isShown(listing)) shown.push(entryOf(listing.source, listing.matchType as Match));
  return shown;
}

export const isShown = (listing: Listing): boolean => isActive(listing) && !isPraiseOfParent(listing);

function entryOf(source: Source, matchType: Match): SourceEntry {
  let known = entries.get(source);
  if (known === undefined) {
    known = {};
    entries.set(source, known);
  }
  known[matchType] ??= makeEntry(source, matchType);
  return known[matchType];
}

/** `url`, `provider` and `licenseMode` are for licensed callers, who read them from POST /sources (G8). */
const makeEntry = (source: Source, matchType: Match): SourceEntry => ({
  id: source.id,
  name: source.name,
  type: source.type,
  category: source.category,
  categories: source.categories as string[],
  threatClass: source.threatClass,
  fpRisk: source.fpRisk,
  matchType,
  status: 'verified',
  confidenceBase: confidenceBaseOf(source),
  retentionDays: source.retentionDays,
  tags: source.tags as string[],
  entityTypes: source.entityTypes as string[],
  format: source.format,
});

/** Absent, not empty, when no listing describes the indicator (contract 2.1, trap 3). */
export function presentInfrastructure({
  subject,
  listings,
  context,
}: Pick<Assessment, 'subject' | 'listings' | 'context'>): Infrastructure | null {
  const { labels, tags, isReserved } = context;
  if (labels.length === 0 && tags.length === 0) return null;
  const sources: Infrastructure['sources'] = isReserved ? specialPurposeSources(subject) : [];
  for (const listing of listings) if (describes(listing)) sources.push(describer(listing.source));
  const shown: Infrastructure = { attributes: labels as string[], sources };
  if (tags.length > 0) shown.tags = tags as string[];
  return shown;
}

const describes = (listing: Listing): boolean => listing.source.threatClass !== 'threat' && isShown(listing);

/** An allowlist entry of a parent domain says nothing about the subject. */
const isPraiseOfParent = ({ matchType, source }: Listing): boolean =>
  matchType === 'parent' && source.threatClass === 'allowlist';

const describer = ({ id, name, category, threatClass }: Source): Infrastructure['sources'][number] => ({
  id,
  name,
  category,
  threatClass,
});

/** A private or reserved address is described as such (decisions 3.1). */
function specialPurposeSources(subject: Assessment['subject']): Infrastructure['sources'] {
  const host = hostOf(subject);
  const special = host?.kind === 'ip' ? specialPurposeOf(host) : null;
  if (special === null) return [];
  return [
    {
      id: 'iana-special-purpose',
      name: `${special.name} (${special.rfc})`,
      category: 'bogon',
      threatClass: 'infrastructure',
    },
  ];
}
