/** What a bulk check can be asked about. */
export const SENT_KINDS = ['ip', 'domain', 'url', 'hash', 'email'] as const;
export type SentKind = (typeof SENT_KINDS)[number];

export type Group = {
  readonly kind: SentKind;
  /** Canonical and different from each other, in the order of the text. */
  readonly values: readonly string[];
  /** How often they stand in the text together. */
  readonly occurrences: number;
};

/** How many of a kind are shown by name; there can be thousands. */
export const SHOWN_MAX = 100;

/** Many, of which a page shows some. */
export type Shortened<T> = { readonly total: number; readonly shown: readonly T[] };

/** What a text holds, small enough to be handed from the worker to the page without a pause. */
export type Preview = {
  readonly groups: readonly Group[];
  /** Private and reserved addresses: nobody outside can know anything of them, so they are not sent. */
  readonly reserved: Shortened<{ readonly value: string; readonly why: string }>;
  readonly ranges: Shortened<string>;
  readonly rejected: Shortened<{ readonly raw: string; readonly reason: string }>;
};

const NONE = { total: 0, shown: [] };
export const EMPTY_PREVIEW: Preview = { groups: [], reserved: NONE, ranges: NONE, rejected: NONE };

export const isEmptyPreview = ({ groups, reserved, ranges, rejected }: Preview): boolean =>
  groups.length + reserved.total + ranges.total + rejected.total === 0;
