import { describe, expect, test } from 'vitest';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { registrySource } from '#test/registry.ts';
import { contextOf, type IndicatorContext } from './context.ts';
import type { Source } from './contract.ts';
import type { Listing } from './listing-reader.ts';

type Given = Partial<Source> & { matchType?: Listing['matchType']; matched?: string; rank?: number };

function indicatorOf(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}

/** The context of `text` when the given lists hold it; the match is exact unless stated otherwise. */
function context(text: string, ...lists: readonly Given[]): IndicatorContext {
  const indicator = indicatorOf(text);
  const listings = lists.map(({ matchType = 'exact', matched, rank, ...source }, at): Listing => {
    const listing = {
      source: registrySource({ number: at + 1, threatClass: 'infrastructure', ...source }),
      matchType,
      matched: matched ?? indicator.value,
      firstSeenS: 0,
      lastSeenS: 0,
      confidence: -1,
      dating: 'own' as const,
    };
    return rank === undefined ? listing : { ...listing, rank };
  });
  return contextOf(listings, indicator);
}
const guardsOf = (given: IndicatorContext): string[] => given.guards.map(({ guard }) => guard);

describe('guard sets by name (scoring ruling 9)', () => {
  test.each<[string, string, Given, string[]]>([
    ['a CDN edge', '104.16.1.1', { id: 'cloudflare', guard: 'service', matchType: 'cidr' }, ['service']],
    [
      'a mail provider',
      '209.85.128.1',
      { id: 'google-gmail-sending-ips', guard: 'service', matchType: 'cidr' },
      ['service'],
    ],
    ['a revocation host', 'crl.certum.pl', { id: 'crl-hostname', guard: 'service' }, ['service']],
    [
      'a privacy relay',
      '172.224.1.1',
      { id: 'icloud-private-relay', guard: 'shared-egress', matchType: 'cidr' },
      ['shared-egress'],
    ],
    [
      'a research scanner',
      '162.142.125.1',
      { id: 'censys-scanning', guard: 'scanner', matchType: 'cidr' },
      ['scanner'],
    ],
    ['a Tor exit', '185.220.101.1', { id: 'tor-exits', guard: 'anonymity' }, ['anonymity']],
    [
      'a known-good file',
      'd41d8cd98f00b204e9800998ecf8427e',
      { id: 'empty-hashes', guard: 'known-good' },
      ['known-good'],
    ],
    ['a shortener', 'bit.ly', { id: 'url-shortener', guard: 'platform' }, ['platform']],
    ['a cloud', '3.5.140.1', { id: 'amazon-aws', attributes: ['cloud'], matchType: 'cidr' }, []],
    ['a VPN range', '5.8.16.1', { id: 'vpn-ipv4', attributes: ['vpn'], matchType: 'cidr' }, []],
    ['an open resolver', '11.8.8.8', { id: 'public-dns-v4', attributes: ['dns-resolver'] }, []],
    ['dynamic DNS', 'home.example.com', { id: 'dynamic-dns', attributes: ['dynamic-dns'] }, ['platform']],
  ])('%s', (_, text, list, expected) => {
    expect(guardsOf(context(text, list))).toEqual(expected);
  });

  test('a range inside a guarded range is guarded', () => {
    const given = context('104.16.0.0/16', { guard: 'service', matchType: 'cidr', matched: '104.16.0.0/13' });
    expect(guardsOf(given)).toEqual(['service']);
  });

  test('a file is known to be good under any of its digests', () => {
    const given = context('d41d8cd98f00b204e9800998ecf8427e', { guard: 'known-good', matchType: 'alias' });
    expect(guardsOf(given)).toEqual(['known-good']);
  });
});

describe('a list that accuses never guards', () => {
  test('even if its registry row names a guard', () => {
    const given = context('104.16.1.1', { threatClass: 'threat', guard: 'service', attributes: ['cdn'] });
    expect(given.guards).toEqual([]);
    expect(given.labels).toEqual([]);
  });
});

describe('popularity counts for the exact host only', () => {
  const tranco = { id: 'tranco', threatClass: 'allowlist', guard: 'popularity' } as const;

  test.each([
    [1, 1_000],
    [1_000, 1_000],
    [1_001, 10_000],
    [10_000, 10_000],
    [100_000, 100_000],
    [100_001, 1_000_000],
    [1_000_000, 1_000_000],
  ])('place %i is among the first %i', (rank, bucket) => {
    const given = context('example.com', { ...tranco, rank });
    expect(given.rankBucket).toBe(bucket);
    expect(guardsOf(given)).toEqual(['popularity']);
  });

  test('past the first million it guards nothing', () => {
    const given = context('example.com', { ...tranco, rank: 1_000_001 });
    expect(given.rankBucket).toBeNull();
    expect(given.guards).toEqual([]);
  });

  test('a list without ranks says "among the first N", and without N nothing', () => {
    expect(context('example.com', { ...tranco, rankMax: 10_000 }).rankBucket).toBe(10_000);
    expect(context('example.com', { ...tranco }).guards).toEqual([]);
  });

  test('the best place counts, in any order', () => {
    const lists = [
      { ...tranco, rank: 50_000 },
      { ...tranco, rank: 900 },
      { ...tranco, rankMax: 10_000 },
    ];
    expect(context('example.com', ...lists).rankBucket).toBe(1_000);
    expect(context('example.com', ...lists.toReversed()).rankBucket).toBe(1_000);
  });

  test('a child does not inherit it, nor that its parent is known to be good', () => {
    const given = context(
      'evil.example.com',
      { ...tranco, rank: 5, matchType: 'parent', matched: 'example.com' },
      { threatClass: 'allowlist', guard: 'known-good', matchType: 'parent', matched: 'example.com' },
    );
    expect(given).toMatchObject({ guards: [], rankBucket: null, labels: [] });
  });

  test('a page has it through its host, and is told so', () => {
    const given = context('https://example.com/x.exe', { ...tranco, rank: 5, matched: 'example.com' });
    expect(given.guards).toEqual([
      { guard: 'popularity', scope: 'host', matched: 'example.com', sourceId: 'tranco' },
    ]);
  });

  test('a mail address does not have it through its domain', () => {
    const given = context('a@example.com', {
      ...tranco,
      rank: 5,
      matchType: 'parent',
      matched: 'example.com',
    });
    expect(given.guards).toEqual([]);
  });
});

describe('platforms', () => {
  test('the base of a wildcard is one, although it is no suffix itself', () => {
    expect(context('user.fm').platform).toBe('user.fm');
    expect(context('somebody.user.fm').platform).toBe('somebody.user.fm');
  });

  test('a public suffix under which strangers register names is a platform', () => {
    const given = context('github.io');
    expect(given.platform).toBe('github.io');
    expect(given.guards).toEqual([
      { guard: 'platform', scope: 'itself', matched: 'github.io', sourceId: 'public-suffix-list' },
    ]);
  });

  test('its tenants are no platforms, and the answer names their platform', () => {
    const given = context('evil.github.io');
    expect(given.platform).toBe('github.io');
    expect(given.guards).toEqual([]);
  });

  test('a platform of our own table is named for its tenants too', () => {
    expect(context('x.weebly.com').platform).toBe('weebly.com');
    expect(context('x.weebly.com').isTenantSuffix).toBe(false);
    expect(context('www.mooo.com').platform).toBe('mooo.com');
  });

  test('a suffix of dynamic DNS that lists name is the platform of the names below it; of two the longest', () => {
    const list = { id: 'dynamic-dns', attributes: ['dynamic-dns'], matchType: 'parent' } as const;
    const near = { ...list, id: 'other', matched: 'home.example.com' };
    const given = context('me.home.example.com', { ...list, matched: 'example.com' }, near);
    expect(given).toMatchObject({ platform: 'home.example.com', isTenantSuffix: false });
    expect(context('www.example.com', { ...list, matched: 'example.com' }).platform).toBeNull();
    expect(context('a@example.com', { ...list, matched: 'example.com' }).platform).toBeNull();
  });

  test('a listed platform counts by its exact name only', () => {
    const list = { id: 'lots-project', guard: 'platform' } as const;
    expect(context('docs.google.com', list).platform).toBe('docs.google.com');
    expect(context('x.bit.ly', { ...list, matchType: 'parent', matched: 'bit.ly' }).platform).toBeNull();
  });

  test('a page on one has it as the context of its host', () => {
    const given = context('https://bit.ly/abc', { guard: 'platform', matched: 'bit.ly' });
    expect(given.guards.map(({ guard, scope }) => [guard, scope])).toEqual([['platform', 'host']]);
  });
});

describe('labels are the words of decisions G7', () => {
  test.each([
    ['datacenter', 'cloud'],
    ['hosting', 'cloud'],
    ['private-relay', 'proxy'],
    ['reserved', 'bogon'],
    ['tor-exit', 'tor-exit'],
  ])('%s becomes %s', (given, expected) => {
    expect(context('11.1.1.1', { attributes: [given] }).labels).toEqual([expected]);
  });

  test('other words are tags', () => {
    const given = context('11.1.1.1', { attributes: ['tor-relay', 'cdn'] });
    expect([given.labels, given.tags]).toEqual([['cdn'], ['tor-relay']]);
  });

  test('a list without words says its class or its category', () => {
    expect(context('example.com', { threatClass: 'allowlist' }).labels).toEqual(['allowlist']);
    expect(context('example.com', { threatClass: 'policy', category: 'gambling' }).tags).toEqual([
      'gambling',
    ]);
  });

  test('children inherit what kind of thing a parent is, but not that it is good', () => {
    const given = context(
      'home.dyn.example.com',
      { attributes: ['dynamic-dns'], matchType: 'parent', matched: 'dyn.example.com' },
      { attributes: ['allowlist'], matchType: 'parent', matched: 'example.com' },
    );
    expect(given.labels).toEqual(['dynamic-dns']);
  });
});

test.each(['10.1.2.3', '127.0.0.1', '192.168.0.0/24', 'http://169.254.169.254/latest', 'fe80::1'])(
  '%s is reserved: labelled as such, never scored',
  (text) => {
    expect(context(text)).toMatchObject({ isReserved: true, labels: ['bogon'] });
  },
);
test.each(['8.8.8.8', 'shop.example.com', '2002:808:808::1', 'd41d8cd98f00b204e9800998ecf8427e'])(
  '%s is not reserved',
  (text) => {
    expect(context(text).isReserved).toBe(false);
  },
);

describe('named services (O53)', () => {
  test('a value of the table has its service, and no list is needed', () => {
    const given = context('8.8.8.8');
    expect(given.service).toMatchObject({ name: 'Google Public DNS', operator: 'Google', kind: 'resolver' });
    expect(given.guards).toEqual([
      { guard: 'named-service', scope: 'itself', matched: '8.8.8.8', sourceId: 'named-services' },
    ]);
  });

  test('a list of one service gives its name to what it covers', () => {
    const given = context('66.249.66.1', { id: 'googlebot', guard: 'service', matchType: 'cidr' });
    expect(given.service).toMatchObject({ name: 'Googlebot', kind: 'crawler' });
    expect(guardsOf(given)).toEqual(['named-service', 'service']);
  });

  test('a service through which strangers act is named and guards nothing', () => {
    const given = context('api.telegram.org');
    expect(given.service).toMatchObject({ name: 'Telegram Bot API', kind: 'api' });
    expect(given.guards).toEqual([]);
  });

  test('the host of a page is a service and the page is not; a mail address at it is neither', () => {
    expect(context('https://accounts.google.com/x').guards).toMatchObject([{ scope: 'host' }]);
    expect(context('somebody@smtp.gmail.com').service ?? null).toBeNull();
  });
});

describe('kinds of popularity lists (O53)', () => {
  const list = (id: string, kind: string): Given => ({
    id,
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 10_000,
    tags: [`popularity:${kind}`],
  });

  test('two lists that count the same are one kind', () => {
    const queries = [list('radar', 'queries'), list('umbrella', 'queries')];
    expect(context('shop.example.com', ...queries).popularKinds).toEqual(['queries']);
    expect(context('shop.example.com', ...queries, list('majestic', 'links')).popularKinds).toEqual([
      'links',
      'queries',
    ]);
  });

  test('a list that does not say what it counts is of the mixed kind', () => {
    expect(context('shop.example.com', { ...list('own', 'x'), tags: [] }).popularKinds).toEqual(['mixed']);
  });
});

describe('names under which strangers have names', () => {
  test.each(['weebly.com', 'wordpress.com', 'duckdns.org', 'ngrok.io'])('%s is a platform', (name) => {
    expect(context(name)).toMatchObject({ isTenantSuffix: true, platform: name });
  });

  test('a name on a list of dynamic DNS is one, and the names below it are not', () => {
    const list = { id: 'misp-dynamic-dns', attributes: ['dynamic-dns'] };
    expect(context('mooo.com', list).isTenantSuffix).toBe(true);
    const below = context('home.mooo.com', { ...list, matchType: 'parent', matched: 'mooo.com' });
    expect(below.isTenantSuffix).toBe(false);
  });
});

test.each(['example.com', 'www.example.org', 'https://example.net/a', 'printer.home.arpa'])(
  '%s is a reserved name and no bogon',
  (text) => {
    expect(context(text)).toMatchObject({ isReserved: true, labels: [] });
  },
);

test('several lists of one guard are one guard, named after the same list in any order', () => {
  const lists = [
    { id: 'zscaler', guard: 'shared-egress' },
    { id: 'icloud-private-relay', guard: 'shared-egress' },
    { id: 'fastly', guard: 'service' },
  ] as const;
  const expected = [
    ['service', 'fastly'],
    ['shared-egress', 'icloud-private-relay'],
  ];
  for (const order of [lists, lists.toReversed()])
    expect(context('11.1.1.1', ...order).guards.map(({ guard, sourceId }) => [guard, sourceId])).toEqual(
      expected,
    );
});
