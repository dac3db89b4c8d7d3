import type { SourceSettings } from '#capabilities/corpus/index.ts';

/** The time of the golden checks. The lists were loaded an hour before. */
export const ASKED_AT_MS = Date.UTC(2026, 7, 22, 12, 0, 0);
export const LOADED_AT_MS = ASKED_AT_MS - 3_600_000;
/** The last time the lists held the entries that they have since dropped. */
export const FORMERLY_AT_MS = ASKED_AT_MS - 48 * 3_600_000;
const hoursAgo = (hours: number): number => ASKED_AT_MS - hours * 3_600_000;

export const GOLDEN = {
  ip: '45.155.205.233',
  ipv6: '2a02:4780:1:2::3',
  domain: 'login-check.com',
  idnDomain: 'pаypal-hilfe.com', // The second letter is Cyrillic.
  url: 'https://popular-shop.com/return/verify.php?id=7',
  knownHash: 'ab'.repeat(32),
  unknownHash: 'ef'.repeat(32),
  knownGoodHash: 'd41d8cd98f00b204e9800998ecf8427e', // The empty file.
  privateIp: '192.168.1.10',
  neverSeenDomain: 'nobody-lists-this.com',
  knownGoodDomain: 'quiet-library.org',
  hostOfListedPage: 'popular-shop.com',
  contradictedDomain: 'big-forum.com',
  torExit: '185.220.101.1',
  delistedIp: '91.92.240.77',
} as const;

export type GoldenList = {
  readonly id: string;
  readonly values: readonly string[];
  readonly formerly?: readonly string[];
  readonly dataAtMs: number;
  readonly settings: SourceSettings;
};

const threat = (settings: SourceSettings): SourceSettings => ({
  intervalS: 21_600,
  format: 'text',
  ...settings,
});
const context = (settings: SourceSettings): SourceSettings => ({
  threatClass: 'infrastructure',
  fpRisk: 'low',
  letter: 'C',
  reliability: 0.5,
  intervalS: 86_400,
  ...settings,
});

const ADDRESS_LISTS: readonly GoldenList[] = [
  {
    id: 'c2-tracker',
    values: [GOLDEN.ip, '91.92.240.10'],
    dataAtMs: hoursAgo(2),
    settings: threat({
      name: 'C2 Tracker',
      type: 'ip',
      category: 'c2',
      categories: ['c2', 'botnet'],
      fpRisk: 'low',
      letter: 'A',
      reliability: 0.95,
      entityTypes: ['ip'],
      tags: ['botnet-c2'],
      format: 'csv',
    }),
  },
  {
    id: 'ssh-attacks',
    values: [GOLDEN.ip, GOLDEN.torExit],
    formerly: [GOLDEN.delistedIp],
    dataAtMs: hoursAgo(5),
    settings: threat({
      name: 'SSH attackers',
      type: 'ip',
      category: 'bruteforce',
      categories: ['bruteforce'],
      letter: 'B',
      reliability: 0.75,
      entityTypes: ['ip'],
    }),
  },
  {
    id: 'hijacked-ranges',
    values: ['2a02:4780::/32'],
    dataAtMs: hoursAgo(20),
    settings: threat({
      name: 'Hijacked ranges',
      type: 'ip',
      category: 'hijacked-netblock',
      categories: ['hijacked-netblock'],
      fpRisk: 'low',
      letter: 'A',
      reliability: 0.95,
      cidrSemantics: 'owned',
      entityTypes: ['ip'],
      intervalS: 86_400,
    }),
  },
  {
    id: 'mail-abuse',
    values: ['2a02:4780:1:2::/64'],
    dataAtMs: hoursAgo(30),
    settings: threat({
      name: 'Mail abuse',
      type: 'ip',
      category: 'spam',
      categories: ['spam'],
      fpRisk: 'high',
      letter: 'C',
      reliability: 0.5,
      entityTypes: ['ip'],
    }),
  },
  {
    id: 'cloud-ranges',
    values: ['45.155.204.0/22'],
    dataAtMs: hoursAgo(50),
    settings: context({ name: 'Cloud ranges', type: 'ip', category: 'cloud', attributes: ['cloud'] }),
  },
  {
    id: 'tor-exits',
    values: [GOLDEN.torExit],
    dataAtMs: hoursAgo(1),
    settings: context({
      name: 'Tor exits',
      type: 'ip',
      category: 'anonymity',
      attributes: ['tor-exit'],
      guard: 'anonymity',
    }),
  },
];

const NAME_LISTS: readonly GoldenList[] = [
  {
    id: 'phishing-pages',
    values: [GOLDEN.url, `http://${GOLDEN.domain}/index.php`],
    dataAtMs: hoursAgo(3),
    settings: threat({
      name: 'Phishing pages',
      type: 'url',
      category: 'phishing',
      categories: ['phishing'],
      fpRisk: 'low',
      letter: 'A',
      reliability: 0.95,
      semantics: 'window',
      entityTypes: ['url'],
    }),
  },
  {
    id: 'phishing-hosts',
    values: [GOLDEN.domain, GOLDEN.idnDomain, GOLDEN.contradictedDomain],
    dataAtMs: hoursAgo(26),
    settings: threat({
      name: 'Phishing hosts',
      type: 'domain',
      category: 'phishing',
      categories: ['phishing'],
      letter: 'B',
      reliability: 0.75,
      entityTypes: ['domain'],
    }),
  },
  {
    id: 'scam-hosts',
    values: [GOLDEN.domain],
    dataAtMs: hoursAgo(9 * 24),
    settings: threat({
      name: 'Scam hosts',
      type: 'domain',
      category: 'scam',
      categories: ['scam', 'fraud'],
      fpRisk: 'high',
      letter: 'C',
      reliability: 0.5,
      entityTypes: ['domain'],
      intervalS: 86_400,
    }),
  },
  {
    id: 'trackers',
    values: [GOLDEN.domain],
    dataAtMs: hoursAgo(12),
    settings: threat({
      name: 'Advertising and tracking',
      type: 'domain',
      category: 'ads',
      categories: ['ads'],
      adOnly: true,
      entityTypes: ['domain'],
    }),
  },
  {
    id: 'browser-warnings',
    values: [GOLDEN.domain],
    dataAtMs: hoursAgo(1),
    settings: threat({
      name: 'Browser warnings',
      type: 'domain',
      category: 'phishing',
      categories: ['phishing'],
      signal: 'scanner',
      fpRisk: 'low',
      letter: 'A',
      reliability: 0.95,
      entityTypes: ['domain', 'url'],
    }),
  },
  {
    id: 'top-sites',
    values: [GOLDEN.knownGoodDomain, GOLDEN.hostOfListedPage, GOLDEN.contradictedDomain],
    dataAtMs: hoursAgo(40),
    settings: context({
      name: 'Most visited sites',
      type: 'domain',
      category: 'popular',
      threatClass: 'allowlist',
      guard: 'popularity',
      rankMax: 10_000,
      tags: ['popularity:visits'],
    }),
  },
  {
    id: 'linked-sites',
    values: [GOLDEN.knownGoodDomain, GOLDEN.hostOfListedPage, GOLDEN.contradictedDomain],
    dataAtMs: hoursAgo(40),
    settings: context({
      name: 'Most linked sites',
      type: 'domain',
      category: 'popular',
      threatClass: 'allowlist',
      guard: 'popularity',
      rankMax: 10_000,
      tags: ['popularity:links'],
    }),
  },
];

const FILE_LISTS: readonly GoldenList[] = [
  {
    id: 'malware-samples',
    values: [GOLDEN.knownHash],
    dataAtMs: hoursAgo(20),
    settings: threat({
      name: 'Malware samples',
      type: 'hash',
      category: 'malware',
      categories: ['malware', 'ransomware'],
      signal: 'scanner',
      fpRisk: 'low',
      letter: 'A',
      reliability: 0.95,
      semantics: 'archive',
      entityTypes: ['hash'],
      retentionDays: 3_650,
    }),
  },
  {
    id: 'known-files',
    values: [GOLDEN.knownGoodHash],
    dataAtMs: hoursAgo(300),
    settings: context({
      name: 'Known files',
      type: 'hash',
      category: 'known-good',
      threatClass: 'allowlist',
      guard: 'known-good',
    }),
  },
];

/** Small enough to read: the expected verdict of each golden follows from these rows. */
export const GOLDEN_LISTS: readonly GoldenList[] = [...ADDRESS_LISTS, ...NAME_LISTS, ...FILE_LISTS];
