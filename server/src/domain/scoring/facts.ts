import type { Carrier } from '../indicator/index.ts';
import type { Imitation } from '../lookalike/index.ts';
import type { NamedService } from '../services/index.ts';
import type { WeightBook } from '../weights/index.ts';
import type { FpRisk } from './model.ts';
import type { PopularityKind } from './popularity.ts';
import type { SignalFacts } from './signal-facts.ts';

/** The columns of a registry row that the score reads. Times are seconds since the epoch. */
export type SourceFacts = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly category: string;
  readonly categories: readonly string[];
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  readonly fpRisk: FpRisk;
  readonly signal: 'feed' | 'scanner';
  /** The kinds it is a scanner for (O50); empty: every kind it lists. */
  readonly scannerKinds: readonly string[];
  readonly adOnly: boolean;
  /** What it means that the latest file lacks an entry; an archive keeps its entries for years. */
  readonly semantics: 'state' | 'window' | 'delta' | 'archive';
  /** The file keeps entries long after the publisher last saw them, although an entry that leaves it is delisted. */
  readonly keepsEntries: boolean;
  readonly cidrSemantics: 'observed' | 'owned';
  readonly reliability: number;
  readonly letter: string;
  readonly lineage: string | null;
  readonly cluster: string | null;
  /** By kind of the listed value (`ip`, `domain`): the lineage whose entries of that kind this source repeats later. */
  readonly echoes: Readonly<Record<string, string>>;
  readonly aggregate: boolean;
  readonly intervalS: number;
  readonly tags: readonly string[];
  readonly entityTypes: readonly string[];
  readonly enabled: boolean;
  readonly dataAtS: number;
  readonly lastFetchAtS: number;
  /** An operator imported it (O81): it does not age. */
  readonly ownList?: boolean;
  /** Days after its last import for which an own list counts; 0 or absent: it does not expire. */
  readonly expiresDays?: number;
};

/**
 * How the listed value relates to the subject. The first four are listings of the subject (contract 2.2). The others
 * are listings of a neighbour and only count as factors: a page of the host, a name below it, an address in the same
 * IPv6 site.
 */
export type MatchType = 'exact' | 'cidr' | 'alias' | 'parent' | 'page' | 'child' | 'site';

export type ListingFacts = {
  readonly source: SourceFacts;
  readonly matchType: MatchType;
  readonly matched: string;
  /** For an undated entry, the date of the data that brought it; it then says nothing about the entry. */
  readonly firstSeenS: number;
  /** The entry's own last sighting where `hasOwnLastSeen`, else the date of the source's data. */
  readonly lastSeenS: number;
  /** What `firstSeenS` is: the source's own date, the first sighting of the entry, or no date of the entry at all. */
  readonly dating: 'own' | 'sighted' | 'undated';
  /** True: `lastSeenS` is a date of this entry; otherwise of the source's data. */
  readonly hasOwnLastSeen?: boolean;
  /** The publisher's own confidence in the entry, 0 to 100; -1 or absent: it states none. */
  readonly confidence?: number;
  /** Malware family as the source spells it. */
  readonly family?: string;
  readonly prefixBits?: number;
  /** Delisted but still fading (ruling 5); `lastSeenS` is then the day it left, or its own last sighting. */
  readonly isDelisted?: boolean;
  /** Its source is an own list whose period is over; it then counts nothing, and `lastSeenS` is the end of the period. */
  readonly isExpired?: boolean;
};

/** When the source first listed the entry, as far as known; 0 if nothing dates it (O55). */
export const knownSinceS = ({ dating, firstSeenS }: Pick<ListingFacts, 'dating' | 'firstSeenS'>): number =>
  dating === 'undated' ? 0 : firstSeenS;

export type SubjectKind = 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'crypto' | 'phone';
export type Subject = {
  readonly kind: SubjectKind;
  readonly value: string;
  /** Set for addresses, and for URLs whose host is an address; decides how much a listing of a range dilutes. */
  readonly ipVersion?: 4 | 6;
  /** The IPv4 address was unwrapped from an IPv6 address of this translation or tunnel. */
  readonly carrier?: Carrier;
  /** The domain that the user name of the URL poses as. */
  readonly posedHost?: string;
};

export type GuardName =
  | 'named-service'
  | 'service'
  | 'shared-egress'
  | 'scanner'
  | 'anonymity'
  | 'known-good'
  | 'popularity'
  | 'platform';

export type RankBucket = 1_000 | 10_000 | 100_000 | 1_000_000;

/** Facts about the subject other than accusations (scoring 5). */
export type ContextFacts = {
  readonly guards: readonly {
    readonly guard: GuardName;
    /** `host`: the guard applies to the host of the URL, not to the page. */
    readonly scope: 'itself' | 'host';
    readonly sourceId: string;
    readonly matched: string;
  }[];
  readonly rankBucket: RankBucket | null;
  /** Guards of a parent domain; they weaken the accusations that the subject inherits from it. */
  readonly inheritedGuards: readonly {
    readonly guard: GuardName;
    readonly matched: string;
    readonly sourceId: string;
    readonly rankBucket: RankBucket | null;
  }[];
  readonly platform: string | null;
  /** The subject is a platform, below which strangers register names (O53). */
  readonly isTenantSuffix: boolean;
  readonly isReserved: boolean;
  /** The service of one operator that the subject, or the host of the URL, belongs to (O53). */
  readonly service?: NamedService | null;
  /** The kinds of lists that count the exact host among the most popular, without repetition. */
  readonly popularKinds?: readonly PopularityKind[];
};

/** The address lies in a network on a list of criminal networks (ruling 10: lists of the ASN-DROP type only). */
export type AsnListing = { readonly asn: number; readonly sourceId: string; readonly sourceName: string };

/** A source that a complete corpus has: on by default in the catalogue. */
export type ExpectedSource = Pick<SourceFacts, 'id' | 'type' | 'entityTypes' | 'reliability'>;

export type CorpusFacts = {
  /**
   * The weight R of the loaded threat sources for this kind, against that of the catalogue's default sources: 0 to 1. Other
   * sources count as more, so own lists alone cover little.
   */
  readonly coverage: number;
  /** The share of the catalogue's default sources for this kind that are loaded, by weight; null where it has none. */
  readonly defaultShare: number | null;
  /** The number of loaded sources for this kind that are no default sources of the catalogue. */
  readonly otherSources: number;
  /** The share of those loaded sources that are fresh (source-freshness.ts). */
  readonly corpusFresh: number;
  readonly freshSources: number;
  /** The number of them with scanner signal (G55: "did an engine answer?"). */
  readonly freshScanners: number;
  /** The time of the newest data of the loaded ones, in hours since the epoch; 0 without any. */
  readonly newestDataH: number;
};

/** All inputs of a verdict. The same case gives the same verdict, byte for byte. */
export type Case = {
  readonly subject: Subject;
  /** The closest listing for each source and relation, ordered by source number. */
  readonly listings: readonly ListingFacts[];
  readonly context: ContextFacts;
  readonly asn: AsnListing | null;
  readonly corpus: CorpusFacts;
  /** The often imitated name that the subject resembles (O54); it adds no points. */
  readonly lookalike?: Imitation | null;
  /** Whole hours since the epoch, because ages are whole hours (ruling 1). */
  readonly nowH: number;
  /** The foreseeing signals (scoring 9). Absent: no signals are trained. */
  readonly signals?: SignalFacts | null;
  /** What the lists of names are worth. Absent: the table that comes with the release; null: model 2, which had none. */
  readonly weights?: WeightBook | null;
  /** The caller's organization allows the subject: the answer says so, but no points change. */
  readonly isAllowed?: boolean;
};

export const SECONDS_PER_HOUR = 3_600;
export const hourOf = (seconds: number): number => Math.floor(seconds / SECONDS_PER_HOUR);

/** The reliability in whole percent, as the contract states it. */
export const confidenceBaseOf = ({ reliability }: Pick<SourceFacts, 'reliability'>): number =>
  Math.round(100 * reliability);

/** Only threat-class listings that are not ad or tracker lists are opinions (contract 2.1 rule 2). */
export const isThreatSource = ({ threatClass, adOnly }: SourceFacts): boolean =>
  threatClass === 'threat' && !adOnly;
export const isThreat = ({ source }: ListingFacts): boolean => isThreatSource(source);

const VULNERABLE_DRIVER = 'vulnerable-driver';
/** A vulnerable driver also has legitimate uses, so a list of them is never a scanner's verdict (G13, ruling 2). */
export const isDriverList = ({ category, tags }: Pick<SourceFacts, 'category' | 'tags'>): boolean =>
  category === VULNERABLE_DRIVER || tags.includes(VULNERABLE_DRIVER);
const isScanner = (source: SourceFacts): boolean => source.signal === 'scanner' && !isDriverList(source);

/**
 * A scanner may detect some kinds only: a sample repository detects files; addresses in its reports are leads (O50).
 */
export const isScannerFor = (source: SourceFacts, kind: SubjectKind): boolean =>
  isScanner(source) && (source.scannerKinds.length === 0 || source.scannerKinds.includes(kind));

/** True for a platform itself; a URL below such a host is judged by itself. */
export const isTenantSuffix = ({ context, subject }: Pick<Case, 'context' | 'subject'>): boolean =>
  context.isTenantSuffix && subject.kind !== 'url';

/** The subject or the host of the URL is a name and not an address. */
export const isName = ({ subject }: Case): boolean => subject.ipVersion === undefined;

/** The listing names the queried value, not its host, its parent or a range around it. */
export const namesItself = (listing: ListingFacts, subject: Subject): boolean =>
  (listing.matchType === 'exact' && (subject.kind !== 'url' || isOfPage(listing, subject))) ||
  listing.matchType === 'alias';

export const isOfPage = ({ matched }: ListingFacts, { kind, value }: Subject): boolean =>
  kind === 'url' && matched === value;

/** True if the last date is a sighting of this entry: given by the source, or the entry was in a recent window. */
export const datesSightings = ({ dating, hasOwnLastSeen, source }: ListingFacts): boolean =>
  hasOwnLastSeen === true && (dating === 'own' || (source.semantics === 'window' && !source.keepsEntries));

/** When the entry was last sighted, or left; 0 where its source dates no sightings (O55). */
export const sightedAtS = (listing: ListingFacts): number =>
  listing.isDelisted === true || datesSightings(listing) ? listing.lastSeenS : 0;

const LISTED: ReadonlySet<MatchType> = new Set(['exact', 'cidr', 'alias', 'parent']);
export const isActive = ({ matchType, isDelisted }: ListingFacts): boolean =>
  isDelisted !== true && LISTED.has(matchType);

/** A source listed the subject and dropped it; the listing is fading. */
export const isFormer = ({ matchType, isDelisted }: ListingFacts): boolean =>
  isDelisted === true && LISTED.has(matchType);
