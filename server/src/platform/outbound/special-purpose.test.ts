import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalAddress, specialPurpose } from './special-purpose.ts';

test.each([
  ['0.0.0.0', 'this network'],
  ['0.255.255.255', 'this network'],
  ['10.0.0.0', 'private use'],
  ['10.255.255.255', 'private use'],
  ['100.64.0.0', 'shared address space'],
  ['100.127.255.255', 'shared address space'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['169.254.169.254', 'link local'],
  ['172.16.0.0', 'private use'],
  ['172.31.255.255', 'private use'],
  ['192.0.0.8', 'IETF protocol assignments'],
  ['192.0.0.170', 'IETF protocol assignments'],
  ['192.0.2.1', 'documentation (TEST-NET-1)'],
  ['192.31.196.1', 'AS112-v4'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay anycast'],
  ['192.168.255.255', 'private use'],
  ['192.175.48.1', 'direct delegation AS112'],
  ['198.18.0.0', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation (TEST-NET-2)'],
  ['203.0.113.255', 'documentation (TEST-NET-3)'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['168.63.129.16', 'cloud platform'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b::8.8.8.8', 'NAT64'],
  ['64:ff9b:1::1', 'NAT64, local use'],
  ['100::1', 'discard only'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'IETF protocol assignments'],
  ['2001:20::1', 'IETF protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['2620:4f:8000::1', 'direct delegation AS112'],
  ['3fff::1', 'documentation'],
  ['5f00::1', 'segment routing identifiers'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'unique local'],
  ['fe80::1', 'link local'],
  ['fe80::1%eth0', 'an address with a zone'],
  ['fec0::1', 'site local'],
  ['ff02::1', 'multicast'],
  ['2a00:1450::5efe:7f00:1', 'ISATAP'],
  ['2a00:1450::200:5efe:a00:1', 'ISATAP'],
  ['4000::1', 'outside global unicast'],
  ['127.1', 'not an address'],
  ['2130706433', 'not an address'],
  ['0177.0.0.1', 'not an address'],
  ['', 'not an address'],
  ['example.com', 'not an address'],
])('%s is refused: %s', (address, reason) => {
  expect(specialPurpose(address)).toBe(reason);
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2a00:1450:4001:801::5efe',
  '2003::1',
])('%s is a public host', (address) => {
  expect(specialPurpose(address)).toBeNull();
});

test('any IPv4 address embedded in IPv6 is refused', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'), (v4, prefix) => {
      expect(specialPurpose(`${prefix}${v4}`)).not.toBeNull();
    }),
  );
});

test('two spellings of one address are one address', () => {
  expect(canonicalAddress('::ffff:1.2.3.4')).toBe(canonicalAddress('1.2.3.4'));
  expect(canonicalAddress('2A00::0001')).toBe(canonicalAddress('2a00:0::1'));
});
