import { expect, test } from 'vitest';
import { ownsBrand } from './brands.ts';

test.each([
  ['yahoo.ca', 'yahoo.com'],
  ['mail.yahoo.ca', 'yahoo.com'],
  ['yahoo.com.br', 'yahoo.com'],
  ['apple.de', 'apple.com'],
  ['ikea.de', 'ikea.com'],
  ['paypal.com.au', 'paypal.com'],
  ['login.microsoftonline.com', 'microsoft.com'],
])('%s belongs to the owner of %s', (host, brand) => {
  expect(ownsBrand(host, brand)).toBe(true);
});

test.each([
  ['the code of a country that sells its names', 'yahoo.cc', 'yahoo.com'],
  ['a generic suffix', 'yahoo.top', 'yahoo.com'],
  ['a short word', 'zoom.de', 'zoom.us'],
  ['another label', 'yahoo-mail.ca', 'yahoo.com'],
  ['another owner', 'yahoo.ca', 'apple.com'],
])('%s: %s does not belong to the owner of %s', (_why, host, brand) => {
  expect(ownsBrand(host, brand)).toBe(false);
});
