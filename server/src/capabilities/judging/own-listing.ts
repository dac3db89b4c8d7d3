import type { Listing, Source } from '#capabilities/corpus/index.ts';
import type { OwnMatch, OwnWord } from '#capabilities/org-indicators/index.ts';
import { HOUR_S } from '#platform/time-units.ts';
import { SCANNER } from './scanner-word.ts';

/** Source numbers of organizations: above the small ones of the registry, below those of the scanner. */
const NUMBER_BASE = 1_900_000_000;
/** Cached sources, one per category and hour; limited, because callers choose the categories. */
const SOURCES_MAX = 1_024;

const sources = new Map<string, Source>();
const numbers = new Map<string, number>();
let nextNumber = NUMBER_BASE;

/**
 * The organization of the caller as a source (O14): reliability .95, few false positives, a feed. Verdicts are cached by
 * source number, so each category has a number; nothing in the source tells which organization it is.
 */
function sourceOf(category: string, hourS: number): Source {
  const name = `${hourS} ${category}`;
  const known = sources.get(name);
  if (known !== undefined) return known;
  if (sources.size >= SOURCES_MAX) {
    sources.clear();
    numbers.clear();
  }
  const number = numbers.get(category) ?? nextNumber++;
  numbers.set(category, number);
  const made: Source = Object.freeze({
    ...OWN,
    number,
    category,
    categories: [category],
    dataAtS: hourS,
    lastFetchAtS: hourS,
  });
  sources.set(name, made);
  return made;
}

const OWN: Source = {
  ...SCANNER,
  number: NUMBER_BASE,
  id: 'organization',
  name: 'Your organization',
  type: 'organization',
  signal: 'feed',
  scannerKinds: [],
  cidrSemantics: 'owned',
  licenceMode: 'free',
  entityTypes: ['ip', 'domain', 'hash'],
  format: 'json',
};

/** The accusation of the organization as a listing; null where it does not block the value. */
export function ownListing(own: OwnWord | null, nowMs: number): Listing | null {
  const match = own?.match ?? null;
  if (match === null || match.disposition !== 'block') return null;
  const nowS = Math.floor(nowMs / 1_000);
  return {
    ...datesOf(match, nowS),
    source: sourceOf(match.category, nowS - (nowS % HOUR_S)),
    confidence: -1,
  };
}

const datesOf = ({ matchType, matched, prefixBits, sinceMs }: OwnMatch, nowS: number) => ({
  matchType,
  matched,
  ...(prefixBits !== undefined && { prefixBits }),
  firstSeenS: Math.floor(sinceMs / 1_000),
  lastSeenS: nowS,
  dating: 'own' as const,
});

export const isAllowed = (own: OwnWord | null): boolean => own?.match?.disposition === 'allow';
