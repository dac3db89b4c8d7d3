import {
  FAMILY_BYTES,
  FLAG,
  flagsOf,
  LISTING_BYTES,
  NO_CONFIDENCE,
  REFERENCE_BYTES,
} from '../listing-value.ts';

/** The facts of one listing, packed as the views of migration 0018 do: the inverse of listing-value.ts. */
export type PackedFacts = {
  readonly sourceNumber: number;
  readonly firstSeenS: number;
  /** 0: the date of the source's data counts instead; below RANK_MAX: a rank and not a date. */
  readonly lastSeenS: number;
  readonly confidence: number | null;
  readonly datedBy: number;
  readonly isDelisted: boolean;
  /** Null: the listing has no family. */
  readonly familyNumber: number | null;
  readonly referenceNumber: number | null;
};

export function packListing(facts: PackedFacts): Buffer {
  const { familyNumber, referenceNumber } = facts;
  const packed = Buffer.alloc(LISTING_BYTES + FAMILY_BYTES + REFERENCE_BYTES);
  packed.writeUInt16BE(facts.sourceNumber, 0);
  packed.writeUInt32BE(facts.firstSeenS >>> 0, 2);
  packed.writeUInt32BE(facts.lastSeenS >>> 0, 6);
  packed[10] = facts.confidence ?? NO_CONFIDENCE;
  packed[11] = flagsOf(
    facts.datedBy,
    (facts.isDelisted ? FLAG.delisted : 0) |
      (familyNumber === null ? 0 : FLAG.family) |
      (referenceNumber === null ? 0 : FLAG.reference),
  );
  let end = LISTING_BYTES;
  if (familyNumber !== null) end = packed.writeUIntBE(familyNumber, end, FAMILY_BYTES);
  if (referenceNumber !== null) end = packed.writeUIntBE(referenceNumber, end, REFERENCE_BYTES);
  return packed.subarray(0, end);
}
