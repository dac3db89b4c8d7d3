import type { Threat } from './search-answer.ts';

/**
 * The full hashes and threats that the scanner lists under one prefix; an empty map means no finding and is cached too.
 */
export type PrefixEntry = {
  readonly threatsOf: ReadonlyMap<string, readonly Threat[]>;
  readonly untilMs: number;
};

export type PrefixMemory = {
  readonly get: (prefix: string, nowMs: number) => PrefixEntry | null;
  readonly set: (prefix: string, entry: PrefixEntry) => void;
};

/** Some 200 bytes each. Pages of one site share most prefixes, so a whole site needs one request per cache time. */
const PREFIXES_MAX = 50_000;

export function createPrefixMemory(prefixesMax = PREFIXES_MAX): PrefixMemory {
  const entries = new Map<string, PrefixEntry>();
  return {
    get: (prefix, nowMs) => {
      const entry = entries.get(prefix);
      if (entry === undefined) return null;
      entries.delete(prefix);
      if (entry.untilMs <= nowMs) return null;
      // Moved to the end, so that the least recently used prefix is dropped first.
      entries.set(prefix, entry);
      return entry;
    },
    set: (prefix, entry) => {
      entries.delete(prefix);
      entries.set(prefix, entry);
      if (entries.size <= prefixesMax) return;
      const oldest = entries.keys().next();
      if (oldest.done !== true) entries.delete(oldest.value);
    },
  };
}
