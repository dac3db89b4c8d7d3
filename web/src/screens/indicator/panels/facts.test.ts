import { describe, expect, test } from 'vitest';
import {
  ageInDays,
  certificateFacts,
  type Fact,
  fileFacts,
  locationFacts,
  mailFacts,
  networkFacts,
  passwordSentence,
  registrationFacts,
} from './facts.ts';
import { dns, finished, GEO, reputation, WHOIS } from './seen.fixture.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const text = (facts: readonly Fact[]) =>
  facts.map(({ term, value }) => {
    if (value.kind === 'list') return `${term}: ${value.items.join(' ')}`;
    if (value.kind === 'date')
      return `${term}: ${value.at.slice(0, 10)}${value.note ? ` (${value.note})` : ''}`;
    return `${term}: ${value.text}`;
  });

describe('the lines of a panel', () => {
  test('registration: the age in days comes first, missing fields have no line', () => {
    expect(text(registrationFacts(WHOIS, NOW_MS))).toEqual([
      'Created: 2026-11-03 (12 days old)',
      'Registrar: Registrar Ltd',
    ]);
  });

  test.each([
    ['2026-11-15T00:00:00Z', 0],
    ['2026-11-14T00:00:00Z', 1],
    ['2027-01-01T00:00:00Z', 0],
    ['before the war', null],
    [null, null],
  ])('%s is %s days old', (at, days) => {
    expect(ageInDays(at, NOW_MS)).toBe(days);
  });

  test('location: code and name, a city named as its region once', () => {
    expect(text(locationFacts({ ...GEO, city: 'Berlin', region: 'Berlin' }))).toEqual([
      'Country: Germany (DE)',
      'City: Berlin',
    ]);
    expect(text(locationFacts(GEO))).toEqual(['Country: Germany (DE)']);
  });

  test.each([
    [{ isTor: true, isVpn: false, isProxy: false, isDatacenter: true }, 'Kind: Tor, cloud or hosting'],
    [
      { isTor: false, isVpn: false, isProxy: false, isDatacenter: false },
      'Kind: No list says what it is used for',
    ],
  ])('network %o', (network, line) => {
    const facts = text(networkFacts({ geo: { ...GEO, network }, whois: null, hostnames: [] }));
    expect(facts).toEqual(['Network: AS64500', 'Holder: Example Org', line]);
  });

  test('a network on a list of criminal ones names the list and the points', () => {
    const asnReputation = { asn: 64500, listed: true, list: 'asn-drop', score: 5 };
    expect(text(networkFacts({ geo: GEO, whois: null, hostnames: [], asnReputation }))).toContain(
      'Listed: Named by asn-drop as a network that serves crime: 5 points of the score',
    );
  });

  test('mail: DKIM that was not found proves nothing, a missing MX is stated', () => {
    expect(text(mailFacts(dns()))).toEqual([
      'SPF: Published',
      'DMARC: Not published',
      'DKIM: Not found at the usual names, which proves nothing',
      'MX: None',
    ]);
  });

  const certificate = {
    issuer: 'CA',
    subject: 'example.com',
    validFrom: '2026-11-01T00:00:00Z',
    validTo: '2026-11-20T12:00:00Z',
    serialNumber: '1',
    fingerprint: null,
    names: [],
    isTrusted: null,
    problem: null,
    history: [],
    total: 0,
  };
  test.each([
    ['still good', {}, 'Until: 2026-11-20 (5 days left)', 'Trust: Not seen on the host itself'],
    [
      'expired and seen',
      { validTo: '2026-11-13T12:00:00Z', isTrusted: true },
      'Until: 2026-11-13 (expired 2 days ago)',
      'Trust: The host shows it and its chain holds',
    ],
    [
      'not trusted',
      { problem: 'self-signed' },
      'Until: 2026-11-20 (5 days left)',
      'Not trusted: self-signed',
    ],
  ])('a certificate that is %s', (_case, over, until, trust) => {
    const lines = text(certificateFacts({ ...certificate, ...over }, NOW_MS));
    expect(lines.slice(3)).toEqual([until, trust]);
  });

  test.each([
    ['unknown', 'Seen: No'],
    ['known', 'Seen: Yes, at least one source knows it'],
  ] as const)('a file that is %s', (lookupStatus, line) => {
    const seen = finished({ type: 'hash', value: 'ab' }, { reputation: reputation({ lookupStatus }) });
    expect(text(fileFacts(seen))).toEqual([line]);
  });

  test.each([
    [
      { hashType: 'sha1', count: 3_861_493 },
      'This value is also the SHA-1 hash of a breached password seen 3,861,493 times. It does not change the verdict.',
    ],
    [
      { hashType: 'ntlm', count: 1 },
      'This value is also the NTLM hash of a breached password seen 1 time. It does not change the verdict.',
    ],
  ])('%o', (found, sentence) => {
    expect(passwordSentence(found)).toBe(sentence);
  });
});
