import { expect, test } from 'vitest';
import { parseIndicator } from './parse-indicator.ts';
import { isBogon, specialPurposeOf } from './special-purpose.ts';

const read = (text: string) => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || (parsed.indicator.kind !== 'ip' && parsed.indicator.kind !== 'cidr'))
    throw new Error(`${text} is no address.`);
  return parsed.indicator;
};

test.each([
  ['0.0.0.0', 'This host on this network', 'RFC 1122'],
  ['0.1.2.3', 'This network', 'RFC 791'],
  ['10.0.0.0', 'Private use', 'RFC 1918'],
  ['10.255.255.255', 'Private use', 'RFC 1918'],
  ['100.64.0.1', 'Shared address space (carrier-grade NAT)', 'RFC 6598'],
  ['100.127.255.255', 'Shared address space (carrier-grade NAT)', 'RFC 6598'],
  ['127.0.0.1', 'Loopback', 'RFC 1122'],
  ['169.254.169.254', 'Link local', 'RFC 3927'],
  ['172.16.0.1', 'Private use', 'RFC 1918'],
  ['172.31.255.255', 'Private use', 'RFC 1918'],
  ['192.0.0.1', 'IPv4 service continuity prefix', 'RFC 7335'],
  ['192.0.0.8', 'IPv4 dummy address', 'RFC 7600'],
  ['192.0.0.171', 'NAT64/DNS64 discovery', 'RFC 8880'],
  ['192.0.0.200', 'IETF protocol assignments', 'RFC 6890'],
  ['192.0.2.1', 'Documentation (TEST-NET-1)', 'RFC 5737'],
  ['192.168.1.1', 'Private use', 'RFC 1918'],
  ['198.19.255.255', 'Benchmarking', 'RFC 2544'],
  ['198.51.100.7', 'Documentation (TEST-NET-2)', 'RFC 5737'],
  ['203.0.113.9', 'Documentation (TEST-NET-3)', 'RFC 5737'],
  ['224.0.0.1', 'Multicast', 'RFC 5771'],
  ['239.255.255.250', 'Multicast', 'RFC 5771'],
  ['240.0.0.1', 'Reserved', 'RFC 1112'],
  ['255.255.255.255', 'Limited broadcast', 'RFC 8190'],
  ['::', 'Unspecified', 'RFC 4291'],
  ['::1', 'Loopback', 'RFC 4291'],
  ['::2', 'IPv4-compatible (deprecated)', 'RFC 4291'],
  ['64:ff9b:1::1', 'IPv4-IPv6 translation, local use (NAT64)', 'RFC 8215'],
  ['100::1', 'Discard only', 'RFC 6666'],
  ['100:0:0:1::1', 'Dummy IPv6 prefix', 'RFC 9780'],
  ['2001:2::1', 'Benchmarking', 'RFC 5180'],
  ['2001:db8:ffff::1', 'Documentation', 'RFC 3849'],
  ['2001:1ff::1', 'IETF protocol assignments', 'RFC 2928'],
  ['3fff:fff::1', 'Documentation', 'RFC 9637'],
  ['4000::1', 'Reserved by the IETF', 'RFC 4291'],
  ['5f00::1', 'Segment routing (SRv6) identifiers', 'RFC 9602'],
  ['fd00::1', 'Unique local', 'RFC 4193'],
  ['fe80::1', 'Link local unicast', 'RFC 4291'],
  ['febf::1', 'Link local unicast', 'RFC 4291'],
  ['fec0::1', 'Site local (deprecated)', 'RFC 3879'],
  ['ff02::1', 'Multicast', 'RFC 4291'],
  ['::ffff:10.0.0.1', 'Private use', 'RFC 1918'],
])('%s is a bogon: %s, %s', (text, name, rfc) => {
  expect(specialPurposeOf(read(text))).toEqual({ name, rfc, isReachable: false });
  expect(isBogon(read(text))).toBe(true);
});

test.each([
  ['192.0.0.9', 'Port control protocol anycast'],
  ['192.88.99.1', '6to4 relay anycast (deprecated)'],
  ['192.175.48.1', 'Direct delegation AS112 service'],
  ['64:ff9b::808:808', 'IPv4-IPv6 translation (NAT64)'],
  ['2001::1', 'Teredo'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2002:808:808::1', '6to4'],
])('%s has a purpose (%s) and can be reached, so it is not a bogon', (text, name) => {
  expect(specialPurposeOf(read(text))).toMatchObject({ name, isReachable: true });
  expect(isBogon(read(text))).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2001:db7::1',
  '2001:db9::1',
  '3ffe::1',
])('%s is ordinary space', (text) => {
  expect(specialPurposeOf(read(text))).toBeNull();
  expect(isBogon(read(text))).toBe(false);
});

test('a range is special only when it lies wholly inside a block', () => {
  expect(specialPurposeOf(read('10.1.0.0/16'))?.name).toBe('Private use');
  expect(specialPurposeOf(read('10.0.0.0/8'))?.name).toBe('Private use');
  expect(specialPurposeOf(read('8.0.0.0/6'))).toBeNull();
  expect(specialPurposeOf(read('0.0.0.0/0'))).toBeNull();
  expect(specialPurposeOf(read('0.0.0.0/16'))?.name).toBe('This network');
  expect(specialPurposeOf(read('fd00::/8'))?.name).toBe('Unique local');
  expect(specialPurposeOf(read('::/0'))).toBeNull();
});
