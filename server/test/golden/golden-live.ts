import {
  createObservations,
  createProviders,
  type LiveContexts,
  PROVIDERS,
} from '#capabilities/providers/index.ts';
import { type LivePeers, startLivePeers } from '#test/live-peers.ts';
import { ctRow } from '#test/peers/ct-peer.ts';
import { internetDbHost } from '#test/peers/internetdb-peer.ts';
import { otxPulse } from '#test/peers/otx-peer.ts';
import { rdapDomain, rdapNetwork } from '#test/peers/rdap-peer.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';
import { GOLDEN_AUTHORITY, goldenCertificate } from './golden-certificate.ts';
import { GOLDEN } from './golden-corpus.ts';
import type { GoldenContext } from './golden-service.ts';

const URL_HOST = 'popular-shop.com';
const MAIL_RECORDS = [
  '@ MX 10 mx1',
  '@ MX 20 mx2',
  '@ TXT "v=spf1 ip4:45.155.205.0/24 -all"',
  '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:dmarc@example.net"',
  '@ NS ns1',
  '@ NS ns2',
  `ns1 A ${GOLDEN.ip}`,
  `ns2 A ${GOLDEN.ip}`,
  `mx1 A ${GOLDEN.ip}`,
  `mx2 A ${GOLDEN.ip}`,
];
const ZONES = {
  [GOLDEN.domain]: [`@ A ${GOLDEN.ip}`, '@ AAAA 2a02:4780:1:2::3', ...MAIL_RECORDS],
  [URL_HOST]: [`@ A ${GOLDEN.ip}`, ...MAIL_RECORDS],
};

const PAGE = {
  headers: { server: 'nginx/1.24.0', 'x-powered-by': 'PHP/8.2.1' },
  html: '<!doctype html><meta name="generator" content="WordPress 6.4.2"><title>Sign in</title>',
};

export const startGoldenPeers = (): Promise<LivePeers> =>
  startLivePeers({
    zones: ZONES,
    ctRows: (name) => [
      ctRow({ common_name: name, name_value: `${name}\nwww.${name}`, serial_number: '0a11ce01' }),
      ctRow({
        common_name: name,
        name_value: name,
        serial_number: '0a11ce02',
        not_before: '2025-10-02T02:04:05',
        not_after: '2025-12-31T02:04:04',
      }),
    ],
    page: () => PAGE,
    certificate: goldenCertificate(),
    authorities: [GOLDEN_AUTHORITY],
  });

export function tellPeers({ rdap, internetdb, otx, scanner }: LivePeers): void {
  for (const name of [GOLDEN.domain, URL_HOST])
    rdap.answers.set(`domain/${name}`, { json: rdapDomain(name) });
  rdap.answers.set(`ip/${GOLDEN.ip}`, { json: rdapNetwork('45.155.204.0', '45.155.207.255') });
  internetdb.tell(
    GOLDEN.ip,
    internetDbHost(GOLDEN.ip, { vulns: ['CVE-2023-38408', 'CVE-2024-6387'], hostnames: [GOLDEN.domain] }),
  );
  const pulses = Array.from({ length: 12 }, (_, n) => otxPulse(`5f00000000000000000000${10 + n}`));
  otx.tell('general', { body: { pulse_info: { count: 12, pulses }, reputation: 2 } });
  otx.tell('reputation', {
    body: { reputation: { threat_score: 4, country: 'NL', counts: {} }, country_name: 'Netherlands' },
  });
  otx.tell('malware', { body: { count: 3, data: [] } });
  otx.tell('url_list', { body: { full_size: 7, url_list: [] } });
  otx.tell('passive_dns', {
    body: {
      count: 1,
      passive_dns: [
        {
          hostname: GOLDEN.domain,
          address: GOLDEN.ip,
          record_type: 'A',
          first: '2026-01-02T03:04:05',
          last: '2026-08-20T03:04:05',
        },
      ],
    },
  });
  otx.tell('analysis', {
    body: {
      analysis: {
        info: { results: { file_class: 'PEXE', file_type: 'PE32 executable', filesize: 73_728 } },
        plugins: { yarad: { results: { detection: [{ rule_name: 'Example_Stealer' }] } } },
      },
    },
  });
  scanner.list(`${GOLDEN.domain}/`, 'SOCIAL_ENGINEERING');
}

/** Names that earlier lookups have recorded as related to the golden ones. */
const SEEN = [
  { relation: 'resolves', pivot: GOLDEN.ip, subject: 'sign-in-help.com', recordType: 'A' },
  { relation: 'resolves', pivot: GOLDEN.ip, subject: GOLDEN.contradictedDomain, recordType: 'A' },
  { relation: 'registrar', pivot: 'example registrar, inc.', subject: 'sign-in-help.com', recordType: '' },
  { relation: 'nameserver', pivot: `ns1.${GOLDEN.domain}`, subject: 'sign-in-help.com', recordType: 'NS' },
] as const;

export type LiveGoldenContext = GoldenContext & {
  /** As after a restart on another day: the caches are empty and no breaker is open. */
  readonly forget: () => Promise<void>;
};

export function goldenContext(peers: LivePeers): LiveGoldenContext {
  let running: { readonly contexts: LiveContexts; readonly end: () => Promise<void> } | null = null;
  let begin = (): NonNullable<typeof running> => {
    throw new Error('The golden service has not begun.');
  };
  let disconnect = (): void => undefined;
  const now = (): LiveContexts => {
    running ??= begin();
    return running.contexts;
  };
  const forget = async (): Promise<void> => {
    await running?.end();
    running = null;
  };
  return {
    open: async (deps) => {
      const redis = await connectTestRedis();
      disconnect = () => redis.close();
      const before = createObservations(deps);
      before.record(SEEN);
      await before.close();
      begin = () => {
        const redisPrefix = testPrefix();
        const { closeOutbound, ...bare } = peers.providerSet(deps);
        // No observation is recorded, because one golden would otherwise change the next.
        const set = { ...bare, observations: { ...bare.observations, record: () => undefined } };
        const on = new Set(PROVIDERS);
        const { providers, contexts } = createProviders({ ...deps, set, on, redis, redisPrefix });
        const end = async (): Promise<void> => {
          await providers.close();
          await closeOutbound();
          await removeKeys(redisPrefix);
        };
        return { contexts, end };
      };
      const live: LiveContexts = {
        isOn: true,
        plan: (subject) => now().plan(subject),
        gather: (subject, options) => now().gather(subject, options),
        remembered: (subject) => now().remembered(subject),
      };
      // Longer than the default, because a busy machine must not change a golden answer.
      return { live, observations: createObservations(deps), liveBudgetMs: 2_000 };
    },
    forget,
    close: async () => {
      await forget();
      disconnect();
    },
  };
}
