import { expect, test } from 'vitest';
import { listed } from './case.fixture.ts';
import { chooseFamilies } from './choose-families.ts';

test('the family that most reliability-weighted lineages name comes first', () => {
  const two = [
    listed('a', { reliability: 0.5 }, { family: 'win.remcos' }),
    listed('b', { reliability: 0.5 }, { family: 'Remcos RAT' }),
    listed('c', { reliability: 0.9 }, { family: 'AsyncRAT' }),
  ];
  expect(chooseFamilies(two)).toEqual(['Remcos', 'AsyncRAT']);
  expect(chooseFamilies(two.toReversed())).toEqual(['Remcos', 'AsyncRAT']);
});

test('lists of one lineage are one voice, with the reliability of the best of them', () => {
  expect(
    chooseFamilies([
      listed('a', { lineage: 'x', reliability: 0.5 }, { family: 'remcos' }),
      listed('b', { lineage: 'x', reliability: 0.6 }, { family: 'remcos' }),
      listed('c', { reliability: 0.7 }, { family: 'asyncrat' }),
    ]),
  ).toEqual(['AsyncRAT', 'Remcos']);
});

test('families of equal weight are in the order of their names', () => {
  expect(
    chooseFamilies([
      listed('a', {}, { family: 'xworm' }),
      listed('b', {}, { family: 'amadey' }),
      listed('c', {}, { family: 'Remcos' }),
    ]),
  ).toEqual(['Amadey', 'Remcos', 'XWorm']);
});

test('only current accusations of the subject name a family, and only words that are one', () => {
  expect(
    chooseFamilies([
      listed('left', {}, { family: 'remcos', isDelisted: true }),
      listed('near', {}, { family: 'remcos', matchType: 'child' }),
      listed('label', { threatClass: 'infrastructure' }, { family: 'remcos' }),
      listed('ads', { adOnly: true }, { family: 'remcos' }),
      listed('vague', {}, { family: 'Unknown malware' }),
      listed('silent'),
    ]),
  ).toEqual([]);
});
