import { describe, expect, test } from 'vitest';
import { matchCve } from './match-cve.ts';
import { NO_LINKS } from './product-names.ts';
import { packageOfPurl, parsePurl } from './purl.ts';
import { readCveRecord } from './read-cve-record.ts';
import { readOsv } from './read-osv.ts';
import type { CveReading } from './told.ts';

/** Records as publishers wrote them, shortened, with what they mean for versions before, inside and after the flaw. */
const NOTHING = { vendor: null, product: null, version: null, cpe: null, purl: null, ecosystem: null };
const ask = ({ told }: CveReading, given: Partial<typeof NOTHING> | object): string => {
  const found = matchCve({ ...NOTHING, ...given }, told, { links: NO_LINKS, environment: [] });
  if (found === null) return 'absent';
  const { status, reason, fixedVersion } = found;
  return [status, reason, fixedVersion].filter((part) => part !== null).join(' ');
};
const osv = (affected: object, rest: object = {}) =>
  readOsv('x', JSON.stringify({ id: 'GHSA-1', aliases: ['CVE-2030-0001'], affected: [affected], ...rest }));
const cve = (affected: readonly object[]) =>
  readCveRecord('x', {
    dataType: 'CVE_RECORD',
    dataVersion: '5.1',
    cveMetadata: { cveId: 'CVE-2030-0001', state: 'PUBLISHED' },
    containers: { cna: { affected, descriptions: [{ lang: 'en', value: 'A flaw.' }] } },
  });
const versionsOf = (reading: CveReading, purl: string, versions: readonly string[]) =>
  versions.map((version) => ask(reading, { purl: `${purl}@${version}`, version }));
const productOf = (reading: CveReading, vendor: string, product: string, versions: readonly string[]) =>
  versions.map((version) => ask(reading, { vendor, product, version }));

describe('OSV', () => {
  const maven = { ecosystem: 'Maven', name: 'org.jboss.resteasy:resteasy-undertow' };
  const undertow = 'pkg:maven/org.jboss.resteasy/resteasy-undertow';

  test('a fix without a version leaves open the versions after the last one that is known', () => {
    const record = osv({
      package: maven,
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '' }] }],
      database_specific: { last_known_affected_version_range: '<= 6.2.2.Final' },
    });
    expect(versionsOf(record, undertow, ['3.0.0.Final', '6.2.2.Final', '6.2.3.Final'])).toEqual([
      'affected',
      'affected',
      'unknown unordered',
    ]);
  });

  test('a last affected version is inside', () => {
    const events = [{ introduced: '4.0.0' }, { last_affected: '4.4.0' }];
    const record = osv({ package: { ecosystem: 'npm', name: 'vm' }, ranges: [{ type: 'SEMVER', events }] });
    expect(versionsOf(record, 'pkg:npm/vm', ['3.9.9', '4.4.0', '4.4.1'])).toEqual([
      'unaffected',
      'affected',
      'unaffected',
    ]);
  });

  test('versions without ranges are all there are', () => {
    const record = osv({ package: maven, versions: ['1.0', '1.2'] });
    expect(versionsOf(record, undertow, ['1.0', '1.1'])).toEqual(['affected', 'unaffected']);
  });

  test('empty severities are no score, and the record still counts', () => {
    const record = osv(
      { package: maven, ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }] },
      { severity: [] },
    );
    expect(record.told[0]?.scores).toEqual([]);
    expect(versionsOf(record, undertow, ['1.0'])).toEqual(['affected 2.0']);
  });

  test('advisories of distributions name their CVEs as upstream, and source packages', () => {
    const events = [{ introduced: '0' }, { fixed: '3.0.11-1~deb12u2' }];
    const record = osv(
      { package: { ecosystem: 'Debian:12', name: 'openssl' }, ranges: [{ type: 'ECOSYSTEM', events }] },
      { id: 'DEBIAN-CVE-2030-0001', aliases: [], upstream: ['CVE-2030-0001'] },
    );
    const purl = (version: string) => `pkg:deb/debian/libssl3@${version}?distro=debian-12&upstream=openssl`;
    expect(packageOfPurl(parsePurl(purl('1')) as never)).toEqual({ ecosystem: 'Debian:12', name: 'openssl' });
    const versions = ['3.0.11-1~deb12u1', '3.0.11-1~deb12u2'];
    expect(versions.map((version) => ask(record, { purl: purl(version), version }))).toEqual([
      'affected 3.0.11-1~deb12u2',
      'unaffected',
    ]);
  });

  test('Alpine packages are ordered as apk does', () => {
    const events = [{ introduced: '0' }, { fixed: '1.36.1-r6' }];
    const record = osv({
      package: { ecosystem: 'Alpine:v3.19', name: 'busybox' },
      ranges: [{ type: 'ECOSYSTEM', events }],
    });
    const purl = 'pkg:apk/alpine/busybox';
    const found = ['1.36.1-r5', '1.36.1-r6', '1.36.1-r15', '1.36.1_rc2-r9'].map((version) =>
      ask(record, { purl: `${purl}@${version}?distro=alpine-3.19.1`, version }),
    );
    expect(found).toEqual(['affected 1.36.1-r6', 'unaffected', 'unaffected', 'affected 1.36.1-r6']);
  });
});

describe('CVE records', () => {
  test('Jenkins lists what is not affected, with starts above their ends', () => {
    const unaffected = (version: string, lessThan: string) => ({
      status: 'unaffected',
      version,
      lessThan,
      versionType: 'maven',
    });
    const record = cve([
      {
        vendor: 'Jenkins Project',
        product: 'Jenkins',
        defaultStatus: 'affected',
        versions: [
          unaffected('0', '1.606'),
          unaffected('2.442', '*'),
          unaffected('2.426.3', '2.426.*'),
          unaffected('2.440.1', '2.440.*'),
        ],
      },
    ]);
    expect(productOf(record, 'Jenkins Project', 'Jenkins', ['1.605', '2.441', '2.426.3', '2.442'])).toEqual([
      'unaffected',
      'affected',
      'unaffected',
      'unaffected',
    ]);
  });

  test.each(['publication', 'https://aka.ms/OfficeSecurityReleases'])(
    'a bound such as %s is no version',
    (lessThan) => {
      const versions = [{ status: 'affected', version: '10.0.0', lessThan, versionType: 'custom' }];
      const record = cve([{ vendor: 'Microsoft', product: 'Windows Server 2019', versions }]);
      expect(productOf(record, 'Microsoft', 'Windows Server 2019', ['10.0.17763'])).toEqual([
        'unknown unordered',
      ]);
    },
  );

  const range = (version: string, lessThan: string) => ({
    vendor: 'atlassian',
    product: 'confluence_data_center',
    defaultStatus: 'affected',
    versions: [{ status: 'affected', version, lessThan, versionType: 'custom' }],
  });

  test('a product in an entry for each range, affected by default, is mended after each range', () => {
    const record = cve([range('8.0.0', '8.3.3'), range('8.4.0', '8.4.3'), range('8.5.0', '8.5.2')]);
    expect(
      productOf(record, 'atlassian', 'confluence_data_center', [
        '7.19',
        '8.3.2',
        '8.3.3',
        '8.4.3',
        '8.5.1',
        '8.5.2',
      ]),
    ).toEqual([
      'affected',
      'affected 8.3.3',
      'unknown unstated',
      'unknown unstated',
      'affected 8.5.2',
      'unknown unstated',
    ]);
  });

  test('a default counts only where no statement names the version', () => {
    const stated = {
      ...range('0', '8.0.0'),
      versions: [{ status: 'unaffected', version: '0', lessThan: '8.0.0' }],
    };
    const record = cve([range('8.5.0', '8.5.2'), { ...stated, defaultStatus: 'unknown' }]);
    expect(productOf(record, 'atlassian', 'confluence_data_center', ['7.19', '8.5.1'])).toEqual([
      'unaffected',
      'affected 8.5.2',
    ]);
  });

  test('builds of a NetScaler release are compared inside their release', () => {
    const patch = (version: string, lessThan: string) => ({
      status: 'affected',
      version,
      lessThan,
      versionType: 'patch',
    });
    const record = cve([
      {
        vendor: 'Citrix',
        product: 'NetScaler ADC',
        defaultStatus: 'unaffected',
        versions: [patch('14.1', '8.50'), patch('13.1', '49.15'), patch('13.1-FIPS', '37.164')],
      },
    ]);
    expect(
      productOf(record, 'Citrix', 'NetScaler ADC', [
        '13.1-48.47',
        '13.1-49.15',
        '14.1-4.42',
        '14.1-12.35',
        '12.0-63.1',
      ]),
    ).toEqual(['affected 13.1-49.15', 'unaffected', 'affected 14.1-8.50', 'unaffected', 'unaffected']);
  });
});
