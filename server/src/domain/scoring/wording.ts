import { scoreCategoryOf } from './categories.ts';
import { type Case, isOfPage, type ListingFacts, type SourceFacts, type Subject } from './facts.ts';
import type { ScoreCategory } from './model.ts';
import { ageHoursOf } from './opinion-of.ts';

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
export const accusationOf = ({ category }: SourceFacts): string => FOR[scoreCategoryOf(category)];

export const TEST: ScoreCategory = 'test';
const HOURS_PER_DAY = 24;
const HOURS_TOLD_MAX = 48;

export function agoOf(hours: number): string {
  if (hours < 1) return 'within the hour';
  if (hours < HOURS_TOLD_MAX) return `${countOf(hours, 'hour')} ago`;
  return `${Math.floor(hours / HOURS_PER_DAY)} days ago`;
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * States the source, the accusation, the listed value's relation and the age. Values are left out, because verdicts
 * are stored by source set (ruling 11).
 */
export function listingSentence(listing: ListingFacts, { subject, nowH }: Case): string {
  const { source } = listing;
  if (source.category === TEST) return `${source.name}: harmless, made to be detected.`;
  const what = relationOf(listing, subject);
  const ago = agoOf(ageHoursOf(listing, nowH));
  return listing.isDelisted === true
    ? `${source.name} listed ${what} for ${accusationOf(source)}; delisted ${ago}.`
    : `${source.name} lists ${what} for ${accusationOf(source)}, last seen ${ago}.`;
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
