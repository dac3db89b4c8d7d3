import { describe, expect, test } from 'vitest';
import { type EchoMember, echoLineages, findEchoes, type SharedDates } from './echoes.ts';

const member = (number: number, cluster: string, more: Partial<EchoMember> = {}): EchoMember => ({
  number,
  cluster,
  aggregate: false,
  echoes: {},
  ...more,
});
const FOX = member(1, 'abuse-ch');
const TRAIL = member(2, 'maltrail');
const shared = (given: Partial<SharedDates> = {}): SharedDates => ({
  source: 2,
  original: 1,
  kind: 'ip',
  entries: 1_000,
  common: 300,
  later: 260,
  ...given,
});
const echoesOf = (pair: Partial<SharedDates>, ...members: readonly EchoMember[]) =>
  findEchoes(members.length > 0 ? members : [FOX, TRAIL], [shared(pair)]);

describe('a source that has another one’s entries later', () => {
  test('is an echo of it for that kind alone', () => {
    expect(echoesOf({})).toMatchObject([{ source: 2, original: 1, kind: 'ip', share: 0.3 }]);
    expect(echoLineages([FOX, TRAIL], echoesOf({}))).toEqual(new Map([[2, { ip: 'abuse-ch' }]]));
  });

  test.each<[string, Partial<SharedDates>]>([
    ['shares too little', { common: 190, later: 190 }],
    ['is as often first', { later: 200 }],
    ['shares too few entries to tell', { entries: 200, common: 99, later: 99 }],
  ])('is none when it %s', (_, pair) => {
    expect(echoesOf(pair)).toEqual([]);
  });

  test('is none of its own lineage, and aggregates neither echo nor are echoed', () => {
    expect(echoesOf({}, FOX, member(2, 'abuse-ch'))).toEqual([]);
    expect(echoesOf({}, FOX, member(2, 'sum', { aggregate: true }))).toEqual([]);
    expect(echoesOf({}, member(1, 'sum', { aggregate: true }), TRAIL)).toEqual([]);
  });

  test('stays an echo until it is clearly none, so that it does not change sides every night', () => {
    const before = member(2, 'maltrail', { echoes: { ip: 'abuse-ch' } });
    expect(echoesOf({ common: 160, later: 115 })).toEqual([]);
    expect(echoesOf({ common: 160, later: 115 }, FOX, before)).toHaveLength(1);
    expect(echoesOf({ common: 160, later: 100 }, FOX, before)).toEqual([]);
  });
});

describe('several originals', () => {
  const copy = member(3, 'copy');

  test('the one with most common entries counts', () => {
    const pairs = [shared({ source: 3, original: 2, common: 250, later: 250 }), shared({ source: 3 })];
    expect(findEchoes([FOX, TRAIL, copy], pairs)).toMatchObject([{ original: 1 }]);
  });

  test('the echo of an echo counts for the first of the chain', () => {
    const pairs = [shared({ source: 3, original: 2 }), shared({})];
    const members = [FOX, TRAIL, copy];
    expect(echoLineages(members, findEchoes(members, pairs))).toEqual(
      new Map([
        [3, { ip: 'abuse-ch' }],
        [2, { ip: 'abuse-ch' }],
      ]),
    );
  });
});
