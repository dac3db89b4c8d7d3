/** Raised with every change below that can move a score; part of every snapshotId, so that a replay knows its model. */
export const MODEL_VERSION = '1';

/** What a listing accuses of, in the words of the score (ruling 2). */
export const SCORE_CATEGORIES = [
  'c2',
  'ransomware',
  'malware',
  'phishing',
  'botnet',
  'exploit',
  'bruteforce',
  'scam',
  'fraud',
  'spam',
  'scanner',
  'abuse',
] as const;
export type ScoreCategory = (typeof SCORE_CATEGORIES)[number];

export const TIERS = ['crit', 'attack', 'nuis'] as const;
export type Tier = (typeof TIERS)[number];
export type Attenuation = Readonly<Record<Tier, number>>;

/** What is listed, for the half-life. `netblock` is a range its lister calls owned by the accused (DROP). */
export type ListedType = 'ip' | 'netblock' | 'domain' | 'url' | 'hash' | 'email' | 'crypto' | 'phone';
export type FpRisk = 'low' | 'medium' | 'high';

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Every number of the score, each with its reason. Rules read them here and nowhere else. The base is a measurement on
 * 20 real lists (434,069 addresses) with known-good ranges as negatives; bench/accuracy measures it again.
 */
export const MODEL = {
  /** One list never proves anything: R x P x D x M is a strength, not a certainty. */
  weightMax: 0.97,
  /** Measured: with 1 a single fail2ban list reached 60 and 122 known-good addresses with it; with 0.6 it gives 42. */
  kappa: 0.6,
  /** A listing fainter than this is gone: its points would round to nothing. */
  decayMin: 0.02,
  /** A publisher may miss one fetch without its entries ageing. */
  graceIntervals: 2,
  /** What remains of a listing when its list is known to name the innocent. */
  fpFactor: { low: 1, medium: 0.8, high: 0.5 } satisfies Record<FpRisk, number>,
  /** Lists of one operator repeat each other: the second one is worth a quarter. */
  echo: 0.25,
  /** A list of lists knows nothing by itself (ruling 4). */
  aggregateReliabilityMax: 0.4,

  tierOf: {
    c2: 'crit',
    ransomware: 'crit',
    malware: 'crit',
    phishing: 'crit',
    botnet: 'attack',
    exploit: 'attack',
    bruteforce: 'attack',
    scam: 'attack',
    fraud: 'attack',
    spam: 'nuis',
    scanner: 'nuis',
    abuse: 'nuis',
  } satisfies Record<ScoreCategory, Tier>,
  /** However many nuisance lists agree, a nuisance is not a compromise: ten C-grade lists stop at 60. */
  tierCap: { crit: 0.99, attack: 0.85, nuis: 0.6 } satisfies Record<Tier, number>,

  /**
   * Days after which a listing is worth half. Anchors: OpenCTI 15 d for addresses and URLs, 70 d for domains; MISP 0.6 d
   * for phishing, 30 d for network indicators; OpenPhish measured: 95 % of URLs are gone after 17 d. A cell the table of
   * the design leaves open takes the value of the nearest kind of attack.
   */
  halfLifeDays: {
    ip: {
      c2: 14,
      ransomware: 14,
      malware: 10,
      phishing: 4,
      botnet: 7,
      exploit: 7,
      bruteforce: 3,
      scanner: 3,
      spam: 7,
      abuse: 7,
      scam: 14,
      fraud: 14,
    },
    domain: {
      c2: 45,
      ransomware: 60,
      malware: 45,
      phishing: 10,
      botnet: 30,
      exploit: 30,
      bruteforce: 14,
      scanner: 14,
      spam: 14,
      abuse: 14,
      scam: 30,
      fraud: 30,
    },
    url: {
      c2: 14,
      ransomware: 14,
      malware: 10,
      phishing: 4,
      botnet: 10,
      exploit: 7,
      bruteforce: 7,
      scanner: 7,
      spam: 7,
      abuse: 7,
      scam: 14,
      fraud: 14,
    },
  } satisfies Record<'ip' | 'domain' | 'url', Record<ScoreCategory, number>>,
  /** A file does not change, it is revoked. A hijacked range is what it is while it is listed; 7 d after it left. */
  halfLifeOfTypeDays: {
    hash: NEVER,
    netblock: NEVER,
    netblockDelisted: 7,
    email: 30,
    crypto: 365,
    phone: 10,
  },

  /** Section 4. An observed range dilutes by 2^(-(32-p)/6): /28 .63, /24 .40, /16 .16. */
  range4: { unitBits: 32, bitsPerHalf: 6, min: 0.1 },
  /** IPv6 customers get a /64, so that is the unit; wider ranges dilute by 2^(-(64-p)/12): /56 .63, /48 .40. */
  range6: { unitBits: 64, bitsPerHalf: 12, min: 0.1 },
  /** Another address of a /64 in which one is listed: usually the same customer. */
  sameSite6: 0.6,
  /** The parent is accused as a whole; a child may be somebody else's. */
  fromParent: 0.9,
  /** Something below a name is accused: the name may be the victim. 0.25 and never above `low`. */
  fromChild: 0.25,
  fromChildScoreMax: 34,
  /** A page of the host is accused. On a shared platform it says nothing of the host. */
  fromUrl: 0.5,

  /** Section 5. Exact matches only; of several contexts the strongest counts in each tier. */
  attenuation: {
    service: { crit: 0.5, attack: 0.15, nuis: 0.15 },
    sharedEgress: { crit: 0.8, attack: 0.3, nuis: 0.3 },
    anonymity: { crit: 1, attack: 0.6, nuis: 0.6 },
    knownGoodHash: { crit: 0.02, attack: 0.02, nuis: 0.02 },
    /** Banks, universities, vendors: as good as a place among the first 100,000. */
    knownGood: { crit: 0.8, attack: 0.5, nuis: 0.5 },
    orgAllowlist: { crit: 0, attack: 0, nuis: 0 },
    rank1k: { crit: 0.5, attack: 0.1, nuis: 0.1 },
    rank10k: { crit: 0.6, attack: 0.2, nuis: 0.2 },
    rank100k: { crit: 0.8, attack: 0.5, nuis: 0.5 },
    rank1m: { crit: 1, attack: 0.8, nuis: 0.8 },
  } satisfies Record<string, Attenuation>,
  /** A verified research scanner scans: that alone is never above `low`. */
  scannerScoreMax: 34,
  /** Accused inside a service range by a source of grade A: never below `low`. */
  gradeAScoreMin: 10,
  /** Ruling 3: the first 100,000 sites, one lineage, no source of grade A. Measured: 0.264 % falls to 0.029 %. */
  popularUncorroborated: { rankMax: 100_000, scoreMax: 34 },
  /** An address in a network that ASN-DROP names. Never turns `safe` into more than 14. */
  asnBoost: { points: 5, safeScoreMax: 14 },

  /** Lowest score of each level (O4). */
  levels: { low: 10, medium: 35, high: 60, critical: 85 },

  /** Section 6. */
  confidence: {
    agreement: 45,
    agreementRate: 1.2,
    freshness: 20,
    reliability: 20,
    coverage: 15,
    conflict: 25,
    unlistedCoverage: 55,
    knownGood: 35,
    unlistedMax: 90,
    medium: 40,
    high: 75,
  },
  /** Admiralty letters of sources whose word stands against a good name (section 6, conflict). */
  seriousLetters: ['A', 'B'],
  /** G9. Sum of R over lineages. */
  agreementLevels: { moderate: 1.5, strong: 2.5 },
  reliabilityLevels: { medium: 0.6, high: 0.85 },
  freshnessHours: { fresh: 24, recent: 168 },
} as const;
