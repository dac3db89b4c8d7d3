import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { type Domain, parseIndicator } from '../indicator/index.ts';
import { type Brand, brandOf } from './brand.ts';
import { BRANDS } from './brands.ts';
import { lookalikeOf } from './look-alike.ts';
import { looksLike } from './looks-like.ts';
import { probesOf, traceOf } from './trace.ts';

function domainOf(text: string): Domain {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`'${text}' is no domain.`);
  return parsed.indicator;
}

function brand(text: string): Brand {
  const found = brandOf(domainOf(text));
  if (found === null) throw new Error(`'${text}' is no brand.`);
  return found;
}

const techniqueOf = (meant: string, written: string) =>
  lookalikeOf(brand(meant), domainOf(written))?.technique ?? null;

describe('a name passes for a brand', () => {
  test.each([
    ['paypal.com', 'paypal.net', 'tld'],
    ['paypal.com', 'login.paypal.top', 'tld'],
    ['paypal.com', 'paypa1.com', 'homoglyph'],
    ['paypal.com', 'pаypal.com', 'homoglyph'],
    ['microsoft.com', 'rnicrosoft.co.uk', 'homoglyph'],
    ['paypal.com', 'paypla.com', 'typosquat'],
    ['paypal.com', 'pay-pal.com', 'typosquat'],
    ['paypal.com', 'paypa.com', 'typosquat'],
    ['microsoft.com', 'micosoft-support.com', 'typosquat'],
    ['paypal.com', 'secure-paypal-login.com', 'combosquat'],
    ['paypal.com', 'mypaypalaccount.com', 'combosquat'],
    ['paypal.com', 'paypa1-login.com', 'combosquat'],
    ['paypal.com', 'paypal.com.evil.top', 'subdomain'],
    ['paypal.com', 'www.paypal-login.evil.com', 'subdomain'],
    ['paypal.com', 'paypal.github.io', 'subdomain'],
    ['paypal.com', 'paypal-login.netlify.app', 'subdomain'],
    ['chase.com', 'chaseonline.com', 'combosquat'],
    ['chase.com', 'secure-chase.com', 'combosquat'],
    ['chase.com', 'chase.com.evil.top', 'subdomain'],
    ['dhl.com', 'dhl-express.com', 'combosquat'],
    ['dhl.com', 'dhltrack.com', 'combosquat'],
    ['dhl.com', 'dhk.com', 'typosquat'],
    ['dhl.com', 'dhi.com', 'homoglyph'],
    ['hp.com', 'hp-support.com', 'combosquat'],
    ['hp.com', 'hp.evil.com', 'subdomain'],
    ['coca-cola.com', 'cocacola.com', 'typosquat'],
    ['coca-cola.com', 'win-coca-cola.com', 'combosquat'],
  ])('%s: %s by %s', (meant, written, expected) => {
    expect(techniqueOf(meant, written)).toBe(expected);
  });
});

describe('a name does not pass for a brand', () => {
  test.each([
    ['the brand itself', 'paypal.com', 'paypal.com'],
    ['a name of the brand', 'paypal.com', 'www.paypal.com'],
    ['a short brand inside a word', 'chase.com', 'purchase-order.com'],
    ['a short brand inside a word', 'apple.com', 'pineapple-recipes.com'],
    ['a short brand inside a word', 'visa.com', 'advisable.com'],
    ['a typing error of a short brand inside a name', 'apple.com', 'apply-now.com'],
    ['two letters inside a word', 'hp.com', 'sharphp.com'],
    ['two letters after one typing error', 'hp.com', 'hq.com'],
    ['three letters, one missing', 'dhl.com', 'dl.com'],
    ['four letters, one exchanged for another', 'uber.com', 'uker.com'],
    ['two slips', 'paypal.com', 'paipol.com'],
    ['something else', 'paypal.com', 'example.org'],
  ])('%s: %s, %s', (_why, meant, written) => {
    expect(techniqueOf(meant, written)).toBeNull();
  });
});

test('the closest brand is named, and a name that belongs to a brand is a look-alike of none', () => {
  const brands = ['paypal.com', 'amazon.com', 'amazon.de'].map(brand);
  expect(looksLike(domainOf('amazon-paypa1.com'), brands)).toEqual({
    brand: 'paypal.com',
    technique: 'combosquat',
  });
  expect(looksLike(domainOf('arnazon.com'), brands)).toEqual({ brand: 'amazon.com', technique: 'homoglyph' });
  expect(looksLike(domainOf('www.amazon.de'), brands)).toBeNull();
  expect(looksLike(domainOf('example.org'), brands)).toBeNull();
});

/** Names made of pieces of brands, keywords and letters, with labels to their left. */
const names = (() => {
  const words = BRANDS.map((name) => name.slice(0, name.indexOf('.')));
  const letters = fc.string({
    unit: fc.constantFrom(...Array.from('abcilmnoprv10-')),
    minLength: 1,
    maxLength: 3,
  });
  const mangled = fc
    .tuple(fc.constantFrom(...words), fc.nat(12), fc.nat(2), letters)
    .map(([word, at, cut, put]) => word.slice(0, at) + put + word.slice(at + cut));
  const piece = fc.oneof(
    fc.constantFrom(...words),
    mangled,
    letters,
    fc.constantFrom('login', 'my', 'аррӏе'),
  );
  const label = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('-'));
  const host = fc.tuple(fc.array(label, { maxLength: 2 }), label, fc.constantFrom('com', 'co.uk', 'top'));
  return host.map(([left, own, suffix]) => [...left, own, suffix].join('.'));
})();

function isReached(meant: Brand, written: Domain): boolean {
  const { tokens, word, inside } = probesOf(meant);
  const trace = traceOf(written);
  if (trace === null) return false;
  const asked = new Set(inside === null ? [...tokens, word] : tokens);
  return (
    trace.tokens.some((token) => asked.has(token)) || (inside !== null && trace.spelling.includes(inside))
  );
}

test.each([
  ['henry.com', 'herny.com'],
  ['corner.com', 'corxner.com'],
  ['h-m.com', 'h-m.net'],
  ['hp.com', 'hp.evil.com'],
  ['chase.com', 'chaseonline.com'],
])('%s: %s is found although its skeleton differs, it is short or it has a hyphen', (meant, written) => {
  expect(lookalikeOf(brand(meant), domainOf(written))).not.toBeNull();
  expect(isReached(brand(meant), domainOf(written))).toBe(true);
});

test('every look-alike is found by the probes of its brand', () => {
  const brands = [...BRANDS, 'hp.com', 'coca-cola.com', 'henry.com', 'corner.com'].map(brand);
  let found = 0;
  fc.assert(
    fc.property(names, (name) => {
      const parsed = parseIndicator(name);
      if (!parsed.ok || parsed.indicator.kind !== 'domain') return;
      for (const each of brands) {
        if (lookalikeOf(each, parsed.indicator) === null) continue;
        found += 1;
        expect(isReached(each, parsed.indicator), `${name} for ${each.registrable}`).toBe(true);
      }
    }),
    { numRuns: bySize(160, 800) },
  );
  expect(found).toBeGreaterThan(bySize(60, 300));
});

test('a name of the brand itself is not a look-alike, and closeness lies between 0 and 1', () => {
  const brands = BRANDS.map(brand);
  fc.assert(
    fc.property(names, fc.constantFrom(...brands), (name, each) => {
      const own = parseIndicator(`${name.split('.')[0]}.${each.registrable}`);
      if (own.ok && own.indicator.kind === 'domain') expect(lookalikeOf(each, own.indicator)).toBeNull();
      const parsed = parseIndicator(name);
      if (!parsed.ok || parsed.indicator.kind !== 'domain') return;
      const closeness = lookalikeOf(each, parsed.indicator)?.closeness ?? 1;
      expect(closeness).toBeGreaterThan(0);
      expect(closeness).toBeLessThanOrEqual(1);
    }),
  );
});

test('a brand of usual length asks for at most 1,700 tokens, and the longest label for 6,400', () => {
  for (const name of BRANDS) expect(probesOf(brand(name)).tokens.length, name).toBeLessThanOrEqual(1_700);
  const longest = `${'abcdefghijklmnopqrst'.repeat(3)}abc.com`;
  expect(probesOf(brand(longest)).tokens.length).toBeLessThanOrEqual(6_400);
});
