import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIndicator } from '../indicator/index.ts';
import { type BrandTechnique, brandSignalOf } from './brand-signal.ts';
import { namePartsOf } from './name-parts.ts';

/** The brand signal of a name as the service reads it; a foreign script is encoded first. */
function signalOf(text: string) {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') throw new Error(`'${text}' is no domain.`);
  const { value: host, registrable } = parsed.indicator;
  const parts = namePartsOf(host);
  const tenant = parts?.isTenant === true ? { platform: parts.suffix, text: parts.text } : null;
  return brandSignalOf({ host, registrable, tenant });
}

describe('names that use the brand of somebody else', () => {
  test.each<[string, BrandTechnique, string]>([
    ['netflix-login.vercel.app', 'onPlatform', 'Netflix'],
    ['paypal-verification.weebly.com', 'onPlatform', 'PayPal'],
    ['microsoft-365-login.web.app', 'onPlatform', 'Microsoft'],
    ['secure.bankofamerica.com.kjhd.ru', 'domainLeft', 'bankofamerica.com'],
    ['login.microsoftonline.com.auth-session.co', 'domainLeft', 'microsoftonline.com'],
    ['appleid.apple.com.verify-user.info', 'domainLeft', 'apple.com'],
    ['paypa1.com', 'swapped', 'paypal.com'],
    ['go0gle.com', 'swapped', 'google.com'],
    ['netfl1x.com', 'swapped', 'netflix.com'],
    ['g00gle.com', 'swapped', 'google.com'],
    ['bankofamerica-alert.com', 'withLure', 'Bank of America'],
    ['appleid-icloud.com', 'withLure', 'Apple ID'],
    ['microsoft-support.xyz', 'withLure', 'Microsoft'],
  ])('%s by %s of %s: the printed examples of the review', (text, technique, brand) => {
    expect(signalOf(text)).toEqual({ technique, brand });
  });

  test.each<[string, string, BrandTechnique]>([
    ['foreign letters', 'аpple.com', 'swapped'],
    ['foreign letters under another suffix', 'аpple.shop', 'swapped'],
    ['a name below the domain', 'www.paypa1.com', 'swapped'],
    ['a label of a second domain, with a digit', '1cloud.com', 'swapped'],
    ['two joined pieces', 'wells-fargo-alert.com', 'withLure'],
    ['a lure inside another word', 'netflix-accountsteam.com', 'withLure'],
    ['three labels of the brand', 'amazon.co.uk.parcel-desk.info', 'domainLeft'],
    ['a brand domain below a platform', 'paypal.com.my-shop.weebly.com', 'domainLeft'],
    ['a brand inside a word of a tenant', 'mynetflixteam-login.pages.dev', 'onPlatform'],
    ['another brand than the platform has', 'xfinity-support.godaddysites.com', 'onPlatform'],
    ['a short brand beside digits', 'lidl24-bonus.wixsite.com', 'onPlatform'],
  ])('%s: %s', (_why, text, technique) => {
    expect(signalOf(text)?.technique).toBe(technique);
  });
});

describe('names that pose as nobody', () => {
  test.each([
    ['the brand itself', 'paypal.com'],
    ['a name of the brand', 'login.paypal.com'],
    ['a second domain of the owner', 'login.microsoftonline.com'],
    ['a national domain', 'paypal.com.au'],
    ['a national domain of a brand that is a word', 'login.yahoo.ca'],
    ["the brand's domain left of another domain of its owner", 'paypal.com.login.xoom.com'],
    ['a member that shares the name', 'sparkasse-banking.de'],
    ['a proxy of a company', 'login.microsoftonline.com.mcas.ms'],
    ['a proxy of a company', 'outlook.office.com.rproxy.goskope.com'],
    ['a proxy of a company', 'forms.office.com.office.myshn.net'],
    ['a proxy of a government', 'login.microsoftonline.com.mcas-gov.us'],
    ['a proxy of a company', 'portal.azure.com.eu.cas.ms'],
    ['a translation', 'accounts-google-com.translate.goog'],
    ['a content delivery network', 'www.apple.com.edgekey.net'],
    ['a query of a list by DNS', 'paypal.com.dbl.spamhaus.org'],
    ['a record of a mail domain', 'paypal.com._report._dmarc.example.org'],
    ['a brand without a lure', 'netflix-fans.org'],
    ['a lure without a brand', 'secure-login.org'],
    ['a brand inside a word of an own domain', 'mypaypallogin.com'],
    ['a short brand inside a word', 'purchase-support.com'],
    ['the lure is the brand itself', 'trustwallet-fans.org'],
    ['letters that read like a second domain', 'lcloud.org'],
    ['the same label under another suffix', 'paypal.top'],
    ['a brand of fewer than seven characters on the left', 'hp.com.example.org'],
    ['one label on the left', 'paypal.example.org'],
    ['a tenant with a brand and no lure', 'netflix-fans.weebly.com'],
    ["the platform's own brand", 'godaddy-support.godaddysites.com'],
    ["a platform of the brand's owner", 'shopify-support.myshopify.com'],
    ["a platform of the brand's owner under another name", 'microsoft-login.sharepoint.com'],
    ['a platform', 'github.io'],
  ])('%s: %s', (_why, text) => {
    expect(signalOf(text)).toBeNull();
  });

  test.each(
    `cloud click office windows live group store share hotels booking bookings tumblr parcel priceless discover target
    outlook`.split(/\s+/),
  )('%s is an ordinary word', (word) => {
    expect(signalOf(`${word}-login.com`)).toBeNull();
    expect(signalOf(`${word}-login.weebly.com`)).toBeNull();
  });

  test.each(['apple', 'chase', 'square', 'orange', 'kraken', 'hermes'])(
    '%s is a word or a family name too',
    (word) => {
      expect(signalOf(`${word}-account.com`)).toBeNull();
    },
  );
});

test('names without a brand of the table never have the signal, whatever else they have', () => {
  const label = fc.string({ unit: fc.constantFrom(...Array.from('qxz0-')), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const host = `${labels.join('.')}.org`;
      const registrable = `${labels.at(-1)}.org`;
      expect(brandSignalOf({ host, registrable, tenant: null })).toBeNull();
    }),
  );
});
