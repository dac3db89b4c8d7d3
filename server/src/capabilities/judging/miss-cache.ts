import type { CorpusAnswer } from '#capabilities/corpus/index.ts';
import type { Clock } from '#platform/clock.ts';

/** Unknown hashes are cached for at most five minutes (contract 2.1 rule 4). */
const MISS_TTL_MS = 5 * 60_000;
const MISSES_MAX = 50_000;

export type MissCache = {
  /** The empty answer, if this hash was not found in this state of the corpus less than five minutes ago. */
  readonly find: (hash: string, corpusSeq: number) => CorpusAnswer | undefined;
  readonly add: (hash: string, answer: CorpusAnswer) => void;
};

/** Caches unknown hashes. Any change of the corpus clears the cache, so that a new listing shows at once (O6). */
export function createMissCache(clock: Clock): MissCache {
  /** All misses belong to one state of the corpus, so one empty answer serves them all. */
  let nothing: CorpusAnswer | undefined;
  let misses = new Map<string, number>();
  return {
    find: (hash, corpusSeq) => {
      if (nothing === undefined || corpusSeq !== nothing.seq) return undefined;
      const at = misses.get(hash);
      return at !== undefined && clock.monotonic() - at < MISS_TTL_MS ? nothing : undefined;
    },
    add: (hash, answer) => {
      if (answer.seq !== nothing?.seq || misses.size >= MISSES_MAX) misses = new Map();
      nothing = answer;
      misses.set(hash, clock.monotonic());
    },
  };
}
