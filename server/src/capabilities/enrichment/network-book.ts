import type { Ip } from '#domain/indicator/index.ts';

export type NetworkFacts = {
  readonly asn: number;
  readonly name: string;
  /** The widest prefix around the address that its network announces. */
  readonly prefix: string | null;
};

/** The field `geo` (contract 2.1), with the additions of G14. Absent parts are null, never guessed. */
export type Geo = {
  readonly country: string | null;
  readonly countryCode: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly org: string | null;
  readonly asn: number | null;
};

/** One state of the local reference data: needs no network access, answers in microseconds. */
export type NetworkBook = {
  /** Six hexadecimal digits that name the loaded files; `000000` when nothing is loaded. */
  readonly version: string;
  readonly networkOf: (ip: Ip) => NetworkFacts | null;
  readonly geoOf: (ip: Ip) => Geo | null;
  /** Only the country code of the geo file, for answers with many addresses; does not exclude reserved addresses. */
  readonly countryOf: (ip: Ip) => string | null;
  /** Epoch milliseconds of the data; null without data. */
  readonly geoAtMs: number | null;
};

/** Without loaded files every lookup answers null, and `completeness.missing` says so. */
export const EMPTY_BOOK: NetworkBook = {
  version: '000000',
  networkOf: () => null,
  geoOf: () => null,
  countryOf: () => null,
  geoAtMs: null,
};
