import { describe, expect, test } from 'vitest';
import { openFormat } from '#capabilities/lists/index.ts';
import { CATALOGUE, findRow, settingsOf } from './catalogue.ts';
import type { CatalogueRow } from './catalogue-row.ts';

const rowOf = (id: string): CatalogueRow => {
  const row = findRow(id);
  if (row === null) throw new Error(`There is no row '${id}'.`);
  return row;
};
const idsWhere = (isWanted: (row: CatalogueRow) => boolean) =>
  CATALOGUE.filter(isWanted)
    .map(({ id }) => id)
    .toSorted();
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('rows of scanner signal', () => {
  test('that set `malicious` for more than files say how the publisher verifies its entries (O60)', () => {
    for (const { id, signal, scannerKinds, entityTypes, scannerReason } of CATALOGUE) {
      const isBeyondFiles =
        signal === 'scanner' && (scannerKinds ?? entityTypes).some((kind) => kind !== 'hash');
      expect(scannerReason !== undefined, id).toBe(isBeyondFiles);
      if (scannerReason !== undefined) expect(scannerReason, id).toMatch(/^[^\n]{40,}\.$/);
      for (const kind of scannerKinds ?? []) expect(entityTypes, id).toContain(kind);
    }
    expect(rowOf('threatfox').scannerKinds).toEqual(['ip', 'domain', 'url']);
    expect(settingsOf(rowOf('c2intelfeeds')).entityTypes).toEqual(['ip', 'domain']);
    expect(rowOf('urlhaus').scannerKinds).toEqual(['url']);
  });

  test('never verify where they repeat other lists, take votes, or are unverified (O60)', () => {
    expect(idsWhere(({ signal, aggregate }) => signal === 'scanner' && aggregate === true)).toEqual([]);
    for (const id of words(
      `cps-threatfox cps-abuse-ch c2intelfeeds-unverified phishtank urlhaus-recent urlhaus-hosts`,
    ))
      expect(rowOf(id).signal, id).toBeUndefined();
  });

  test('read the confidence where the publisher states one for each entry', () => {
    const hasConfidence = ({ format }: CatalogueRow): boolean =>
      format.kind === 'stix' ||
      (format.kind === 'json' && format.fields?.confidence !== undefined) ||
      (format.kind === 'csv' && format.confidence !== undefined);
    expect(idsWhere(hasConfidence)).toEqual(
      ['abuseipdb', 'amnesty-tech', 'cisa-stopransomware', 'phishstats', 'threatfox'].toSorted(),
    );
  });
});

test.each([
  [
    'threatfox',
    '{"1":[{"ioc_value":"45.9.148.1:443","ioc_type":"ip:port","threat_type":"botnet_cc","malware_printable":"Cobalt Strike","first_seen_utc":"2026-08-22 06:00:00","last_seen_utc":null,"confidence_level":100}],"2":[{"ioc_value":"45.9.148.2:443","confidence_level":50}],"3":[{"ioc_value":"45.9.148.3:443"}]}',
    [100, 50, undefined],
  ],
  [
    'abuseipdb',
    '{"data":[{"ipAddress":"45.9.148.1","abuseConfidenceScore":97,"lastReportedAt":"2026-08-22T06:00:00+00:00"}]}',
    [97],
  ],
  [
    'phishstats',
    '# Date,Score,URL,IP\n"2026-08-22 06:00:00","7.10","http://login.example.top/","45.9.148.1"\n',
    [71],
  ],
])('the live format of %s gives the confidence that its publisher states', (id, text, expected) => {
  const found: (number | undefined)[] = [];
  const parser = openFormat(rowOf(id).format, {
    entry: ({ confidence }) => found.push(confidence),
    unsupported: () => undefined,
    rejected: () => undefined,
    dataDate: () => undefined,
  });
  parser.write(text);
  parser.end();
  expect(found).toEqual(expected);
});

describe('context rows', () => {
  test('of rentable clouds label and never guard; all of them carry the tag that cuts delivery networks', () => {
    expect(idsWhere(({ rentable }) => rentable === true)).toEqual(
      words(`
        aws azure digitalocean gcp linode misp-amazon-aws misp-google-gcp misp-microsoft-azure misp-oracle-oci
        misp-ovh-cluster oracle-cloud vultr
      `),
    );
    for (const { id, rentable } of CATALOGUE)
      expect(settingsOf(rowOf(id)).tags?.includes('rentable'), id).toBe(rentable === true);
    for (const { threatClass, attributes, guard } of CATALOGUE.filter(({ rentable }) => rentable === true))
      expect([threatClass, attributes, guard]).toEqual(['infrastructure', ['cloud'], undefined]);
    // The one delivery network that rents servers inside its ranges: both lists are loaded, or neither.
    expect([rowOf('misp-akamai').isDefault, rowOf('linode').isDefault]).toEqual([true, true]);
  });

  test('of scanners label and guard in one row, so that one lookup decides both', () => {
    const isLabelled = ({ attributes }: CatalogueRow): boolean => attributes?.includes('scanner') === true;
    expect(idsWhere(isLabelled)).toEqual(idsWhere(({ guard }) => guard === 'scanner'));
    // Without attributes the category of a list that does not accuse becomes its label.
    const byCategory = ({ threatClass, attributes = [], category }: CatalogueRow): boolean =>
      threatClass !== 'threat' && attributes.length === 0 && category === 'scanner';
    expect(idsWhere(byCategory)).toEqual([]);
  });
});
