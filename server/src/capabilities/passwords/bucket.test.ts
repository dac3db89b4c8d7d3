import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketKey, COUNT_MAX, checkedEntries, countIn, DamagedBucket, packBucket } from './bucket.ts';

const SUFFIX_MAX = 16 ** 12 - 1;
const buckets = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: SUFFIX_MAX }), fc.integer({ min: 1, max: COUNT_MAX })), {
    minLength: 1,
    maxLength: 60,
    selector: ([suffix]) => suffix,
  })
  .map((entries) => entries.toSorted(([a], [b]) => a - b));
const packed = (entries: readonly (readonly [number, number])[]) =>
  packBucket(
    entries.map(([suffix]) => suffix),
    entries.map(([, count]) => count),
  );

test('a bucket answers with the count of each stored suffix, and with null for everything else', () => {
  fc.assert(
    fc.property(buckets, fc.integer({ min: 0, max: SUFFIX_MAX }), (entries, other) => {
      const bucket = packed(entries);
      for (const [suffix, count] of entries) expect(countIn(bucket, suffix)).toBe(count);
      const isIn = entries.some(([suffix]) => suffix === other);
      if (!isIn) expect(countIn(bucket, other)).toBeNull();
    }),
  );
});

test('an entry takes ten bytes', () => {
  expect(packed([[1, 1]]).length - packed([]).length).toBe(10);
});

test('any flipped bit and any lost byte is detected', () => {
  fc.assert(
    fc.property(buckets, fc.nat(), fc.nat(7), (entries, at, bit) => {
      const bucket = packed(entries);
      const flipped = Buffer.from(bucket);
      flipped.writeUInt8(flipped.readUInt8(at % bucket.length) ^ (1 << bit), at % bucket.length);
      expect(() => checkedEntries(flipped)).toThrow(DamagedBucket);
      expect(() => checkedEntries(bucket.subarray(0, at % bucket.length))).toThrow(DamagedBucket);
    }),
  );
});

test('keys are in the order of the prefixes', () => {
  fc.assert(
    fc.property(fc.nat(0xf_ffff), fc.nat(0xf_ffff), (a, b) => {
      expect(Math.sign(Buffer.compare(bucketKey(a), bucketKey(b)))).toBe(Math.sign(a - b));
    }),
  );
});
