import { createHash } from 'node:crypto';

export type Random = {
  readonly share: () => number;
  readonly below: (limit: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
};

/**
 * Pseudo-random numbers (mulberry32) that are the same on every machine, so that the sample never differs between runs.
 */
export function randomOf(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32BE(0);
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(share() * limit);
  return {
    share,
    below,
    pick: <T>(from: readonly T[]): T => {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('Nothing to pick from.');
      return found;
    },
  };
}
