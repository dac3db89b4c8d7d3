import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressBlock, addressText, blockText, readBlock, unionOf } from './address-union.ts';

const entry = (value: string, score = 50) => ({ value, score, family: null, reason: 'listed' });
const texts = (blocks: readonly AddressBlock[]) => blocks.map(blockText);

/** Few bits vary, so that random blocks nest, touch and overlap. */
const block4 = fc
  .record({ low: fc.integer({ min: 0, max: 1023 }), bits: fc.integer({ min: 20, max: 32 }) })
  .map(({ low, bits }) => {
    const start = (0xc0000200 + low) & (bits === 0 ? 0 : -1 << (32 - bits));
    return entry(blockText({ version: 4, start: BigInt(start >>> 0), bits, entry: entry('') }));
  });
const block6 = fc
  .record({ low: fc.integer({ min: 0, max: 1023 }), bits: fc.integer({ min: 116, max: 128 }) })
  .map(({ low, bits }) => {
    const size = 1n << BigInt(128 - bits);
    const start = ((0x20010db8n << 96n) + BigInt(low)) / size;
    return entry(blockText({ version: 6, start: start * size, bits, entry: entry('') }));
  });

const width = (version: 4 | 6) => (version === 4 ? 32 : 128);
function members(blocks: readonly (AddressBlock | null)[]): Set<string> {
  const found = new Set<string>();
  for (const block of blocks) {
    if (block === null) throw new Error('not an address');
    const { version, start, bits } = block;
    const size = 1n << BigInt(width(version) - bits);
    for (let at = 0n; at < size; at += 1n) found.add(addressText({ version, start: start + at }));
  }
  return found;
}

describe('the union of a list of addresses', () => {
  test('holds exactly the addresses of the entries, each once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(block4, block6), { maxLength: 24 }), (entries) => {
        const { v4, v6, left } = unionOf(entries);
        const all = [...v4, ...v6];
        const before = members(entries.map(readBlock));
        expect(members(all)).toEqual(before);
        const sizes = all.map(({ version, bits }) => 1n << BigInt(width(version) - bits));
        expect(sizes.reduce((sum, size) => sum + size, 0n)).toBe(BigInt(before.size));
        expect(v4.every((block, at) => at === 0 || (v4[at - 1]?.start ?? 0n) < block.start)).toBe(true);
        expect(left).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('has no two blocks that could be one', () => {
    fc.assert(
      fc.property(fc.array(block4, { maxLength: 24 }), (entries) => {
        const { v4 } = unionOf(entries);
        const known = new Set(texts(v4));
        for (const { start, bits } of v4) {
          const size = 1n << BigInt(32 - bits);
          const sibling = (start / size) % 2n === 0n ? start + size : start - size;
          expect(known.has(blockText({ version: 4, start: sibling, bits, entry: entry('') }))).toBe(false);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('covers the whole space when both halves are listed', () => {
    expect(texts(unionOf([entry('0.0.0.0/1'), entry('128.0.0.0/1')]).v4)).toEqual(['0.0.0.0/0']);
  });

  test('shows the strongest entry of each block', () => {
    const [block] = unionOf([
      entry('192.0.2.0/24', 40),
      entry('192.0.2.9', 90),
      entry('192.0.3.0/24', 60),
    ]).v4;
    expect(block?.entry.value).toBe('192.0.2.9');
    expect(block?.bits).toBe(23);
  });

  test.each([
    'evil.example',
    '192.0.2.0/33',
    '192.0.2.1/24',
    '192.0.2.0/24/8',
    '',
    '2001:db8::/129',
    '010.0.0.1',
  ])('counts %j as left out', (value) => {
    expect(unionOf([entry(value)])).toEqual({ v4: [], v6: [], left: 1 });
  });
});
