import { describe, expect, test } from 'vitest';
import { readGeoRecord } from './geo-record.ts';

describe('the place of a record', () => {
  test('as MaxMind and DB-IP write it', () => {
    const record = {
      country: { iso_code: 'GB', names: { en: 'United Kingdom', de: 'Vereinigtes Königreich' } },
      city: { names: { en: 'London' } },
      subdivisions: [{ names: { en: 'England' } }, { names: { en: 'Greater London' } }],
      location: { latitude: 51.5142, longitude: -0.0931, time_zone: 'Europe/London' },
      traits: { isp: 'Andrews & Arnold', organization: 'STONEHOUSE office network' },
    };
    expect(readGeoRecord(record)).toEqual({
      country: 'United Kingdom',
      countryCode: 'GB',
      city: 'London',
      region: 'England',
      lat: 51.5142,
      lon: -0.0931,
      isp: 'Andrews & Arnold',
      timezone: 'Europe/London',
      org: 'STONEHOUSE office network',
      asn: null,
    });
  });

  test('flat, as ip-location-db writes it; the name of the country comes from its code', () => {
    const record = {
      country_code: 'DE',
      city: 'Berlin',
      state1: 'Berlin',
      latitude: 52.524_398_803_710_94,
      longitude: '13.4105',
      timezone: 'Europe/Berlin',
    };
    expect(readGeoRecord(record)).toMatchObject({
      country: 'Germany',
      countryCode: 'DE',
      city: 'Berlin',
      lat: 52.5244,
      lon: 13.4105,
      timezone: 'Europe/Berlin',
    });
  });

  test('absent parts are null and never guessed: not from the registered country, not half a position', () => {
    const record = { registered_country: { iso_code: 'US' }, location: { latitude: 10 } };
    expect(Object.values(readGeoRecord(record))).toEqual(Array.from({ length: 10 }, () => null));
  });

  test.each([['ZZ'], ['de'], ['DEU'], [''], [7]])('%s is no country', (code) => {
    expect(readGeoRecord({ country_code: code })).toMatchObject({ country: null, countryCode: null });
  });

  test('positions outside the world, control characters and very long names are dropped', () => {
    const record = { latitude: 91, longitude: 0, city: `A\u0000\n${'b'.repeat(500)}` };
    const { lat, city } = readGeoRecord(record);
    expect(lat).toBeNull();
    expect(city).toMatch(/^A b+$/);
    expect(city).toHaveLength(200);
  });
});
