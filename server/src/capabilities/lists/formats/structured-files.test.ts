import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSnapshotFile } from '../containers/read-snapshot-file.ts';
import type { Entry } from './format.ts';
import type { FormatSpec } from './format-spec.ts';
import { openFormat, wantsMember } from './open-format.ts';

const DATA = join(import.meta.dirname, '../../../../../../shared/data');
const HAS_DATA = existsSync(`${DATA}/MANIFEST.json`);
type Record = { readonly path: string; readonly format: string; readonly entries: number | null };
const manifest: readonly Record[] = HAS_DATA ? JSON.parse(readFileSync(`${DATA}/MANIFEST.json`, 'utf8')) : [];

async function read(path: string, spec: FormatSpec) {
  const counts = {
    entries: 0,
    unsupported: 0,
    rejected: 0,
    siblings: 0,
    references: 0,
    families: 0,
    dates: 0,
  };
  const count = (entry: Entry) => {
    counts.entries += 1;
    if (entry.siblings !== undefined) counts.siblings += 1;
    if (entry.reference !== undefined) counts.references += 1;
    if (entry.family !== undefined) counts.families += 1;
    if (entry.firstSeenMs !== undefined) counts.dates += 1;
  };
  const reasons = new Map<string, number>();
  const parser = openFormat(spec, {
    entry: count,
    unsupported: (reason) => {
      counts.unsupported += 1;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    },
    rejected: () => {
      counts.rejected += 1;
    },
    dataDate: () => undefined,
  });
  await readSnapshotFile(
    `${DATA}/${path}`,
    { bytesMax: 1024 ** 3 },
    {
      member: (name) => {
        if (!wantsMember(spec, name)) return false;
        parser.member?.(name);
        return true;
      },
      text: parser.write,
      memberEnd: () => undefined,
    },
  );
  parser.end();
  return { ...counts, reasons };
}

const each = (...paths: string[]): FormatSpec => ({ kind: 'json', each: paths });
/** `found`: the expected number of entries where the manifest counts something else; null: the manifest's number. */
const FILES: readonly (readonly [path: string, spec: FormatSpec, found: number | null])[] = [
  ['feeds/destroylist/list.json.gz', each('[*]'), null],
  ['feeds/destroylist/community-blocklist.json.gz', each('domains[*]'), null],
  ['feeds/polkadot-phishing/all.json.gz', each('deny[*]'), null],
  ['feeds/doh/doh-ipv4.json', each('[*]'), null],
  ['feeds/disposable/domains_mx.json.gz', each('[*]'), null],
  ['feeds/free-email/free-email-domains.json.gz', each('[*]'), null],
  // The manifest counts distinct ranges; a range is listed once for each service in it.
  [
    'feeds/cloud-ranges/aws-ip-ranges.json.gz',
    each('prefixes[*].ip_prefix', 'ipv6_prefixes[*].ipv6_prefix'),
    13_344,
  ],
  [
    'feeds/cloud-ranges/google-cloud-ip-ranges.json',
    each('prefixes[*].ipv4Prefix', 'prefixes[*].ipv6Prefix'),
    null,
  ],
  ['feeds/cloud-ranges/oracle-cloud-ip-ranges.json', each('regions[*].cidrs[*].cidr'), null],
  ['feeds/cloud-ranges/fastly-ip-ranges.json', each('*[*]'), null],
  ['feeds/cloud-ranges/zscaler-cloud-ip-ranges.json', each('hubPrefixes[*]'), null],
  // The manifest counts every list of the file; these five hold GitHub's own addresses.
  [
    'feeds/cloud-ranges/github-ip-ranges.json',
    each('hooks[*]', 'web[*]', 'api[*]', 'git[*]', 'pages[*]'),
    94,
  ],
  // Of 1,549, 343 and 175 indicators: the others name processes, files and profiles.
  ['feeds/amnesty-tech/pegasus.stix2.gz', { kind: 'stix' }, 1_467],
  ['feeds/amnesty-tech/cytrox.stix2.gz', { kind: 'stix' }, 336],
  ['feeds/amnesty-tech/wintego_helios.stix2', { kind: 'stix' }, 175],
  // The manifest counts every digest in the text, twice where a link repeats it, and those in file names.
  ['feeds/apt-digital-weapon/apt-digital-weapon-hashes.tar.gz', { kind: 'markdown-digests' }, 32_929],
  // The manifest counts only the lists of samples; the events hold more digests.
  ['feeds/eset-ioc/eset-malware-ioc.tar.gz', { kind: 'eset' }, 17_543],
  ['feeds/stalkerware/ioc.yaml', { kind: 'stalkerware-yaml' }, 1_659],
];

describe.skipIf(!HAS_DATA)('real files (only where the data set is)', () => {
  test.each(FILES)('%s', { timeout: 60_000 }, async (path, spec, found) => {
    const { entries, rejected } = await read(path, spec);
    const expected = found ?? manifest.find((record) => record.path === path)?.entries ?? 0;
    expect(rejected).toBeLessThanOrEqual(entries * 0.001);
    expect(Math.abs(entries - expected)).toBeLessThanOrEqual(expected * 0.02);
  });

  test('every warninglist: entries where it lists values, unsupported where it lists patterns', async () => {
    const lists = manifest.filter(({ format }) => format.startsWith('MISP warninglist'));
    for (const { path, entries, format } of lists) {
      const counts = await read(path, { kind: 'misp-warninglist' });
      const isUsable = /type=(?:string|hostname|cidr)/.test(format);
      expect([path, isUsable ? counts.entries : counts.unsupported]).toEqual([path, entries]);
      expect([path, counts.rejected]).toEqual([path, 0]);
    }
    expect(lists.length).toBe(81);
  });

  test('maltrail: every line of every trail is an entry or counted as unsupported', {
    timeout: 60_000,
  }, async () => {
    const path = 'feeds/maltrail/maltrail-static-trails.tar.gz';
    let lines = 0;
    let pathOnly = 0;
    for (const folder of ['malware', 'malicious', 'suspicious', 'mass_scanner'] as const) {
      const counts = await read(path, { kind: 'maltrail', folder });
      lines += counts.entries + counts.unsupported;
      if (folder === 'malware' || folder === 'malicious') {
        pathOnly += counts.reasons.get('A URL path without a host.') ?? 0;
        expect(counts.references).toBeGreaterThan(counts.entries * 0.99);
        expect(counts.families).toBe(counts.entries);
      }
      expect([folder, counts.rejected]).toEqual([folder, 0]);
    }
    expect(pathOnly).toBe(92_694);
    expect(Math.abs(lines - 1_852_439)).toBeLessThan(1_852_439 * 0.001);
  });

  test('ESET: the digests of a file are siblings', async () => {
    const counts = await read('feeds/eset-ioc/eset-malware-ioc.tar.gz', { kind: 'eset' });
    expect(counts.siblings).toBeGreaterThan(15_000);
  });

  test('a galaxy lists nothing', async () => {
    const counts = await read('attack/misp-galaxy/threat-actor.json.gz', { kind: 'misp-galaxy' });
    expect([counts.entries, counts.unsupported]).toEqual([0, 1_041]);
  });
});
