import { contextOf, KIND, type Listing, type Source } from '#capabilities/corpus/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import {
  type CorpusFacts,
  hourOf,
  type RiskLevel,
  riskLevelOf,
  type Subject,
  type SubjectKind,
} from '#domain/scoring/index.ts';
import { DAY_S } from '#platform/time-units.ts';
import { isCounted } from './count-threats.ts';

/** Indicators that the same sources list with dates of the same days; each group is scored once. */
export type ListedAlike = {
  readonly kind: number;
  /** Prefix length of a range; 0 for other kinds. */
  readonly bits: number;
  /** One number per source, as `SIGNATURE_BASE` describes. */
  readonly signature: readonly number[];
  readonly count: number;
};
export type LevelCounts = Readonly<Record<RiskLevel, number>>;

/**
 * One listing as a number, written by the scan: the source number, then the day from which it ages, 0 where the date is
 * that of the source, `UNDATED`, or the size of its popularity bucket (`RANKS`).
 */
export const SIGNATURE_BASE = 100_000;
/** Days since 1970 stay below this until 2216. */
export const RANKS_FROM = 90_000;
/** In a source whose entries age by their own dates: an entry without one. */
export const UNDATED = 99_999;

const KINDS: Readonly<Record<number, SubjectKind>> = {
  [KIND.ipv4]: 'ip',
  [KIND.ipv6]: 'ip',
  [KIND.cidr4]: 'ip',
  [KIND.cidr6]: 'ip',
  [KIND.domain]: 'domain',
  [KIND.url]: 'url',
  [KIND.md5]: 'hash',
  [KIND.sha1]: 'hash',
  [KIND.sha256]: 'hash',
  [KIND.email]: 'email',
  [KIND.crypto]: 'crypto',
  [KIND.phone]: 'phone',
};

/**
 * Counts threats by risk level, from the listings of each indicator itself. Listings of a range around it, a domain
 * above it, its neighbours or its network would need a lookup per indicator. Networks (AS numbers) have no level.
 */
export function countLevels(
  groups: readonly ListedAlike[],
  sources: readonly Source[],
  nowMs: number,
): LevelCounts {
  const byNumber = new Map(sources.filter(({ enabled }) => enabled).map((each) => [each.number, each]));
  const nowH = hourOf(nowMs / 1_000);
  const counts: Record<RiskLevel, number> = {
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    inconclusive: 0,
    safe: 0,
  };
  for (const { kind, bits, signature, count } of groups) {
    const subjectKind = KINDS[kind];
    if (subjectKind === undefined) continue;
    const listings = signature.flatMap((each) => listingOf(each, bits, byNumber) ?? []);
    if (!listings.some(({ source }) => isCounted(source))) continue;
    const subject: Subject = { kind: subjectKind, value: NAME, ...ipVersionOf(kind) };
    const context = contextOf(listings, NOBODY);
    counts[riskLevelOf({ subject, listings, context, asn: null, corpus: NO_CORPUS, nowH })] += count;
  }
  return counts;
}

function listingOf(signature: number, bits: number, byNumber: ReadonlyMap<number, Source>): Listing | null {
  const source = byNumber.get(Math.floor(signature / SIGNATURE_BASE));
  if (source === undefined) return null;
  const said = signature % SIGNATURE_BASE;
  const isRank = said >= RANKS_FROM && said < UNDATED;
  const hasDay = said > 0 && said < RANKS_FROM;
  return {
    source,
    matchType: bits > 0 ? 'cidr' : 'exact',
    matched: NAME,
    firstSeenS: hasDay ? said * DAY_S : 0,
    lastSeenS: hasDay ? said * DAY_S : source.dataAtS,
    dating: said === UNDATED ? 'undated' : 'own',
    confidence: -1,
    ...(bits > 0 && { prefixBits: bits }),
    ...(isRank && { rank: 10 ** (said - RANKS_FROM) }),
  };
}

const ipVersionOf = (kind: number): Pick<Subject, 'ipVersion'> => {
  if (kind === KIND.ipv4 || kind === KIND.cidr4) return { ipVersion: 4 };
  return kind === KIND.ipv6 || kind === KIND.cidr6 ? { ipVersion: 6 } : {};
};

/** A placeholder: indicators listed alike have the same score, whatever their value. */
const NAME = 'an-indicator.example.com';
const NOBODY: Indicator = { kind: 'domain', value: NAME, registrable: 'example.com' };
/** Only listings decide the score here; coverage matters only for unlisted indicators. */
const NO_CORPUS: CorpusFacts = {
  coverage: 0,
  corpusFresh: 0,
  freshSources: 0,
  freshScanners: 0,
  newestDataH: 0,
};
