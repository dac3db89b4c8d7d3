import { endianness } from 'node:os';
import type { Ip } from '#domain/indicator/index.ts';
import type { NetworkFacts } from './network-book.ts';
import { prefixAround, prefixOf } from './prefix-around.ts';

/** One range of addresses and the network that announces it. Both ends are inclusive; IPv6 as 128-bit numbers. */
export type AsnRange = {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
  readonly asn: number;
  readonly name: string;
};

/** Finds the network of an address: a binary search in typed arrays that decodes only the matching range. */
export type AsnTable = {
  readonly rangeCount: number;
  readonly networkOf: (ip: Ip) => NetworkFacts | null;
  /** Name and ranges of one network; null when the table does not hold it. */
  readonly autonomousSystem: (asn: number) => AutonomousSystem | null;
};

export type AutonomousSystem = {
  readonly asn: number;
  readonly name: string;
  /** First and last address of each range, as in the keys of the corpus: 4 or 16 bytes. */
  readonly ranges: readonly { readonly first: Uint8Array; readonly last: Uint8Array }[];
};

const MAGIC = 0x314e5341; // "ASN1" as the first four bytes.
const HEADER_WORDS = 5;
const FACTS_MAX = 65_536;

/**
 * Packs ranges for search. Where ranges overlap, the one that starts later wins, then the shorter one: as in routing,
 * the more specific announcement. Little-endian with aligned words, so that a reader maps it without conversion.
 */
export function packAsnTable(ranges: readonly AsnRange[]): Uint8Array {
  assertLittleEndian();
  const [four, six] = [flatten(ranges, 4), flatten(ranges, 6)];
  const owners = ownersOf([...four, ...six]);
  const names = Buffer.from(owners.list.map(({ name }) => name).join(''));
  const layout = layoutOf(four.length, six.length, owners.list.length, names.length);
  const packed = new Uint8Array(layout.end);
  new Uint32Array(packed.buffer, 0, HEADER_WORDS).set([
    MAGIC,
    four.length,
    six.length,
    owners.list.length,
    names.length,
  ]);
  const parts = partsOf(packed, layout);
  for (const [index, range] of four.entries()) {
    parts.starts4[index] = Number(range.first);
    parts.ends4[index] = Number(range.last);
    parts.owner4[index] = owners.indexOf(range);
  }
  for (const [index, range] of six.entries()) {
    putWords(parts.starts6, index, range.first);
    putWords(parts.ends6, index, range.last);
    parts.owner6[index] = owners.indexOf(range);
  }
  let offset = 0;
  for (const [index, { asn, name }] of owners.list.entries()) {
    parts.asns[index] = asn;
    parts.nameOffsets[index] = offset;
    offset += Buffer.byteLength(name);
  }
  parts.nameOffsets[owners.list.length] = offset;
  parts.names.set(names);
  indexByOwner(parts);
  return packed;
}

/** The ranges of an owner: `ownerRanges` from one of `ownerStarts` to the next; IPv6 indexes continue after IPv4. */
function indexByOwner({ owner4, owner6, ownerStarts, ownerRanges }: Parts): void {
  const ofRange = [...owner4, ...owner6];
  for (const owner of ofRange) ownerStarts[owner + 1] = (ownerStarts[owner + 1] as number) + 1;
  for (let owner = 1; owner < ownerStarts.length; owner += 1)
    ownerStarts[owner] = (ownerStarts[owner] as number) + (ownerStarts[owner - 1] as number);
  const next = Uint32Array.from(ownerStarts);
  for (const [index, owner] of ofRange.entries()) {
    const at = next[owner] as number;
    ownerRanges[at] = index;
    next[owner] = at + 1;
  }
}

function flatten(ranges: readonly AsnRange[], version: 4 | 6): AsnRange[] {
  const sorted = ranges
    .filter((range) => range.version === version)
    .sort((a, b) => compare(a.first, b.first) || compare(b.last, a.last));
  const pieces: AsnRange[] = [];
  const open: AsnRange[] = [];
  let at = 0n;
  /** Emits the open ranges up to and including `until`, and closes the ranges that ended. */
  const advance = (until: bigint): void => {
    for (let top = open.at(-1); top !== undefined && at <= until; top = open.at(-1)) {
      if (top.last >= at) {
        const last = top.last < until ? top.last : until;
        pieces.push(top.first === at && top.last === last ? top : { ...top, first: at, last });
        at = last + 1n;
      }
      if (top.last < at) open.pop();
    }
    if (at <= until) at = until + 1n;
  };
  for (const range of sorted) {
    if (range.first > 0n) advance(range.first - 1n);
    open.push(range);
  }
  advance(version === 4 ? 0xffff_ffffn : (1n << 128n) - 1n);
  return pieces;
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Distinct pairs of number and name, by number. */
function ownersOf(ranges: readonly AsnRange[]) {
  const keyOf = ({ asn, name }: Pick<AsnRange, 'asn' | 'name'>) => `${asn} ${name}`;
  const distinct = new Map(ranges.map((range) => [keyOf(range), { asn: range.asn, name: range.name }]));
  const list = [...distinct.values()].sort((a, b) => a.asn - b.asn || (a.name < b.name ? -1 : 1));
  const indexes = new Map(list.map((owner, index) => [keyOf(owner), index]));
  return { list, indexOf: (range: AsnRange) => indexes.get(keyOf(range)) ?? 0 };
}

function putWords(words: Uint32Array, index: number, value: bigint): void {
  for (let word = 0; word < 4; word += 1)
    words[index * 4 + word] = Number((value >> BigInt(96 - word * 32)) & 0xffff_ffffn);
}

function layoutOf(count4: number, count6: number, owners: number, nameBytes: number) {
  const starts4 = HEADER_WORDS * 4;
  const ends4 = starts4 + count4 * 4;
  const owner4 = ends4 + count4 * 4;
  const starts6 = owner4 + count4 * 4;
  const ends6 = starts6 + count6 * 16;
  const owner6 = ends6 + count6 * 16;
  const asns = owner6 + count6 * 4;
  const ownerStarts = asns + owners * 4;
  const ownerRanges = ownerStarts + (owners + 1) * 4;
  const nameOffsets = ownerRanges + (count4 + count6) * 4;
  const names = nameOffsets + (owners + 1) * 4;
  const end = names + nameBytes;
  return {
    count4,
    count6,
    owners,
    nameBytes,
    starts4,
    ends4,
    owner4,
    starts6,
    ends6,
    owner6,
    asns,
    ownerStarts,
    ownerRanges,
    nameOffsets,
    names,
    end,
  };
}

function partsOf({ buffer, byteOffset }: Uint8Array, layout: ReturnType<typeof layoutOf>) {
  const words = (at: number, count: number) => new Uint32Array(buffer, byteOffset + at, count);
  const { count4, count6, owners } = layout;
  return {
    starts4: words(layout.starts4, count4),
    ends4: words(layout.ends4, count4),
    owner4: words(layout.owner4, count4),
    starts6: words(layout.starts6, count6 * 4),
    ends6: words(layout.ends6, count6 * 4),
    owner6: words(layout.owner6, count6),
    asns: words(layout.asns, owners),
    ownerStarts: words(layout.ownerStarts, owners + 1),
    ownerRanges: words(layout.ownerRanges, count4 + count6),
    nameOffsets: words(layout.nameOffsets, owners + 1),
    names: new Uint8Array(buffer, byteOffset + layout.names, layout.nameBytes),
  };
}
type Parts = ReturnType<typeof partsOf>;

/** Returns views over the packed bytes, which are copied first if they are not aligned to a word. */
export function openAsnTable(packed: Uint8Array): AsnTable {
  assertLittleEndian();
  const bytes = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
  if (bytes.byteLength < HEADER_WORDS * 4) throw new Error('A table of networks is too short.');
  const [magic, count4 = 0, count6 = 0, owners = 0, nameBytes = 0] = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset,
    HEADER_WORDS,
  );
  const layout = layoutOf(count4, count6, owners, nameBytes);
  if (magic !== MAGIC || bytes.byteLength !== layout.end)
    throw new Error('A table of networks has the wrong form or length.');
  const parts = partsOf(bytes, layout);
  // Cached by range, so that the few thousand ranges of real traffic allocate nothing.
  const facts = new Map<number, NetworkFacts | Announcement>();
  const asked = new Uint32Array(4);
  const search = (ip: Ip): NetworkFacts | null => {
    const index = ip.version === 4 ? find4(parts, ip.address) : find6(parts, wordsOf(ip.bytes, asked));
    if (index < 0) return null;
    const at = ip.version === 4 ? index : count4 + index;
    let known = facts.get(at);
    if (known === undefined) {
      known = announcementOf(parts, ip.version, index);
      if (facts.size >= FACTS_MAX) facts.clear();
      facts.set(at, known);
    }
    return 'first' in known ? factsOf(known, ip) : known;
  };
  // The judge and the answer look up the same address in turn, so the last result is kept.
  let last: { readonly ip: Ip; readonly facts: NetworkFacts | null } | null = null;
  return {
    rangeCount: count4 + count6,
    networkOf: (ip) => {
      if (last?.ip !== ip) last = { ip, facts: search(ip) };
      return last.facts;
    },
    autonomousSystem: (asn) => autonomousSystemOf(parts, asn),
  };
}

function find4({ starts4, ends4 }: Parts, address: number): number {
  let [low, high] = [0, starts4.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts4[middle] as number) <= address) low = middle + 1;
    else high = middle;
  }
  return low > 0 && (ends4[low - 1] as number) >= address ? low - 1 : -1;
}

function find6({ starts6, ends6 }: Parts, address: Uint32Array): number {
  let [low, high] = [0, starts6.length / 4];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare6(starts6, middle, address) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compare6(ends6, low - 1, address) >= 0 ? low - 1 : -1;
}

function compare6(words: Uint32Array, index: number, address: Uint32Array): number {
  for (let word = 0; word < 4; word += 1) {
    const difference = (words[index * 4 + word] as number) - (address[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

function wordsOf(bytes: Uint8Array, into: Uint32Array): Uint32Array {
  for (let word = 0, at = 0; word < 4; word += 1, at += 4)
    into[word] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number);
  return into;
}

type Announcement = {
  readonly asn: number;
  readonly name: string;
  readonly first: Uint8Array;
  readonly last: Uint8Array;
};

/** The finished facts of a range that is a prefix, else an announcement from which `factsOf` makes them per address. */
function announcementOf(parts: Parts, version: 4 | 6, index: number): NetworkFacts | Announcement {
  const owner = (version === 4 ? parts.owner4 : parts.owner6)[index] as number;
  const { first, last } = rangeAt(parts, version, index);
  const [asn, name] = [parts.asns[owner] as number, nameAt(parts, owner)];
  const prefix = prefixOf(first, last);
  return prefix === null ? { asn, name, first, last } : { asn, name, prefix };
}

/** The prefix is computed when read: every listed address is looked up, but few answers show the prefix. */
const factsOf = ({ asn, name, first, last }: Announcement, ip: Ip): NetworkFacts => ({
  asn,
  name,
  get prefix() {
    return prefixAround(ip, first, last);
  },
});

const nameAt = ({ names, nameOffsets }: Parts, owner: number): string =>
  Buffer.from(names.buffer, names.byteOffset, names.byteLength).toString(
    'utf8',
    nameOffsets[owner],
    nameOffsets[owner + 1],
  );

function rangeAt(parts: Parts, version: 4 | 6, index: number): { first: Uint8Array; last: Uint8Array } {
  const [starts, ends] = version === 4 ? [parts.starts4, parts.ends4] : [parts.starts6, parts.ends6];
  return { first: bytesAt(starts, version, index), last: bytesAt(ends, version, index) };
}

function bytesAt(words: Uint32Array, version: 4 | 6, index: number): Uint8Array {
  const count = version === 4 ? 1 : 4;
  const bytes = new Uint8Array(count * 4);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < count; word += 1) view.setUint32(word * 4, words[index * count + word] as number);
  return bytes;
}

function autonomousSystemOf(parts: Parts, asn: number): AutonomousSystem | null {
  const [from, to] = [ownersBelow(parts, asn), ownersBelow(parts, asn + 1)];
  if (from === to) return null;
  const { ownerStarts, ownerRanges, starts4 } = parts;
  const indexes = [...ownerRanges.subarray(ownerStarts[from], ownerStarts[to])].sort((a, b) => a - b);
  const ranges = indexes.map((index) =>
    index < starts4.length ? rangeAt(parts, 4, index) : rangeAt(parts, 6, index - starts4.length),
  );
  return { asn, name: nameAt(parts, from), ranges };
}

/** The number of owners with a smaller AS number, which is also the index of the first owner with this number. */
function ownersBelow({ asns }: Parts, asn: number): number {
  let [low, high] = [0, asns.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((asns[middle] as number) < asn) low = middle + 1;
    else high = middle;
  }
  return low;
}

function assertLittleEndian(): void {
  if (endianness() !== 'LE') throw new Error('Tables of networks need a little-endian processor.');
}
