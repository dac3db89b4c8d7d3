import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { csvList } from './csv.ts';
import type { CsvSpec } from './format-spec.ts';
import { plainList } from './plain-list.ts';
import { type OpenText, TEXT_FORMATS } from './text-formats.fixture.ts';

/** Folder of real lists; it lies beside the repository and may be absent. */
const DATA = new URL('../../../../../../shared/data/', import.meta.url);

export const HAS_REAL_FILES = existsSync(new URL('MANIFEST.json', DATA));

export type RealFile = { readonly path: string; readonly format: string; readonly entries: number };

export const realFiles = (): readonly RealFile[] =>
  HAS_REAL_FILES ? JSON.parse(readFileSync(new URL('MANIFEST.json', DATA), 'utf8')) : [];

export function realText(path: string): string {
  const bytes = readFileSync(new URL(path, DATA));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

const csv =
  (spec: Omit<CsvSpec, 'kind'>): OpenText =>
  (sink) =>
    csvList(sink, { kind: 'csv', ...spec });

const BY_PATH: Readonly<Record<string, OpenText | undefined>> = {
  'feeds/urlhaus/urlhaus-filter.txt.gz': TEXT_FORMATS.adblock,
  'feeds/urlhaus/urlhaus-filter-ag-online.txt.gz': TEXT_FORMATS.adblock,
  'feeds/urlhaus/urlhaus-filter-splunk-online.csv.gz': csv({
    header: 'first',
    values: [],
    url: { host: 'host', path: 'path' },
    lastSeen: 'updated',
  }),
  'feeds/urlhaus/urlhaus-filter-rpz-online.conf': TEXT_FORMATS.rpz,
  'feeds/urlhaus/urlhaus-filter-unbound-online.conf': TEXT_FORMATS.unbound,
  'feeds/urlhaus/urlhaus-filter-bind-online.conf': TEXT_FORMATS.bind,
  'feeds/urlhaus/urlhaus-filter-suricata-sni-online.rules.gz': TEXT_FORMATS.suricata,
  'feeds/global-anti-scam/global-anti-scam-org-scam-urls-UBL.txt.gz': TEXT_FORMATS.ublacklist,
  'feeds/phishing-database/phishing-domains-ACTIVE2.adblock.gz': TEXT_FORMATS.adblock,
  'feeds/jarelllama-scam/scams_light.txt.gz': TEXT_FORMATS.adblock,
  'feeds/blocklistproject/redirect-ags.txt.gz': TEXT_FORMATS.adblock,
  'feeds/destroylist/dnsmasq.conf.gz': TEXT_FORMATS.dnsmasq,
  'feeds/blocklistproject/drugs-dnsmasq.txt.gz': TEXT_FORMATS.dnsmasq,
  'feeds/blocklistproject/scam.txt.gz': TEXT_FORMATS.hosts,
  'feeds/blocklistproject/crypto.txt': TEXT_FORMATS.hosts,
  'feeds/blocklistproject/ransomware.txt': TEXT_FORMATS.hosts,
  'feeds/stalkerware/hosts.txt': TEXT_FORMATS.hosts,
  'feeds/stevenblack/hosts.txt.gz': TEXT_FORMATS.hosts,
  'feeds/signature-base/hash-iocs.txt.gz': TEXT_FORMATS['hash-comment'],
  'feeds/signature-base/c2-iocs.txt': TEXT_FORMATS.sectioned,
  'feeds/ut1/phishing__urls.gz': TEXT_FORMATS['plain, URLs without a scheme'],
  'feeds/x4bnet/datacenter-ASN.txt': TEXT_FORMATS['plain, systems'],
  'feeds/blackbook/blackbook.csv.gz': csv({
    header: 'first',
    values: ['Domain'],
    family: 'Malware',
    firstSeen: 'Date added',
    reference: 'Source',
  }),
  'feeds/stalkerware/samples.csv.gz': csv({ header: 'first', values: ['SHA256'], family: 'App' }),
  'feeds/stalkerware/network.csv': csv({ header: 'first', values: ['indicator'], family: 'app' }),
  'feeds/loldrivers/drivers.csv.gz': csv({
    header: 'first',
    values: ['KnownVulnerableSamples_MD5', 'KnownVulnerableSamples_SHA1', 'KnownVulnerableSamples_SHA256'],
    siblings: true,
    firstSeen: 'Created',
    reference: 'Resources',
  }),
  'feeds/cloud-ranges/digitalocean.csv': csv({ values: [0] }),
  'feeds/cloud-ranges/linode.txt': csv({ header: 'comment', delimiter: ',', values: ['ip_prefix'] }),
  'feeds/bad-asn-list/bad-asn-list.csv': csv({
    header: 'first',
    values: ['ASN'],
    entries: 'asn',
    reference: 'Entity',
  }),
  'feeds/tor-nodes/latest.exits.csv.gz': csv({ header: 'first', delimiter: ', ', values: ['ipaddr'] }),
  'feeds/tor-nodes/latest.all.csv.gz': csv({ header: 'first', delimiter: ', ', values: ['ipaddr'] }),
};

const PLAIN = /^(?:text(?:,| despite|$)|text \(|ipset\/netset|provider native txt|text AS)/;

/** The parser for a file of the data set, or undefined when its format is not a text format. */
export function parserOf(file: RealFile): OpenText | undefined {
  const known = BY_PATH[file.path];
  if (known !== undefined) return known;
  if (!file.path.startsWith('feeds/')) return undefined;
  if (/^csv(?: #|$)/.test(file.format)) return csv({ header: 'comment', values: [0], family: 'ioc' });
  if (file.path.includes('ofac-crypto')) return TEXT_FORMATS['plain, wallets'];
  return PLAIN.test(file.format) ? (sink) => plainList(sink, { kind: 'plain' }) : undefined;
}
