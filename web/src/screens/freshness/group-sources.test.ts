import type { DatasetStatus } from '@assay/sdk';
import { describe, expect, test } from 'vitest';
import { filterOf, groupSources, kindsOf, matching, NO_FILTER, searchOf } from './group-sources.ts';

const source = (id: string, given: Partial<DatasetStatus> = {}): DatasetStatus => ({
  id,
  label: `List ${id}`,
  status: 'fresh',
  lastUpdatedAt: null,
  ageHours: 1,
  slaHours: 24,
  records: 1,
  message: null,
  category: 'phishing',
  threatClass: 'threat',
  cause: null,
  reason: null,
  movedDays: 0,
  ...given,
});
const needs = (key: string) =>
  ({ status: 'failing', cause: 'key', reason: `This source needs a key: set ${key}.` }) as const;

describe('the groups of sources', () => {
  test('the worst status first, and each reason once, the one with the most sources first', () => {
    const groups = groupSources([
      source('b', needs('ONE_KEY')),
      source('c', needs('OTHER_KEY')),
      source('a', needs('ONE_KEY')),
      source('d', { status: 'missing', cause: 'waiting', reason: 'It has never been loaded.' }),
      source('e'),
    ]);
    expect(groups.map(({ status, count, summary }) => [status, count, summary])).toEqual([
      ['failing', 3, '3 wait for a key.'],
      ['missing', 1, ''],
      ['fresh', 1, ''],
    ]);
    expect(groups[0]?.groups.map(({ heading, datasets }) => [heading, datasets.map(({ id }) => id)])).toEqual(
      [
        ['2 sources: This source needs a key: set ONE_KEY.', ['a', 'b']],
        ['This source needs a key: set OTHER_KEY.', ['c']],
      ],
    );
  });

  test('fresh sources by kind: threats by what they accuse of, the others by what they are for', () => {
    const [fresh] = groupSources([
      source('z', { category: 'c2' }),
      source('y'),
      source('x', { threatClass: 'allowlist', category: 'popular' }),
      source('w'),
    ]);
    expect(fresh?.groups.map(({ heading }) => heading)).toEqual([
      'C2, 1 source',
      'Known-good and popularity lists, 1 source',
      'Phishing, 2 sources',
    ]);
  });

  test('a reason that an older service does not send is its message', () => {
    const old = { status: 'failing', reason: undefined, message: 'The publisher answered 503.' } as const;
    const [failing] = groupSources([source('a', old as unknown as Partial<DatasetStatus>)]);
    expect(failing?.groups[0]?.heading).toBe('The publisher answered 503.');
  });

  test('every source is in exactly one group', () => {
    const all = Array.from({ length: 219 }, (_, nth) =>
      source(String(nth), nth % 3 === 0 ? needs(`KEY_${nth % 4}`) : { category: `kind-${nth % 7}` }),
    );
    const shown = groupSources(all).flatMap(({ groups }) => groups.flatMap(({ datasets }) => datasets));
    expect(shown.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });
});

describe('the filter of the page', () => {
  const all = [
    source('urlhaus', { label: 'URLhaus', category: 'malware' }),
    source('tranco', { label: 'Tranco', threatClass: 'allowlist' }),
    source('phish', { label: 'Phish of the day', ...needs('ONE_KEY') }),
  ];
  const found = (given: Partial<typeof NO_FILTER>) =>
    matching(all, { ...NO_FILTER, ...given }).map(({ id }) => id);

  test('finds by name, id and kind, in any order and case', () => {
    expect(found({})).toHaveLength(3);
    expect(found({ text: 'URLHAUS' })).toEqual(['urlhaus']);
    expect(found({ text: 'day phish' })).toEqual(['phish']);
    expect(found({ text: 'popularity' })).toEqual(['tranco']);
    expect(found({ text: 'nothing of the kind' })).toEqual([]);
  });

  test('status and kind narrow it, and both can be combined', () => {
    expect(found({ status: 'failing' })).toEqual(['phish']);
    expect(found({ kind: 'malware' })).toEqual(['urlhaus']);
    expect(found({ kind: 'malware', status: 'failing' })).toEqual([]);
    expect(kindsOf(all).map(({ kind, count }) => `${kind} ${count}`)).toEqual([
      'allowlist 1',
      'malware 1',
      'phishing 1',
    ]);
  });

  test('survives the address, and a state that does not exist is no filter', () => {
    const filter = { text: 'a b', status: 'stale', kind: 'c2' } as const;
    expect(filterOf(searchOf(filter))).toEqual(filter);
    expect(searchOf(NO_FILTER)).toEqual({ q: undefined, state: undefined, kind: undefined });
    expect(filterOf({ state: 'constructor' })).toEqual(NO_FILTER);
  });
});
