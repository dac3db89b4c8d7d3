/** Raised with every change below that can change a score; part of every snapshotId, for replays. */
export const MODEL_VERSION = '3';
/** Part of the snapshotId of answers about moments at which this deployment had model 2. */
export const MODEL_VERSION_BEFORE = '2';

/** The categories of accusations in the score (ruling 2). */
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
  /** The EICAR file: harmless, made to be detected. */
  'test',
] as const;
export type ScoreCategory = (typeof SCORE_CATEGORIES)[number];

export const TIERS = ['crit', 'attack', 'nuis'] as const;
export type Tier = (typeof TIERS)[number];
export type Attenuation = Readonly<Record<Tier, number>>;

/** The kind of the listed value, for the half-life. `netblock`: a range listed as owned by criminals (DROP). */
export type ListedType = 'ip' | 'netblock' | 'domain' | 'url' | 'hash' | 'email' | 'crypto' | 'phone';
export type FpRisk = 'low' | 'medium' | 'high';

const NEVER = Number.POSITIVE_INFINITY;

/** Days after which half of a listing's weight is left; or a share that fades fast and a rest that fades slowly. */
export type HalfLife =
  | number
  | { readonly fastShare: number; readonly fastDays: number; readonly slowDays: number };

/**
 * Every number of the score, each with its reason; rules read them only from here. The base was measured on 20 real
 * lists (434,069 addresses) with known-good ranges as negatives; bench/accuracy repeats the measurement.
 */
export const MODEL = {
  /** R x P x D x M is a strength and not a certainty, so one list never proves anything. */
  weightMax: 0.97,
  /** Measured: with 1, a single fail2ban list reached 60, and so did 122 known-good addresses; with 0.6 it gives 42. */
  kappa: 0.6,
  /** Below this decay a listing counts as gone, because its points would round to zero. */
  decayMin: 0.02,
  /** A publisher may miss one fetch before its entries start to age. */
  graceIntervals: 2,
  /**
   * What is left of an entry without a date in a file that keeps entries for years: it may be of any age. Measured on
   * maltrail: 75 % of the trails have no date. With 0.3 one list of grade B gives 11 points, which is `low`.
   */
  undatedDecay: 0.3,
  undatedScoreMax: 34,
  fpFactor: { low: 1, medium: 0.8, high: 0.5 } satisfies Record<FpRisk, number>,
  /** What a name on a list is worth comes from the share of the list's entries that people visit (scoring 2). */
  names: {
    /** A name that a list still holds is never worth less, except where the list takes nothing back. */
    least: 10,
    /** Days for which an entry of a list of unknown class is young. */
    youngDays: 7,
    /** Days for which a copy of a list of unknown class counts fully: its share was learned on such copies. */
    unknownDays: 365,
    trackedConfidence: 90,
    trackedDays: 30,
    caps: {
      any: 97,
      undated: 34,
      kept: 59,
      /** A source that verifies each entry itself and keeps what it has verified. */
      tracked: 79,
      poorGrade: 59,
      unproven: 59,
      young: 59,
      attack: 50,
      aggregate: 34,
    },
    /** What counts of an entry that left: 0.3, and 0.7 times the share that comes back; half where nothing is measured. */
    back: { base: 0.3, rest: 0.7, unmeasured: 0.5 },
    /** Every lineage after the strongest counts a quarter: names that people visit are noticed by several lists. */
    furtherLineage: 0.25,
    scoreMax: 99,
    nuisanceScoreMax: 59,
    /** A listed parent and `www.` before it are the same name. */
    fromSame: 1,
  },
  /** What one operator says of attacks and noise is worth this much at most, in names and in everything else. */
  lineageAttackMax: 50,
  /** The publisher's own confidence k of an entry: 0.2 + 0.8 k / 100; 1 where none is stated. Reasoned, not measured. */
  confidenceOfEntry: { base: 0.2, rest: 0.8 },

  /** A second list of one lineage counts a quarter, because lists of one operator repeat each other. */
  echo: 0.25,
  /** An aggregate list has no evidence of its own (ruling 4). */
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
    test: 'crit',
  } satisfies Record<ScoreCategory, Tier>,
  /** A nuisance is not a compromise, however many lists agree: ten C-grade lists stop at 60. */
  tierCap: { crit: 0.99, attack: 0.85, nuis: 0.6 } satisfies Record<Tier, number>,

  /**
   * Days after which a listing counts half. Reference points: OpenCTI 15 d for addresses and URLs, 70 d for domains;
   * MISP 0.6 d for phishing, 30 d for network indicators; OpenPhish measured: 95 % of URLs are gone after 17 d. A
   * cell that the design's table leaves open takes the value of the most similar attack.
   * Measured on list histories, from the first day of each entry: command servers (6,014 addresses) and phishing hosts
   * (67,596; .79, .64, .43, .28 and .17 alive after 7, 14, 30, 60 and 180 d) go in two speeds; attacking addresses
   * have 13 d, addresses of forum spammers 1.4 d.
   */
  halfLifeDays: {
    ip: {
      c2: { fastShare: 0.6, fastDays: 5, slowDays: 35 },
      ransomware: 14,
      malware: 10,
      phishing: 4,
      botnet: 13,
      exploit: 13,
      bruteforce: 13,
      scanner: 13,
      spam: 1.4,
      abuse: 13,
      scam: 14,
      fraud: 14,
      test: 14,
    },
    domain: {
      c2: 45,
      ransomware: 60,
      malware: 45,
      phishing: { fastShare: 0.72, fastDays: 15, slowDays: 220 },
      botnet: 30,
      exploit: 30,
      bruteforce: 14,
      scanner: 14,
      spam: 14,
      abuse: 14,
      scam: 30,
      fraud: 30,
      test: 30,
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
      test: 14,
    },
  } satisfies Record<'ip' | 'domain' | 'url', Record<ScoreCategory, HalfLife>>,
  /**
   * A file does not change, so its listing does not age until it is revoked. A hijacked range does not age while it
   * is listed, and has 7 d after it left.
   */
  halfLifeOfTypeDays: {
    hash: NEVER,
    netblock: NEVER,
    netblockDelisted: 7,
    email: 30,
    crypto: 365,
    phone: 10,
  },

  /** An observed range dilutes by 2^(-(32-p)/6): /28 .63, /24 .40, /16 .16 (scoring 4). */
  range4: { unitBits: 32, bitsPerHalf: 6, min: 0.1 },
  /** IPv6 customers get a /64, so that is the unit; wider ranges dilute by 2^(-(64-p)/12): /56 .63, /48 .40. */
  range6: { unitBits: 64, bitsPerHalf: 12, min: 0.1 },
  /** Another address in the /64 of a listed one usually belongs to the same customer. */
  sameSite6: 0.6,
  /** A listing of the parent covers its children, but a child may have another owner. */
  fromParent: 0.9,
  /** A listing of a name below may mean that the domain is a victim: factor 0.25, and never above `low`. */
  fromChild: 0.25,
  fromChildScoreMax: 34,
  /** For a host of which a page is listed; 0 on a shared platform. */
  fromUrl: 0.5,

  /** For exact matches only; of several contexts the strongest counts in each tier (scoring 5). */
  attenuation: {
    service: { crit: 0.5, attack: 0.15, nuis: 0.15 },
    sharedEgress: { crit: 0.8, attack: 0.3, nuis: 0.3 },
    anonymity: { crit: 1, attack: 0.6, nuis: 0.6 },
    knownGoodHash: { crit: 0.02, attack: 0.02, nuis: 0.02 },
    /** Banks, universities, vendors: the same as a rank among the first 100,000. */
    knownGood: { crit: 0.8, attack: 0.5, nuis: 0.5 },
    orgAllowlist: { crit: 0, attack: 0, nuis: 0 },
    rank1k: { crit: 0.5, attack: 0.1, nuis: 0.1 },
    rank10k: { crit: 0.6, attack: 0.2, nuis: 0.2 },
    rank100k: { crit: 0.8, attack: 0.5, nuis: 0.5 },
    rank1m: { crit: 1, attack: 0.8, nuis: 0.8 },
  } satisfies Record<string, Attenuation>,
  /** A verified research scanner is never above `low` for scanning alone, and never above `medium` at all. */
  scannerScoreMax: 34,
  verifiedScannerScoreMax: 59,
  /** A file made to be detected should be blocked, but is no compromise. */
  testFileScoreMax: 84,
  /** A scanner's listing detects the value until half of it has faded (O50), and then is at least `high`. */
  detectionDecayMin: 0.5,
  detectedScoreMin: 60,
  /** A tracker's entry is verified from this confidence of its publisher on, for this long after it was confirmed (O60). */
  verified: { confidenceMin: 90, daysMax: 7 },
  /** A value that a source of grade A or B names itself is never below `low`, however old the listing is. */
  namedScoreMin: 10,
  /** When a source of grade A accuses an address of a known service network, the level is never below `low`. */
  gradeAScoreMin: 10,
  /** A named service (O53) is above `low` only where a source of grade A names the value itself. */
  namedServiceScoreMax: 34,
  /** For the first 100,000 sites with one lineage and no grade A (ruling 3). Measured: 0.264 % falls to 0.029 %. */
  popularUncorroborated: { rankMax: 100_000, scoreMax: 34, secondLineageMin: 35, secondScoreMax: 59 },
  /** A platform root that no source of grade A names itself: its tenants are judged one by one. */
  platformRoot: { knownScoreMax: 9, scoreMax: 34 },
  /** A command server at an address that its publisher verified within the week. */
  verifiedC2ScoreMin: 85,
  /** For an address in a network that ASN-DROP names; raises a `safe` score to 14 at most. */
  asnBoost: { points: 5, safeScoreMax: 14 },

  /**
   * Signals (scoring 9): the points of one without any listing, and the evidence it adds to lists. One list of grade B
   * and a name that agrees are .545 + .43 nats, which is 62. A listed address gets no more than a dense network,
   * because its neighbours are mostly on the same list.
   */
  signals: {
    some: { alone: 4, nats: 0.04 },
    dense: { alone: 16, nats: 0.16 },
    veryDense: { alone: 38, nats: 0.16 },
    name: { alone: 38, nats: 0.43 },
    imitates: { alone: 45, nats: 0.54 },
    tenant: { alone: 38, nats: 0.43 },
    brand: { alone: 40, nats: 0.43 },
    /** The brand's domain left of a foreign one: 0 of 1,085,540 visited hosts have it. */
    brandDomain: { alone: 45, nats: 0.43 },
  },

  /** The lowest score of each level (O4). */
  levels: { low: 10, medium: 35, high: 60, critical: 85 },

  /** The parts of the confidence (scoring 6). */
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
  /** The Admiralty letters of sources whose accusation conflicts with a voucher (scoring 6, conflict). */
  seriousLetters: ['A', 'B'],
  /** The thresholds of G9 for the sum of R over lineages. */
  agreementLevels: { moderate: 1.5, strong: 2.5 },
  reliabilityLevels: { medium: 0.6, high: 0.85 },
  freshnessHours: { fresh: 24, recent: 168 },
} as const;
