import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNT_MAX, countIn, packBucket } from './bucket.ts';
import { padBucket } from './pad-bucket.ts';
import { entriesTextLength, renderRange } from './render-range.ts';
import { SOURCE } from './source-words.ts';

const WORDS = { prefix: 0x0baa6, mode: 'sha1', corpusUpdatedAt: '2026-08-22T00:00:00.000Z' } as const;
const SUFFIX_MAX = 16 ** 12 - 1;
type Entries = readonly (readonly [suffix: number, count: number])[];
const entriesOf = (minLength: number) =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: SUFFIX_MAX }), fc.integer({ min: 1, max: COUNT_MAX })), {
      minLength,
      maxLength: 40,
      selector: ([suffix]) => suffix,
    })
    .map((entries): Entries => entries.toSorted(([a], [b]) => a - b));
const packed = (entries: Entries): Buffer | null =>
  entries.length === 0
    ? null
    : packBucket(
        entries.map(([suffix]) => suffix),
        entries.map(([, count]) => count),
      );
const shown = (entries: Entries) =>
  entries.map(([suffix, count]) => ({ suffix: suffix.toString(16).toUpperCase().padStart(12, '0'), count }));

test('the bytes are those of JSON.stringify', () => {
  fc.assert(
    fc.property(entriesOf(0), (entries) => {
      const value = {
        prefix: '0BAA6',
        mode: 'sha1',
        suffixLength: 12,
        entries: shown(entries),
        source: SOURCE,
        corpusUpdatedAt: WORDS.corpusUpdatedAt,
      };
      expect(renderRange(WORDS, packed(entries)).toString()).toBe(JSON.stringify(value));
    }),
  );
});

test('padding keeps every entry, adds none that is stored, and makes all answers equally long', () => {
  fc.assert(
    fc.property(fc.array(entriesOf(0), { minLength: 2, maxLength: 5 }), fc.nat(), (buckets, seed) => {
      const texts = buckets.map((entries) => {
        const bucket = packed(entries);
        return bucket === null ? 0 : entriesTextLength(bucket);
      });
      const textMax = Math.max(...texts, 36);
      const lengths = buckets.map((entries) => {
        const bucket = packed(entries);
        const padded = padBucket(bucket, { textMax, seed });
        const bytes = renderRange(WORDS, padded.bucket, padded.spaces);
        const answer = JSON.parse(bytes.toString()) as { entries: { suffix: string; count: number }[] };
        expect(answer.entries.filter(({ count }) => count > 0)).toEqual(shown(entries));
        const suffixes = answer.entries.map(({ suffix }) => suffix);
        expect(suffixes).toEqual([...new Set(suffixes)].toSorted());
        const added = answer.entries.filter(({ count }) => count === 0);
        for (const { suffix } of added)
          expect(bucket === null ? null : countIn(bucket, Number.parseInt(suffix, 16))).toBeNull();
        expect(padBucket(bucket, { textMax, seed })).toEqual(padded);
        return bytes.length;
      });
      expect(new Set(lengths).size).toBe(1);
    }),
  );
});
