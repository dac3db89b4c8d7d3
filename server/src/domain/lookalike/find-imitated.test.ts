import { expect, test } from 'vitest';
import { parseIndicator } from '../indicator/index.ts';
import { brandOf } from './brand.ts';
import { BRANDS } from './brands.ts';
import { findImitated } from './find-imitated.ts';
import { looksLike } from './looks-like.ts';

function domainOf(text: string) {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`'${text}' is no domain.`);
  return parsed.indicator;
}

test.each([
  ['paypa1.com', 'paypal.com', 'homoglyph'],
  ['paypal.top', 'paypal.com', 'tld'],
  ['secure-paypal-login.com', 'paypal.com', 'combosquat'],
  ['paypla.com', 'paypal.com', 'typosquat'],
  ['paypal.com.evil.top', 'paypal.com', 'subdomain'],
])('%s imitates %s by %s', (text, of, technique) => {
  expect(findImitated(domainOf(text))).toMatchObject({ of, technique });
});

test.each(['paypal.com', 'www.paypal.com', 'debian.org', 'co.uk.com'])('%s imitates none', (text) => {
  expect(findImitated(domainOf(text))).toBeNull();
});

test("a tenant does not imitate its platform's own brand", () => {
  const tenant = domainOf('xfinityservice.godaddysites.com');
  expect(findImitated(tenant)).toMatchObject({ of: 'godaddy.com' });
  expect(findImitated(tenant, 'godaddysites.com')).toBeNull();
  expect(findImitated(domainOf('paypal-login.godaddysites.com'), 'godaddysites.com')).toMatchObject({
    of: 'paypal.com',
    technique: 'subdomain',
  });
});

test('the index finds what a comparison with every brand finds', () => {
  const brands = BRANDS.flatMap((name) => brandOf(domainOf(name)) ?? []);
  const names = `dhl-express.com appleid-verify.net micosoft-support.com upss.com chaseonline.com paypa1-login.com
    rnicrosoft.co.uk pay-pal.com mypaypalaccount.com paypal-login.netlify.app dhltrack.com dhk.com dhi.com
    xn--pypal-4ve.com secure-chase.com herrmes.com www.paypal-login.evil.com apply-now.com purchase-order.com`;
  for (const name of names.trim().split(/\s+/)) {
    const all = looksLike(domainOf(name), brands);
    const found = findImitated(domainOf(name));
    expect(found === null ? null : { brand: found.of, technique: found.technique }, name).toEqual(all);
  }
});
