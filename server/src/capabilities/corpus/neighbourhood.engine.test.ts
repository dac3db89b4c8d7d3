import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ip } from '#domain/indicator/index.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';

let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(Date.UTC(2026, 8, 1));
});
afterAll(() => listed.close());

const around = (text: string) => listed.corpus.neighbourhood(indicatorOf(text) as Ip);

test('another listed address of the same IPv6 /64 is a factor for this one', async () => {
  await listed.list('v6', ['2a0b:f4c2:1:2::1', '2a0b:f4c2:1:2::2']);
  expect(listed.found('2a0b:f4c2:1:2::99')).toEqual(['v6 site 2a0b:f4c2:1:2::/64']);
  expect(listed.found('http://[2a0b:f4c2:1:2::99]/x')).toEqual(['v6 site 2a0b:f4c2:1:2::/64']);
  expect(listed.found('2a0b:f4c2:1:3::1')).toEqual([]);
});

test('a source that lists the address itself adds no site factor; another source does', async () => {
  await listed.list('others', ['2a0b:f4c2:1:2::7']);
  expect(listed.found('2a0b:f4c2:1:2::1')).toEqual([
    'v6 exact 2a0b:f4c2:1:2::1',
    'others site 2a0b:f4c2:1:2::/64',
  ]);
});

test('a listed /64 and the site of the same /64 are separate, and ranges inside are found too', async () => {
  await listed.list('ranges', ['2a0b:f4c2:1:2::/64', '2a0b:f4c2:1:2::/127', '2a0b:f4c2::/32']);
  expect(listed.found('2a0b:f4c2:1:2::1')).toEqual([
    'v6 exact 2a0b:f4c2:1:2::1',
    'ranges cidr 2a0b:f4c2:1:2::/127',
    'others site 2a0b:f4c2:1:2::/64',
    'ranges cidr 2a0b:f4c2:1:2::/64',
    'ranges cidr 2a0b:f4c2::/32',
  ]);
});

test('a range has no site, because it is wider than one customer', () => {
  expect(listed.found('2a0b:f4c2:1:2::/96')).toEqual([
    'ranges cidr 2a0b:f4c2:1:2::/64',
    'ranges cidr 2a0b:f4c2::/32',
  ]);
});

test('neither a list that only describes nor a delisted address makes a site', async () => {
  await listed.list('exits', ['2a0b:f4c9::1'], { threatClass: 'infrastructure', attributes: ['tor-exit'] });
  await listed.list('leaves', ['2a0b:f4c9::2']);
  expect(listed.found('2a0b:f4c9::9')).toEqual(['leaves site 2a0b:f4c9::/64']);
  await listed.list('leaves', []);
  expect(listed.found('2a0b:f4c9::9')).toEqual([]);
  expect(listed.found('2a0b:f4c9::2')).toEqual(['leaves delisted exact 2a0b:f4c9::2']);
});

test('the neighbourhood of an IPv4 address is its /24: accused addresses, delisted and described ones left out', async () => {
  await listed.list('ips', ['41.1.1.0', '41.1.1.7', '41.1.1.255', '41.1.2.0', '41.1.0.255', '41.1.1.0/25']);
  await listed.list('exits', ['41.1.1.9'], { threatClass: 'infrastructure' });
  await listed.list('more', ['41.1.1.7', '41.1.1.8']);
  expect(around('41.1.1.77')).toEqual({ prefix: '41.1.1.0/24', total: 256, listed: 4 });
  await listed.list('more', ['41.1.1.7']);
  expect(around('41.1.1.77')).toEqual({ prefix: '41.1.1.0/24', total: 256, listed: 3 });
  expect(around('41.9.9.9')).toEqual({ prefix: '41.9.9.0/24', total: 256, listed: 0 });
});

test('the last /24 of the address space ends where the next kind of key begins', async () => {
  await listed.list('last', ['223.255.255.255', '2000::1']);
  expect(around('223.255.255.1')).toEqual({ prefix: '223.255.255.0/24', total: 256, listed: 1 });
});

test('the neighbourhood of an IPv6 address is its /48, counted in /64s', async () => {
  await listed.list('v6-many', ['2a0c:1:2:a::1', '2a0c:1:2:a::2', '2a0c:1:2:b::1', '2a0c:1:3::1']);
  expect(around('2a0c:1:2:ffff::1')).toEqual({ prefix: '2a0c:1:2::/48', total: 65_536, listed: 2 });
});
