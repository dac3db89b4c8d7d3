import { isBogon } from '#domain/indicator/index.ts';
import { type AttackDocument, type AttackIndex, openAttack } from '#domain/techniques/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import { type AsnTable, type AutonomousSystem, openAsnTable } from './asn-table.ts';
import { readGeoRecord } from './geo-record.ts';
import { type Mmdb, type MmdbRecord, openMmdb } from './mmdb.ts';
import { EMPTY_BOOK, type Geo, type NetworkBook } from './network-book.ts';
import type { ReferenceVersion } from './store.ts';

export type OpenedReference =
  | { readonly kind: 'geo'; readonly row: ReferenceVersion; readonly mmdb: Mmdb }
  | { readonly kind: 'asn'; readonly row: ReferenceVersion; readonly table: AsnTable }
  | { readonly kind: 'attack'; readonly row: ReferenceVersion; readonly index: AttackIndex };

export type Edition = {
  readonly book: NetworkBook;
  readonly attack: AttackIndex | null;
  readonly networks: Networks | null;
};

export type Networks = {
  readonly find: (asn: number) => AutonomousSystem | null;
  readonly dataAtMs: number;
};

const VERSION_DIGITS = 6;

export function openReference(row: ReferenceVersion, content: Buffer): OpenedReference {
  if (row.kind === 'geo') return { kind: 'geo', row, mmdb: openMmdb(content) };
  if (row.kind === 'asn') return { kind: 'asn', row, table: openAsnTable(content) };
  const document = JSON.parse(content.toString('utf8')) as AttackDocument;
  return { kind: 'attack', row, index: openAttack(document) };
}

export const EMPTY_EDITION: Edition = { book: EMPTY_BOOK, attack: null, networks: null };

export function editionOf(opened: readonly OpenedReference[]): Edition {
  if (opened.length === 0) return EMPTY_EDITION;
  const geo = opened.find((each) => each.kind === 'geo') ?? null;
  const asn = opened.find((each) => each.kind === 'asn') ?? null;
  const attack = opened.find((each) => each.kind === 'attack') ?? null;
  const networkOf: NetworkBook['networkOf'] = (ip) => asn?.table.networkOf(ip) ?? null;
  const placeOf = geo === null ? null : placesOf(geo.mmdb);
  return {
    attack: attack?.index ?? null,
    networks: asn === null ? null : { find: asn.table.autonomousSystem, dataAtMs: asn.row.dataAtMs },
    book: {
      version: versionOf(opened.map(({ row }) => row)),
      networkOf,
      countryOf: (ip) => placeOf?.(ip)?.countryCode ?? null,
      geoAtMs: geo?.row.dataAtMs ?? asn?.row.dataAtMs ?? null,
      geoOf: (ip) => {
        if (isBogon(ip)) return null;
        const [place, network] = [placeOf?.(ip) ?? null, networkOf(ip)];
        if (place === null && network === null) return null;
        return mergeGeo(place ?? NOWHERE, network?.asn ?? null, network?.name ?? null);
      },
    },
  };
}

const NOWHERE: Geo = readGeoRecord({});

/** Places are cached by record, because a file of countries has only 250 records. */
export function placesOf(mmdb: Mmdb): (ip: Parameters<Mmdb['get']>[0]) => Geo | null {
  const places = new WeakMap<MmdbRecord, Geo>();
  return (ip) => {
    const record = mmdb.get(ip);
    if (record === null) return null;
    const known = places.get(record);
    if (known !== undefined) return known;
    const place = readGeoRecord(record);
    places.set(record, place);
    return place;
  };
}

/** The network that announces the address carries its traffic, so its name is the ISP unless the geo file gives one. */
const mergeGeo = (place: Geo, asn: number | null, network: string | null): Geo => ({
  country: place.country,
  countryCode: place.countryCode,
  city: place.city,
  region: place.region,
  lat: place.lat,
  lon: place.lon,
  isp: place.isp ?? network,
  timezone: place.timezone,
  org: place.org ?? network,
  asn,
});

/** The same files give the same digits on every node, in any order of loading. */
export function versionOf(rows: readonly ReferenceVersion[]): string {
  if (rows.length === 0) return EMPTY_BOOK.version;
  const named = rows.map(({ kind, sha256, dataAtMs }) => `${kind} ${sha256} ${dataAtMs}`).sort();
  return sha256Of(named.join('\n')).slice(0, VERSION_DIGITS);
}
