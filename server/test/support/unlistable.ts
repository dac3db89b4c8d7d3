import { parse } from 'tldts';
import type { Cidr4, Cidr6, Ip, Listable } from '#domain/indicator/index.ts';
import { isCanary } from '../../src/capabilities/feeds/canaries/canaries.ts';

/**
 * The entries that no threat listing may have, written independently of the code that refuses them: first and
 * last addresses by hand, suffixes from the library's list.
 */

type Span = { readonly first: bigint; readonly last: bigint };

const spanOf = (first: bigint, width: number, bits: number): Span => {
  const rest = (1n << BigInt(width - bits)) - 1n;
  return { first: first & ~rest, last: first | rest };
};

const v4 = (text: string): Span => {
  const [base = '', bits = '32'] = text.split('/');
  const address = base.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  return spanOf(address, 32, Number(bits));
};
/** The first words of the address in hexadecimal; the rest is zero. */
const v6 = (words: string, bits: number): Span => {
  const given = words.split(':');
  const address = Array.from({ length: 8 }, (_, at) => BigInt(`0x${given[at] ?? '0'}`)).reduce(
    (sum, word) => sum * 65_536n + word,
    0n,
  );
  return spanOf(address, 128, bits);
};

const RESERVED_4: readonly Span[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(v4);
/** Everything outside 2000::/3, and the special-purpose ranges inside it. */
const RESERVED_6: readonly Span[] = [
  v6('0', 8),
  v6('100', 8),
  v6('200', 7),
  v6('400', 6),
  v6('800', 5),
  v6('1000', 4),
  v6('2001:2:0', 48),
  v6('2001:10', 28),
  v6('2001:db8', 32),
  v6('3fff', 20),
  v6('4000', 2),
  v6('8000', 1),
];
const [BITS_MIN_4, BITS_MIN_6] = [8, 16];

function coveredBy(target: Ip | Cidr4 | Cidr6): Span {
  const [width, address] =
    target.version === 4
      ? [32, BigInt(target.address)]
      : [128, BigInt(`0x${Buffer.from(target.bytes).toString('hex')}`)];
  return spanOf(address, width, target.kind === 'cidr' ? target.bits : width);
}

function addressProblem(target: Ip | Cidr4 | Cidr6): string | null {
  if (target.kind === 'cidr' && target.bits < (target.version === 4 ? BITS_MIN_4 : BITS_MIN_6))
    return 'too wide';
  const { first, last } = coveredBy(target);
  const reserved = target.version === 4 ? RESERVED_4 : RESERVED_6;
  return reserved.some((span) => span.first <= last && first <= span.last) ? 'reserved' : null;
}

function nameProblem(name: string): string | null {
  const [icann, all] = [
    parse(name, { allowPrivateDomains: false }),
    parse(name, { allowPrivateDomains: true }),
  ];
  if (icann.publicSuffix === name || icann.isIcann !== true) return 'public suffix';
  const isSuffix = all.isPrivate === true && all.publicSuffix === name;
  const above = name.slice(name.indexOf('.') + 1);
  return (isSuffix && !hasWildcard(above)) || hasWildcard(name) ? 'platform' : null;
}

/**
 * `*.localto.net` makes any name there a suffix: such a name belongs to a customer, and localto.net to the
 * platform.
 */
function hasWildcard(name: string): boolean {
  const child = `q7x-nobody-has-this.${name}`;
  const { isPrivate, publicSuffix } = parse(child, { allowPrivateDomains: true });
  return isPrivate === true && publicSuffix === child;
}

/** The reason why a threat listing may not name it, or null. */
export function unlistable(indicator: Listable): string | null {
  if (isCanary(indicator)) return 'canary';
  switch (indicator.kind) {
    case 'ip':
    case 'cidr':
      return addressProblem(indicator);
    case 'domain':
      return nameProblem(indicator.value);
    case 'url':
      // A page on a platform belongs to a customer; a page on a private address belongs to no public host.
      return indicator.host.kind === 'ip' ? addressProblem(indicator.host) : null;
    default:
      return null;
  }
}
