import { describe, expect, test } from 'vitest';
import { parseAsn, parseCrypto, parseIndicator } from '#domain/indicator/index.ts';
import type { Entry } from './format.ts';
import { HAS_REAL_FILES, parserOf, type RealFile, realFiles, realText } from './real-files.fixture.ts';
import { type OpenText, readText, TEXT_FORMATS } from './text-formats.fixture.ts';

/** Files whose number of accepted entries differs from the publisher's: the number, and why. */
const KNOWN: Readonly<Record<string, number | undefined>> = {
  // Every line is invalid: the publisher collects invalid links in this file.
  'feeds/phishing-database/phishing-links-INVALID.txt': 0,
  // 781 URLs end in an ellipsis.
  'feeds/cps-feeds/AtomSpam.txt': 2_011,
  // The content is a regular expression, which lists no value.
  'feeds/ut1/malware__expressions': 0,
  // 661 drivers have 6,343 digests; 54 drivers have none.
  'feeds/loldrivers/drivers.csv.gz': 6_343,
  // One line is 64 hexadecimal digits, which no chain uses as an address.
  'feeds/ofac-crypto/sanctioned_addresses_XMR.txt': 2,
};

const SHARE_MAX = 0.02;

const parse = (entry: Entry) => {
  if (entry.kind === 'asn') return parseAsn(entry.text);
  return entry.kind === 'crypto' ? parseCrypto(entry.text) : parseIndicator(entry.text);
};

const acceptedOf = (path: string, openText: OpenText): readonly string[] =>
  readText(openText, [realText(path)]).entries.flatMap((entry) => {
    const parsed = parse(entry);
    return parsed.ok ? [parsed.indicator.value] : [];
  });

const files = realFiles().flatMap((file: RealFile) => {
  const openText = parserOf(file);
  return openText === undefined ? [] : [{ file, openText }];
});

describe.skipIf(!HAS_REAL_FILES)('real lists (only where the data set lies beside the repository)', () => {
  test('are many', () => {
    expect(files.length).toBeGreaterThan(200);
  });

  test.each(files.map(({ file, openText }) => [file.path, file.entries, openText] as const))(
    '%s: the number of entries that its publisher states (%i)',
    (path, entries, openText) => {
      const accepted = acceptedOf(path, openText).length;
      const known = KNOWN[path];
      if (known !== undefined) expect(accepted).toBe(known);
      else expect(Math.abs(accepted - entries)).toBeLessThanOrEqual(entries * SHARE_MAX);
    },
    30_000,
  );

  test('URLhaus lists the same in each of its formats', () => {
    const read = (name: string, openText: OpenText | undefined) =>
      openText === undefined ? [] : acceptedOf(`feeds/urlhaus/urlhaus-filter-${name}`, openText).toSorted();
    const splunk = files.find(({ file }) => file.path.endsWith('splunk-online.csv.gz'))?.openText;
    const adguard = read('ag-online.txt.gz', TEXT_FORMATS.adblock);
    const names = read('unbound-online.conf', TEXT_FORMATS.unbound);
    const addresses = read('dnscrypt-blocked-ips-online.txt', TEXT_FORMATS.plain);
    expect(read('splunk-online.csv.gz', splunk)).toEqual(adguard);
    expect(read('bind-online.conf', TEXT_FORMATS.bind)).toEqual(names);
    expect(read('rpz-online.conf', TEXT_FORMATS.rpz)).toEqual(names);
    expect(read('suricata-sni-online.rules.gz', TEXT_FORMATS.suricata)).toEqual(
      [...names, ...addresses].toSorted(),
    );
    // The publisher lists only the front page of this host; an adblock rule cannot tell the two apart.
    const hosts = adguard.filter((value) => !value.includes('/') && value !== 'wegrowcoaching.com');
    expect(hosts).toEqual([...names, ...addresses].toSorted());
  });
});
