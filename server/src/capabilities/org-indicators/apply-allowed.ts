import { formatIpv4, formatIpv6, type Indicator, parseIndicator } from '#domain/indicator/index.ts';

/** An address or a range as numbers: the first address, and the count of fixed bits. */
type Range = { readonly version: 4 | 6; readonly first: bigint; readonly bits: number };

const WIDTH = { 4: 32, 6: 128 } as const;

/**
 * Takes what an organization allows out of a list. Exact values leave, and so does every address inside an allowed range: a
 * listed range that an allowed address or range cuts is replaced by the ranges that are left of it. A name below an
 * allowed name stays, because strangers may have it. The order is kept.
 */
export function applyAllowed(entries: readonly string[], allowed: readonly string[]): readonly string[] {
  if (allowed.length === 0) return entries;
  return entries.flatMap(createAllowance(allowed));
}

/** Gives what is left of a value of a list: nothing, the value itself, or its range without the allowed parts. */
export function createAllowance(allowed: readonly string[]): (entry: string) => readonly string[] {
  const exact = new Set(allowed);
  const ranges = createRangeSet(allowed.flatMap(rangesIn));
  return (entry) => {
    if (exact.has(entry)) return [];
    const range = ranges.isEmpty ? undefined : rangesIn(entry)[0];
    if (range === undefined || !ranges.meets(range)) return [entry];
    return without(range, ranges).map(textOf);
  };
}

type RangeSet = {
  readonly isEmpty: boolean;
  readonly covers: (range: Range) => boolean;
  /** True if an allowed range covers the range or lies inside it. */
  readonly meets: (range: Range) => boolean;
};

/** Allowed ranges in a set, and every wider prefix of each in another, so that a lookup needs no scan. */
function createRangeSet(ranges: readonly Range[]): RangeSet {
  const members = new Set(ranges.map(nameOf));
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  const around = new Set<string>();
  for (const range of ranges) {
    lengths[range.version].add(range.bits);
    for (let bits = range.bits - 1; bits >= 0; bits -= 1) {
      const name = nameOf(cut(range, bits));
      // All wider prefixes of this one were added with another range.
      if (around.has(name)) break;
      around.add(name);
    }
  }
  const covers = (range: Range): boolean =>
    [...lengths[range.version]].some((bits) => bits <= range.bits && members.has(nameOf(cut(range, bits))));
  return {
    isEmpty: ranges.length === 0,
    covers,
    meets: (range) => around.has(nameOf(range)) || covers(range),
  };
}

/** Halves the range until every piece is allowed as a whole or not at all. */
function without(range: Range, allowed: RangeSet): readonly Range[] {
  if (allowed.covers(range)) return [];
  if (!allowed.meets(range)) return [range];
  const bits = range.bits + 1;
  const half = 1n << BigInt(WIDTH[range.version] - bits);
  return [range.first, range.first + half].flatMap((first) => without({ ...range, first, bits }, allowed));
}

const cut = ({ version, first }: Range, bits: number): Range => {
  const free = BigInt(WIDTH[version] - bits);
  return { version, first: (first >> free) << free, bits };
};

const nameOf = ({ version, first, bits }: Range): string => `${version} ${first} ${bits}`;

function rangesIn(text: string): readonly Range[] {
  // Cheap test before parsing, because most lines are names and hashes, which this pattern leaves out.
  if (!/^[0-9a-f.:]+(?:\/\d{1,3})?$/i.test(text) || !/[.:]/.test(text)) return [];
  const parsed = parseIndicator(text);
  return parsed.ok ? rangesOf(parsed.indicator) : [];
}

function rangesOf(indicator: Indicator): readonly Range[] {
  if (indicator.kind !== 'ip' && indicator.kind !== 'cidr') return [];
  const bits = indicator.kind === 'cidr' ? indicator.bits : WIDTH[indicator.version];
  const first = indicator.version === 4 ? BigInt(indicator.address) : BigInt(`0x${hexOf(indicator.bytes)}`);
  return [{ version: indicator.version, first, bits }];
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function textOf({ version, first, bits }: Range): string {
  const address = version === 4 ? formatIpv4(Number(first)) : formatIpv6(bytesOf(first));
  return bits === WIDTH[version] ? address : `${address}/${bits}`;
}

const bytesOf = (address: bigint): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, at) => Number((address >> BigInt(120 - at * 8)) & 0xffn));
