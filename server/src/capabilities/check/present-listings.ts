import type { Listing, Source } from '#capabilities/corpus/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import { hostOf, type Indicator, specialPurposeOf } from '#domain/indicator/index.ts';
import { confidenceBaseOf, isActive } from '#domain/scoring/index.ts';
import { inertText } from '#domain/text/inert-text.ts';
import type { Service } from './contract-context.ts';
import type { Infrastructure, SourceEntry } from './contract-listings.ts';
import { isoOfSeconds } from './iso-time.ts';

const FAMILY_MAX = 80;

type Match = SourceEntry['matchType'];

/**
 * Presented entries, cached by registry row because most answers name the same few sources; the row is one object until
 * it changes. `plain` has no date; `dated` is the last entry with a date, which all entries of many lists share.
 */
type Known = {
  readonly plain: SourceEntry;
  dated: SourceEntry | null;
  dating: Listing['dating'];
  seenS: number;
};
const entries = new WeakMap<Source, Partial<Record<Match, Known>>>();

/**
 * Current listings of the subject itself (contract 2.2). Neighbours and delisted entries are factors, never entries.
 */
export function presentSources(subject: Indicator, listings: readonly Listing[]): SourceEntry[] {
  const shown: SourceEntry[] = [];
  for (const listing of listings) if (isShown(listing)) shown.push(presentListing(subject, listing));
  return shown;
}

function presentListing(subject: Indicator, listing: Listing): SourceEntry {
  const { source, dating, firstSeenS, family, reference } = listing;
  const known = knownOf(source, matchOf(listing, subject));
  const hasName = family !== undefined || reference !== undefined;
  if (dating === 'undated' && !hasName) return known.plain;
  if (known.dated === null || known.dating !== dating || known.seenS !== firstSeenS) {
    known.dated = datedEntry(known.plain, dating, firstSeenS);
    known.dating = dating;
    known.seenS = firstSeenS;
  }
  return hasName ? namedEntry(known.dated, listing) : known.dated;
}

function datedEntry(plain: SourceEntry, dating: Listing['dating'], firstSeenS: number): SourceEntry {
  const entry: SourceEntry = { ...plain, dating };
  if (firstSeenS > 0 && dating === 'own') entry.reportedAt = isoOfSeconds(firstSeenS);
  if (firstSeenS > 0 && dating === 'sighted') entry.listedSince = isoOfSeconds(firstSeenS);
  return entry;
}

function namedEntry(dated: SourceEntry, { family, reference }: Listing): SourceEntry {
  const entry: SourceEntry = { ...dated };
  const word = inertText(family, FAMILY_MAX);
  if (word !== null) entry.family = word;
  if (reference !== undefined) entry.reference = reference;
  return entry;
}

/** A list that names the host of a queried URL is shown as `parent`, like one that names a domain above it. */
export const matchOf = ({ matchType, matched }: Listing, subject: Indicator): Match =>
  subject.kind === 'url' && matchType === 'exact' && matched !== subject.value
    ? 'parent'
    : (matchType as Match);

export const isShown = (listing: Listing): boolean => isActive(listing) && !isPraiseOfParent(listing);

function knownOf(source: Source, matchType: Match): Known {
  let known = entries.get(source);
  if (known === undefined) {
    known = {};
    entries.set(source, known);
  }
  known[matchType] ??= { plain: makeEntry(source, matchType), dated: null, dating: 'undated', seenS: 0 };
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
  dating: 'undated',
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

export function presentService({ context }: Pick<Assessment, 'context'>): Service | undefined {
  if (!context.service) return undefined;
  const { name, operator, kind } = context.service;
  return { name, operator, kind };
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
