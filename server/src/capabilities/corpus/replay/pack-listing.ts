import { LISTING_BYTES, NO_CONFIDENCE } from '../listing-value.ts';

/** The facts of one listing, packed as the views of migration 0008 do: the inverse of listing-value.ts. */
export type PackedFacts = {
  readonly sourceNumber: number;
  readonly firstSeenS: number;
  /** 0: the source's date counts; below RANK_MAX: a rank. */
  readonly lastSeenS: number;
  readonly confidence: number | null;
  readonly isDelisted: boolean;
};

const DELISTED_BIT = 0x80;

export function packListing(facts: PackedFacts): Buffer {
  const packed = Buffer.alloc(LISTING_BYTES);
  packed.writeUInt16BE(facts.sourceNumber, 0);
  packed.writeUInt32BE(facts.firstSeenS >>> 0, 2);
  packed.writeUInt32BE(facts.lastSeenS >>> 0, 6);
  packed[10] = (facts.confidence ?? NO_CONFIDENCE) | (facts.isDelisted ? DELISTED_BIT : 0);
  return packed;
}
