import { describe, expect, test } from 'vitest';
import { contextOf, type IndicatorContext } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { NO_SIGNALS } from '#domain/scoring/index.ts';
import { BUCKETS, indexAddresses, LISTED_NOW, type NameTable, popularLooks } from '#domain/signals/index.ts';
import { NO_SIGNAL_BOOK, type SignalBook, signalBookOf } from './signal-book.ts';
import type { SignalTables } from './signal-tables.ts';

function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

/** Every name scores zero, which is enough. */
const ANY_NAME: NameTable = { weights: new Int8Array(BUCKETS), threshold: { own: 0, tenant: 0 } };
const TABLES: SignalTables = {
  listed: indexAddresses(Uint32Array.of(0x14000001, 0x14000002), Uint8Array.of(LISTED_NOW, 0)),
  crowdedSystems: new Set(),
  names: ANY_NAME,
  looks: popularLooks(['wikipedia.org']),
  platforms: new Map([['weebly.com', { named: 1_333, size: 400 }]]),
};
const TRAINED = signalBookOf('0badcafe', TABLES);

const signalsOf = (book: SignalBook, text: string, given: Partial<IndicatorContext> = {}) => {
  const subject = indicatorOf(text);
  return book.signalsOf(subject, { ...contextOf([], subject), ...given }, EMPTY_BOOK);
};

describe('before any training', () => {
  test.each([
    ['аpple.com', 'apple.com', 'swapped'],
    ['еbay.com', 'ebay.com', undefined],
  ])('%s in foreign letters is known as %s', (text, imitates, technique) => {
    const signals = signalsOf(NO_SIGNAL_BOOK, text);
    expect(signals?.imitates).toBe(imitates);
    expect(signals?.brand?.technique).toBe(technique);
  });

  test.each([
    ['secure.bankofamerica.com.kjhd.ru', 'domainLeft'],
    ['https://secure.bankofamerica.com.kjhd.ru/login', 'domainLeft'],
    ['netflix-login.vercel.app', 'onPlatform'],
    ['paypa1.com', 'swapped'],
    ['microsoft-support.xyz', 'withLure'],
  ])('%s uses a brand by %s', (text, technique) => {
    expect(signalsOf(NO_SIGNAL_BOOK, text)?.brand?.technique).toBe(technique);
  });

  test('a tenant is judged by its text alone', () => {
    expect(signalsOf(NO_SIGNAL_BOOK, 'netflix-login-000111.weebly.com')?.tenant).toMatchObject({
      platform: 'weebly.com',
      named: 0,
      total: 13,
    });
  });

  test.each(['example.org', '20.0.0.3', 'weebly.com', 'paypal.com', 'd41d8cd98f00b204e9800998ecf8427e'])(
    '%s has none',
    (text) => {
      expect(signalsOf(NO_SIGNAL_BOOK, text)).toBeNull();
    },
  );
});

describe('after a training', () => {
  test('own domains are judged by the table of names, tenants by the scorecard of their platform', () => {
    expect(signalsOf(TRAINED, 'garden.org')).toMatchObject({ name: { suffix: 'org' }, tenant: null });
    expect(signalsOf(TRAINED, 'garden-of-roses.weebly.com')).toBeNull();
    expect(signalsOf(TRAINED, 'garden-login-123456.weebly.com')).toEqual({
      ...NO_SIGNALS,
      tenant: {
        platform: 'weebly.com',
        named: 1_333,
        total: 17,
        facts: ['digits', 'lure'],
        digits: 6,
      },
    });
    expect(signalsOf(TRAINED, 'www.weebly.com')).toBeNull();
  });

  test('an address that left its list is a neighbour', () => {
    expect(signalsOf(TRAINED, '20.0.0.3')).toEqual({ ...NO_SIGNALS, neighbourhood: 'dense' });
    expect(signalsOf(TRAINED, '20.0.0.3', { labels: ['cloud'] })).toBeNull();
  });
});

describe('guards', () => {
  const popularity = { guard: 'popularity', sourceId: 'top', rankBucket: 1_000 } as const;
  const own = { guard: 'popularity', scope: 'itself', matched: 'x', sourceId: 'top' } as const;
  const POSING = 'netflix-login-000111.weebly.com';

  test('one of the platform silences neither the scorecard nor the brand of a tenant', () => {
    const inheritedGuards = [{ ...popularity, matched: 'weebly.com' }];
    expect(signalsOf(TRAINED, POSING, { inheritedGuards })).toMatchObject({
      name: null,
      imitates: null,
      tenant: { named: 1_333 },
      brand: { technique: 'onPlatform' },
    });
  });

  test.each([
    ['the tenant itself', { guards: [own] }],
    [
      'a parent that is a tenant',
      { inheritedGuards: [{ ...popularity, matched: 'netflix-login-000111.weebly.com' }] },
    ],
    [
      'good names above',
      { inheritedGuards: [{ ...popularity, guard: 'known-good', matched: 'weebly.com' } as const] },
    ],
    ['a reserved name', { isReserved: true }],
  ])('of %s silence every signal', (_what, given) => {
    expect(signalsOf(TRAINED, POSING, given)).toBeNull();
    expect(signalsOf(TRAINED, `www.${POSING}`, given)).toBeNull();
  });

  test('a named service has none', () => {
    const subject = indicatorOf('login.microsoftonline.com');
    expect(TRAINED.signalsOf(subject, contextOf([], subject), EMPTY_BOOK)).toBeNull();
  });
});

describe('by the rules of model 2', () => {
  const past = (book: SignalBook, text: string) => {
    const subject = indicatorOf(text);
    return book.ofModelTwo(subject, contextOf([], subject), EMPTY_BOOK);
  };

  test('only addresses listed at the training count, tenants have the table of names, and brands nothing', () => {
    expect(past(TRAINED, '20.0.0.3')).toEqual({ ...NO_SIGNALS, neighbourhood: 'some' });
    expect(past(TRAINED, 'garden.github.io')).toMatchObject({ name: { suffix: 'github.io' }, tenant: null });
    expect(past(TRAINED, 'x.weebly.com')).toMatchObject({ name: { suffix: 'com' }, tenant: null });
    expect(past(NO_SIGNAL_BOOK, 'аpple.com')).toBeNull();
    expect(past(NO_SIGNAL_BOOK, 'paypa1.com')).toBeNull();
    expect(past(NO_SIGNAL_BOOK, '20.0.0.3')).toBeNull();
  });
});
