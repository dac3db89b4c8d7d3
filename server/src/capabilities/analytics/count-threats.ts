import { KIND, type Source } from '#capabilities/corpus/index.ts';

/** The result of the full scan of all listings, stored with its position in the change log. */
export type CorpusCounts = {
  readonly indicators: number;
  readonly threats: number;
  /** Keyed by the first byte of the corpus key, which is the kind. */
  readonly threatsByKind: Readonly<Record<string, number>>;
  readonly threatsByCategory: Readonly<Record<string, number>>;
};

export const NO_COUNTS: CorpusCounts = {
  indicators: 0,
  threats: 0,
  threatsByKind: {},
  threatsByCategory: {},
};

/** Only enabled threat sources count, advertising lists left out (contract 2.1 rule 2). */
export const isCounted = ({ enabled, threatClass, adOnly }: Source): boolean =>
  enabled && threatClass === 'threat' && !adOnly;

const LISTED = 1n;
const THREAT = 2n;
/** Leaves room for `LISTED`, `THREAT` and the sign in a bigint of 64 bits. */
const CATEGORIES_MAX = 60;
const OTHER = 'other';

export type CategoryMasks = {
  /** Indexed by source number; unused numbers are 0. */
  readonly bySource: readonly bigint[];
  readonly categories: readonly string[];
};

/**
 * Encodes a source as bits: listed, threat, and its category. The scan then combines the bits of an
 * indicator's sources with OR, without a join or a pass per category.
 */
export function categoryMasks(sources: readonly Source[]): CategoryMasks {
  const counted = sources.filter(isCounted);
  const categories = largestFirst(counted).slice(0, CATEGORIES_MAX);
  const bySource: bigint[] = Array.from(
    { length: Math.max(0, ...sources.map(({ number }) => number)) + 1 },
    () => 0n,
  );
  for (const source of sources) {
    if (!source.enabled) continue;
    bySource[source.number] = isCounted(source)
      ? THREAT | LISTED | bitOf(categories, source.category)
      : LISTED;
  }
  return { bySource, categories };
}

function bitOf(categories: readonly string[], category: string): bigint {
  const at = categories.indexOf(category);
  return at === -1 ? 0n : 4n << BigInt(at);
}

function largestFirst(sources: readonly Source[]): readonly string[] {
  const entries = new Map<string, number>();
  for (const { category, entries: more } of sources)
    entries.set(category, (entries.get(category) ?? 0) + more);
  return [...entries].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([category]) => category);
}

export type MaskCount = { readonly kind: number; readonly mask: bigint; readonly count: number };

export function foldCounts(rows: readonly MaskCount[], categories: readonly string[]): CorpusCounts {
  let [indicators, threats] = [0, 0];
  const byKind = new Map<string, number>();
  const byCategory = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, count: number) =>
    to.set(name, (to.get(name) ?? 0) + count);
  for (const { kind, mask, count } of rows) {
    if ((mask & LISTED) !== 0n) indicators += count;
    if ((mask & THREAT) === 0n) continue;
    threats += count;
    add(byKind, String(kind), count);
    const named = categories.filter((_, at) => (mask & (4n << BigInt(at))) !== 0n);
    // A threat without a category bit is in a category beyond the largest 60.
    for (const category of named.length === 0 ? [OTHER] : named) add(byCategory, category, count);
  }
  return {
    indicators,
    threats,
    threatsByKind: Object.fromEntries(byKind),
    threatsByCategory: Object.fromEntries(byCategory),
  };
}

const TYPES = {
  ip: [KIND.ipv4, KIND.ipv6, KIND.cidr4, KIND.cidr6],
  domain: [KIND.domain],
  url: [KIND.url],
  hash: [KIND.md5, KIND.sha1, KIND.sha256],
} as const;

export const threatsOfType = (counts: CorpusCounts, type: keyof typeof TYPES): number =>
  TYPES[type].reduce((sum, kind) => sum + (counts.threatsByKind[String(kind)] ?? 0), 0);
