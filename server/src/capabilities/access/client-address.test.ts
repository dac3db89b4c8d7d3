import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressGroup, createAllowList, normalizeAddress, normalizeCidr } from './client-address.ts';

describe('addresses', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', ''],
    ['203.0.113.9:1234', ''],
    ['', ''],
  ])('%s is normalized to %s', (text, address) => {
    expect(normalizeAddress(text)).toBe(address);
  });

  test('an IPv6 customer is counted by their /64, an IPv4 address by itself', () => {
    expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(addressGroup('2001:db8:1:2::9')).toBe(addressGroup('2001:db8:1:2:ffff::'));
    expect(addressGroup('203.0.113.9')).toBe('203.0.113.9');
    expect(addressGroup('')).toBe('');
  });
});

describe('allow lists', () => {
  test.each([
    ['203.0.113.77/24', '203.0.113.0/24'],
    ['203.0.113.9', '203.0.113.9/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['2001:DB8:ff::/32', '2001:db8::/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::ffff:0:0/90', null],
    ['203.0.113.0/33', null],
    ['203.0.113.0/', null],
    ['203.0.113.0/8/8', null],
    ['example.com', null],
  ])('%s is normalized to %s', (text, cidr) => {
    expect(normalizeCidr(text)).toBe(cidr);
  });

  test('an IPv4-mapped caller is inside an IPv4 range', () => {
    const allows = createAllowList(['203.0.113.0/24', '2001:db8::/32']);
    expect(allows?.(normalizeAddress('::ffff:203.0.113.200'))).toBe(true);
    expect(allows?.('2001:db8:1::1')).toBe(true);
    expect(allows?.('203.0.114.1')).toBe(false);
    expect(allows?.('')).toBe(false);
  });

  test('an empty list allows every address', () => {
    expect(createAllowList([])).toBeNull();
  });

  test('every address is inside the range it names itself, and outside the opposite half', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (address, bits) => {
        const cidr = normalizeCidr(`${address}/${bits}`);
        const allows = createAllowList([cidr ?? '']);
        expect(allows?.(address)).toBe(true);
        const [first = 0, ...rest] = address.split('.').map(Number);
        expect(allows?.([first ^ 0x80, ...rest].join('.'))).toBe(false);
      }),
    );
  });
});
