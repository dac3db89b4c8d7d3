import { scoreCategoryOf } from './categories.ts';
import { ageHoursOf, agesByEntry } from './entry-age.ts';
import {
  type Case,
  datesSightings,
  isDriverList,
  isOfPage,
  knownSinceS,
  type ListingFacts,
  SECONDS_PER_HOUR,
  type SourceFacts,
  type Subject,
} from './facts.ts';
import type { ScoreCategory } from './model.ts';
import { isOwnList } from './own-list.ts';
import { stalenessOf } from './source-freshness.ts';

/** Completes "... lists it for". */
const FOR: Readonly<Record<ScoreCategory, string>> = {
  c2: 'command and control',
  ransomware: 'ransomware',
  malware: 'malware',
  phishing: 'phishing',
  botnet: 'botnet activity',
  exploit: 'exploit attempts',
  bruteforce: 'brute-force attempts',
  scam: 'scams',
  fraud: 'fraud',
  spam: 'spam',
  scanner: 'scanning',
  abuse: 'abuse',
  test: 'tests of scanners',
};

export const wordsOf = (category: ScoreCategory): string => FOR[category];
export const accusationOf = (source: SourceFacts): string =>
  isDriverList(source) ? 'being a vulnerable signed driver' : FOR[scoreCategoryOf(source.category)];

export const TEST: ScoreCategory = 'test';
const HOURS_PER_DAY = 24;
const MS_PER_DAY = 86_400_000;
const HOURS_TOLD_MAX = 48;

export function agoOf(hours: number): string {
  if (hours < 1) return 'within the hour';
  if (hours < HOURS_TOLD_MAX) return `${countOf(hours, 'hour')} ago`;
  return `${Math.floor(hours / HOURS_PER_DAY)} days ago`;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The number of fresh sources; without any, the age of our newest data, which is what the reader must know. */
export function searchedOf({ corpus, nowH }: Case): string {
  const fresh = countOf(corpus.freshSources, 'fresh source');
  if (corpus.freshSources > 0 || corpus.newestDataH === 0) return fresh;
  const days = Math.floor((nowH - corpus.newestDataH) / HOURS_PER_DAY);
  return `any source, but our newest data is ${countOf(days, 'day')} old`;
}

/**
 * States the source, the accusation, the listed value's relation and the age. Values are left out, because verdicts
 * are stored by source set (ruling 11).
 */
export function listingSentence(listing: ListingFacts, { subject, nowH }: Case): string {
  const { source } = listing;
  if (source.category === TEST) return `${source.name}: harmless, made to be detected.`;
  const what = relationOf(listing, subject);
  if (listing.isExpired === true)
    return `${source.name} listed ${what} for ${accusationOf(source)} until ${dayOf(listing.lastSeenS)}, when the list expired.`;
  if (listing.isDelisted === true)
    return `${source.name} listed ${what} for ${accusationOf(source)}; delisted ${agoOf(ageHoursOf(listing, nowH))}.`;
  return `${source.name} lists ${what} for ${accusationOf(source)}, ${datesOf(listing, nowH)}.`;
}

/** Says only what the source says of the entry, and how old our copy is where that is the cause of an old date (O55). */
function datesOf(listing: ListingFacts, nowH: number): string {
  const { source } = listing;
  if (datesSightings(listing)) return `last seen ${agoOf(ageHoursOf(listing, nowH))}`;
  if (isOwnList(source)) return `${importedOf(source)}${sinceOf(listing)}`;
  const { isStale, ageMs } = stalenessOf(source, nowH * SECONDS_PER_HOUR * 1_000);
  const copy = isStale && ageMs !== null ? `, our copy is ${Math.floor(ageMs / MS_PER_DAY)} days old` : '';
  return `still listed on ${dayOf(source.dataAtS)}${sinceOf(listing)}${copy}`;
}

/** An own list does not age, so the sentence states when it was imported, and the date of its file where that differs. */
function importedOf({ lastFetchAtS, dataAtS }: SourceFacts): string {
  const [imported, dated] = [dayOf(lastFetchAtS), dayOf(dataAtS)];
  return `imported on ${imported}${dated === imported ? '' : ` from a file of ${dated}`}`;
}

function sinceOf(listing: ListingFacts): string {
  const datedS = knownSinceS(listing);
  if (datedS > 0) return `, ${listing.dating === 'own' ? 'reported' : 'listed since'} ${dayOf(datedS)}`;
  return agesByEntry(listing.source) ? ', undated' : '';
}

const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

/** How many sources list it, and whether they name the value itself or only its host or a domain above it. */
export function listedBy(active: readonly ListingFacts[], subject: Subject): string {
  const sources = countOf(active.length, 'source');
  if (subject.kind === 'url') {
    const ofPage = active.filter((listing) => isOfPage(listing, subject)).length;
    if (ofPage === 0) return `Its host is listed by ${sources}`;
    const more = active.length - ofPage;
    return `Listed by ${countOf(ofPage, 'source')}${more > 0 ? `, its host by ${more} more` : ''}`;
  }
  const isAbove = subject.kind === 'domain' && active.every(({ matchType }) => matchType === 'parent');
  return isAbove ? `A domain above it is listed by ${sources}` : `Listed by ${sources}`;
}

function relationOf(listing: ListingFacts, subject: Subject): string {
  const isUrl = subject.kind === 'url';
  switch (listing.matchType) {
    case 'exact':
      return isUrl && !isOfPage(listing, subject) ? 'its host' : 'it';
    case 'alias':
      return 'the same file under another digest';
    case 'cidr':
      return `the /${listing.prefixBits ?? 0} ${isUrl ? 'its host' : 'it'} lies in`;
    case 'parent':
      if (subject.kind === 'email') return 'its domain';
      return isUrl ? 'a domain above its host' : 'its parent domain';
    case 'page':
      return isUrl ? 'another page of its host' : 'a page on it';
    case 'child':
      return 'a name below it';
    case 'site':
      return 'another address of its /64';
  }
}
