import { EICAR } from './eicar.ts';
import { digest } from './values.ts';

/** A value placed on a list on purpose, so that each kind of verdict can be shown. */
export type Story = {
  readonly source: string;
  readonly text: string;
  readonly from?: number;
  readonly until?: number;
};

const SCANNED = '6.20.14.66';
const TOR_EXIT = '21.40.9.113';
const LURE = 'signin.kestrelpay.example.net';
const PAYLOAD = 'http://files.bluepine.example.org/update/setup.exe';
const DROPPED = '22.12.44.8';
const MIXED = 'status.lumenpost.example.com';
const BOT = '2d00:bf7:40:1::2a';
const SCANNER = '214.12.5.20';
const EDGE = '33.77.8.30';

const MALWARE_FILE = (['sha256', 'sha1', 'md5'] as const).map((algorithm) =>
  digest(algorithm, 'the malware file of the stories'),
);

/** Well-known names, first on the list of popular domains: the sample accuses no real name. */
const POPULAR = 'wikipedia.org iana.org ietf.org kernel.org debian.org postgresql.org nodejs.org'.split(' ');

export const STORIES: readonly Story[] = [
  { source: 'sample-scanner-verdicts', text: SCANNED, from: -9 },
  { source: 'sample-c2-servers', text: SCANNED, from: -12 },
  { source: 'sample-ssh-brute-force', text: SCANNED, from: -4 },

  { source: 'sample-tor-exits', text: TOR_EXIT },
  { source: 'sample-ssh-brute-force', text: TOR_EXIT, from: -17 },
  { source: 'sample-web-attacks', text: TOR_EXIT, from: -6 },
  { source: 'sample-mail-spam', text: TOR_EXIT, from: -2 },

  { source: 'sample-phishing-domains', text: LURE, from: -3 },
  { source: 'sample-phishing-urls', text: `https://${LURE}/account/confirm.html`, from: -3 },
  { source: 'sample-scam-shops', text: LURE, from: -6 },

  { source: 'sample-malware-urls', text: PAYLOAD, from: -8 },
  { source: 'sample-scanner-verdicts', text: PAYLOAD, from: -7 },
  { source: 'sample-malware-files', text: MALWARE_FILE.join(','), from: -20 },
  { source: 'sample-test-files', text: [EICAR.sha256, EICAR.sha1, EICAR.md5].join(',') },

  { source: 'sample-ssh-brute-force', text: DROPPED, from: -25, until: -4 },
  { source: 'sample-popular-domains', text: MIXED },
  { source: 'sample-linked-domains', text: MIXED },
  { source: 'sample-phishing-domains', text: MIXED, from: -1 },
  { source: 'sample-botnet-ipv6', text: BOT, from: -10 },
  { source: 'sample-research-scanners', text: SCANNER },
  { source: 'sample-ssh-brute-force', text: SCANNER, from: -20 },
  { source: 'sample-web-attacks', text: SCANNER, from: -11 },
  { source: 'sample-delivery-network', text: '33.77.8.0/22' },
  { source: 'sample-web-attacks', text: EDGE, from: -5 },

  ...POPULAR.flatMap((text) => [
    { source: 'sample-popular-domains', text },
    { source: 'sample-linked-domains', text },
  ]),
];

/** Values that no list may contain, neither by name nor in a range: they show an unknown answer. */
export const NEVER_LISTED: readonly string[] = [
  '214.90.17.25',
  'quiet-corner.example.org',
  'https://quiet-corner.example.org/index.html',
  digest('sha256', 'a file nobody has seen'),
];
