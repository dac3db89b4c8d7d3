import { expect, test } from 'vitest';
import { type Cidr4, type Cidr6, parseIndicator } from '#domain/indicator/index.ts';
import { endsOf, probesOf, unitsOf } from './range-addresses.ts';

function rangeOf(text: string): Cidr4 | Cidr6 {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'cidr') throw new Error(`'${text}' is no range.`);
  return parsed.indicator;
}
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test.each([
  ['192.0.2.0/24', 'c0000200', 'c00002ff'],
  ['192.0.2.8/30', 'c0000208', 'c000020b'],
  ['255.255.0.0/16', 'ffff0000', 'ffffffff'],
  ['10.1.128.0/17', '0a018000', '0a01ffff'],
  ['2001:db8::/32', '20010db8000000000000000000000000', '20010db8ffffffffffffffffffffffff'],
  ['2001:db8::4/127', '20010db8000000000000000000000004', '20010db8000000000000000000000005'],
])('the first and the last address of %s', (text, first, last) => {
  const ends = endsOf(rangeOf(text));
  expect([hex(ends.first), hex(ends.last)]).toEqual([first, last]);
});

test('a range is probed at up to 256 evenly spaced addresses inside it', () => {
  const wide = probesOf(rangeOf('10.1.0.0/16')).map(({ value }) => value);
  expect([wide.length, wide[0], wide[1], wide.at(-1)]).toEqual([256, '10.1.0.0', '10.1.1.0', '10.1.255.0']);
  expect(probesOf(rangeOf('192.0.2.8/30')).map(({ value }) => value)).toEqual([
    '192.0.2.8',
    '192.0.2.9',
    '192.0.2.10',
    '192.0.2.11',
  ]);
  const six = probesOf(rangeOf('2001:db8::/44')).map(({ value }) => value);
  expect([six.length, six[1], six.at(-1)]).toEqual([256, '2001:db8:0:1000::', '2001:db8:f:f000::']);
  expect(new Set(six).size).toBe(256);
});

test('IPv4 is counted in addresses, IPv6 in /64s', () => {
  expect(
    ['192.0.2.0/24', '10.1.0.0/16', '2001:db8::/32', '2001:db8::/64', '2001:db8::/120']
      .map(rangeOf)
      .map(unitsOf),
  ).toEqual([256, 65_536, 2 ** 32, 1, 1]);
});
