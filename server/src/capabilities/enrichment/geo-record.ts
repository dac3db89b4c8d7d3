import type { MmdbRecord } from './mmdb.ts';
import type { Geo } from './network-book.ts';

const TEXT_MAX = 200;
const COUNTRY_CODE = /^[A-Z]{2}$/;
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/**
 * A record in the layout of MaxMind (GeoLite2, GeoIP2) and DB-IP, or flat as in ip-location-db. `registered_country` is
 * not used as the country: it says where the company is registered, not where the address is.
 */
export function readGeoRecord(record: MmdbRecord): Geo {
  const country = objectOf(record.country);
  const location = objectOf(record.location) ?? record;
  const subdivisions = Array.isArray(record.subdivisions) ? record.subdivisions : [];
  const traits = objectOf(record.traits);
  const code = codeOf(country?.iso_code ?? record.country_code);
  return {
    country: nameOf(country) ?? (code === null ? null : (names.of(code) ?? null)),
    countryCode: code,
    city: nameOf(objectOf(record.city)) ?? textOf(record.city),
    region: nameOf(objectOf(subdivisions[0])) ?? textOf(record.state1),
    ...coordinatesOf(location),
    isp: textOf(traits?.isp),
    timezone: textOf(location.time_zone ?? record.timezone),
    org: textOf(traits?.organization),
    asn: null,
  };
}

/** Whether the record locates an address. Files about networks, proxies or domains have none of these fields. */
export const isGeoRecord = (record: MmdbRecord): boolean =>
  ['country', 'registered_country', 'continent', 'city', 'location', 'country_code'].some((field) =>
    Object.hasOwn(record, field),
  );

function codeOf(value: unknown): string | null {
  // Files write ZZ for an unknown country.
  return typeof value === 'string' && COUNTRY_CODE.test(value) && value !== 'ZZ' ? value : null;
}

function coordinatesOf(location: MmdbRecord): { lat: number | null; lon: number | null } {
  const [lat, lon] = [numberOf(location.latitude, 90), numberOf(location.longitude, 180)];
  return lat === null || lon === null ? { lat: null, lon: null } : { lat, lon };
}

/** ip-location-db stores 32-bit floats: the fourth decimal is ten metres, the rest is noise. */
function numberOf(value: unknown, max: number): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(Math.abs(number) <= max)) return null;
  return Math.round(number * 10_000) / 10_000;
}

const nameOf = (part: MmdbRecord | null): string | null => textOf(objectOf(part?.names)?.en);

export function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const clean = value.replace(/\p{Cc}+/gu, ' ').trim();
  return clean === '' ? null : clean.slice(0, TEXT_MAX);
}

const objectOf = (value: unknown): MmdbRecord | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MmdbRecord) : null;
