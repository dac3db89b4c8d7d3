import { expect, test } from 'vitest';
import { otherRouteFor } from './other-route.ts';

test.each([
  ['AS15169', 'GET /threat-intel/asn?asn=AS15169'],
  ['asn 64500', 'GET /threat-intel/asn?asn=AS64500'],
  ['CVE-2021-44228', 'GET /cve/CVE-2021-44228'],
  ['cve-2021-44228', 'GET /cve/CVE-2021-44228'],
  ['192.0.2.0-192.0.2.255', 'GET /threat-intel/network?cidr='],
  ['192.0.2.0 - 255', 'GET /threat-intel/network?cidr='],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'GET /api/check/crypto?address='],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'GET /api/check/crypto?address='],
  ['0x742d35cc6634c0532925a3b844bc454e4438f44e', 'GET /api/check/crypto?address='],
  ['+14155552671', 'GET /api/check/phone?phone='],
  [' 14155552671', 'GET /api/check/phone?phone='],
  ['tel:+41446681800', 'GET /api/check/phone?phone='],
  ['(415) 555-2671', 'GET /api/check/phone?phone='],
])('%s is named with the route that answers it', (text, route) => {
  expect(otherRouteFor(text)).toMatch(/^This is /);
  expect(otherRouteFor(text)).toContain(route);
});

test('a wallet with a typing error is told what is wrong with it', () => {
  expect(otherRouteFor('0x742D35Cc6634C0532925a3b844Bc454e4438f44e')).toMatch(/capital letters/);
});

test('phone numbers and wallets are not repeated', () => {
  for (const text of ['+14155552671', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'])
    expect(otherRouteFor(text)).not.toContain(text);
});

test.each([
  'evil.com',
  '8.8.8.8',
  'evil',
  '2130706433',
  '192.0.2.300',
  '10.1',
  '',
  'not an indicator',
  'a'.repeat(5_000),
])('of %j nothing is said', (text) => expect(otherRouteFor(text)).toBeNull());
