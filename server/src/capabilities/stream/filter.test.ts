import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamQuery } from './contract.ts';
import { type Filter, filterKey, matches, SEVERITIES, severityOf, TYPES } from './filter.ts';

const event = { types: ['threat.new'], severity: SEVERITIES.indexOf('high'), categories: ['c2', 'malware'] };
const filterOf = (query: object): Filter => StreamQuery.parse(query);

describe('filters of the stream (contract 6.2)', () => {
  test('without parameters everything is wanted', () => {
    expect(matches(filterOf({}), event)).toBe(true);
    expect(matches(filterOf({ types: '', categories: ' , ' }), event)).toBe(true);
  });

  test.each([
    [{ types: 'threat.new' }, true],
    [{ types: ' Threat.New , ioc.published' }, true],
    [{ types: 'ioc.published' }, false],
    [{ severity: 'high' }, true],
    [{ severity: 'critical' }, false],
    [{ categories: 'C2' }, true],
    [{ categories: 'phishing,Malware' }, true],
    [{ categories: 'phishing' }, false],
    [{ types: 'threat.new', severity: 'low', categories: 'phishing' }, false],
  ])('%j: %s', (query, wanted) => {
    expect(matches(filterOf(query), event)).toBe(wanted);
  });

  test('a gap is for every reader', () => {
    const gap = { types: [], severity: 0, categories: [] };
    expect(matches(filterOf({ types: 'ioc.published', severity: 'critical', categories: 'x' }), gap)).toBe(
      true,
    );
  });

  test('safe, inconclusive and what is not judged are low (O40)', () => {
    expect(['safe', 'inconclusive', null, 'low', 'medium', 'high', 'critical'].map(severityOf)).toEqual([
      'low',
      'low',
      'low',
      'low',
      'medium',
      'high',
      'critical',
    ]);
  });

  test('filters with equal keys want the same events, in whatever order and however often words are given', () => {
    const words = (from: readonly string[]) => fc.array(fc.constantFrom(...from), { maxLength: 6 });
    const filter = fc.record({
      types: words(TYPES),
      severity: fc.nat(3),
      categories: words(['a', 'b', 'c']),
    });
    const some = fc.record({
      types: words(TYPES).filter(({ length }) => length > 0),
      severity: fc.nat(3),
      categories: words(['a', 'b', 'c']),
    });
    fc.assert(
      fc.property(filter, some, (given, told) => {
        const turned = {
          ...given,
          types: [...given.types, ...given.types].reverse(),
          categories: given.categories.toReversed(),
        };
        expect(filterKey(turned)).toBe(filterKey(given));
        expect(matches(turned, told)).toBe(matches(given, told));
      }),
    );
  });
});
