import { defineRows } from '../define-rows.ts';
import { BSD, freeToUse, MIT, UNLICENSE } from '../licences.ts';

/**
 * Lists made of other lists. An aggregate never adds to other listings; the best one stands in where it says more than
 * all other listings together (scoring 3). `aggregate` is declared here and never inferred; reliability is at most
 * 0.40.
 */
const AGGREGATE = { threatClass: 'threat', letter: 'D', aggregate: true } as const;
const ADDRESSES = {
  ...AGGREGATE,
  entityTypes: ['ip'],
  category: 'abuse',
  cidrSemantics: 'observed',
} as const;

const MEMBERS_TERMS = freeToUse('MIT repository; the terms of its member lists vary');
const FIREHOL = freeToUse('aggregate of public lists (FireHOL); the terms of its members vary');

export const AGGREGATE_ROWS = defineRows({}, [
  {
    ...ADDRESSES,
    id: 'ipsum',
    name: 'IPsum',
    publisher: 'Miroslav Stampar (IPsum)',
    urls: ['https://raw.githubusercontent.com/stamparm/ipsum/master/ipsum.txt'],
    /** High, although the manifest of the data set says low, because it holds every Tor relay (scoring finding 1). */
    fpRisk: 'high',
    licence: UNLICENSE,
    isDefault: true,
    entries: 120_430,
    bytes: 1_952_079,
  },
  {
    ...ADDRESSES,
    id: 'firehol-level1',
    name: 'FireHOL level 1',
    publisher: 'FireHOL',
    urls: ['https://iplists.firehol.org/files/firehol_level1.netset'],
    lineage: 'firehol',
    licence: FIREHOL,
    entries: 4_631,
    bytes: 73_817,
    note: 'Holds bogon space (10.0.0.0/8, 127.0.0.0/8, ...), which is never listed.',
  },
  {
    ...ADDRESSES,
    id: 'firehol-level2',
    name: 'FireHOL level 2',
    publisher: 'FireHOL',
    urls: ['https://iplists.firehol.org/files/firehol_level2.netset'],
    lineage: 'firehol',
    licence: FIREHOL,
    entries: 17_924,
    bytes: 260_072,
  },
  {
    ...ADDRESSES,
    id: 'firehol-level3',
    name: 'FireHOL level 3',
    publisher: 'FireHOL',
    urls: ['https://iplists.firehol.org/files/firehol_level3.netset'],
    lineage: 'firehol',
    fpRisk: 'high',
    licence: FIREHOL,
    entries: 12_917,
    bytes: 186_899,
  },
  {
    ...ADDRESSES,
    id: 'et-block',
    name: 'Emerging Threats block list',
    publisher: 'Emerging Threats',
    urls: ['https://rules.emergingthreats.net/fwrules/emerging-Block-IPs.txt'],
    tags: ['attack-source'],
    fpRisk: 'low',
    licence: BSD,
    entries: 1_624,
    bytes: 26_589,
    note: 'Contains all of Spamhaus DROP and DShield.',
  },
  {
    ...ADDRESSES,
    id: 'romainmarcoux-ip',
    name: 'Malicious addresses by romainmarcoux',
    publisher: 'romainmarcoux',
    urls: ['aa', 'ab', 'ac', 'ad', 'ae'].map(
      (part) => `https://raw.githubusercontent.com/romainmarcoux/malicious-ip/main/full-${part}.txt`,
    ),
    lineage: 'romainmarcoux',
    licence: MEMBERS_TERMS,
    entries: 552_293,
    bytes: 7_895_599,
  },
  {
    ...AGGREGATE,
    id: 'romainmarcoux-domains',
    name: 'Malicious domains by romainmarcoux',
    publisher: 'romainmarcoux',
    urls: ['aa', 'ab'].map(
      (part) =>
        `https://raw.githubusercontent.com/romainmarcoux/malicious-domains/main/full-domains-${part}.txt`,
    ),
    entityTypes: ['domain'],
    category: 'malware',
    lineage: 'romainmarcoux',
    licence: MEMBERS_TERMS,
    entries: 195_012,
    bytes: 4_358_452,
  },
  {
    ...AGGREGATE,
    id: 'romainmarcoux-hashes',
    name: 'Malicious digests by romainmarcoux',
    publisher: 'romainmarcoux',
    urls: ['md5', 'sha1'].map(
      (digest) =>
        `https://raw.githubusercontent.com/romainmarcoux/malicious-hash/main/full-hash-${digest}-aa.txt`,
    ),
    entityTypes: ['hash'],
    category: 'malware',
    fpRisk: 'low',
    lineage: 'romainmarcoux',
    licence: MEMBERS_TERMS,
    entries: 4_695,
    bytes: 159_775,
  },
  {
    ...ADDRESSES,
    id: 'bitwire-outbound',
    name: 'Bitwire outbound',
    publisher: 'bitwire IT',
    urls: ['https://raw.githubusercontent.com/bitwire-it/ipblocklist/main/outbound.txt'],
    lineage: 'bitwire',
    licence: MIT,
    entries: 167_937,
    bytes: 2_427_301,
  },
  {
    ...ADDRESSES,
    id: 'bitwire-inbound',
    name: 'Bitwire inbound networks',
    publisher: 'bitwire IT',
    urls: [
      'https://raw.githubusercontent.com/bitwire-it/ipblocklist/main/tables/inbound/networks.txt',
      'https://raw.githubusercontent.com/bitwire-it/ipblocklist/main/tables/inbound/ipv6.txt',
    ],
    tags: ['attack-source'],
    fpRisk: 'high',
    lineage: 'bitwire',
    licence: MIT,
    entries: 214_405,
    bytes: 3_743_529,
  },
  {
    ...ADDRESSES,
    id: 'cps-collected',
    name: 'Critical Path Security collected indicators',
    publisher: 'Critical Path Security',
    urls: [
      'https://raw.githubusercontent.com/CriticalPathSecurity/Public-Intelligence-Feeds/master/cps-collected-iocs.txt',
    ],
    lineage: 'critical-path',
    licence: MIT,
    entries: 47_314,
    bytes: 675_346,
  },
]);
