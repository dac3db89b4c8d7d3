import { describe, expect, test } from 'vitest';
import { type Domain, parseIndicator } from '../indicator/index.ts';
import { BRANDS, lookalikeOf } from '../lookalike/index.ts';
import { changedFacets } from './facets.ts';
import { reputationChange, type Stood } from './reputation-change.ts';
import { spellingsOf, watchedNameOf } from './spellings.ts';
import { statusOf } from './watch-status.ts';

const stood = (level: Stood['level'], listed = 'a', isMalicious = false): Stood => ({
  level,
  listed,
  isMalicious,
});

function domainOf(text: string): Domain {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`'${text}' is no domain.`);
  return parsed.indicator;
}

describe('how a watched value stands', () => {
  test('safe is clean, low and medium suspicious, high and critical malicious, all else unknown', () => {
    expect(
      (['safe', 'low', 'medium', 'high', 'critical', 'inconclusive', null] as const).map((level) =>
        statusOf(level, false),
      ),
    ).toEqual(['clean', 'suspicious', 'suspicious', 'malicious', 'malicious', 'unknown', 'unknown']);
    expect(statusOf('medium', true)).toBe('malicious');
  });
});

describe('which change of reputation is told', () => {
  test('the first check is a baseline', () => {
    expect(reputationChange(null, stood('critical'))).toBeNull();
  });

  test('ageing alone raises nothing: the same listings with another level', () => {
    expect(reputationChange(stood('high'), stood('medium'))).toBeNull();
  });

  test('other listings with the same level raise nothing', () => {
    expect(reputationChange(stood('high'), stood('high', 'b'))).toBeNull();
  });

  test.each([
    ['inconclusive', 'high', 'reputation.malicious', 'high', false],
    ['safe', 'critical', 'reputation.malicious', 'critical', false],
    ['high', 'critical', 'reputation.changed', 'critical', false],
    ['inconclusive', 'medium', 'reputation.changed', 'medium', false],
    ['safe', 'inconclusive', 'reputation.changed', 'info', false],
    ['critical', 'high', 'reputation.changed', 'info', true],
    ['critical', 'inconclusive', 'reputation.changed', 'info', true],
  ] as const)('from %s to %s is %s, %s', (before, after, type, severity, isBetter) => {
    expect(reputationChange(stood(before), stood(after, 'b'))).toEqual({ type, severity, isBetter });
  });

  test('what a scanner names is critical, also at a level that stays', () => {
    expect(reputationChange(stood('high'), stood('high', 'b', true))).toEqual({
      type: 'reputation.changed',
      severity: 'critical',
      isBetter: false,
    });
  });
});

test('a facet that could not be looked up is no change, and its first answer is a baseline', () => {
  expect(changedFacets({}, { certificate: 'a' })).toEqual([]);
  expect(changedFacets({ certificate: 'a', location: 'DE' }, { location: 'NL' })).toEqual(['location']);
});

describe('names that imitate a watched name', () => {
  test('every look-alike shares a form with the name that it imitates', () => {
    const names =
      `paypa1.com paypal.top secure-paypal-login.com paypla.com paypal.com.evil.top dhl-express.com
      appleid-verify.net micosoft-support.com upss.com chaseonline.com paypa1-login.com rnicrosoft.co.uk pay-pal.com
      mypaypalaccount.com paypal-login.netlify.app dhltrack.com xn--pypal-4ve.com secure-chase.com herrmes.com herny.com
      www.paypal-login.evil.com hemy.com`.split(/\s+/);
    const watched = [...BRANDS, 'henry.com'].flatMap((name) => watchedNameOf(domainOf(name)) ?? []);
    let pairs = 0;
    for (const name of names) {
      const forms = new Set(spellingsOf(domainOf(name)));
      for (const { brand, forms: known } of watched) {
        if (lookalikeOf(brand, domainOf(name)) === null) continue;
        pairs += 1;
        expect(
          known.some((form) => forms.has(form)),
          `${name} imitates ${brand.registrable}`,
        ).toBe(true);
      }
    }
    expect(pairs).toBeGreaterThan(20);
  });

  test('a name below a registrable domain and a label of two letters are not compared', () => {
    expect(watchedNameOf(domainOf('mail.example.com'))).toBeNull();
    expect(watchedNameOf(domainOf('qq.com'))).toBeNull();
    expect(watchedNameOf(domainOf('www.example.com'))?.brand.registrable).toBe('example.com');
  });
});
