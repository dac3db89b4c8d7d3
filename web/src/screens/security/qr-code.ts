import { correctionOf } from './galois.ts';
import { emptyGrid, type Grid, isFunctionAt, writeFormat } from './qr-grid.ts';

/** For correction level M (15 %), by version from 1: correction bytes in each block, and the number of blocks. */
const CORRECTION_BYTES = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];

/** Bytes for data and correction: all modules of a version without those of function patterns. */
function rawBytes(version: number): number {
  const size = 17 + 4 * version;
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2;
  const alignment = aligned === 0 ? 0 : 25 * (aligned ** 2 - 3) - 10 * (aligned - 2);
  const versions = version < 7 ? 0 : 36;
  return (size ** 2 - 3 * 64 - 31 - 2 * (size - 16) - alignment - versions) >> 3;
}

type Plan = {
  readonly version: number;
  readonly dataBytes: number;
  readonly blocks: number;
  readonly correctionBytes: number;
};

function planOf(length: number): Plan {
  for (const [nth, correctionBytes] of CORRECTION_BYTES.entries()) {
    const version = nth + 1;
    const blocks = BLOCKS[nth] ?? 0;
    const dataBytes = rawBytes(version) - blocks * correctionBytes;
    // The data begins with four bits of mode and a length of one byte, or two bytes from version 10 on.
    if (4 + (version < 10 ? 8 : 16) + 8 * length <= 8 * dataBytes)
      return { version, dataBytes, blocks, correctionBytes };
  }
  throw new RangeError(`${length} bytes do not fit into a code of this kind.`);
}

/** A QR code (ISO/IEC 18004, byte mode, correction level M) of a text: true is a dark module. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const plan = planOf(bytes.length);
  const codewords = interleaved(dataOf(bytes, plan), plan);
  const grid = emptyGrid(plan.version);
  place(grid, plan.version, codewords);
  return leastPatterned(grid, plan.version);
}

function dataOf(bytes: Uint8Array, { version, dataBytes }: Plan): Uint8Array {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
  };
  put(BYTE_MODE, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, 8 * dataBytes - bits.length));
  const data = new Uint8Array(dataBytes);
  for (const [nth, bit] of bits.entries()) data[nth >> 3] = (data[nth >> 3] ?? 0) | (bit << (7 - (nth & 7)));
  const used = Math.ceil(bits.length / 8);
  for (let at = used; at < dataBytes; at += 1) data[at] = PADDING[(at - used) % 2] ?? 0;
  return data;
}

/** Takes one byte of each block in turn, then the correction bytes likewise. Later blocks may hold one byte more. */
function interleaved(data: Uint8Array, { blocks, correctionBytes }: Plan): readonly number[] {
  const short = Math.floor(data.length / blocks);
  const shortBlocks = blocks - (data.length % blocks);
  const parts: Uint8Array[] = [];
  for (let block = 0, at = 0; block < blocks; block += 1) {
    const length = block < shortBlocks ? short : short + 1;
    parts.push(data.subarray(at, at + length));
    at += length;
  }
  const corrections = parts.map((part) => correctionOf(part, correctionBytes));
  const inTurn = (rows: readonly Uint8Array[], length: number): number[] =>
    Array.from({ length }, (_, nth) =>
      rows.flatMap((row) => (nth < row.length ? [row[nth] ?? 0] : [])),
    ).flat();
  return [...inTurn(parts, short + 1), ...inTurn(corrections, correctionBytes)];
}

/** Places the codewords in pairs of columns from the right, upwards and downwards in turn, past the timing column. */
function place(grid: Grid, version: number, codewords: readonly number[]): void {
  const size = grid.length;
  let nth = 0;
  for (let pair = size - 1; pair > 0; pair -= 2) {
    const right = pair <= 6 ? pair - 1 : pair;
    const isUp = ((size - 1 - pair) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (isFunctionAt(version, x, y)) continue;
        const byte = codewords[nth >> 3] ?? 0;
        set(grid, x, y, ((byte >> (7 - (nth & 7))) & 1) === 1);
        nth += 1;
      }
    }
  }
}

const set = (grid: Grid, x: number, y: number, isDark: boolean): void => {
  const row = grid[y];
  if (row !== undefined) row[x] = isDark;
};

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function leastPatterned(grid: Grid, version: number): Grid {
  const masked = MASKS.map((isTurned, mask) => {
    const turned = grid.map((row, y) =>
      row.map((isDark, x) => isDark !== (isTurned(x, y) && !isFunctionAt(version, x, y))),
    );
    writeFormat(turned, mask);
    return turned;
  });
  return masked.toSorted((a, b) => penaltyOf(a) - penaltyOf(b))[0] ?? grid;
}

/** The penalty of a mask: long runs, 2 by 2 squares and an uneven share of dark modules make a code hard to read. */
function penaltyOf(grid: Grid): number {
  const columns = grid.map((_, x) => grid.map((row) => row[x] ?? false));
  const dark = grid.flat().filter(Boolean).length;
  const lines = [...grid, ...columns].reduce((total, line) => total + penaltyOfLine(line), 0);
  return lines + squaresOf(grid) + 10 * Math.floor(Math.abs((20 * dark) / grid.length ** 2 - 10));
}

function penaltyOfLine(line: readonly boolean[]): number {
  const text = line.map(Number).join('');
  const runs = text.match(/0{5,}|1{5,}/g) ?? [];
  const finders = text.match(/(?=00001011101|10111010000)/g) ?? [];
  return runs.reduce((total, run) => total + run.length - 2, 0) + 40 * finders.length;
}

function squaresOf(grid: Grid): number {
  let penalty = 0;
  for (const [y, row] of grid.slice(1).entries())
    for (let x = 1; x < row.length; x += 1) {
      const of = row[x];
      if (of === row[x - 1] && of === grid[y]?.[x] && of === grid[y]?.[x - 1]) penalty += 3;
    }
  return penalty;
}
