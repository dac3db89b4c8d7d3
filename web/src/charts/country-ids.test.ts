import { describe, expect, test } from 'vitest';
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' };
import { numericIdOf } from './country-ids.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const known = new Map(
  LETTERS.flatMap((a) =>
    LETTERS.flatMap((b): [string, string][] => {
      const id = numericIdOf(a + b);
      return id === null ? [] : [[id, a + b]];
    }),
  ),
);
/** The first four letters of a name, because the map and `Intl` spell many names differently after them. */
const start = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 4)
    .toLowerCase();

describe('codes of countries', () => {
  test('each of the 249 has its own number', () => {
    expect(known.size).toBe(249);
  });

  test('every country of the map that has a number is known by two letters', () => {
    const ids = atlas.objects.countries.geometries.flatMap((each) =>
      'id' in each && each.id ? [each.id] : [],
    );
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(170);
  });

  test('two-letter codes and map ids mean the same country', () => {
    const names = new Intl.DisplayNames('en', { type: 'region' });
    const different = atlas.objects.countries.geometries.flatMap((each) => {
      const letters = 'id' in each && each.id ? known.get(each.id) : undefined;
      const name = letters === undefined ? undefined : names.of(letters);
      return name === undefined || start(name) === start(each.properties.name) ? [] : [`${letters} ${name}`];
    });
    // The map spells the beginning of these names differently, so the first letters cannot confirm their codes.
    expect(different).toEqual([
      'EH Western Sahara',
      'CD Congo - Kinshasa',
      'TF French Southern Territories',
      'GQ Equatorial Guinea',
      'TR Türkiye',
      'MK North Macedonia',
      'SS South Sudan',
    ]);
  });

  test('letters in any case are understood, others are not', () => {
    expect(numericIdOf('de')).toBe('276');
    expect(numericIdOf('XX')).toBeNull();
  });
});
