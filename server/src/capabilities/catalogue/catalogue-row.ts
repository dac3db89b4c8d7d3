import type { GUARDS, LETTERS, LICENCE_MODES, Source } from '#capabilities/corpus/index.ts';
import type { FormatSpec } from '#capabilities/lists/index.ts';
import type { PopularityKind } from '#domain/scoring/index.ts';

type EntityType = 'ip' | 'domain' | 'url' | 'hash' | 'email' | 'asn' | 'crypto' | 'phone';

export type Licence = {
  /** SPDX id, or the publisher's own name for the licence. */
  readonly name: string;
  /** Whether entries under this licence may be redistributed in blocklists and TAXII collections. Unknown means no. */
  readonly redistributable: boolean;
  readonly mode: (typeof LICENCE_MODES)[number];
  readonly attribution?: string;
  /** Terms that an operator must accept first (non-commercial, no derivatives): not fetched by default. */
  readonly optIn?: boolean;
};

/** One source as data: every property of the source is here and nowhere else. */
export type CatalogueRow = {
  readonly id: string;
  readonly name: string;
  readonly publisher: string;
  /** The publisher's URLs; several are parts of one snapshot. `{key}` is replaced by the key's value. */
  readonly urls: readonly string[];
  readonly format: FormatSpec;
  readonly entityTypes: readonly EntityType[];
  /**
   * Score category (scoring ruling 2): c2, ransomware, malware, phishing, botnet, exploit, bruteforce, scam, fraud,
   * spam, scanner, abuse; or the content of a context list.
   */
  readonly category: string;
  /** The publisher's own words where they are more specific than the category: apt, stalkerware, vulnerable-driver. */
  readonly tags?: readonly string[];
  readonly threatClass: Source['threatClass'];
  readonly fpRisk: Source['fpRisk'];
  readonly letter: (typeof LETTERS)[number];
  /** Declared operator: sources of one lineage count as one opinion. */
  readonly lineage?: string;
  readonly aggregate?: boolean;
  readonly semantics: Source['semantics'];
  /** Its file keeps entries for months after the publisher last saw them, so that each one ages by its own date. */
  readonly keepsEntries?: boolean;
  readonly cidrSemantics?: Source['cidrSemantics'];
  readonly signal?: Source['signal'];
  /** For a scanner that also lists kinds it does not scan: only these kinds can set `malicious` (O50). */
  readonly scannerKinds?: readonly EntityType[];
  /** Why the publisher's word on a kind other than files sets `malicious`: how it verifies each entry itself (O60). */
  readonly scannerReason?: string;
  readonly adOnly?: boolean;
  /** Labels in the words of decisions G7. */
  readonly attributes?: readonly string[];
  readonly guard?: (typeof GUARDS)[number];
  /** Anyone can rent a server there: its ranges are taken out of wider ranges of delivery networks. */
  readonly rentable?: boolean;
  readonly rankMax?: number;
  /** For a popularity list: what it counts. A rank vouches only where lists of two kinds of counts agree (O53). */
  readonly popularity?: PopularityKind;
  readonly licence: Licence;
  readonly pollS: number;
  /** The publisher's own limit: never fetched more often, not even by an operator. */
  readonly minIntervalS: number;
  readonly bytesMax: number;
  /** A list with fewer or more accepted entries is refused. */
  readonly volume: { readonly min: number; readonly max: number };
  /** Share of entries that may be rejected; 0.01 when absent. Unsupported ones do not count. */
  readonly rejectShareMax?: number;
  /** `off` for context lists alone, which accuse nothing and so may hold canaries; threat lists are always checked. */
  readonly canaries?: 'on' | 'off';
  /** Environment variable that holds the publisher's key, and the header in which it is sent. */
  readonly key?: { readonly env: string; readonly header?: string };
  /** True: a new deployment fetches it without configuration. */
  readonly isDefault: boolean;
  /** Why it is off, although it needs no key, nothing forbids it and its measurements are good (precision.ts). */
  readonly offReason?: string;
  /** For operators: what to consider. */
  readonly note?: string;
  /** Entries when the row was written. */
  readonly entries?: number;
};

export type OfflineFile = {
  readonly path: string;
  /** Catalogue id; several files of one source are parts of one snapshot. Null: not imported on purpose. */
  readonly source: string | null;
  /** `variant`: the same list in another form; parsed and compared in tests, but not imported. */
  readonly role: 'part' | 'variant' | 'left-out';
  /** Set where the format of the file differs from that of the live source. */
  readonly format?: FormatSpec;
  readonly family?: string;
  readonly note?: string;
};

export const DEFAULT_REJECT_SHARE_MAX = 0.01;

/** Prior reliability by Admiralty letter (scoring 7); aggregates have at most 0.40. */
export const RELIABILITY: Readonly<Record<CatalogueRow['letter'], number>> = {
  A: 0.95,
  B: 0.75,
  C: 0.5,
  D: 0.35,
  E: 0.2,
  F: 0.35,
};
