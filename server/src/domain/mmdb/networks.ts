/** A network of one address family, by its first address and prefix length. */
export type Network = { readonly version: 4 | 6; readonly first: bigint; readonly bits: number };

export const widthOf = (version: 4 | 6): number => (version === 4 ? 32 : 128);
export const lastOf = ({ version, first, bits }: Network): bigint =>
  first + (1n << BigInt(widthOf(version) - bits)) - 1n;

/** Orders by first address, wider networks first, which is the order a tree must be filled in. */
export const byPlace = (a: Network, b: Network): number => {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.bits - b.bits;
};

/** The networks of a sorted list that lie within `around`, itself included. */
export function networksWithin(sorted: readonly Network[], around: Network): readonly Network[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byPlace(sorted[middle] as Network, around) < 0) low = middle + 1;
    else high = middle;
  }
  const last = lastOf(around);
  let end = low;
  while (end < sorted.length && (sorted[end] as Network).first <= last) end += 1;
  return sorted.slice(low, end);
}

/** The networks that lie within no other network of the list, in order. */
export function outermost(networks: readonly Network[]): readonly Network[] {
  const outer: Network[] = [];
  for (const network of networks.toSorted(byPlace)) {
    const before = outer.at(-1);
    if (before === undefined || network.first > lastOf(before)) outer.push(network);
  }
  return outer;
}

export type Region = Network & {
  /** An address of this network that lies in no narrower network of the list; null if those cover all of it. */
  readonly free: bigint | null;
};

/** The distinct networks in the order of a tree, each with an address that only it and wider ones contain. */
export function regionsOf(networks: readonly Network[]): readonly Region[] {
  const sorted = networks.toSorted(byPlace);
  const distinct = sorted.filter(
    (network, at) => at === 0 || byPlace(sorted[at - 1] as Network, network) !== 0,
  );
  const regions = distinct.map((network) => ({
    network,
    last: lastOf(network),
    candidate: network.first,
    isFree: false,
  }));
  const around: typeof regions = [];
  for (const region of regions) {
    while (around.length > 0 && (around.at(-1)?.last ?? 0n) < region.network.first) around.pop();
    const parent = around.at(-1);
    if (parent?.isFree === false) {
      if (region.network.first > parent.candidate) parent.isFree = true;
      else parent.candidate = region.last + 1n;
    }
    around.push(region);
  }
  return regions.map(({ network, last, candidate }) => ({
    ...network,
    free: candidate <= last ? candidate : null,
  }));
}

/** The fewest networks that hold exactly the addresses from `first` to `last`. */
export function networksBetween(version: 4 | 6, first: bigint, last: bigint): readonly Network[] {
  const networks: Network[] = [];
  const width = widthOf(version);
  for (let at = first; at <= last; ) {
    let free = 0;
    while (free < width && (at & (1n << BigInt(free))) === 0n && at + (1n << BigInt(free + 1)) - 1n <= last)
      free += 1;
    networks.push({ version, first: at, bits: width - free });
    at += 1n << BigInt(free);
  }
  return networks;
}

export function bytesOfAddress(version: 4 | 6, address: bigint): Uint8Array {
  const bytes = new Uint8Array(widthOf(version) / 8);
  for (let [at, rest] = [bytes.length - 1, address]; at >= 0; at -= 1, rest >>= 8n)
    bytes[at] = Number(rest & 0xffn);
  return bytes;
}

export function addressOfBytes(bytes: Uint8Array): bigint {
  let address = 0n;
  for (const byte of bytes) address = (address << 8n) | BigInt(byte);
  return address;
}
