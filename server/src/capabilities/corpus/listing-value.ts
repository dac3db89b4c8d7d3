/** Layout of one listing inside a replica value; written by the view corpus_listing_entry (migration 0018). */
export const LISTING_BYTES = 12;
export const NO_CONFIDENCE = 127;
export const FAMILY_BYTES = 2;
export const REFERENCE_BYTES = 3;

const FLAGS_AT = 11;
/** Bits of the last fixed byte. `delisted`: the entry left and still fades (scoring ruling 5), so it is not active. */
export const FLAG = { delisted: 1, family: 8, reference: 16 } as const;
const DATING_SHIFT = 1;
const DATING_MASK = 3;

/** What the date of a listing means; the position is the number stored as `dated_by`. A better dating comes first. */
export const DATINGS = ['own', 'sighted', 'undated'] as const;
export type Dating = (typeof DATINGS)[number];

export const flagsOf = (datedBy: number, others: number): number => (datedBy << DATING_SHIFT) | others;

const flagsAt = (value: Uint8Array, at: number): number => value[at + FLAGS_AT] as number;

/** Where the listing after this one starts: names follow a listing only where its flags say so. */
export function nextListing(value: Uint8Array, at: number): number {
  const flags = flagsAt(value, at);
  return (
    at +
    LISTING_BYTES +
    ((flags & FLAG.family) === 0 ? 0 : FAMILY_BYTES) +
    ((flags & FLAG.reference) === 0 ? 0 : REFERENCE_BYTES)
  );
}

export const sourceNumberAt = (value: Uint8Array, at: number): number =>
  ((value[at] as number) << 8) | (value[at + 1] as number);

export const firstSeenAt = (value: Uint8Array, at: number): number => u32(value, at + 2);

/** A value below this is a rank in a popularity list; as a date it would lie before March 1973. */
export const RANK_MAX = 100_000_000;

/** 0: the date of the source's newest data counts instead. Below RANK_MAX it is a rank and not a date. */
export const lastSeenAt = (value: Uint8Array, at: number): number => u32(value, at + 6);

export const confidenceAt = (value: Uint8Array, at: number): number => value[at + 10] as number;

export const isDelistedAt = (value: Uint8Array, at: number): boolean =>
  (flagsAt(value, at) & FLAG.delisted) !== 0;

export const datedByAt = (value: Uint8Array, at: number): number =>
  (flagsAt(value, at) >> DATING_SHIFT) & DATING_MASK;

export const datingAt = (value: Uint8Array, at: number): Dating => DATINGS[datedByAt(value, at)] ?? 'undated';

/** 0: the listing names no family. */
export function familyNumberAt(value: Uint8Array, at: number): number {
  if ((flagsAt(value, at) & FLAG.family) === 0) return 0;
  return ((value[at + LISTING_BYTES] as number) << 8) | (value[at + LISTING_BYTES + 1] as number);
}

/** 0: the listing names no reference. */
export function referenceNumberAt(value: Uint8Array, at: number): number {
  const flags = flagsAt(value, at);
  if ((flags & FLAG.reference) === 0) return 0;
  const from = at + LISTING_BYTES + ((flags & FLAG.family) === 0 ? 0 : FAMILY_BYTES);
  return ((value[from] as number) << 16) | ((value[from + 1] as number) << 8) | (value[from + 2] as number);
}

const u32 = (value: Uint8Array, at: number): number =>
  (((value[at] as number) << 24) |
    ((value[at + 1] as number) << 16) |
    ((value[at + 2] as number) << 8) |
    (value[at + 3] as number)) >>>
  0;

/** The fixed part of an active listing, without family and reference, as it is stored for neighbours. */
export function withoutNames(value: Uint8Array, at: number): Uint8Array {
  const listing = Uint8Array.from(value.subarray(at, at + LISTING_BYTES));
  listing[FLAGS_AT] = flagsOf(datedByAt(value, at), 0);
  return listing;
}

/**
 * Folds two active listings of one source without names: earliest first sighting, latest last one, highest confidence,
 * best dating, as the view corpus_related_entry does.
 */
export function foldListings(one: Uint8Array, other: Uint8Array): Uint8Array {
  const folded = Uint8Array.from(one);
  if (firstSeenAt(other, 0) < firstSeenAt(one, 0)) folded.set(other.subarray(2, 6), 2);
  if (isLater(lastSeenAt(other, 0), lastSeenAt(one, 0))) folded.set(other.subarray(6, 10), 6);
  folded[10] = higherConfidence(confidenceAt(one, 0), confidenceAt(other, 0));
  folded[FLAGS_AT] = flagsOf(Math.min(datedByAt(one, 0), datedByAt(other, 0)), 0);
  return folded;
}

/** Compares last sightings; 0 stands for the date of the source's newest data, so it is the latest. */
const isLater = (seen: number, than: number): boolean => than !== 0 && (seen === 0 || seen > than);

const higherConfidence = (one: number, other: number): number => {
  if (one === NO_CONFIDENCE) return other;
  return other === NO_CONFIDENCE ? one : Math.max(one, other);
};
