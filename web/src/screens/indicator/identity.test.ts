import { expect, test } from 'vitest';
import * as phase from './check-state.fixture.ts';
import { geo, IP, NAME, stateAfter } from './check-state.fixture.ts';
import { identityParts, typeWords } from './identity.ts';

test.each([
  ['ip', '8.8.8.8', 'IPv4 address'],
  ['ip', '2001:db8::1', 'IPv6 address'],
  ['domain', 'example.com', 'Domain'],
  ['url', 'http://example.com/', 'URL'],
  ['hash', 'a'.repeat(32), 'MD5 of a file'],
  ['hash', 'a'.repeat(64), 'SHA-256 of a file'],
] as const)('%s %s is called %s', (type, value, words) => {
  expect(typeWords({ type, value })).toBe(words);
});

test('an address has its network and its country, code and name', () => {
  const { phases } = stateAfter(IP, [phase.reputation(), phase.basic()]);
  expect(identityParts(IP, phases)).toEqual(['IPv4 address in AS60729', 'Germany (DE)']);
});

test('a name has its registrar, late or not', () => {
  const whois = { registrar: 'Example Registrar' } as never;
  const { phases } = stateAfter(NAME, [phase.basic({ geo: null }), phase.enrichment({ late: { whois } })]);
  expect(identityParts(NAME, phases)).toEqual(['Domain', 'registered with Example Registrar']);
});

test('a city precedes its country, and unknown parts are left out', () => {
  const { phases } = stateAfter(IP, [
    phase.basic({ geo: { ...geo, city: 'Berlin', asn: null, country: null } }),
  ]);
  expect(identityParts(IP, phases)).toEqual(['IPv4 address', 'Berlin, DE']);
  expect(identityParts(IP, {})).toEqual(['IPv4 address']);
});
