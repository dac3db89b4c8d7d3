/** The kinds that the bulk route accepts. */
export const SENT_KINDS = ['ip', 'domain', 'url', 'hash', 'email'] as const;
export type SentKind = (typeof SENT_KINDS)[number];

export type Group = {
  readonly kind: SentKind;
  /** Canonical values without duplicates, in the order of the text. */
  readonly values: readonly string[];
  readonly occurrences: number;
};

export const SHOWN_MAX = 100;

export type Shortened<T> = {
  readonly total: number;
  /** How often the values occur in the text, so that the numbers of the page add up to the pasted values. */
  readonly occurrences: number;
  readonly shown: readonly T[];
};

export type Preview = {
  readonly groups: readonly Group[];
  /** Private and reserved addresses have no public reputation, so they are not sent. */
  readonly reserved: Shortened<{ readonly value: string; readonly why: string }>;
  readonly ranges: Shortened<string>;
  readonly rejected: Shortened<{ readonly raw: string; readonly reason: string }>;
};

const NONE = { total: 0, occurrences: 0, shown: [] };
export const EMPTY_PREVIEW: Preview = { groups: [], reserved: NONE, ranges: NONE, rejected: NONE };

export const isEmptyPreview = ({ groups, reserved, ranges, rejected }: Preview): boolean =>
  groups.length + reserved.total + ranges.total + rejected.total === 0;
