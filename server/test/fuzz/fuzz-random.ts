/** Pseudo-random numbers, equal for the same seed, so that a failure can be reproduced. */
export type Random = {
  /** From 0 up to, not including, `below`. */
  readonly nat: (below: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
};

/** Mulberry32: 32 bits of state are enough to choose mutations. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const nat = (below: number): number => Math.floor(next() * below);
  return {
    nat,
    chance: (share) => next() < share,
    pick: (from) => {
      const found = from[nat(from.length)];
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    },
  };
}
