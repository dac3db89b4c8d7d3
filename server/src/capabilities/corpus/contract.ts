import { z } from 'zod';

export const THREAT_CLASSES = ['threat', 'infrastructure', 'policy', 'allowlist'] as const;
export const FP_RISKS = ['low', 'medium', 'high'] as const;
export const SIGNALS = ['feed', 'scanner'] as const;
/** Meaning of absence from the latest snapshot: `state` and `archive` delist by it, `window` and `delta` never do. */
export const SEMANTICS = ['state', 'window', 'delta', 'archive'] as const;
export const CIDR_SEMANTICS = ['observed', 'owned'] as const;
/** Admiralty scale (scoring 7): from A, reliable, to E, unreliable; F is not rated. */
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
/** The format names of decisions 3.5. */
export const SOURCE_FORMATS = ['text', 'csv', 'json', 'hosts', 'stix'] as const;
export const LICENCE_MODES = ['free', 'api-key', 'commercial'] as const;
/**
 * The effects that a context list may have on a score (scoring ruling 9). A list without a guard only labels: lists of
 * clouds, VPNs and resolvers hold 40 to 60 % of the entries of honest threat lists (scoring finding 10), so they never
 * attenuate.
 */
export const GUARDS = [
  'service',
  'shared-egress',
  'scanner',
  'anonymity',
  'known-good',
  'popularity',
  'platform',
] as const;

/** Labels that an infrastructure listing may give (decisions G7). The list is open: other words pass unchanged. */
export const INFRASTRUCTURE_WORDS = [
  'tor-exit',
  'vpn',
  'proxy',
  'doh-resolver',
  'dns-resolver',
  'sinkhole',
  'cloud',
  'cdn',
  'crawler',
  'scanner',
  'monitoring',
  'disposable-email',
  'dynamic-dns',
  'url-shortener',
  'bogon',
  'saas',
  'allowlist',
] as const;

export const SourceId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'A source id has 1 to 64 characters of a-z, 0-9, dot, dash, underscore.',
  );
const word = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9:._-]*$/, 'Send lower-case words such as phishing or tor-exit.');

/** The settings that an operator may give; an omitted one keeps its value or gets the registry's default. */
export const SourceSettings = z
  .object({
    name: z.string().min(1).max(120),
    type: word.max(32),
    category: word,
    categories: z.array(word).max(32),
    threatClass: z.enum(THREAT_CLASSES),
    fpRisk: z.enum(FP_RISKS),
    signal: z.enum(SIGNALS),
    scannerKinds: z.array(word).max(16),
    adOnly: z.boolean(),
    semantics: z.enum(SEMANTICS),
    keepsEntries: z.boolean(),
    cidrSemantics: z.enum(CIDR_SEMANTICS),
    attributes: z.array(word).max(32),
    reliability: z.number().min(0).max(1),
    lineage: word,
    aggregate: z.boolean(),
    intervalS: z.int().min(1).max(31_536_000),
    provider: z.string().max(120),
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    licence: z.string().max(200),
    licenceMode: z.enum(LICENCE_MODES),
    redistributable: z.boolean(),
    attribution: z.string().max(500),
    letter: z.enum(LETTERS),
    tags: z.array(word).max(32),
    entityTypes: z.array(word).max(16),
    format: z.enum(SOURCE_FORMATS),
    retentionDays: z.int().min(1).max(3_650),
    guard: z.enum(GUARDS),
    rankMax: z.int().min(1),
    ownList: z.boolean(),
    expiresDays: z.int().min(0).max(3_650),
    exported: z.boolean(),
    scheduled: z.boolean(),
    enabled: z.boolean(),
  })
  .partial();
export type SourceSettings = z.infer<typeof SourceSettings>;

/** A registry row as the replica carries it; times are whole seconds since the epoch, 0 when unknown. */
export type Source = {
  /** Stable small number that names the source inside listings. */
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly category: string;
  readonly categories: readonly string[];
  readonly threatClass: (typeof THREAT_CLASSES)[number];
  readonly fpRisk: (typeof FP_RISKS)[number];
  readonly signal: (typeof SIGNALS)[number];
  /** The kinds for which the source has scanner signal (O50); empty: all kinds that it lists. */
  readonly scannerKinds: readonly string[];
  readonly adOnly: boolean;
  readonly semantics: (typeof SEMANTICS)[number];
  /** True: the list keeps entries long after its publisher last saw them, so each entry ages by its own date. */
  readonly keepsEntries: boolean;
  readonly cidrSemantics: (typeof CIDR_SEMANTICS)[number];
  readonly attributes: readonly string[];
  readonly reliability: number;
  readonly lineage: string | null;
  readonly aggregate: boolean;
  readonly intervalS: number;
  readonly provider: string | null;
  readonly url: string | null;
  readonly licence: string | null;
  readonly licenceMode: (typeof LICENCE_MODES)[number];
  readonly redistributable: boolean;
  readonly attribution: string | null;
  readonly letter: (typeof LETTERS)[number];
  readonly tags: readonly string[];
  readonly entityTypes: readonly string[];
  readonly format: (typeof SOURCE_FORMATS)[number];
  readonly retentionDays: number;
  /** How entries of the source weaken accusations; null: they only label. */
  readonly guard: (typeof GUARDS)[number] | null;
  /** N of a popularity list without ranks, whose entries are among the first N. */
  readonly rankMax: number | null;
  /** An operator imported it (O81): it does not age. */
  readonly ownList?: boolean;
  /** Days after its last import for which an own list counts; 0 or absent: it does not expire. */
  readonly expiresDays?: number;
  /** False: its entries are in no blocklist and in no collection, whatever its license allows. */
  readonly exported?: boolean;
  readonly scheduled: boolean;
  /** Cluster of the nightly lineage job; null: the declared lineage counts, else the source alone. */
  readonly cluster: string | null;
  /** By kind of entry (`ip`, `domain`, `url`): the lineage that lists the same entries earlier, per the lineage job. */
  readonly echoes: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  /** Grows with each merge that changed something. */
  readonly version: number;
  /** Date of the data itself, never of the download. */
  readonly dataAtS: number;
  readonly lastFetchAtS: number;
  readonly entries: number;
};

/** Whether entries of the source may be in blocklists and collections that anyone can read (O36, O81). */
export const mayBeShared = ({
  redistributable,
  exported,
}: Pick<Source, 'redistributable' | 'exported'>): boolean => redistributable && exported !== false;

/** A source that has data: switched on, and it lists something now. Every count of sources uses this definition. */
export const hasData = ({ enabled, entries }: Pick<Source, 'enabled' | 'entries'>): boolean =>
  enabled && entries > 0;

/** Only threat lists accuse, and among them not those of advertising and tracking (contract 2.1 rules 2 and 3). */
export const accuses = ({ threatClass, adOnly }: Pick<Source, 'threatClass' | 'adOnly'>): boolean =>
  threatClass === 'threat' && !adOnly;
