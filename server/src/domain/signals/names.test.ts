import { describe, expect, test } from 'vitest';
import { imitatedBy, popularLooks } from './imitation.ts';
import { namePartsOf } from './name-parts.ts';
import { EMPTY_NAMES, nameSignalOf } from './name-table.ts';
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
const ASIDE_MIN = { own: 200, tenant: 200 };
const LURES = ['login', 'verify', 'secure', 'wallet', 'account'];

/** Enough good names for a threshold: one in three is held aside. */
function samples(order: 1 | -1 = 1): readonly [readonly [NameSample], NameSample] {
  const [bad, good] = [new NameSample(9_999), new NameSample(9_999)];
  const numbers = Array.from({ length: 6 * ASIDE_MIN.own }, (_, at) => at);
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
    ['com', null],
    ['xn--mnchen-3ya.de', null],
  ] as const)('of %s', (host, parts) => {
    expect(namePartsOf(host)).toEqual(parts);
  });
});

describe('training', () => {
  const { table, heldAside } = trainNames(...samples(), ASIDE_MIN);

  test('tells lures from good names and shows the words that weighed', () => {
    expect(heldAside.own).toBeGreaterThanOrEqual(ASIDE_MIN.own);
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

  test('sets no threshold where too few good names are held aside', () => {
    expect(table.threshold.tenant).toBeNull();
    expect(nameSignalOf(table, namePartsOf('secure-login.github.io'))).toBeNull();
    const [bad] = samples();
    expect(trainNames(bad, new NameSample(1)).table.threshold).toEqual({ own: null, tenant: null });
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
