import type { Clock } from '#platform/clock.ts';

/** Contract 2.1 rule 4. */
const MISS_TTL_MS = 5 * 60_000;
const MISSES_MAX = 50_000;

export type MissCache = {
  /** True when this hash was looked for in vain in this state of the corpus, less than five minutes ago. */
  readonly has: (hash: string, corpusSeq: number) => boolean;
  readonly add: (hash: string, corpusSeq: number) => void;
};

/** Remembers unknown hashes. Any change of the corpus forgets them all, so a new listing shows at once (O6). */
export function createMissCache(clock: Clock): MissCache {
  let seq = -1;
  let misses = new Map<string, number>();
  return {
    has: (hash, corpusSeq) => {
      if (corpusSeq !== seq) return false;
      const at = misses.get(hash);
      return at !== undefined && clock.monotonic() - at < MISS_TTL_MS;
    },
    add: (hash, corpusSeq) => {
      if (corpusSeq !== seq || misses.size >= MISSES_MAX) {
        seq = corpusSeq;
        misses = new Map();
      }
      misses.set(hash, clock.monotonic());
    },
  };
}
