import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from './seeded-random.ts';

/** The published list has about this many hashes for each prefix. */
export const REAL_DENSITY = 950;
const REST_DIGITS = 35;
const SUFFIX_DIGITS = 12;
const LINE_BYTES_MAX = REST_DIGITS + 12;
const HEX = Buffer.from('0123456789ABCDEF');
const SUFFIXES = 16 ** SUFFIX_DIGITS;

/**
 * Writes range files of made-up SHA-1 hashes at the density of the published list, for the prefixes from 00000 on. As with
 * real hashes, the number for each prefix varies by its square root, and most were seen a few times.
 */
export function writeDenseRanges(folder: string, prefixes: number, density = REAL_DENSITY): number {
  mkdirSync(folder, { recursive: true });
  const random = seededRandom('dense ranges');
  let entries = 0;
  for (let prefix = 0; prefix < prefixes; prefix += 1) {
    const count = Math.max(1, Math.round(density + Math.sqrt(density) * bell(random)));
    const suffixes = Float64Array.from({ length: count }, () => Math.floor(random() * SUFFIXES)).sort();
    const text = Buffer.allocUnsafe(count * LINE_BYTES_MAX);
    let at = 0;
    let before = -1;
    for (const suffix of suffixes) {
      if (suffix === before) continue;
      before = suffix;
      entries += 1;
      at = writeLine(text, at, suffix, Math.ceil(1 / (random() + 1e-6)));
    }
    const name = prefix.toString(16).toUpperCase().padStart(5, '0');
    writeFileSync(join(folder, `${name}.txt`), text.subarray(0, at));
  }
  return entries;
}

function writeLine(text: Buffer, start: number, suffix: number, count: number): number {
  let left = suffix;
  for (let digit = SUFFIX_DIGITS - 1; digit >= 0; digit -= 1) {
    text[start + digit] = HEX[left % 16] as number;
    left = Math.floor(left / 16);
  }
  text.fill(HEX[suffix % 16] as number, start + SUFFIX_DIGITS, start + REST_DIGITS);
  return start + REST_DIGITS + text.write(`:${count}\r\n`, start + REST_DIGITS, 'latin1');
}

/** The sum of twelve even numbers is close to a bell curve of width 1. */
function bell(random: () => number): number {
  let sum = -6;
  for (let draw = 0; draw < 12; draw += 1) sum += random();
  return sum;
}
