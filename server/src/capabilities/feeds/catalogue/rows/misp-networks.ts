import { defineWarningLists } from './warninglist.ts';

const VPN_NOTE =
  'Built from a datacenter list: 61 % of one threat list and 40 % of another lie in it, so it labels hosting, not VPN, and never guards.';

/** Networks of services that many people share (scoring ruling 9, by name). */
export const MISP_SERVICE_ROWS = defineWarningLists(
  { threatClass: 'allowlist', entityTypes: ['ip'], guard: 'service' },
  [
    {
      folder: 'akamai',
      name: 'Akamai ranges',
      category: 'cdn',
      attributes: ['cdn'],
      entries: 268,
      bytes: 6_444,
    },
    {
      folder: 'apple',
      name: 'Apple ranges',
      category: 'service',
      attributes: ['saas'],
      entries: 4,
      bytes: 351,
    },
    {
      folder: 'bunny-net',
      name: 'bunny.net ranges',
      category: 'cdn',
      attributes: ['cdn'],
      entries: 901,
      bytes: 22_304,
    },
    {
      folder: 'cloudflare',
      name: 'Cloudflare ranges',
      category: 'cdn',
      attributes: ['cdn'],
      entries: 22,
      bytes: 801,
    },
    {
      folder: 'crl-ip',
      name: 'Certificate revocation addresses',
      category: 'certificate-status',
      attributes: ['saas'],
      entries: 391,
      bytes: 11_444,
    },
    {
      folder: 'fastly',
      name: 'Fastly ranges',
      category: 'cdn',
      attributes: ['cdn'],
      entries: 21,
      bytes: 784,
    },
    {
      folder: 'google-gmail-sending-ips',
      name: 'Gmail senders',
      category: 'mail',
      attributes: ['saas'],
      entries: 8,
      bytes: 538,
    },
    {
      folder: 'googlebot',
      name: 'Googlebot ranges',
      category: 'crawler',
      attributes: ['crawler'],
      entries: 65,
      bytes: 2_065,
    },
    {
      folder: 'microsoft-office365-ip',
      name: 'Microsoft 365 ranges',
      category: 'saas',
      attributes: ['saas'],
      entries: 82,
      bytes: 2_343,
    },
    {
      folder: 'smtp-receiving-ips',
      name: 'Mail providers, receiving',
      category: 'mail',
      attributes: ['saas'],
      entries: 270,
      bytes: 6_152,
    },
    {
      folder: 'smtp-sending-ips',
      name: 'Mail providers, sending',
      category: 'mail',
      attributes: ['saas'],
      entries: 1_002,
      bytes: 24_059,
    },
    {
      folder: 'stackpath',
      name: 'StackPath ranges',
      category: 'cdn',
      attributes: ['cdn'],
      entries: 247,
      bytes: 6_787,
    },
    {
      folder: 'telegram-ips',
      name: 'Telegram ranges',
      category: 'service',
      attributes: ['saas'],
      entries: 14,
      bytes: 647,
    },
    {
      folder: 'wikimedia',
      name: 'Wikimedia ranges',
      category: 'service',
      attributes: ['saas'],
      entries: 10,
      bytes: 610,
    },
    {
      folder: 'icloud-private-relay',
      name: 'iCloud Private Relay exits',
      category: 'privacy-relay',
      attributes: ['proxy'],
      guard: 'shared-egress',
      tags: ['privacy-relay'],
      entries: 13_747,
      bytes: 407_951,
    },
    {
      folder: 'zscaler',
      name: 'Zscaler ranges',
      category: 'proxy',
      attributes: ['proxy'],
      guard: 'shared-egress',
      entries: 78,
      bytes: 2_312,
    },
  ],
);

/** Clouds and VPN networks: labels, never guards (scoring ruling 9, finding 10). */
export const MISP_CLOUD_ROWS = defineWarningLists(
  { threatClass: 'infrastructure', entityTypes: ['ip'], category: 'cloud', attributes: ['cloud'] },
  [
    {
      folder: 'amazon-aws',
      name: 'Amazon Web Services ranges',
      tags: ['aws'],
      entries: 3_847,
      bytes: 96_087,
    },
    { folder: 'google-gcp', name: 'Google Cloud ranges', tags: ['gcp'], entries: 471, bytes: 10_815 },
    { folder: 'microsoft-azure', name: 'Azure ranges', tags: ['azure'], entries: 2_683, bytes: 65_734 },
    { folder: 'oracle-oci', name: 'Oracle Cloud ranges', tags: ['oci'], entries: 793, bytes: 18_795 },
    { folder: 'ovh-cluster', name: 'OVH clusters', tags: ['ovh'], entries: 622, bytes: 16_375 },
    {
      folder: 'vpn-ipv4',
      name: 'VPN and datacenter networks, IPv4',
      tags: ['vpn-or-datacenter'],
      note: VPN_NOTE,
      entries: 42_426,
      bytes: 960_799,
    },
    {
      folder: 'vpn-ipv6',
      name: 'VPN and datacenter networks, IPv6',
      tags: ['vpn-or-datacenter'],
      note: VPN_NOTE,
      entries: 1_250,
      bytes: 31_621,
    },
  ],
);

/** Research scanners with verified ranges. */
export const MISP_SCANNER_ROWS = defineWarningLists(
  {
    threatClass: 'infrastructure',
    entityTypes: ['ip'],
    category: 'research-scanner',
    attributes: ['scanner'],
    guard: 'scanner',
  },
  [
    { folder: 'censys-scanning', name: 'Censys scanners', entries: 13, bytes: 743 },
    {
      folder: 'coalition-signals-intelligence-nt-scanning',
      name: 'Coalition scanners',
      entries: 1_307,
      bytes: 32_625,
    },
    { folder: 'internet-census-nt-scanning', name: 'Internet Census scanners', entries: 264, bytes: 6_884 },
    { folder: 'modat-scanner', name: 'Modat scanners', entries: 42, bytes: 1_295 },
    { folder: 'onyphe-scanner', name: 'ONYPHE scanners', entries: 9, bytes: 530 },
    { folder: 'rapid7-nt-scanning', name: 'Rapid7 scanners', entries: 18, bytes: 845 },
    { folder: 'shadowserver', name: 'Shadowserver scanners', entries: 27, bytes: 1_030 },
    { folder: 'shodan-scanning', name: 'Shodan scanners', entries: 42, bytes: 1_271 },
    { folder: 'stretchoid-nt-scanning', name: 'Stretchoid scanners', entries: 1_839, bytes: 44_496 },
  ],
);
