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

test('an address has its network, its range and its country, with links to the pages about them', () => {
  const network = {
    asn: 60_729,
    name: 'Stiftung Erneuerbare Freiheit',
    prefix: '185.220.101.0/24',
    country: 'Germany',
    countryCode: 'DE',
  };
  const { phases } = stateAfter(IP, [phase.reputation({ network })]);
  const parts = [
    { text: 'IPv4 address' },
    { text: 'AS60729 Stiftung Erneuerbare Freiheit', to: '/asn/60729' },
    { text: '185.220.101.0/24', to: '/network/185.220.101.0/24' },
    { text: 'Germany (DE)' },
  ];
  expect(identityParts(IP, phases)).toEqual(parts);
  const late = stateAfter(IP, [phase.reputation(), phase.basic()]);
  expect(identityParts(IP, late.phases)).toEqual(parts.filter((_, at) => at !== 2));
});

test('a name has its registrar, late or not', () => {
  const whois = { registrar: 'Example Registrar' } as never;
  const { phases } = stateAfter(NAME, [phase.basic({ geo: null }), phase.enrichment({ late: { whois } })]);
  expect(identityParts(NAME, phases)).toEqual([
    { text: 'Domain' },
    { text: 'registered with Example Registrar' },
  ]);
});

test('unknown parts are left out', () => {
  const { phases } = stateAfter(IP, [phase.basic({ geo: { ...geo, asn: null, country: null } })]);
  expect(identityParts(IP, phases)).toEqual([{ text: 'IPv4 address' }, { text: 'DE' }]);
  expect(identityParts(IP, {})).toEqual([{ text: 'IPv4 address' }]);
});
