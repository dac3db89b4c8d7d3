import { expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { KIND, keyOf } from '../indicator-key.ts';
import { textOfKey } from '../indicator-of-key.ts';
import { askedKeys } from './asked-keys.ts';

const indicator = (text: string): Indicator => {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
};
const asked = (text: string) => askedKeys([indicator(text)]);
const texts = (keys: readonly Buffer[]) => keys.map(textOfKey);

test('an IPv4 address needs its own key and every range around it', () => {
  const listings = texts(asked('11.22.33.44').listings);
  expect(listings).toHaveLength(34);
  for (const wanted of [
    '11.22.33.44',
    '11.22.33.44/32',
    '11.22.33.32/28',
    '11.22.33.0/24',
    '11.0.0.0/8',
    '0.0.0.0/0',
  ])
    expect(listings).toContain(wanted);
});

test('an IPv6 address needs its own key, 129 ranges and the others of its /64', () => {
  const { listings, sites } = asked('2a0b:f4c2:1:2::77');
  expect(listings).toHaveLength(130);
  expect(texts(listings)).toContain('2a0b:f4c0::/29');
  expect(sites.map(({ first, last }) => [textOfKey(first), textOfKey(last)])).toEqual([
    ['2a0b:f4c2:1:2::', '2a0b:f4c2:1:2:ffff:ffff:ffff:ffff'],
  ]);
});

test('a name needs its parents down to the registrable domain, and the entries on it', () => {
  const { listings, related, sites } = asked('a.b.example.co.uk');
  expect(texts(listings)).toEqual(['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']);
  expect(texts(related)).toEqual(['a.b.example.co.uk']);
  expect(sites).toEqual([]);
});

test('a URL on an address needs its text, the address and its ranges; a digest needs its siblings', () => {
  const page = asked('http://11.22.33.44/x.sh');
  expect(page.listings).toHaveLength(35);
  expect(page.listings[0]?.[0]).toBe(KIND.url);
  const file = asked('aa'.repeat(32));
  expect(file.aliases).toEqual([Buffer.from(keyOf(indicator('aa'.repeat(32))))]);
});

test('several indicators need each key once', () => {
  const one = indicator('11.22.33.44');
  expect(askedKeys([one, one, { kind: 'asn', value: 'AS64500', number: 64_500 }]).listings).toHaveLength(35);
});
