import { describe, expect, test, vi } from 'vitest';
import type { CheckSeen, ReputationSeen, Target } from './check-seen.ts';
import { areLookupsOff, FACETS, type Facet, facetState, lookupOf, partOf, whoOf } from './facet-state.ts';
import { ADDRESS, basic, dns, finished, GEO, NAME, reputation, running, WHOIS } from './seen.fixture.ts';

const askAgain = vi.fn();
const plain = { isSilent: false, isSignedIn: true };
const state = (...input: Parameters<typeof facetState>) => {
  const { kind, ...rest } = facetState(...input);
  return [kind, 'what' in rest ? rest.what : 'why' in rest ? rest.why : null, 'retry' in rest];
};

describe('the state of one part', () => {
  test.each([
    ['whois', 'Asking the registry.'],
    ['dns', 'Asking the name servers.'],
    ['otx', 'Asking the community exchange.'],
    ['relatedInfrastructure', 'Asking the record of this service.'],
  ] as const)('%s is awaited before its phase', (facet, what) => {
    expect(state(running(NAME), facet, plain)).toEqual(['loading', what, false]);
  });

  test('a silent provider is reported, with a separate request and its cost', () => {
    expect(state(running(NAME), 'whois', { ...plain, isSilent: true, askAgain })).toEqual([
      'degraded',
      'No answer yet from the registry. Asking for this alone costs one check.',
      true,
    ]);
  });

  test('without a session the panel says why there is no retry button', () => {
    expect(state(running(NAME), 'whois', { isSilent: true, isSignedIn: false, askAgain })).toEqual([
      'degraded',
      'No answer yet from the registry. Sign in to ask for this alone.',
      false,
    ]);
  });

  test('a part without a route of its own offers no retry', () => {
    expect(state(running(NAME), 'dns', { ...plain, isSilent: true })).toEqual([
      'degraded',
      'No answer yet from the name servers.',
      false,
    ]);
  });

  test('a part that failed in basic may still arrive with enrichment', () => {
    const seen = running(ADDRESS, { basic: basic({ degraded: ['whois'] }) });
    expect(state(seen, 'whois', plain)[0]).toBe('loading');
    expect(state({ ...seen, enrichment: { late: { whois: WHOIS } } }, 'whois', plain)[0]).toBe('ready');
    expect(state(finished(ADDRESS, { basic: basic({ degraded: ['whois'] }) }), 'whois', plain)).toEqual([
      'degraded',
      'The registry did not answer.',
      false,
    ]);
  });

  test('a check that was cut says that this part was not reached', () => {
    expect(state({ ...running(ADDRESS), isOver: true }, 'vulnerabilities', plain)).toEqual([
      'error',
      'The check ended before the port search answered.',
      false,
    ]);
  });

  test('an empty answer is shown as no knowledge, not as an all-clear', () => {
    const seen = finished(ADDRESS, { basic: basic({ whois: WHOIS }) });
    expect(state(seen, 'vulnerabilities', plain)).toEqual([
      'empty',
      'No port scan data for this address. Ports may still be open.',
      false,
    ]);
  });

  test('a name that does not exist is not a failure of the name servers', () => {
    const unknown = dns({ nameserverCount: null, hasSPF: null });
    expect(state(finished(NAME, { dns: unknown }), 'dns', plain)).toEqual([
      'empty',
      'The name servers know no such name.',
      false,
    ]);
  });
});

describe('lookups that an older service does not name', () => {
  const nothing = (facet: Facet) =>
    facetState(finished(ADDRESS, { basic: basic({ geo: GEO }) }), facet, plain);
  test('are reported when a finished check has neither answers nor failures', () => {
    expect(nothing('whois')).toEqual({
      kind: 'empty',
      why: 'Not looked up: this live lookup is turned off on this server.',
    });
  });

  test.each([
    ['one answered', finished(ADDRESS, { basic: basic({ whois: WHOIS }) })],
    ['one failed', finished(ADDRESS, { basic: basic({ degraded: ['certificates'] }) })],
    ['the name servers were asked', finished(NAME, { dns: dns() })],
    ['the check still runs', running(ADDRESS, { basic: basic() })],
    ['it is a file, of which no registry knows', finished({ type: 'hash', value: 'ab' })],
  ])('are not reported when %s', (_case, seen) => {
    expect(areLookupsOff(seen)).toBe(false);
  });

  test('do not affect local data: the location of an address, but not of a name', () => {
    expect(lookupOf(finished(ADDRESS), 'geo')).toBe('local');
    expect(lookupOf(finished(NAME), 'geo')).toBe('off');
    expect(lookupOf(finished(NAME), 'relatedInfrastructure')).toBe('local');
  });
});

describe('lookups that the first phase names (O80)', () => {
  type Lookups = NonNullable<ReputationSeen['lookups']>;
  const EVERY = ['dns', 'rdap', 'tls', 'ct', 'internetdb', 'otx', 'scanner', 'web'] as const;
  const withOn = (target: Target, ...asked: Lookups['asked']): CheckSeen =>
    running(target, {
      reputation: reputation({
        type: target.type,
        lookups: { asked, off: EVERY.filter((name) => !asked.includes(name)) },
      }),
    });
  const facets = Object.keys(FACETS) as Facet[];
  const saidWhile = (seen: CheckSeen) =>
    facets.flatMap((facet) => {
      const said = facetState(seen, facet, plain);
      return said.kind === 'loading' ? [said.what] : [];
    });

  test('with all of them off, nothing outside is named while the check runs', () => {
    expect(saidWhile(withOn(NAME))).toEqual(['Asking the record of this service.']);
    expect(saidWhile(withOn(ADDRESS))).toEqual([
      'Asking the table of addresses.',
      'Asking the record of this service.',
    ]);
    expect(facetState(withOn(NAME), 'technologies', plain)).toEqual({
      kind: 'empty',
      why: 'Not looked up: this live lookup is turned off on this server.',
    });
  });

  test('with one on, it alone is named', () => {
    expect(saidWhile(withOn(NAME, 'rdap'))).toEqual([
      'Asking the registry.',
      'Asking the record of this service.',
    ]);
    expect(saidWhile(withOn(NAME, 'web'))).toContain('Asking the host.');
    expect(saidWhile(withOn(NAME, 'otx'))).toContain('Asking the community exchange.');
  });

  test('a certificate is asked of the host, of the logs, or of both, as they are on', () => {
    expect(whoOf(withOn(NAME, 'tls'), 'certificates')).toBe('the host');
    expect(whoOf(withOn(NAME, 'ct'), 'certificates')).toBe('the certificate logs');
    expect(whoOf(withOn(NAME, 'tls', 'ct'), 'certificates')).toBe('the host and the certificate logs');
  });

  test('a lookup that covers no such value is neither awaited nor called off', () => {
    const seen = running(ADDRESS, { reputation: reputation({ lookups: { asked: [], off: [] } }) });
    expect(lookupOf(seen, 'whois')).toBe('inapplicable');
    expect(lookupOf(seen, 'geo')).toBe('local');
    expect(saidWhile(seen)).not.toContain('Asking the registry.');
  });
});

test('a part is found in its phase, or late in enrichment', () => {
  expect(partOf(running(ADDRESS, { basic: basic({ geo: GEO }) }), 'geo')).toBe(GEO);
  expect(partOf(running(ADDRESS, { basic: basic(), enrichment: { late: { geo: GEO } } }), 'geo')).toBe(GEO);
  expect(partOf(running(ADDRESS), 'geo')).toBeNull();
});
