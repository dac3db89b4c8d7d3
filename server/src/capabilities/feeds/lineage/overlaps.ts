import { type Intervals, sharedSize } from './coverage.ts';

/** What one source holds, in the three spaces in which sources are compared. */
export type Extent = {
  readonly number: number;
  readonly id: string;
  readonly ipv4: { readonly entries: number; readonly covered: Intervals };
  readonly ipv6: { readonly entries: number; readonly covered: Intervals };
  /** Names, URLs, digests and the rest: these are equal or they are not. */
  readonly keys: number;
};

/** How many keys are listed by exactly these sources: millions of keys have a few hundred such sets. */
export type KeySet = { readonly sources: readonly number[]; readonly keys: number };

/** How much of one source lies in another. */
export type Overlap = {
  readonly smaller: number;
  readonly larger: number;
  /** Share of the smaller source that the larger one holds too, 0 to 1. */
  readonly containment: number;
  /** Addresses, /56 of IPv6 and keys, added up: for people; the containment is not made from the sums. */
  readonly smallerSize: number;
  readonly largerSize: number;
  readonly shared: number;
  readonly smallerEntries: number;
};

/** Pairs below are not kept. */
export const KEPT_CONTAINMENT_MIN = 0.5;

export const sizeOf = ({ ipv4, ipv6, keys }: Extent): number => ipv4.covered.size + ipv6.covered.size + keys;
export const entriesOf = ({ ipv4, ipv6, keys }: Extent): number => ipv4.entries + ipv6.entries + keys;

/** Every pair of which one source holds half of the other or more. Yields after each source, so that others may run. */
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
 * |A and B| / min(|A|, |B|) is the greater of the two shares, so that is what is compared: it says which one lies in
 * which without adding up addresses and names.
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

/** Each space weighs as many as the source has entries in it: one wide range must not outweigh ten thousand names. */
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

/** Twins of one size are told apart by name, so that two nights say the same. */
const comesFirst = (a: Extent, b: Extent): boolean =>
  sizeOf(a) === sizeOf(b) ? a.id < b.id : sizeOf(a) < sizeOf(b);
