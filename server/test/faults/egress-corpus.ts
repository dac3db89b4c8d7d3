/**
 * The network of the corpus: the machine under test, and a peer across a link that stands for the internet.
 */
export const NETWORK = {
  own: { v4: '198.20.0.2', v6: '2a0b:1234::2' },
  peer: { v4: '198.20.0.80', v6: '2a0b:1234::80' },
  names: '198.20.0.53',
} as const;
/** The name of the peer, which its certificate carries. */
export const PEER_NAME = 'peer.example.com';
/** Another name of the same machine, as the target of referrals. */
export const REGISTRY_NAME = 'registry.example.com';

/** Ranges that no packet may leave for, written independently of the guard's own list, to check it. */
export const FORBIDDEN: readonly { readonly range: string; readonly sample: string }[] = [
  { range: '0.0.0.0/8', sample: '0.1.2.3' },
  { range: '10.0.0.0/8', sample: '10.0.0.1' },
  { range: '100.64.0.0/10', sample: '100.100.100.200' },
  { range: '127.0.0.0/8', sample: '127.0.0.1' },
  { range: '168.63.129.16/32', sample: '168.63.129.16' },
  { range: '169.254.0.0/16', sample: '169.254.169.254' },
  { range: '172.16.0.0/12', sample: '172.31.255.254' },
  { range: '192.0.0.0/24', sample: '192.0.0.170' },
  { range: '192.0.2.0/24', sample: '192.0.2.1' },
  { range: '192.31.196.0/24', sample: '192.31.196.1' },
  { range: '192.52.193.0/24', sample: '192.52.193.1' },
  { range: '192.88.99.0/24', sample: '192.88.99.1' },
  { range: '192.168.0.0/16', sample: '192.168.1.1' },
  { range: '192.175.48.0/24', sample: '192.175.48.1' },
  { range: '198.18.0.0/15', sample: '198.19.0.1' },
  { range: '198.51.100.0/24', sample: '198.51.100.1' },
  { range: '203.0.113.0/24', sample: '203.0.113.1' },
  { range: '224.0.0.0/4', sample: '239.255.255.250' },
  { range: '240.0.0.0/4', sample: '240.0.0.1' },
  { range: '198.20.0.2/32', sample: NETWORK.own.v4 },
  { range: '::1/128', sample: '::1' },
  { range: '::/96', sample: '::a00:1' },
  { range: '::ffff:0:0:0/96', sample: '::ffff:0:a00:1' },
  { range: '64:ff9b::/96', sample: '64:ff9b::a9fe:a9fe' },
  { range: '64:ff9b:1::/48', sample: '64:ff9b:1::a9fe:a9fe' },
  { range: '100::/64', sample: '100::1' },
  { range: '100:0:0:1::/64', sample: '100:0:0:1::1' },
  { range: '2001::/23', sample: '2001:0:4136:e378:8000:63bf:3fff:fdd2' },
  { range: '2001:db8::/32', sample: '2001:db8::1' },
  { range: '2002::/16', sample: '2002:a9fe:a9fe::1' },
  { range: '2620:4f:8000::/48', sample: '2620:4f:8000::1' },
  { range: '3fff::/20', sample: '3fff::1' },
  { range: '4000::/3', sample: '5f00::1' },
  { range: 'fc00::/7', sample: 'fd00:ec2::254' },
  { range: 'fe80::/10', sample: 'fe80::1' },
  { range: 'fec0::/10', sample: 'fec0::1' },
  { range: 'ff00::/8', sample: 'ff0e::1' },
  { range: '2a0b:1234::2/128', sample: NETWORK.own.v6 },
];

/** Hosts as a caller may write them, IPv6 with brackets. No way out may reach any of them. */
const SPELLINGS: readonly string[] = [
  // Loopback and this network.
  '127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0.0.0x1 0177.0.0.1',
  '017700000001 127.0.0.1. 0 0.0.0.0 0x0 00000000 １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '%31%32%37.0.0.1 localhost localhost. LocalHost a.localhost a.localhost. ⓛocalhost loc\u00adalhost',
  // Private ranges and shared address space.
  '10.0.0.1 0xa.0.0.1 012.0.0.1 167772161 10.1 172.16.0.1 172.31.255.254 0xac100001 192.168.1.1',
  '192.168.257 0xc0a80101 3232235777 100.64.0.1 100.100.100.200',
  // Link local, with the metadata addresses of clouds.
  '169.254.169.254 169.254.43518 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.169.254.',
  '169.254.170.2 168.63.129.16 0xa83f8110',
  // Other special-purpose ranges.
  '192.0.0.170 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1 198.18.0.1 198.51.100.1',
  '203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295',
  // IPv6, and IPv4 embedded in it.
  '[::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [::127.0.0.1]',
  '[::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::a9fe:a9fe]',
  '[2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [fe80::1%25lo]',
  '[fe80::1%lo] [fe80::1%250] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1] [ff0e::1] [100::1]',
  '[2001:db8::1] [3fff::1] [5f00::1] [4000::1] [2620:4f:8000::1] [2a0b:1234::5efe:a00:1]',
  '[2a0b:1234::200:5efe:a9fe:a9fe]',
  // This machine by its public addresses.
  '198.20.0.2 198.20.2 0xc6140002 3323199490 [2a0b:1234::2] [2a0b:1234:0:0:0:0:0:2]',
].flatMap((line) => line.split(' '));

/** The answer of the name server. A list of lists gives one answer per query in turn: rebinding. */
export type ZoneEntry = {
  readonly a?: readonly (readonly string[])[];
  readonly aaaa?: readonly (readonly string[])[];
  /** CNAME names between the queried name and the one that has the address. */
  readonly through?: readonly string[];
};

const isV6 = (address: string) => address.includes(':');
const leadsTo = (...addresses: readonly string[]): ZoneEntry => ({
  a: [addresses.filter((each) => !isV6(each))],
  aaaa: [addresses.filter(isV6)],
});
const { own, peer } = NETWORK;

const BAD_NAMES: Readonly<Record<string, ZoneEntry>> = {
  ...Object.fromEntries(FORBIDDEN.map(({ sample }, i) => [`to-${i}.example.com`, leadsTo(sample)])),
  'mapped.example.com': leadsTo('::ffff:7f00:1'),
  'metadata.google.internal': leadsTo('169.254.169.254'),
  'instance-data.ec2.internal': leadsTo('169.254.169.254'),
  metadata: leadsTo('169.254.169.254'),
  'mixed-last.example.com': leadsTo(peer.v4, '10.0.0.1'),
  'mixed-first.example.com': leadsTo('127.0.0.1', peer.v4),
  'mixed-family.example.com': leadsTo(peer.v4, 'fd00::1'),
  'mixed-other-family.example.com': leadsTo(peer.v6, '169.254.169.254'),
  'mixed-many.example.com': leadsTo(...Array<string>(40).fill(peer.v4), '192.168.1.1'),
  'own.example.com': leadsTo(own.v4),
  'own-both.example.com': leadsTo(peer.v4, own.v6),
  'alias.example.com': { ...leadsTo('127.0.0.1'), through: ['localhost'] },
  'chain.example.com': {
    ...leadsTo('169.254.169.254'),
    through: ['one.example.net', 'two.example.org', 'three.example.com'],
  },
  'crowd.example.com': leadsTo(...Array.from({ length: 200 }, (_, i) => `198.20.1.${i}`)),
};
/** Queried repeatedly; each connection must be judged by the answer that it uses. */
export const REBINDING: Readonly<Record<string, ZoneEntry>> = {
  'rebind.example.com': { a: [[peer.v4], ['127.0.0.1']], aaaa: [[]] },
  'rebind-metadata.example.com': { a: [[peer.v4], ['169.254.169.254']], aaaa: [[]] },
  'rebind-family.example.com': { a: [[peer.v4]], aaaa: [[], ['::1']] },
  'rebind-own.example.com': { a: [[peer.v4], [own.v4]], aaaa: [[]] },
};
export const ZONE: Readonly<Record<string, ZoneEntry>> = {
  ...BAD_NAMES,
  ...REBINDING,
  [PEER_NAME]: leadsTo(peer.v4),
  [REGISTRY_NAME]: leadsTo(peer.v4),
};

/** Hosts that must not be reached, with and without a trailing dot. */
export const BAD_HOSTS: readonly string[] = [
  ...SPELLINGS,
  ...Object.keys(BAD_NAMES),
  'metadata.google.internal.',
  'alias.example.com.',
  'mixed-last.example.com.',
];

/** Referral targets of the WHOIS server for the zones `zNUMBER`. */
export const REFERRALS: readonly string[] = [
  REGISTRY_NAME,
  ...BAD_HOSTS.map((host) => host.replace(/^\[|\]$/g, '')),
];

/** URLs that are dangerous for more than their host. */
export const BAD_URLS: readonly string[] = [
  `http://user@${PEER_NAME}/`,
  `http://user:pass@${PEER_NAME}/`,
  `http://${PEER_NAME}@127.0.0.1/`,
  `http://127.0.0.1\\@${PEER_NAME}/`,
  `http://127.0.0.1#@${PEER_NAME}/`,
  `http://127.0.0.1?@${PEER_NAME}/`,
  'http:127.0.0.1',
  'http:\\\\169.254.169.254\\latest',
  'ht\ntp://127.0.0.1/',
  '//127.0.0.1/',
  ...[22, 25, 53, 6379, 5432, 11211, 2375, 9200, 65535].map((port) => `http://${PEER_NAME}:${port}/`),
  ...['ftp', 'gopher', 'dict', 'ldap', 'ws', 'tftp'].map((scheme) => `${scheme}://${PEER_NAME}/`),
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/info',
];
