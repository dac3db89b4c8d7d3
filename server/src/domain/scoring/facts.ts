import type { FpRisk } from './model.ts';

/** What the score asks of a registry row; the corpus' own row satisfies it. Times are seconds since the epoch. */
export type SourceFacts = {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  /** Kind of its entries, or `mixed`. */
  readonly type: string;
  readonly category: string;
  readonly categories: readonly string[];
  readonly threatClass: 'threat' | 'infrastructure' | 'policy' | 'allowlist';
  readonly fpRisk: FpRisk;
  readonly signal: 'feed' | 'scanner';
  readonly adOnly: boolean;
  readonly cidrSemantics: 'observed' | 'owned';
  readonly reliability: number;
  readonly letter: string;
  readonly lineage: string | null;
  readonly cluster: string | null;
  readonly aggregate: boolean;
  readonly intervalS: number;
  readonly tags: readonly string[];
  readonly entityTypes: readonly string[];
  readonly enabled: boolean;
  readonly dataAtS: number;
  readonly lastFetchAtS: number;
};

/**
 * How the listed value relates to the one asked about. The first four are listings of it (contract 2.2); the others say
 * something of a neighbour and are factors only: a page of the host, a name below it, an address in the same IPv6 site.
 */
export type MatchType = 'exact' | 'cidr' | 'alias' | 'parent' | 'page' | 'child' | 'site';

export type ListingFacts = {
  readonly source: SourceFacts;
  readonly matchType: MatchType;
  readonly matched: string;
  readonly firstSeenS: number;
  readonly lastSeenS: number;
  /** Prefix length, for `cidr`. */
  readonly prefixBits?: number;
  /** Ruling 5: no longer listed, still fading; `lastSeenS` is then the day it left, or its own last sighting. */
  readonly isDelisted?: boolean;
};

export type SubjectKind = 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'crypto' | 'phone';
export type Subject = {
  readonly kind: SubjectKind;
  readonly value: string;
  /** For addresses and for URLs on an address: how ranges dilute. */
  readonly ipVersion?: 4 | 6;
};

export type GuardName =
  | 'service'
  | 'shared-egress'
  | 'scanner'
  | 'anonymity'
  | 'known-good'
  | 'popularity'
  | 'platform';

/** What is known of the subject besides what it is accused of (section 5). */
export type ContextFacts = {
  readonly guards: readonly {
    readonly guard: GuardName;
    /** `host`: it speaks for the host of the URL asked about, not for the page. */
    readonly scope: 'itself' | 'host';
    readonly sourceId: string;
    readonly matched: string;
  }[];
  readonly rankBucket: 1_000 | 10_000 | 100_000 | 1_000_000 | null;
  readonly platform: string | null;
  readonly isReserved: boolean;
};

/** The network of an address is on a list of networks that serve crime (ruling 10: ASN-DROP type lists only). */
export type AsnListing = { readonly asn: number; readonly sourceId: string; readonly sourceName: string };

/** What the corpus could have said about this kind of subject at this hour. */
export type CorpusFacts = {
  /** Share of enabled threat sources of this kind that loaded within two intervals, weighed by R; 0 when none. */
  readonly coverage: number;
  /** Same for the data's own age: share of the fresh ones whose data is not older than a week. */
  readonly corpusFresh: number;
  /** How many fresh threat sources speak about this kind. */
  readonly freshSources: number;
  /** Of them, those of scanner signal (G55: "did an engine answer?"). */
  readonly freshScanners: number;
  /** Newest data of all of them, hours since the epoch; 0 when none. */
  readonly newestDataH: number;
};

/** Everything a verdict is made of. The same case gives the same verdict, to the byte. */
export type Case = {
  readonly subject: Subject;
  /** One a source and relation, the closest, in the order of their source number. */
  readonly listings: readonly ListingFacts[];
  readonly context: ContextFacts;
  readonly asn: AsnListing | null;
  readonly corpus: CorpusFacts;
  /** Whole hours since the epoch: ages are whole hours (ruling 1). */
  readonly nowH: number;
};

export const SECONDS_PER_HOUR = 3_600;
export const hourOf = (seconds: number): number => Math.floor(seconds / SECONDS_PER_HOUR);

/** Contract 2.1 rule 2: only threat-class listings that are not ad or tracker lists are opinions. */
export const isThreatSource = ({ threatClass, adOnly }: SourceFacts): boolean =>
  threatClass === 'threat' && !adOnly;
export const isThreat = ({ source }: ListingFacts): boolean => isThreatSource(source);

const VULNERABLE_DRIVER = 'vulnerable-driver';
/** G13, ruling 2: a vulnerable driver is a tool of its owner too, so a list of them is never a scanner's verdict. */
export const isScanner = ({ signal, category, tags }: SourceFacts): boolean =>
  signal === 'scanner' && category !== VULNERABLE_DRIVER && !tags.includes(VULNERABLE_DRIVER);

/** Of a URL: is the page itself listed, as opposed to its host? Everything else is one thing. */
export const isOfPage = ({ matched }: ListingFacts, { kind, value }: Subject): boolean =>
  kind === 'url' && matched === value;

const LISTED: ReadonlySet<MatchType> = new Set(['exact', 'cidr', 'alias', 'parent']);
/** Is the subject itself listed now, as opposed to a neighbour, or to before? */
export const isActive = ({ matchType, isDelisted }: ListingFacts): boolean =>
  isDelisted !== true && LISTED.has(matchType);
