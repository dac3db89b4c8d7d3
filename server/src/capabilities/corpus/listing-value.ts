/** Layout of one listing inside a replica value; written by the view corpus_listing_entry (migration 0008). */
export const LISTING_BYTES = 11;
export const NO_CONFIDENCE = 127;
/** Set on entries that left and still fade (scoring ruling 5); they are never active listings. */
const DELISTED_BIT = 0x80;

export const sourceNumberAt = (value: Uint8Array, at: number): number =>
  ((value[at] as number) << 8) | (value[at + 1] as number);

export const firstSeenAt = (value: Uint8Array, at: number): number => u32(value, at + 2);

/** A value below this is a rank in a popularity list; as a date it would lie before March 1973. */
export const RANK_MAX = 100_000_000;

/** 0: still listed, so the source's date counts. Below RANK_MAX: a rank instead of a date. */
export const lastSeenAt = (value: Uint8Array, at: number): number => u32(value, at + 6);

export const confidenceAt = (value: Uint8Array, at: number): number =>
  (value[at + 10] as number) & ~DELISTED_BIT;

export const isDelistedAt = (value: Uint8Array, at: number): boolean =>
  ((value[at + 10] as number) & DELISTED_BIT) !== 0;

const u32 = (value: Uint8Array, at: number): number =>
  (((value[at] as number) << 24) |
    ((value[at + 1] as number) << 16) |
    ((value[at + 2] as number) << 8) |
    (value[at + 3] as number)) >>>
  0;

/**
 * Folds two active listings of one source: earliest first sighting, latest last one, highest confidence, as the view
 * corpus_related_entry does.
 */
export function foldListings(one: Uint8Array, other: Uint8Array): Uint8Array {
  const folded = Uint8Array.from(one);
  if (firstSeenAt(other, 0) < firstSeenAt(one, 0)) folded.set(other.subarray(2, 6), 2);
  if (isLater(lastSeenAt(other, 0), lastSeenAt(one, 0))) folded.set(other.subarray(6, 10), 6);
  folded[10] = higherConfidence(confidenceAt(one, 0), confidenceAt(other, 0));
  return folded;
}

/** 0 stands for the date of the source's newest data, so nothing is later. */
const isLater = (seen: number, than: number): boolean => than !== 0 && (seen === 0 || seen > than);

const higherConfidence = (one: number, other: number): number => {
  if (one === NO_CONFIDENCE) return other;
  return other === NO_CONFIDENCE ? one : Math.max(one, other);
};
