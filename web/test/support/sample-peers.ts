import { type LivePeers, startLivePeers } from '../../../server/test/support/live-peers.ts';
import { ctRow } from '../../../server/test/support/peers/ct-peer.ts';
import { internetDbHost } from '../../../server/test/support/peers/internetdb-peer.ts';
import { otxPulse } from '../../../server/test/support/peers/otx-peer.ts';
import { bootstrapFile, rdapDomain, rdapNetwork } from '../../../server/test/support/peers/rdap-peer.ts';
import { makeAuthority } from '../../../server/test/support/peers/tls-peer.ts';

/** Indicators of the invented data in demo/; the answers about them are in demo/examples.json. */
export const SAMPLE = {
  malicious: '6.20.14.66',
  torExit: '21.40.9.113',
  lure: 'signin.kestrelpay.example.net',
  payload: 'http://files.bluepine.example.org/update/setup.exe',
  malware: '0cbe78e79dcf3fb52899462d7d6225b966c173f8d27364ee10dd7cf83de4ba46',
  popular: 'wikipedia.org',
  mixed: 'status.lumenpost.example.com',
  scanner: '214.12.5.20',
  unknownIp: '214.90.17.25',
  unknownDomain: 'quiet-corner.example.org',
  unknownHash: '4bc3c8266ada6646bda6a8952e80ad1ab833a0b227a385083b8d36616ec4047d',
  reserved: '192.168.1.1',
} as const;

const ADDRESSES = [SAMPLE.malicious, SAMPLE.torExit, SAMPLE.scanner] as const;
const ZONES = ['example.net', 'example.org', 'example.com', 'wikipedia.org'] as const;
const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
/** A UTC time without its zone, as the imitated services write it. */
const bare = (time: string): string => time.slice(0, 19);

const zoneOf = (zone: string): readonly string[] => [
  `@ A ${SAMPLE.malicious}`,
  '@ AAAA 2d00:bf7:40:1::2a',
  `signin.kestrelpay A ${SAMPLE.malicious}`,
  `files.bluepine A ${SAMPLE.malicious}`,
  `status.lumenpost A ${SAMPLE.malicious}`,
  '@ MX 10 mx1',
  '@ TXT "v=spf1 ip4:6.20.14.0/24 -all"',
  `_dmarc TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@${zone}"`,
  '@ NS ns1',
  '@ NS ns2',
  `ns1 A ${SAMPLE.malicious}`,
  `ns2 A ${SAMPLE.malicious}`,
  `mx1 A ${SAMPLE.malicious}`,
];

/** Starts a peer for every provider of a check, with answers about the invented indicators. */
export async function startSamplePeers(): Promise<LivePeers> {
  const authority = makeAuthority();
  const peers = await startLivePeers({
    zones: Object.fromEntries(ZONES.map((zone) => [zone, zoneOf(zone)])),
    ctRows: (name) => [
      ctRow({
        common_name: name,
        name_value: `${name}\nwww.${name}`,
        not_before: bare(daysAgo(12)),
        not_after: bare(daysAgo(-78)),
      }),
    ],
    page: () => ({ headers: { server: 'nginx/1.24.0' }, html: '<!doctype html><title>Sign in</title>' }),
    certificate: authority.issue({ names: [`DNS:${SAMPLE.lure}`] }),
    authorities: [authority.pem],
  });
  tell(peers);
  return { ...peers, close: () => peers.close().finally(authority.close) };
}

function tell({ rdap, internetdb, otx }: LivePeers): void {
  rdap.files.set('dns.json', bootstrapFile([[['com', 'net', 'org'], [rdap.registryUrl]]]));
  for (const zone of ZONES) {
    const registered = daysAgo(zone === 'wikipedia.org' ? 9_430 : 11);
    const events = [
      { eventAction: 'registration', eventDate: registered },
      { eventAction: 'expiration', eventDate: daysAgo(-354) },
    ];
    rdap.answers.set(`domain/${zone}`, { json: rdapDomain(zone, { events }) });
  }
  for (const ip of ADDRESSES) {
    const network = ip.replace(/\d+\.\d+$/, '');
    rdap.answers.set(`ip/${ip}`, { json: rdapNetwork(`${network}0.0`, `${network}255.255`) });
    internetdb.tell(
      ip,
      internetDbHost(ip, {
        ports: [22, 80, 443, 8443],
        vulns: ['CVE-2023-38408', 'CVE-2024-6387', 'CVE-2021-41773'],
        hostnames: [SAMPLE.lure],
      }),
    );
  }
  const names = [
    'SSH password guessing, week 45',
    'Credential theft against payment services',
    'Scanning of management ports',
    'Command servers of a stealer, as seen from a honeypot network',
  ];
  const pulses = Array.from({ length: 12 }, (_, n) =>
    otxPulse(`5f00000000000000000000${10 + n}`, {
      name: names[n % names.length],
      modified: bare(daysAgo(1 + 3 * n)),
      author: { username: ['honeynet-north', 'cert-example', 'analyst'][n % 3], id: String(n) },
    }),
  );
  otx.tell('general', { body: { pulse_info: { count: 12, pulses }, reputation: 2 } });
  otx.tell('passive_dns', {
    body: {
      count: 8,
      passive_dns: Array.from({ length: 8 }, (_, n) => ({
        hostname: `${['signin.kestrelpay', 'files.bluepine', 'status.lumenpost'][n % 3]}.${ZONES[n % 3]}`,
        address: ADDRESSES[n % ADDRESSES.length],
        record_type: 'A',
        first: bare(daysAgo(60 + n)),
        last: bare(daysAgo(2 * n)),
      })),
    },
  });
}
