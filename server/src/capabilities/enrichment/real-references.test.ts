import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { mitreOf } from '#domain/techniques/index.ts';
import { TECHNIQUE_NAMES } from '#domain/techniques/technique-names.ts';
import { IS_FULL_SIZE } from '#test/lane.ts';
import { openAsnTable } from './asn-table.ts';
import { compileReference, type ReferenceKind } from './compile-reference.ts';
import { type Edition, editionOf, type OpenedReference, openReference } from './open-edition.ts';
import { readFileBytes } from './read-file-bytes.ts';
import type { ReferenceVersion } from './store.ts';

const DATA = join(import.meta.dirname, '../../../../../shared/data');
const COUNTRIES = ['geo/geo-whois-asn-country/geo-whois-asn-country.mmdb.gz'];
const NETWORKS = ['geo/asn/asn-ipv4.csv.gz', 'geo/asn/asn-ipv6.csv.gz'];
const ATTACK = ['attack/mitre-attack/enterprise-attack.json.gz'];
const CITIES = ['geo/maxmind-test-data/GeoIP2-City-Test.mmdb'];

const ip = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(`'${text}' is no address.`);
  return parsed.indicator;
};

const contents = new Map<ReferenceKind, Uint8Array>();

async function open(kind: ReferenceKind, paths: readonly string[]): Promise<OpenedReference> {
  const parts = [];
  for (const path of paths)
    parts.push({ label: path, bytes: await readFileBytes(path, readFileSync(join(DATA, path))) });
  const { content, details } = compileReference(kind, parts);
  const row = { kind, sha256: kind, dataAtMs: 1, details } as unknown as ReferenceVersion;
  contents.set(kind, content);
  return openReference(row, Buffer.from(content));
}

const isThere = [...COUNTRIES, ...NETWORKS, ...ATTACK, ...CITIES].every((path) =>
  existsSync(join(DATA, path)),
);
describe.skipIf(!isThere)('real files (only where the data set lies beside the repository)', () => {
  let edition: Edition;
  let cities: Edition;
  beforeAll(async () => {
    edition = editionOf([
      await open('geo', COUNTRIES),
      await open('asn', NETWORKS),
      await open('attack', ATTACK),
    ]);
    cities = editionOf([await open('geo', CITIES)]);
  });

  test.each([
    ['1.1.1.1', 13_335, 'Cloudflare, Inc.'],
    ['8.8.8.8', 15_169, 'Google LLC'],
    ['2606:4700:4700::1111', 13_335, 'Cloudflare, Inc.'],
    ['2001:4860:4860::8888', 15_169, 'Google LLC'],
    ['9.9.9.9', 19_281, 'Quad9'],
  ])('%s is in AS%i', (text, asn, name) => {
    expect(edition.book.networkOf(ip(text))).toMatchObject({ asn, name });
  });

  test.each([
    ['8.8.8.8', 'US', 'United States'],
    ['193.99.144.80', 'DE', 'Germany'],
    ['2a00:1450:4001::1', 'IE', 'Ireland'],
    ['210.130.0.1', 'JP', 'Japan'],
  ])(
    '%s is in %s, with the name of its network and nothing that the file does not know',
    (text, code, name) => {
      const geo = edition.book.geoOf(ip(text));
      expect(geo).toMatchObject({ countryCode: code, country: name, city: null, lat: null, timezone: null });
      expect(geo?.isp).toBe(edition.book.networkOf(ip(text))?.name);
      expect(geo?.org).toBe(geo?.isp);
      expect(edition.book.countryOf(ip(text))).toBe(code);
    },
  );

  test.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['192.168.1.1'],
    ['::1'],
    ['fe80::1'],
    ['2001:db8::1'],
    ['224.0.0.1'],
  ])('%s has no place', (text) => {
    expect(edition.book.geoOf(ip(text))).toBeNull();
  });

  test('a city file gives city, region, position and time zone, also for IPv6', () => {
    expect(cities.book.geoOf(ip('81.2.69.160'))).toMatchObject({
      country: 'United Kingdom',
      city: 'London',
      region: 'England',
      lat: 51.5142,
      lon: -0.0931,
      timezone: 'Europe/London',
      asn: null,
    });
    expect(cities.book.geoOf(ip('2a02:d280::1'))).toMatchObject({ countryCode: 'CZ' });
  });

  test.runIf(IS_FULL_SIZE)('opening the table takes less than 200 ms and a lookup some microseconds', () => {
    const openedMs = performance.now();
    expect(openAsnTable(contents.get('asn') ?? new Uint8Array()).rangeCount).toBeGreaterThan(500_000);
    expect(performance.now() - openedMs).toBeLessThan(200);
    const addresses = Array.from({ length: 20_000 }, (_, at) =>
      ip(`${(at % 220) + 1}.${at % 251}.${at % 241}.7`),
    );
    for (const address of addresses) edition.book.geoOf(address);
    const startMs = performance.now();
    for (const address of addresses) edition.book.geoOf(address);
    // 1 us on a quiet machine; the limit allows for a busy one.
    expect((performance.now() - startMs) / addresses.length).toBeLessThan(0.05);
  });

  test('ATT&CK: every built-in name is the one of the bundle, and every id of it is current', () => {
    const { attack } = edition;
    expect(attack?.size).toBeGreaterThan(600);
    for (const [id, name] of Object.entries(TECHNIQUE_NAMES))
      expect([id, attack?.techniqueOf(id)?.name]).toEqual([id, name]);
    const { tactics, mitigations } = mitreOf(attack, ['T1566', 'T1110', 'T1071.001']);
    expect(tactics.map(({ name }) => name)).toEqual([
      'Initial Access',
      'Credential Access',
      'Command and Control',
    ]);
    expect(mitigations).toContainEqual({ id: 'M1017', name: 'User Training' });
  });
});
