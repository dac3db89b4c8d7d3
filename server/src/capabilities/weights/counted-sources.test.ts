import { expect, test } from 'vitest';
import type { Source } from '#capabilities/corpus/index.ts';
import { countedSources } from './counted-sources.ts';

const roles = (given: Partial<Source>): readonly string[] => {
  const source = {
    number: 7,
    threatClass: 'threat',
    adOnly: false,
    enabled: true,
    entries: 10,
    dataAtS: 1,
    guard: null,
    rankMax: null,
    attributes: [],
    ...given,
  } as unknown as Source;
  return Object.entries(countedSources([source]).numbers)
    .filter(([, numbers]) => numbers.length > 0)
    .map(([role]) => role);
};
const POPULAR = { threatClass: 'allowlist', guard: 'popularity' } as const;

test.each([
  ['a threat list', {}, ['threats']],
  ['a list of lists', { aggregate: true }, ['threats']],
  ['an own list has no cells', { ownList: true }, []],
  ['advertising', { adOnly: true }, []],
  ['a list that is switched off', { enabled: false }, []],
  ['a list that is empty today', { entries: 0 }, ['threats']],
  ['a list that was never loaded', { entries: 0, dataAtS: 0 }, []],
  ['ranked names', POPULAR, ['ranked']],
  ['the first 100,000 without ranks', { ...POPULAR, rankMax: 100_000 }, ['whole']],
  ['the first million without ranks', { ...POPULAR, rankMax: 1_000_000 }, ['ranked']],
  ['platforms', { threatClass: 'infrastructure', guard: 'platform' }, ['roots']],
  ['dynamic DNS', { threatClass: 'infrastructure', attributes: ['dynamic-dns'] }, ['roots']],
  ['a cloud', { threatClass: 'infrastructure', attributes: ['cloud'] }, []],
] as const)('%s', (_what, given, expected) => {
  expect(roles(given as Partial<Source>)).toEqual(expected);
});
