import { createHash } from 'node:crypto';

/** Printed at the start of every run; `ASSAY_SEED=<number>` repeats one. */
export const SEED = Number(process.env.ASSAY_SEED ?? 1);

/**
 * A generator of numbers in [0, 1) that is equal for the same seed and name. Each use has its own name, so
 * that a new draw in one test does not move the kill points of another.
 */
export function seededRandom(name: string): () => number {
  let state = createHash('sha256').update(`${SEED} ${name}`).digest().readUInt32LE(0);
  // mulberry32: 32 bits of state are enough for kill points and sample values.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
