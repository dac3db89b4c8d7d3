import { setImmediate as nextTurn } from 'node:timers/promises';
import { formatIpv4, formatIpv6 } from '#domain/indicator/index.ts';
import { type AsnMembers, WIDEST_BITS } from './contract.ts';
import type { AddressSpan } from './walk-addresses.ts';

/** Other requests are served after this many addresses, about a millisecond: a large network has 20,000 listed ones. */
const KEYS_PER_TURN = 100;

type Version = 4 | 6;
const SIZE_BITS = { 4: 32, 6: 128 } as const;

type Span = { readonly version: Version; readonly first: bigint; readonly last: bigint };
type Prefix = Span & { readonly bits: number };

/**
 * The prefixes of a network, split to the widest size for which there is a range page. Those with the most listed
 * addresses come first; those without follow, up to `max`. The keys in `listed` are in the order of `spans`.
 */
export async function announcedRanges(
  spans: readonly AddressSpan[],
  listed: readonly Uint8Array[],
  max: number,
): Promise<AsnMembers['ranges']> {
  const counted = await countListed(spans, listed);
  const ranges = [...counted]
    .map(([cidr, count]) => ({ cidr, listed: count }))
    .sort((a, b) => b.listed - a.listed)
    .slice(0, max);
  for (const span of spans)
    for (const prefix of prefixesOf(spanOf(span))) {
      if (ranges.length >= max) return ranges;
      const cidr = textOf(prefix);
      if (!counted.has(cidr)) ranges.push({ cidr, listed: 0 });
    }
  return ranges;
}

/** Listed addresses by prefix. Spans and keys are in the same order, so one pass through both is enough. */
async function countListed(
  spans: readonly AddressSpan[],
  listed: readonly Uint8Array[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let [at, span, prefix, cidr]: [number, Span | null, Prefix | null, string] = [-1, null, null, ''];
  for (const [nth, key] of listed.entries()) {
    if (nth % KEYS_PER_TURN === KEYS_PER_TURN - 1) await nextTurn();
    // A key is the byte of the kind, followed by the bytes of the address.
    const bytes = key.subarray(1);
    const [version, address] = [versionOf(bytes), numberOf(bytes)];
    if (prefix === null || prefix.version !== version || address > prefix.last) {
      while (at < spans.length && (span === null || !isInside(span, version, address))) {
        at += 1;
        const next = spans[at];
        span = next === undefined ? null : spanOf(next);
      }
      if (span === null) break;
      prefix = prefixAt(span, address);
      cidr = textOf(prefix);
    }
    counts.set(cidr, (counts.get(cidr) ?? 0) + 1);
  }
  return counts;
}

function* prefixesOf(span: Span): Generator<Prefix> {
  for (let from = span.first; from <= span.last; ) {
    const prefix = prefixAt({ ...span, first: from }, from);
    yield prefix;
    from = prefix.last + 1n;
  }
}

/** The widest prefix around an address inside the span, and no wider than a page answers. */
function prefixAt({ version, first, last }: Span, address: bigint): Prefix {
  const size = SIZE_BITS[version];
  const hostOf = (bits: number): bigint => (1n << BigInt(size - bits)) - 1n;
  const fits = (bits: number): boolean =>
    (address & ~hostOf(bits)) >= first && (address | hostOf(bits)) <= last;
  // Every prefix that is narrower than a fitting one fits too, so halving finds the widest.
  let [bits, narrowest]: [number, number] = [WIDEST_BITS[version], size];
  while (bits < narrowest) {
    const middle = (bits + narrowest) >> 1;
    if (fits(middle)) narrowest = middle;
    else bits = middle + 1;
  }
  return { version, first: address & ~hostOf(bits), last: address | hostOf(bits), bits };
}

const isInside = (span: Span, version: Version, address: bigint): boolean =>
  span.version === version && address >= span.first && address <= span.last;

const spanOf = ({ first, last }: AddressSpan): Span => ({
  version: versionOf(first),
  first: numberOf(first),
  last: numberOf(last),
});

const versionOf = (bytes: Uint8Array): Version => (bytes.length === 4 ? 4 : 6);
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

function textOf({ version, first, bits }: Prefix): string {
  if (version === 4) return `${formatIpv4(Number(first))}/${bits}`;
  const bytes = Buffer.from(first.toString(16).padStart(32, '0'), 'hex');
  return `${formatIpv6(Uint8Array.from(bytes))}/${bits}`;
}
