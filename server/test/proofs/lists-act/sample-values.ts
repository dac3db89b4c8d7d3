import { formatIpv4, formatIpv6, NOT_IPV4, readIpv4, readIpv6 } from '#domain/indicator/index.ts';

/** Values that a program must block, and values that it must let pass. */
export type Sample = { readonly listed: readonly string[]; readonly unlisted: readonly string[] };

type Block = { readonly version: 4 | 6; readonly start: bigint; readonly bits: number };
const WIDTH = { 4: 32, 6: 128 } as const;

function readEntry(text: string): Block {
  const [address = '', bits] = text.split('/');
  const v4 = readIpv4(address);
  const version = v4 === NOT_IPV4 ? 6 : 4;
  const start =
    version === 4 ? BigInt(v4) : BigInt(`0x${Buffer.from(readIpv6(address) ?? []).toString('hex')}`);
  return { version, start, bits: bits === undefined ? WIDTH[version] : Number(bits) };
}

const textOf = (version: 4 | 6, address: bigint): string =>
  version === 4
    ? formatIpv4(Number(address))
    : formatIpv6(Buffer.from(address.toString(16).padStart(32, '0'), 'hex'));

/**
 * Looks an address up in the entries as the text list has them, one set for each length: the union that the formats are
 * written from is what the proof checks, so it is not used here.
 */
function createCover(blocks: readonly Block[]): (version: 4 | 6, address: bigint) => boolean {
  const byLength = new Map<string, Set<bigint>>();
  for (const { version, start, bits } of blocks) {
    const key = `${version}/${bits}`;
    const starts = byLength.get(key) ?? new Set();
    byLength.set(key, starts.add(start));
  }
  const lengths = [...byLength.keys()].map((key) => key.split('/').map(Number));
  return (version, address) =>
    lengths.some(([of, bits = 0]) => {
      if (of !== version) return false;
      const shift = BigInt(WIDTH[version] - bits);
      return byLength.get(`${version}/${bits}`)?.has((address >> shift) << shift) === true;
    });
}

/** What the kernel accepts as the source of a packet: no loopback, multicast or reserved address. */
function isSource(version: 4 | 6, address: bigint): boolean {
  if (version === 6) return address >> 125n === 1n;
  const first = Number(address >> 24n);
  return address > 0n && first >= 1 && first <= 223 && first !== 127 && first !== 10;
}

/** Of each sample, the share of IPv6 addresses; a list with fewer entries of IPv6 has fewer. */
const V6_SHARE = 0.1;

/**
 * Listed addresses are the first, the last or an inner address of an entry. Of the others half lie just below or above an
 * entry, where a wrong mask shows, and half anywhere.
 */
export function sampleAddresses(entries: readonly string[], count: number, random: () => number): Sample {
  const blocks = entries.map(readEntry);
  const isListed = createCover(blocks);
  const v6 = blocks.filter(({ version }) => version === 6);
  const v4 = blocks.filter(({ version }) => version === 4);
  const [listed, unlisted] = [new Set<string>(), new Set<string>()];
  const pick = (from: readonly Block[]) => from[Math.floor(random() * from.length)] as Block;
  const v6Max = Math.min(Math.round(count * V6_SHARE), v6.length);
  const fill = (
    values: Set<string>,
    upTo: number,
    from: readonly Block[],
    next: (block: Block) => bigint,
  ) => {
    for (let tries = 0; values.size < upTo && tries < upTo * 1_000; tries += 1) {
      const block = pick(from);
      const address = next(block);
      if (isSource(block.version, address) && isListed(block.version, address) === (values === listed))
        values.add(textOf(block.version, address));
    }
  };
  const sizeOf = ({ version, bits }: Block) => 1n << BigInt(WIDTH[version] - bits);
  const inside = (block: Block): bigint => {
    const [size, place] = [sizeOf(block), random()];
    if (place < 1 / 3) return block.start;
    if (place < 2 / 3) return block.start + size - 1n;
    return block.start + BigInt(Math.floor(random() * Math.min(Number(size), 2 ** 48)));
  };
  const beside = (block: Block): bigint => (random() < 0.5 ? block.start - 1n : block.start + sizeOf(block));
  if (v6Max > 0) fill(listed, v6Max, v6, inside);
  fill(listed, count, v4, inside);
  if (v6Max > 0) fill(unlisted, v6Max, v6, beside);
  fill(unlisted, count / 2, v4, beside);
  fill(unlisted, count, v4, () => BigInt(Math.floor(random() * 2 ** 32)));
  return { listed: [...listed], unlisted: [...unlisted] };
}

/** Longer names do not fit below the zone of a format, and such a format leaves them out. */
const SAMPLED_LENGTH_MAX = 200;
const LABEL_MAX = 63;
/** Resolvers answer these themselves, without a list (RFC 6761, 6762, 7686, 8375). */
const SPECIAL_USE = /\.(?:localhost|local|internal|onion|alt|test|invalid|example|arpa)$/;

/**
 * Of the names that are not listed a third are parents of listed names, a third differ from a listed name by a letter
 * before it, and the rest are invented. None of them lies below a listed name.
 */
export function sampleNames(entries: readonly string[], count: number, random: () => number): Sample {
  const all = new Set(entries);
  const isCovered = (name: string): boolean => {
    for (let at = 0; at >= 0; ) {
      if (all.has(name.slice(at))) return true;
      const dot = name.indexOf('.', at);
      at = dot < 0 ? -1 : dot + 1;
    }
    return false;
  };
  const short = entries.filter((name) => name.length <= SAMPLED_LENGTH_MAX);
  const pick = () => short[Math.floor(random() * short.length)] ?? '';
  const [listed, unlisted] = [new Set<string>(), new Set<string>()];
  const fill = (values: Set<string>, upTo: number, next: () => string) => {
    for (let tries = 0; values.size < upTo && tries < upTo * 1_000; tries += 1) {
      const name = next();
      const isAskable = name.includes('.') && (name.split('.')[0] ?? '').length <= LABEL_MAX;
      if (values === unlisted && SPECIAL_USE.test(name)) continue;
      if (isAskable && isCovered(name) === (values === listed)) values.add(name);
    }
  };
  fill(listed, Math.min(count, short.length), pick);
  fill(unlisted, count / 3, () => pick().replace(/^[^.]+\./, ''));
  fill(unlisted, (count * 2) / 3, () => `x${pick()}`);
  fill(unlisted, count, () => `n${Math.floor(random() * 2 ** 48).toString(36)}.com`);
  return { listed: [...listed], unlisted: [...unlisted] };
}
