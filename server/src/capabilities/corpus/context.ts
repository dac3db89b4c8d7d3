import { hostOf, type Indicator, isBogon, isReservedName, platformAround } from '#domain/indicator/index.ts';
import { type PopularityKind, popularityKindOf } from '#domain/scoring/index.ts';
import { findService, type NamedService, serviceOfAddress, serviceOfSource } from '#domain/services/index.ts';
import { GUARDS, INFRASTRUCTURE_WORDS } from './contract.ts';
import type { Listing } from './listing-reader.ts';

/** `named-service` comes from the table of services and not from a list's row. */
export type Guard = (typeof GUARDS)[number] | 'named-service';

/** A guard that applies to the indicator: a reason to weigh accusations less. */
export type GuardHit = {
  readonly guard: Guard;
  /** `host`: the guard applies to the host of the queried URL, not to the page. */
  readonly scope: 'itself' | 'host';
  /** The value the guarding list holds: the indicator, its host, or the range around it. */
  readonly matched: string;
  readonly sourceId: string;
};

export type InheritedGuard = Pick<GuardHit, 'guard' | 'matched' | 'sourceId'> & {
  readonly rankBucket: RankBucket | null;
};

export const RANK_BUCKETS = [1_000, 10_000, 100_000, 1_000_000] as const;
export type RankBucket = (typeof RANK_BUCKETS)[number];

/** Everything known of an indicator besides accusations: the input of the score's context table (scoring 5). */
export type IndicatorContext = {
  /** At most one per guard and scope, in the order of GUARDS. */
  readonly guards: readonly GuardHit[];
  /** Guards of domains above the indicator, which weaken only the accusations inherited from the same domain. */
  readonly inheritedGuards: readonly InheritedGuard[];
  /** Among the first N of a popularity list: the best such bucket of the exact host. */
  readonly rankBucket: RankBucket | null;
  /** The shared platform that the host is or lies below: `github.io` for `a.github.io`. */
  readonly platform: string | null;
  /** The host is a suffix under which strangers register names: duckdns.org, weebly.com. */
  readonly isTenantSuffix: boolean;
  /** The labels of decisions G7 that lists give to the indicator, sorted. */
  readonly labels: readonly string[];
  /** All words of the lists that are not labels, sorted. */
  readonly tags: readonly string[];
  readonly isReserved: boolean;
  /** The service of one operator that the host belongs to (O53). */
  readonly service?: NamedService | null;
  /** The kinds of lists that count the exact host among the most popular, sorted. */
  readonly popularKinds?: readonly PopularityKind[];
};

const WORDS: ReadonlySet<string> = new Set(INFRASTRUCTURE_WORDS);
/** Words of publishers and the labels of G7 that mean the same (scoring ruling 8). */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['datacenter', 'cloud'],
  ['hosting', 'cloud'],
  ['private-relay', 'proxy'],
  ['privacy-relay', 'proxy'],
  ['reserved', 'bogon'],
]);

/**
 * Reads the context from the listings of one lookup. A guard counts for exactly what its list names: an address or a
 * range around it, a file under any of its digests, a host, but never the names below a host (42 % of phishing lies
 * below popular names, scoring finding 4). A list without a guard only labels (scoring finding 10), and a list that
 * accuses never guards, even if its row names a guard.
 */
export function contextOf(listings: readonly Listing[], indicator: Indicator): IndicatorContext {
  const host = hostOf(indicator);
  const platform = host?.kind === 'domain' ? platformAround(host.value) : null;
  const isReserved = isReservedTarget(indicator, host);
  const own = serviceOf(indicator, host);
  // Most queried indicators are only accused or not listed at all, so this early return saves the work.
  if (platform === null && own === null && !isReserved && listings.every(isAccusation)) return NOTHING_KNOWN;
  const hits = new Map<string, GuardHit>();
  const words = new Set<string>();
  const inherited = new Map<string, InheritedGuard>();
  const popular = new Set<PopularityKind>();
  const rankBucket = gather(listings, indicator, { hits, inherited, words, popular });
  const suffix = platform !== null && platform === host?.value ? platform : listedSuffix(listings, indicator);
  if (suffix !== null) keepFirst(hits, suffixHit(suffix, indicator));
  const service = own ?? listedService(listings);
  if (service?.named.vouches === true) keepFirst(hits, serviceHit(service, indicator));
  if (isReserved && host?.kind !== 'domain') words.add('bogon');
  const sorted = [...words].sort();
  return {
    guards: inOrder([...hits.values()]),
    inheritedGuards: [...inherited.values()].sort(byName),
    rankBucket,
    platform: platform ?? platformOfHits(hits) ?? listedPlatform(listings, indicator),
    isTenantSuffix: suffix !== null,
    labels: sorted.filter((word) => WORDS.has(word)),
    tags: sorted.filter((word) => !WORDS.has(word)),
    isReserved,
    service: service?.named ?? null,
    popularKinds: [...popular].sort(),
  };
}

const NOTHING_KNOWN: IndicatorContext = {
  guards: [],
  inheritedGuards: [],
  rankBucket: null,
  platform: null,
  isTenantSuffix: false,
  labels: [],
  tags: [],
  isReserved: false,
};

const isAccusation = ({ source }: Listing): boolean => source.threatClass === 'threat';

/** Collects guards and words of the listings that do not accuse; returns the best rank among them. */
function gather(
  listings: readonly Listing[],
  indicator: Indicator,
  { hits, inherited, words, popular }: Gathered,
): RankBucket | null {
  let rankBucket: RankBucket | null = null;
  for (const listing of listings) {
    if (isAccusation(listing) || listing.isDelisted === true) continue;
    addWords(words, listing);
    const hit = guardHit(listing, indicator);
    if (hit === null) continue;
    const bucket = hit.guard === 'popularity' ? bucketOf(listing) : null;
    if (hit.guard === 'popularity' && bucket === null) continue;
    if (isAbove(listing, indicator)) {
      inherit(inherited, {
        guard: hit.guard,
        matched: hit.matched,
        sourceId: hit.sourceId,
        rankBucket: bucket,
      });
      continue;
    }
    if (bucket !== null) {
      popular.add(popularityKindOf(listing.source.tags));
      rankBucket = rankBucket === null || bucket < rankBucket ? bucket : rankBucket;
    }
    keepFirst(hits, hit);
  }
  return rankBucket;
}

type Gathered = {
  readonly hits: Map<string, GuardHit>;
  readonly inherited: Map<string, InheritedGuard>;
  readonly words: Set<string>;
  readonly popular: Set<PopularityKind>;
};

/** `www.` before a name is that name; everything else below a name may have another owner. */
const isAbove = ({ matchType, matched }: Listing, indicator: Indicator): boolean =>
  matchType === 'parent' && hostOf(indicator)?.value !== `www.${matched}`;

/** Keeps one hit per guard and domain: the best rank, then the smaller id, whatever the order of the listings. */
function inherit(inherited: Map<string, InheritedGuard>, given: InheritedGuard): void {
  const name = `${given.guard} ${given.matched}`;
  const before = inherited.get(name);
  if (before === undefined || placeOf(given) < placeOf(before) || isTieWon(given, before))
    inherited.set(name, given);
}
const placeOf = ({ rankBucket }: InheritedGuard): number => rankBucket ?? Number.POSITIVE_INFINITY;
const isTieWon = (given: InheritedGuard, before: InheritedGuard): boolean =>
  placeOf(given) === placeOf(before) && given.sourceId < before.sourceId;
const byName = (a: InheritedGuard, b: InheritedGuard): number =>
  placeOfGuard(a.guard) - placeOfGuard(b.guard) || (a.matched < b.matched ? -1 : 1);

/** Whether the indicator is reserved. An e-mail address is not, even at a reserved name: it stands for a person. */
function isReservedTarget(indicator: Indicator, host: Host): boolean {
  const target = indicator.kind === 'cidr' ? indicator : host;
  if (target?.kind === 'domain') return indicator.kind !== 'email' && isReservedName(target.value);
  return target !== null && isBogon(target);
}

type Host = ReturnType<typeof hostOf>;
type FoundService = { readonly named: NamedService; readonly matched: string; readonly sourceId: string };

const NO_SERVICE_KINDS: ReadonlySet<Indicator['kind']> = new Set(['email', 'cidr', 'hash']);
function serviceOf({ kind }: Indicator, host: Host): FoundService | null {
  const named = host === null || NO_SERVICE_KINDS.has(kind) ? null : namedService(host);
  return named === null || host === null ? null : { named, matched: host.value, sourceId: 'named-services' };
}

const namedService = (host: NonNullable<Host>): NamedService | null =>
  findService(host.value) ??
  (host.kind === 'ip' && host.version === 4 ? serviceOfAddress(host.address) : null);

/** The named service whose operator lists the indicator among the published addresses of that service. */
function listedService(listings: readonly Listing[]): FoundService | null {
  for (const { source, matchType, matched, isDelisted } of listings) {
    const named = isDelisted === true || matchType === 'parent' ? null : serviceOfSource(source.id);
    if (named !== null) return { named, matched, sourceId: source.id };
  }
  return null;
}

const serviceHit = ({ matched, sourceId }: FoundService, indicator: Indicator): GuardHit => ({
  guard: 'named-service',
  scope: indicator.kind === 'url' ? 'host' : 'itself',
  matched,
  sourceId,
});

const DYNAMIC_DNS = 'dynamic-dns';
const namesDynamicDns = (listing: Listing): boolean =>
  !isAccusation(listing) && listing.isDelisted !== true && listing.source.attributes.includes(DYNAMIC_DNS);

/** A suffix of dynamic DNS that lists name, because the public suffix list has only some of them. */
function listedSuffix(listings: readonly Listing[], indicator: Indicator): string | null {
  const listing = listings.find((each) => each.matchType === 'exact' && namesDynamicDns(each));
  return listing !== undefined && listing.matched === hostOf(indicator)?.value ? listing.matched : null;
}

/** The suffix of dynamic DNS that lists name above the host; of several the longest. */
function listedPlatform(listings: readonly Listing[], indicator: Indicator): string | null {
  const own = hostOf(indicator)?.value;
  let found: string | null = null;
  for (const listing of listings) {
    const { matched } = listing;
    if (!isAbove(listing, indicator) || matched === own || !namesDynamicDns(listing)) continue;
    if (found === null || matched.length > found.length) found = matched;
  }
  return found;
}

/** Adds the words of a listing. From a parent domain all words are inherited except `allowlist`. */
function addWords(words: Set<string>, { source, matchType }: Listing): void {
  const given = source.attributes.length > 0 ? source.attributes : defaultWords(source);
  for (const word of given) {
    const known = SYNONYMS.get(word) ?? word;
    if (matchType !== 'parent' || known !== 'allowlist') words.add(known);
  }
}

/** The word for listings of a source that was registered without attributes: its class or category (G7). */
const defaultWords = ({ threatClass, category }: Listing['source']): readonly string[] => [
  threatClass === 'allowlist' ? 'allowlist' : category,
];

function guardHit({ source, matchType, matched }: Listing, indicator: Indicator): GuardHit | null {
  if (source.guard === null) return null;
  // A listed platform does not guard its tenants; that they lie below it is in the `platform` of the context.
  if (matchType === 'parent' && source.guard === 'platform') return null;
  return { guard: source.guard, scope: scopeOf(matched, indicator), matched, sourceId: source.id };
}

/** For a URL only its own text has scope `itself`; for other kinds an exact match, a range or an alias does. */
const scopeOf = (matched: string, indicator: Indicator): GuardHit['scope'] =>
  indicator.kind === 'url' && matched !== indicator.value ? 'host' : 'itself';

const suffixHit = (platform: string, indicator: Indicator): GuardHit => ({
  guard: 'platform',
  scope: scopeOf(platform, indicator),
  matched: platform,
  sourceId: 'public-suffix-list',
});

/** The bucket of a rank; a list without ranks gives its `rankMax` instead. Null beyond one million. */
function bucketOf({ rank, source }: Listing): RankBucket | null {
  const place = rank ?? source.rankMax;
  if (place === null) return null;
  return RANK_BUCKETS.find((bucket) => place <= bucket) ?? null;
}

/** Keeps one hit per guard and scope: that of the smallest source id, whatever the order of the listings. */
function keepFirst(hits: Map<string, GuardHit>, hit: GuardHit): void {
  const name = `${hit.guard} ${hit.scope}`;
  const before = hits.get(name);
  if (before === undefined || hit.sourceId < before.sourceId) hits.set(name, hit);
}

const platformOfHits = (hits: ReadonlyMap<string, GuardHit>): string | null =>
  (hits.get('platform itself') ?? hits.get('platform host'))?.matched ?? null;

/** The order of guards in an answer. A named service is not in GUARDS and gets -1, so it comes first. */
const placeOfGuard = (guard: Guard): number => (GUARDS as readonly Guard[]).indexOf(guard);

const inOrder = (hits: GuardHit[]): readonly GuardHit[] =>
  hits.sort((a, b) => placeOfGuard(a.guard) - placeOfGuard(b.guard) || (a.scope === 'itself' ? -1 : 1));
