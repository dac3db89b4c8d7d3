import { describe, expect, test } from 'vitest';
import { correctionOf, multiply } from './galois.ts';
import { qrCode } from './qr-code.ts';
import { formatBits, isFunctionAt, versionBits } from './qr-grid.ts';

describe('the parts of a code', () => {
  test('correction bytes are those of the example of the standard', () => {
    // The published example: "HELLO WORLD" in version 1 at level M.
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    const correction = [196, 35, 39, 119, 235, 215, 231, 226, 93, 23];
    expect([...correctionOf(Uint8Array.from(data), 10)]).toEqual(correction);
  });

  test('format and version fields are those of the tables of the standard', () => {
    expect(formatBits(0).toString(2).padStart(15, '0')).toBe('101010000010010');
    expect(formatBits(5).toString(2).padStart(15, '0')).toBe('100000011001110');
    expect(versionBits(7).toString(2).padStart(18, '0')).toBe('000111110010010100');
    expect(versionBits(20).toString(2).padStart(18, '0')).toBe('010100100110100110');
  });
});

const URI =
  'otpauth://totp/assay.example.com:analyst%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=assay.example.com&algorithm=SHA1&digits=6&period=30';

describe('a code is read back as the text it was made of', () => {
  test.each(['A', 'Zürich', URI, URI.repeat(2), 'x'.repeat(14), 'x'.repeat(15), 'x'.repeat(600)])(
    '%s',
    (text) => {
      expect(readBack(qrCode(text))).toBe(text);
    },
  );

  test('a text that is too long is refused', () => {
    expect(() => qrCode('x'.repeat(700))).toThrow(RangeError);
  });
});

/** An independent reader: takes the mask from the code, undoes it, expects no error in any block, returns the text. */
function readBack(grid: readonly (readonly boolean[])[]): string {
  const size = grid.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number) => (grid[y]?.[x] === true ? 1 : 0);
  const columnEight = [0, 1, 2, 3, 4, 5, 7, 8].map((y) => at(8, y));
  const rowEight = [7, 5, 4, 3, 2, 1, 0].map((x) => at(x, 8));
  const format = [...columnEight, ...rowEight].reduce<number>((bits, bit, nth) => bits | (bit << nth), 0);
  const mask = [0, 1, 2, 3, 4, 5, 6, 7].find((each) => formatBits(each) === format);
  const masks = [
    (i: number, j: number) => (i + j) % 2,
    (i: number) => i % 2,
    (_i: number, j: number) => j % 3,
    (i: number, j: number) => (i + j) % 3,
    (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
    (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
    (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2,
    (i: number, j: number) => (((i + j) % 2) + ((i * j) % 3)) % 2,
  ];
  const turns = masks[mask ?? -1];
  if (turns === undefined) throw new Error('The code names no mask.');
  const bits: number[] = [];
  let isUp = true;
  for (let x = size - 1; x > 0; x -= 2) {
    if (x === 6) x = 5;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const column of [x, x - 1])
        if (!isFunctionAt(version, column, y)) bits.push(at(column, y) ^ (turns(y, column) === 0 ? 1 : 0));
    }
    isUp = !isUp;
  }
  const bytes = Array.from({ length: bits.length >> 3 }, (_, nth) =>
    bits.slice(8 * nth, 8 * nth + 8).reduce((byte, bit) => 2 * byte + bit, 0),
  );
  return textOf(bytes, version);
}

/** Blocks, data bytes of a short block and correction bytes at level M, from the table of the standard. */
const TABLE: Readonly<Record<number, readonly [number, number, number]>> = {
  1: [1, 16, 10],
  2: [1, 28, 16],
  8: [4, 38, 22],
  9: [5, 36, 22],
  13: [9, 37, 22],
  14: [9, 40, 24],
  19: [14, 44, 26],
};

function textOf(bytes: readonly number[], version: number): string {
  const [blocks, short, correction] = TABLE[version] ?? [0, 0, 0];
  if (blocks === 0) throw new Error(`The test has no line for version ${version}.`);
  const long = bytes.length - blocks * (short + correction);
  const parts: number[][] = Array.from({ length: blocks }, () => []);
  let taken = 0;
  for (let nth = 0; nth <= short; nth += 1)
    for (const [block, part] of parts.entries())
      if (nth < short || block >= blocks - long) part.push(bytes[taken++] ?? 0);
  const data = parts.flat();
  for (let nth = 0; nth < correction; nth += 1) for (const part of parts) part.push(bytes[taken++] ?? 0);
  for (const part of parts) expect(syndromes(part, correction)).toEqual(Array(correction).fill(0));
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  expect(bits.slice(0, 4)).toBe('0100');
  const start = version < 10 ? 12 : 20;
  const length = Number.parseInt(bits.slice(4, start), 2);
  const text = Array.from({ length }, (_, nth) =>
    Number.parseInt(bits.slice(start + 8 * nth, start + 8 * nth + 8), 2),
  );
  return new TextDecoder().decode(Uint8Array.from(text));
}

/** The values of the block as a polynomial at the roots of the generator; all are zero for a block without errors. */
function syndromes(block: readonly number[], count: number): number[] {
  let root = 1;
  return Array.from({ length: count }, () => {
    const value = block.reduce((sum, byte) => multiply(sum, root) ^ byte, 0);
    root = multiply(root, 2);
    return value;
  });
}
