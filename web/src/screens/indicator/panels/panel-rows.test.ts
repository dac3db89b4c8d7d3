import type { RelatedInfrastructure, Vulnerabilities } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { completenessOf } from './completeness.ts';
import { FACET_OF, hostOf, panelOrder, TITLES } from './panel-order.ts';
import { relatedGroups, relatedWord } from './related-groups.ts';
import { ADDRESS, basic, dns, finished, GEO, NAME, running, WHOIS } from './seen.fixture.ts';
import { vulnerabilityRows, vulnerabilitySentence } from './vulnerability-rows.ts';

describe('open vulnerabilities', () => {
  const cve = (id: string, severity: string, score: number | null) => ({
    id,
    severity,
    score,
    description: '',
  });
  const of = (over: Partial<Vulnerabilities>): Vulnerabilities => ({
    total: 0,
    critical: 0,
    high: 0,
    medium: 0,
    low: 0,
    cves: [],
    ports: [],
    cpes: [],
    hostnames: [],
    tags: [],
    ...over,
  });

  test('known exploited ones come first, also without a severity', () => {
    const cves = [cve('A', 'CRITICAL', 9.8), { ...cve('B', 'UNKNOWN', null), isKev: true as const }];
    expect(vulnerabilityRows(of({ cves })).map(({ id, severity }) => `${id} ${severity}`)).toEqual([
      'B known exploited, severity unknown',
      'A critical',
    ]);
  });

  test('the most severe come first; unrated ones are called unknown and not left out', () => {
    const cves = [
      cve('C', 'UNKNOWN', null),
      cve('B', 'HIGH', 7),
      cve('A', 'CRITICAL', 9.8),
      cve('D', 'HIGH', 8),
    ];
    expect(
      vulnerabilityRows(of({ cves })).map(({ id, severity, score }) => `${id} ${severity} ${score}`),
    ).toEqual(['A critical 9.8', 'D high 8.0', 'B high 7.0', 'C severity unknown ']);
  });

  test.each([
    [
      { total: 9, critical: 1, high: 2 },
      '9 known vulnerabilities: 1 critical, 2 high, 6 of unknown severity.',
    ],
    [{ total: 1, low: 1 }, '1 known vulnerability: 1 low.'],
    [{}, 'The port search saw no known vulnerability. It sees open ports only, so there may be others.'],
  ])('%o', (over, sentence) => {
    expect(vulnerabilitySentence(of(over))).toBe(sentence);
  });
});

describe('related infrastructure', () => {
  test('groups that are empty are left out', () => {
    const entity = {
      value: 'a.example',
      type: 'domain',
      listed: false,
      verdict: 'unknown',
      word: 'Not listed',
      lastSeen: null,
    } as const;
    const related = { resolvedDomains: [entity], sameSubnet: [], sameASN: [], sameRegistrar: [] };
    expect(
      relatedGroups({
        ...related,
        sameNameserver: [],
        sharedCertificate: [],
      } as unknown as RelatedInfrastructure),
    ).toEqual([{ title: 'Names that resolve to it', entities: [entity] }]);
  });

  test.each([
    ['unknown', 'Not listed', 'Not listed', 'unknown'],
    ['safe', 'Popular site', 'Popular site', 'good'],
    ['critical', 'Malicious', 'Malicious', 'malicious'],
    ['critical', 'Critical risk', 'Critical risk', 'critical-risk'],
    ['low', 'Reported', 'Reported', 'reported'],
    ['tomorrow', 'Tomorrow', 'tomorrow', 'neutral'],
  ])('%s with the word %s is called %s', (verdict, told, word, tone) => {
    expect(relatedWord({ verdict: verdict as 'safe', word: told })).toMatchObject({ word, tone });
  });
});

describe('panels by type', () => {
  test.each([
    [ADDRESS, ['network', 'location', 'vulnerabilities']],
    [NAME, ['registration', 'dns', 'mail']],
    [{ type: 'hash', value: 'ab' }, ['file', 'pulses', 'password']],
    [{ type: 'url', value: 'https://example.com/a' }, ['host', 'registration', 'dns']],
    [{ type: 'url', value: 'http://192.0.2.1:8080/a' }, ['host', 'network', 'location']],
  ] as const)('%o begins with its three most important panels', (target, first) => {
    expect(panelOrder(target).slice(0, 3)).toEqual(first);
  });

  test('every panel has a title', () => {
    expect(Object.keys(FACET_OF).every((id) => id in TITLES)).toBe(true);
  });

  test.each([
    ['https://example.com:8443/x', { type: 'domain', value: 'example.com' }],
    ['http://[2001:db8::1]/', { type: 'ip', value: '2001:db8::1' }],
    ['http://192.0.2.1/', { type: 'ip', value: '192.0.2.1' }],
    ['no url', null],
  ])('the host of %s', (url, host) => {
    expect(hostOf(url)).toEqual(host);
  });
});

describe('the footer', () => {
  test('names the parts that answered and why the others are missing', () => {
    const seen = finished(NAME, {
      basic: basic({ geo: GEO, whois: WHOIS, degraded: ['certificates'] }),
      dns: dns(),
    });
    expect(completenessOf(seen)).toEqual({
      answered: 'Answered: reputation, lists, location, registration, DNS.',
      missing:
        'Missing: certificate (the certificate logs did not answer), community reports (nothing is known).',
    });
  });

  test('lookups that are off are not called answers that found nothing', () => {
    expect(completenessOf(finished(ADDRESS, { basic: basic({ geo: GEO }) })).missing).toBe(
      'Missing: registration (not looked up), certificate (not looked up), vulnerabilities (not looked up), community reports (not looked up).',
    );
  });

  test('a check that runs or was cut says so', () => {
    const hash = { type: 'hash', value: 'ab' } as const;
    expect(completenessOf(running(hash)).missing).toBe('Missing: community reports (still awaited).');
    expect(completenessOf({ ...running(hash), isOver: true }).missing).toBe(
      'Missing: community reports (the check ended before).',
    );
  });
});
