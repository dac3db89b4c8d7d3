import { expect, test } from 'vitest';
import { type Cidr4, type Cidr6, parseIndicator } from '../indicator/index.ts';
import { servicesWithin } from './services-within.ts';

function within(text: string): readonly string[] {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'cidr') throw new Error(`'${text}' is no range.`);
  return servicesWithin(parsed.indicator as Cidr4 | Cidr6).map(({ name, value }) => `${name} ${value}`);
}

test('a range has the named services of its addresses, each once with an example', () => {
  expect(within('8.0.0.0/8')).toContain('Google Public DNS 8.8.8.8');
  expect(within('9.9.9.0/24')).toEqual([expect.stringMatching(/^Quad9 9\.9\.9\./)]);
  expect(within('2001:4860::/32')).toContain('Google Public NTP 2001:4860:4806::');
  expect(within('203.0.113.0/24')).toEqual([]);
});

test('a published range counts, inside the range and around it', () => {
  expect(within('40.0.0.0/8')).toContain('Exchange Online 40.92.0.0/15');
  expect(within('40.92.7.0/24')).toEqual(['Exchange Online 40.92.0.0/15']);
});
