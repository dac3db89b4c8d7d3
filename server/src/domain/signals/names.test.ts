import { describe, expect, test } from 'vitest';
import { BRAND_LOOKS, imitatedBy, popularLooks } from './imitation.ts';
import { namePartsOf } from './name-parts.ts';
import { EMPTY_NAMES, nameSignalOf, scoreName } from './name-table.ts';
import { NameSample, trainNames } from './train-names.ts';

const WORDS = [
  'garden',
  'school',
  'music',
  'travel',
  'kitchen',
  'sport',
  'books',
  'photo',
  'house',
  'market',
];
const ASIDE_MIN = 200;
const LURES = ['login', 'verify', 'secure', 'wallet', 'account'];

/** Enough good names for a threshold: one in three is held aside. */
function samples(order: 1 | -1 = 1): readonly [readonly [NameSample], NameSample] {
  const [bad, good] = [new NameSample(9_999), new NameSample(9_999)];
  const numbers = Array.from({ length: 6 * ASIDE_MIN }, (_, at) => at);
  if (order < 0) numbers.reverse();
  for (const at of numbers) {
    const [one, other] = [WORDS[at % 10] as string, WORDS[Math.floor(at / 10) % 10] as string];
    good.add(`${one}${other}${Math.floor(at / 100).toString(36)}.com`);
    bad.add(`${LURES[at % 5]}-${LURES[Math.floor(at / 5) % 5]}${Math.floor(at / 25).toString(36)}.xyz`);
  }
  return [[bad], good];
}

describe('the owned part of a host', () => {
  test.each([
    ['www.login.example.co.uk', { text: 'example', suffix: 'co.uk', isTenant: false }],
    ['example.com', { text: 'example', suffix: 'com', isTenant: false }],
    ['a.b.github.io', { text: 'a.b', suffix: 'github.io', isTenant: true }],
    ['www.shop.github.io', { text: 'shop', suffix: 'github.io', isTenant: true }],
    ['github.io', null],
    ['www.github.io', null],
    ['a.weebly.com', { text: 'a', suffix: 'weebly.com', isTenant: true }],
    ['weebly.com', null],
    ['www.weebly.com', null],
    ['com', null],
    ['xn--mnchen-3ya.de', null],
  ] as const)('of %s', (host, parts) => {
    expect(namePartsOf(host)).toEqual(parts);
  });
});

describe('training', () => {
  const { table, heldAside } = trainNames(...samples(), ASIDE_MIN);

  test('tells lures from good names and shows the words that weighed', () => {
    expect(heldAside).toBeGreaterThanOrEqual(ASIDE_MIN);
    const signal = nameSignalOf(table, namePartsOf('www.secure-wallet-update.xyz'));
    expect(signal?.suffix).toBe('xyz');
    expect(signal?.words.join(' ')).toMatch(/secure|wallet/);
    expect(nameSignalOf(table, namePartsOf('musicgarden.com'))).toBeNull();
  });

  test('gives the same bytes for the same names in another order', () => {
    const again = trainNames(...samples(-1), ASIDE_MIN);
    expect(Buffer.from(again.table.weights).equals(Buffer.from(table.weights))).toBe(true);
    expect(again.table.threshold).toEqual(table.threshold);
  });

  test('leaves tenants of platforms to the scorecard', () => {
    const good = new NameSample(10);
    for (const name of ['shop.github.io', 'shop.weebly.com', 'github.io', 'example.org']) good.add(name);
    expect([...good].map(([name]) => name)).toEqual(['example.org']);
    expect(table.threshold.tenant).toBeNull();
    expect(nameSignalOf(table, namePartsOf('secure-login.github.io'))).toBeNull();
  });

  test('sets no threshold where too few good names are held aside', () => {
    const [bad] = samples();
    expect(trainNames(bad, new NameSample(1)).table.threshold).toEqual({ own: null, tenant: null });
  });

  test('the threshold lets .015 % of the good names held aside pass, and never a score below one', () => {
    const { weights, threshold } = table;
    const [, good] = samples();
    const scores = [...good]
      .filter(([, { order }]) => order % 3 === 0)
      .map(([, { parts }]) => scoreName({ weights }, parts));
    expect(scores.filter((score) => score >= (threshold.own ?? 0)).length / scores.length).toBeLessThan(
      0.00015,
    );
    expect(threshold.own).toBeGreaterThanOrEqual(1);
  });

  test('a name in both samples counts as bad alone', () => {
    const [bad, good] = samples();
    const before = trainNames(bad, good).good;
    for (let at = 0; at < 100; at += 1) good.add(`${LURES[at % 5]}-${LURES[at % 3]}0.xyz`);
    expect(trainNames(bad, good).good).toBe(before);
  });

  test('no table flags nothing', () => {
    expect(nameSignalOf(EMPTY_NAMES, namePartsOf('secure-login.xyz'))).toBeNull();
  });
});

describe('imitation', () => {
  const looks = popularLooks(['google.com', 'paypal.com', 'xn--mnchen-3ya.de', 'wikipedia.org']);

  test('an internationalised name that reads as a popular one names it', () => {
    expect(imitatedBy('xn--pypal-4ve.com', looks)).toBe('paypal.com');
    expect(imitatedBy('login.xn--pypal-4ve.com', looks)).toBe('paypal.com');
  });

  test('the brand table needs no training', () => {
    expect(imitatedBy('xn--pple-43d.com', BRAND_LOOKS)).toBe('apple.com');
    expect(imitatedBy('apple.com', BRAND_LOOKS)).toBeNull();
  });

  test.each([
    'paypal.com',
    'paypa1.com',
    'xn--pypal-4ve.net',
    'xn--mnchen-3ya.de',
    'xn--pypal-4ve.paypal.com',
  ])('%s imitates none', (host) => {
    expect(imitatedBy(host, looks)).toBeNull();
  });
});
