import type { GUARDS, LETTERS, LICENCE_MODES, Source } from '#capabilities/corpus/index.ts';
import type { FormatSpec } from '../formats/format-spec.ts';

type EntityType = 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'asn' | 'crypto' | 'phone';

export type Licence = {
  /** SPDX id or the publisher's own words. */
  readonly name: string;
  /** May its entries be passed on in blocklists and TAXII collections? Not known means no. */
  readonly redistributable: boolean;
  readonly mode: (typeof LICENCE_MODES)[number];
  readonly attribution?: string;
  /** Terms an operator must accept first (non-commercial, no derivatives): never fetched by default. */
  readonly optIn?: boolean;
};

/** One source, as data: everything that is particular to it stands here and nowhere else. */
export type CatalogueRow = {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  /** Where the publisher offers it: several are parts of one snapshot. `{key}` is replaced by the key's value. */
  readonly urls: readonly string[];
  readonly format: FormatSpec;
  readonly entityTypes: readonly EntityType[];
  /** Score category (scoring ruling 2): c2, ransomware, malware, phishing, botnet, exploit, bruteforce, scam, fraud, spam, scanner, abuse; or what a context list holds. */
  readonly category: string;
  /** What the publisher calls it, where that says more than the category: apt, stalkerware, vulnerable-driver. */
  readonly tags?: readonly string[];
  readonly threatClass: Source['threatClass'];
  readonly fpRisk: Source['fpRisk'];
  readonly letter: (typeof LETTERS)[number];
  /** Declared operator: sources of one lineage are one opinion. */
  readonly lineage?: string;
  readonly aggregate?: boolean;
  readonly semantics: Source['semantics'];
  readonly cidrSemantics?: Source['cidrSemantics'];
  readonly signal?: Source['signal'];
  readonly adOnly?: boolean;
  /** Words of decisions G7. */
  readonly attributes?: readonly string[];
  readonly guard?: (typeof GUARDS)[number];
  readonly rankMax?: number;
  readonly licence: Licence;
  /** How often the worker asks. */
  readonly pollS: number;
  /** The publisher's own rule: never more often, whoever asks. */
  readonly minIntervalS: number;
  readonly bytesMax: number;
  /** Fewer or more accepted entries than this is not that list. */
  readonly volume: { readonly min: number; readonly max: number };
  /** Share of entries that may be rejected; 0.01 when absent. Unsupported ones do not count. */
  readonly rejectShareMax?: number;
  /** `off`: a context list may well hold known-good values; every threat list is checked against the canaries. */
  readonly canaries?: 'on' | 'off';
  /** Environment variable that holds the publisher's key, and how it is sent. */
  readonly key?: { readonly env: string; readonly header?: string };
  /** Fetched by a new deployment without being asked. */
  readonly isDefault: boolean;
  /** Shown to operators: why it is off, what to know. */
  readonly note?: string;
};

/** How one file of an offline data set becomes (part of) a source. */
export type OfflineFile = {
  /** Path in the data set. */
  readonly path: string;
  /** Catalogue id; several files of one source are parts of one snapshot. Null: deliberately not imported. */
  readonly source: string | null;
  /** `variant`: the same list in another form; parsed and compared in tests, lists nothing. */
  readonly role: 'part' | 'variant' | 'left-out';
  /** Where the file is not in the source's own format. */
  readonly format?: FormatSpec;
  /** Becomes the family of each of its entries. */
  readonly family?: string;
  readonly note?: string;
};

export const DEFAULT_REJECT_SHARE_MAX = 0.01;

/** Prior reliability by Admiralty letter (scoring 7); aggregates at most 0.40. */
export const RELIABILITY: Readonly<Record<CatalogueRow['letter'], number>> = {
  A: 0.95,
  B: 0.75,
  C: 0.5,
  D: 0.35,
  E: 0.2,
  F: 0.35,
};
