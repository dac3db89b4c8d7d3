import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cidr4, Cidr6 } from '#domain/indicator/index.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';

let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(Date.UTC(2026, 8, 1));
  await listed.list('ips', ['41.1.7.255', '41.1.8.0', '41.1.8.9', '41.1.15.255', '41.1.16.0', '41.1.8.0/24']);
  await listed.list('exits', ['41.1.9.9'], { threatClass: 'infrastructure' });
  await listed.list('last', [
    '255.255.255.254',
    '41.3.0.1',
    '41.1.250.1',
    '2000::1',
    '2a0c:1:2::1',
    '2a0c:1:3::1',
  ]);
});
afterAll(() => listed.close());

const within = (text: string, limit = 50) =>
  listed.corpus.accusedWithin(indicatorOf(text) as Cidr4 | Cidr6, limit);

test('the accused addresses of a range whose end is no whole byte, in order, without those next to it', () => {
  expect(within('41.1.8.0/21')).toEqual({
    addresses: ['41.1.8.0', '41.1.8.9', '41.1.15.255'],
    total: 3,
    space: 2_048,
  });
});

test('addresses above the limit are counted but not returned', () => {
  expect(within('41.1.0.0/16', 2)).toEqual({
    addresses: ['41.1.7.255', '41.1.8.0'],
    total: 6,
    space: 65_536,
  });
});

test('IPv6, the end of the address space, and the whole address space', () => {
  expect(within('2a0c:1:2::/48').addresses).toEqual(['2a0c:1:2::1']);
  expect(within('255.255.255.0/24').addresses).toEqual(['255.255.255.254']);
  expect(within('41.1.248.0/21').addresses).toEqual(['41.1.250.1']);
  expect(within('0.0.0.0/0').total).toBe(8);
  expect(within('10.0.0.0/8')).toEqual({ addresses: [], total: 0, space: 2 ** 24 });
  expect(within('2a0c:1:2::/48').space).toBe(65_536);
});

test('what sources name inside a range without accusing it: ranges and addresses, not the range itself or what lies around it', async () => {
  await listed.list('cloud', ['41.1.0.0/16', '41.1.8.0/21', '41.1.8.0/24', '41.1.9.64/26', '41.2.0.0/24'], {
    threatClass: 'infrastructure',
  });
  const described = (text: string, keysMax = 100) => {
    const { values, isPartial } = listed.corpus.describedWithin(indicatorOf(text) as Cidr4 | Cidr6, keysMax);
    return { values: values.map(({ value }) => value), isPartial };
  };
  expect(described('41.1.8.0/21')).toEqual({
    values: ['41.1.8.0/24', '41.1.9.64/26', '41.1.9.9'],
    isPartial: false,
  });
  expect(described('41.1.8.0/21', 2)).toMatchObject({ isPartial: true });
  expect(described('41.3.0.0/16')).toEqual({ values: [], isPartial: false });
});
