import { DAY, defineRows, HOUR } from '../define-rows.ts';
import { CC0, PROVIDER_RANGES } from '../licences.ts';

const IP_RANGES = 'https://raw.githubusercontent.com/lord-alfred/ipranges/main';
/** The common layout of Google, Bing and OpenAI. */
const PREFIXES = { kind: 'json', each: ['prefixes[*].ipv4Prefix', 'prefixes[*].ipv6Prefix'] } as const;

const OWN_RANGES = {
  threatClass: 'infrastructure',
  entityTypes: ['ip'],
  fpRisk: 'low',
  licence: PROVIDER_RANGES,
} as const;
/** Clouds are labels, never guards, because customers run the servers (scoring ruling 9). */
const CLOUD = { ...OWN_RANGES, category: 'cloud', attributes: ['cloud'] } as const;

export const CLOUD_ROWS = defineRows(CLOUD, [
  {
    id: 'aws',
    name: 'Amazon Web Services ranges',
    rentable: true,
    publisher: 'Amazon Web Services',
    urls: ['https://ip-ranges.amazonaws.com/ip-ranges.json'],
    format: { kind: 'json', each: ['prefixes[*].ip_prefix', 'ipv6_prefixes[*].ipv6_prefix'] },
    tags: ['aws'],
    pollS: 6 * HOUR,
    isDefault: true,
    entries: 9_066,
    bytes: 2_063_224,
  },
  {
    id: 'gcp',
    name: 'Google Cloud ranges',
    rentable: true,
    publisher: 'Google',
    urls: ['https://www.gstatic.com/ipranges/cloud.json'],
    format: PREFIXES,
    tags: ['gcp'],
    isDefault: true,
    entries: 782,
    bytes: 80_117,
  },
  {
    id: 'google',
    name: 'Google ranges',
    publisher: 'Google',
    urls: ['https://www.gstatic.com/ipranges/goog.json'],
    format: PREFIXES,
    tags: ['google'],
    isDefault: true,
    entries: 1_366,
    bytes: 22_207,
    volume: { min: 30, max: 10_000 },
  },
  {
    id: 'azure',
    name: 'Microsoft Azure ranges',
    rentable: true,
    publisher: 'Microsoft (by lord-alfred, ipranges)',
    /** A copy with a fixed URL, because Microsoft's own URL changes every week. */
    urls: [`${IP_RANGES}/microsoft/ipv4_merged.txt`, `${IP_RANGES}/microsoft/ipv6_merged.txt`],
    tags: ['azure'],
    pollS: 7 * DAY,
    licence: CC0,
    isDefault: true,
    entries: 519,
    bytes: 7_806,
  },
  {
    id: 'oracle-cloud',
    name: 'Oracle Cloud ranges',
    rentable: true,
    publisher: 'Oracle',
    urls: ['https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json'],
    format: { kind: 'json', each: ['regions[*].cidrs[*]'], fields: { values: ['cidr'] } },
    tags: ['oci'],
    isDefault: true,
    entries: 1_102,
    bytes: 155_249,
  },
  {
    id: 'digitalocean',
    name: 'DigitalOcean ranges',
    rentable: true,
    publisher: 'DigitalOcean',
    urls: ['https://digitalocean.com/geo/google.csv'],
    format: { kind: 'csv', header: 'none', values: [0] },
    tags: ['digitalocean'],
    isDefault: true,
    entries: 1_228,
    bytes: 50_933,
  },
  {
    id: 'linode',
    name: 'Linode ranges',
    rentable: true,
    publisher: 'Linode (Akamai)',
    urls: ['https://geoip.linode.com/'],
    format: { kind: 'csv', header: 'none', values: [0] },
    tags: ['linode'],
    /** Without it the range of Akamai would guard every server that anyone rents at Linode. */
    isDefault: true,
    entries: 4_552,
    bytes: 160_039,
    volume: { min: 100, max: 50_000 },
  },
  {
    id: 'vultr',
    name: 'Vultr ranges',
    rentable: true,
    publisher: 'Vultr (by lord-alfred, ipranges)',
    urls: [`${IP_RANGES}/vultr/ipv4.txt`, `${IP_RANGES}/vultr/ipv6.txt`],
    tags: ['vultr'],
    licence: CC0,
    entries: 496,
    bytes: 7_975,
  },
]);

/** Delivery networks serve many sites from one address, so they attenuate. */
export const CDN_ROWS = defineRows(
  { ...OWN_RANGES, category: 'cdn', attributes: ['cdn'], guard: 'service' },
  [
    {
      id: 'cloudflare',
      name: 'Cloudflare ranges',
      publisher: 'Cloudflare',
      urls: ['https://www.cloudflare.com/ips-v4', 'https://www.cloudflare.com/ips-v6'],
      isDefault: true,
      entries: 22,
      bytes: 336,
    },
    {
      id: 'fastly',
      name: 'Fastly ranges',
      publisher: 'Fastly',
      urls: ['https://api.fastly.com/public-ip-list'],
      format: { kind: 'json', each: ['addresses[*]', 'ipv6_addresses[*]'] },
      isDefault: true,
      entries: 21,
      bytes: 402,
    },
    {
      id: 'bunny-cdn',
      name: 'Bunny edge servers',
      publisher: 'bunny.net',
      urls: ['https://bunnycdn.com/api/system/edgeserverlist/'],
      format: { kind: 'json', each: ['[*]'] },
      isDefault: true,
      entries: 600,
      bytes: 12_000,
    },
    {
      id: 'akamai',
      name: 'Akamai ranges',
      publisher: 'Akamai (by femueller, cloud-ip-ranges)',
      urls: ['https://raw.githubusercontent.com/femueller/cloud-ip-ranges/master/akamai-v4-ip-ranges.txt'],
      entries: 19,
      bytes: 274,
      note: 'Akamai documents its ranges on a page and offers no list.',
    },
  ],
);
