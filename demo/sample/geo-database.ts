import { type MmdbValue, makeMmdb } from './make-mmdb.ts';
import { NETWORKS, type SampleNetwork } from './networks.ts';

export const makeGeoDatabase = (builtAtMs: number): Buffer =>
  makeMmdb(
    Object.fromEntries(
      NETWORKS.flatMap((network) => [
        [`${network.prefix4}.0.0/16`, placeOf(network)],
        [`${network.prefix6}::/32`, placeOf(network)],
      ]),
    ),
    { type: 'Assay-Sample-City', builtAtS: Math.floor(builtAtMs / 1_000) },
  );

const placeOf = (network: SampleNetwork): MmdbValue => ({
  city: { names: { en: network.city } },
  state1: network.region,
  country: { iso_code: network.countryCode, names: { en: network.country } },
  location: { latitude: network.latitude, longitude: network.longitude, time_zone: network.timeZone },
  traits: { isp: network.name, organization: network.name },
});
