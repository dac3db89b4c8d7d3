/** Rows of modules; true is dark. */
export type Grid = boolean[][];

const FORMAT_GENERATOR = 0x537;
const VERSION_GENERATOR = 0x1f25;
const LEVEL_M = 0b00;

/** Where alignment patterns are centred, along both axes. */
function alignmentOf(version: number): readonly number[] {
  if (version === 1) return [];
  const size = 17 + 4 * version;
  const count = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((size - 13) / (2 * count - 2));
  return [6, ...Array.from({ length: count - 1 }, (_, nth) => size - 7 - step * (count - 2 - nth))];
}

/** A bit string followed by its remainder, as the corner fields of a code hold it. */
function withRemainder(value: number, bits: number, generator: number): number {
  let rest = value << bits;
  for (let shift = 31 - Math.clz32(rest) - bits; rest >> bits !== 0; shift = 31 - Math.clz32(rest) - bits)
    rest ^= generator << shift;
  return (value << bits) | rest;
}

export const formatBits = (mask: number): number =>
  withRemainder((LEVEL_M << 3) | mask, 10, FORMAT_GENERATOR) ^ 0x5412;
export const versionBits = (version: number): number => withRemainder(version, 12, VERSION_GENERATOR);

/** Distance from the centre of the pattern that covers this module; null outside of such patterns. */
function alignmentRing(version: number, x: number, y: number): number | null {
  const places = alignmentOf(version);
  const last = places.at(-1);
  for (const cy of places)
    for (const cx of places) {
      const isCorner = (cx === 6 && (cy === 6 || cy === last)) || (cx === last && cy === 6);
      const ring = Math.max(Math.abs(x - cx), Math.abs(y - cy));
      if (!isCorner && ring <= 2) return ring;
    }
  return null;
}

/** Distance from the centre of the nearest finder pattern, with the light line around it; null outside of all three. */
function finderRing(size: number, x: number, y: number): number | null {
  const rings = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ].map(([cx = 0, cy = 0]) => Math.max(Math.abs(x - cx), Math.abs(y - cy)));
  const ring = Math.min(...rings);
  return ring <= 4 ? ring : null;
}

const isVersionAt = (version: number, size: number, x: number, y: number): boolean =>
  version >= 7 && ((x < 6 && y >= size - 11 && y < size - 8) || (y < 6 && x >= size - 11 && x < size - 8));
const isFormatAt = (size: number, x: number, y: number): boolean =>
  (y === 8 && (x <= 8 || x >= size - 8)) || (x === 8 && (y <= 8 || y >= size - 8));

/** Whether a module belongs to a function pattern or to the format or version field, and so holds no data. */
export function isFunctionAt(version: number, x: number, y: number): boolean {
  const size = 17 + 4 * version;
  return (
    x === 6 ||
    y === 6 ||
    finderRing(size, x, y) !== null ||
    alignmentRing(version, x, y) !== null ||
    isFormatAt(size, x, y) ||
    isVersionAt(version, size, x, y)
  );
}

/** A code of this version with all patterns and without data; its format is written with the mask. */
export function emptyGrid(version: number): Grid {
  const size = 17 + 4 * version;
  const bits = versionBits(version);
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_cell, x) => {
      const finder = finderRing(size, x, y);
      if (finder !== null) return finder !== 2 && finder !== 4;
      if (isVersionAt(version, size, x, y)) {
        const [across, along] = x < 6 ? [x, y - (size - 11)] : [y, x - (size - 11)];
        return ((bits >> (3 * across + along)) & 1) === 1;
      }
      const alignment = alignmentRing(version, x, y);
      if (alignment !== null) return alignment !== 1;
      if (x === 6 || y === 6) return (x + y) % 2 === 0;
      return false;
    }),
  );
}

/** Writes the format field twice: around the first finder pattern and beside the other two. */
export function writeFormat(grid: Grid, mask: number): void {
  const size = grid.length;
  const bits = formatBits(mask);
  const put = (x: number, y: number, isDark: boolean): void => {
    const row = grid[y];
    if (row !== undefined) row[x] = isDark;
  };
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((bits >> bit) & 1) === 1;
    if (bit < 8) {
      put(8, bit < 6 ? bit : bit + 1, isDark);
      put(size - 1 - bit, 8, isDark);
    } else {
      put(bit === 8 ? 7 : 14 - bit, 8, isDark);
      put(8, size - 15 + bit, isDark);
    }
  }
  put(8, size - 8, true);
}
