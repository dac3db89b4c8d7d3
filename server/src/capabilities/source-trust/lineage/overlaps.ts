import { type Intervals, sharedSize } from './coverage.ts';

/** The size of one source in the three spaces in which sources are compared. */
export type Extent = {
  readonly number: number;
  readonly id: string;
  readonly ipv4: { readonly entries: number; readonly covered: Intervals };
  readonly ipv6: { readonly entries: number; readonly covered: Intervals };
  /** Names, URLs, digests and the rest, which are compared for equality. */
  readonly keys: number;
};

/** The number of keys that exactly these sources list; millions of keys have a few hundred such sets. */
export type KeySet = { readonly sources: readonly number[]; readonly keys: number };

export type Overlap = {
  readonly smaller: number;
  readonly larger: number;
  /** Share of the smaller source that the larger one also holds, 0 to 1. */
  readonly containment: number;
  /** Sum of addresses, /56 of IPv6 and keys, for display only; the containment is not computed from it. */
  readonly smallerSize: number;
  readonly largerSize: number;
  readonly shared: number;
  readonly smallerEntries: number;
};

export const KEPT_CONTAINMENT_MIN = 0.5;

export const sizeOf = ({ ipv4, ipv6, keys }: Extent): number => ipv4.covered.size + ipv6.covered.size + keys;
export const entriesOf = ({ ipv4, ipv6, keys }: Extent): number => ipv4.entries + ipv6.entries + keys;

/** Every pair of which one source holds at least half of the other. Yields after each source for other work. */
export function* measureOverlaps(
  extents: readonly Extent[],
  sets: readonly KeySet[],
): Generator<readonly Overlap[]> {
  const sharedKeys = countSharedKeys(sets);
  for (const [index, a] of extents.entries()) {
    const found: Overlap[] = [];
    for (const b of extents.slice(index + 1)) {
      const overlap = overlapOf(a, b, sharedKeys.get(pairName(a.number, b.number)) ?? 0);
      if (overlap.containment >= KEPT_CONTAINMENT_MIN) found.push(overlap);
    }
    yield found;
  }
}

function countSharedKeys(sets: readonly KeySet[]): ReadonlyMap<string, number> {
  const shared = new Map<string, number>();
  for (const { sources, keys } of sets)
    for (const [at, a] of sources.entries())
      for (const b of sources.slice(at + 1)) {
        const name = pairName(a, b);
        shared.set(name, (shared.get(name) ?? 0) + keys);
      }
  return shared;
}

const pairName = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

type Shared = { readonly ipv4: number; readonly ipv6: number; readonly keys: number };

/**
 * |A and B| / min(|A|, |B|) is the greater of the two shares, so the shares are compared. This tells which source lies
 * in which without adding addresses to names.
 */
export function overlapOf(a: Extent, b: Extent, sharedKeys: number): Overlap {
  const shared = {
    ipv4: sharedSize(a.ipv4.covered, b.ipv4.covered),
    ipv6: sharedSize(a.ipv6.covered, b.ipv6.covered),
    keys: sharedKeys,
  };
  const [inB, inA] = [shareOf(a, shared), shareOf(b, shared)];
  const isASmaller = inB === inA ? comesFirst(a, b) : inB > inA;
  const [smaller, larger] = isASmaller ? [a, b] : [b, a];
  return {
    smaller: smaller.number,
    larger: larger.number,
    containment: Math.max(inB, inA),
    smallerSize: sizeOf(smaller),
    largerSize: sizeOf(larger),
    shared: shared.ipv4 + shared.ipv6 + shared.keys,
    smallerEntries: entriesOf(smaller),
  };
}

/** Spaces are weighted by their number of entries, so that one wide range does not outweigh ten thousand names. */
function shareOf(extent: Extent, shared: Shared): number {
  const { ipv4, ipv6, keys } = extent;
  const entries = entriesOf(extent);
  if (entries === 0) return 0;
  const held =
    (ipv4.covered.size > 0 ? (ipv4.entries * shared.ipv4) / ipv4.covered.size : 0) +
    (ipv6.covered.size > 0 ? (ipv6.entries * shared.ipv6) / ipv6.covered.size : 0) +
    (keys > 0 ? shared.keys : 0);
  return held / entries;
}

/** Sources of the same size are ordered by name, so that two nights give the same result. */
const comesFirst = (a: Extent, b: Extent): boolean =>
  sizeOf(a) === sizeOf(b) ? a.id < b.id : sizeOf(a) < sizeOf(b);
