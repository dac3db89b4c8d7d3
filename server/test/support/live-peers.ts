import {
  createAddressesProvider,
  createCtProvider,
  createDnsProvider,
  createIntelOwlProvider,
  createInternetDbProvider,
  createObservations,
  createOtxProvider,
  createRdapProvider,
  createScannerProvider,
  createTenantProvider,
  createTlsProvider,
  createWebProvider,
  type ProviderSet,
} from '#capabilities/providers/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createDns } from '#platform/dns.ts';
import type { Log } from '#platform/log.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import type { Postgres } from '#platform/postgres.ts';
import { startCtPeer } from './peers/ct-peer.ts';
import { type InternetDbPeer, startInternetDbPeer } from './peers/internetdb-peer.ts';
import { type KnotPeer, startKnotPeer } from './peers/knot-peer.ts';
import { type OtxPeer, startOtxPeer } from './peers/otx-peer.ts';
import type { ModalPeer } from './peers/peer-mode.ts';
import { type RdapPeer, startRdapPeer } from './peers/rdap-peer.ts';
import { type ScannerPeer, startScannerPeer } from './peers/scanner-peer.ts';
import { startTenantPeer, type TenantPeer } from './peers/tenant-peer.ts';
import { type Issued, startTlsPeer, type TlsPeer } from './peers/tls-peer.ts';
import { type FrontPage, startWebPeer } from './peers/web-peer.ts';
import { startWhoisPeer, type WhoisPeer } from './peers/whois-peer.ts';

export type LivePeers = {
  readonly rdap: RdapPeer;
  readonly whois: WhoisPeer;
  readonly ct: ModalPeer;
  readonly internetdb: InternetDbPeer;
  readonly otx: OtxPeer;
  readonly scanner: ScannerPeer;
  readonly tenant: TenantPeer;
  readonly web: ModalPeer;
  readonly tls: TlsPeer;
  readonly dns: KnotPeer;
  readonly modal: readonly ModalPeer[];
  /** Variables for `startService` that switch on every provider that needs no connection to the target host. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Every provider, without cache and breaker, over these peers. Target hosts are all reached on loopback.
   */
  readonly providerSet: (deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly postgres: Postgres;
  }) => ProviderSet & { readonly closeOutbound: () => Promise<void> };
  readonly close: () => Promise<void>;
};

export type LivePeersOptions = {
  readonly zones: Readonly<Record<string, readonly string[]>>;
  readonly ctRows: (name: string) => readonly unknown[];
  readonly page: (host: string, path: string) => FrontPage;
  readonly certificate: Issued;
  readonly authorities: readonly string[];
};

const KEY = 'key-of-the-test';
const LOOPBACK = '127.0.0.1';

/** Every upstream of a check, as a real server on loopback. */
export async function startLivePeers(options: LivePeersOptions): Promise<LivePeers> {
  const [rdap, whois, ct, internetdb, otx, scanner, tenant, web, tls, dns] = await Promise.all([
    startRdapPeer(),
    startWhoisPeer(() => 'No match.\r\n'),
    startCtPeer(options.ctRows),
    startInternetDbPeer(),
    startOtxPeer(),
    startScannerPeer(),
    startTenantPeer(),
    startWebPeer(options.page),
    startTlsPeer(options.certificate),
    startKnotPeer(options.zones),
  ]);
  const ports = [rdap, whois, ct, internetdb, otx, scanner, tenant, web, tls].map(({ port }) => port);
  const allow = ports.map((port) => `${LOOPBACK}/32:${port}`);
  return {
    rdap,
    whois,
    ct,
    internetdb,
    otx,
    scanner,
    tenant,
    web,
    tls,
    dns,
    modal: [rdap, ct, internetdb, otx, scanner, tenant, web],
    env: {
      LIVE_PROVIDERS: 'dns,rdap,ct,internetdb,otx,scanner,tenant',
      DNS_SERVERS: dns.server,
      OUTBOUND_ALLOW: allow.join(','),
      RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl,
      WHOIS_ROOT: `${LOOPBACK}:${whois.port}`,
      CT_URL: ct.url,
      INTERNETDB_URL: internetdb.url,
      OTX_URL: otx.url,
      OTX_KEY: KEY,
      SCANNER_URL: scanner.url,
      SCANNER_KEY: KEY,
      TENANT_URL: tenant.url,
    },
    providerSet: ({ clock, log, postgres }) => {
      const limits = { log, clock, allow, authorities: options.authorities };
      const [direct, streams] = [createOutbound(limits), createOutboundStreams(limits)];
      const resolver = createDns({ servers: [dns.server], clock });
      const outbound = direct;
      return {
        addresses: createAddressesProvider({ dns: resolver }),
        dns: createDnsProvider({ dns: resolver }),
        rdap: createRdapProvider({
          outbound,
          streams,
          clock,
          bootstrapUrl: rdap.bootstrapUrl,
          whoisRoot: `${LOOPBACK}:${whois.port}`,
        }),
        tls: createTlsProvider({ streams: onLoopback(streams), clock, port: tls.port }),
        ct: createCtProvider({ outbound, baseUrl: ct.url }),
        internetdb: createInternetDbProvider({ outbound, baseUrl: internetdb.url }),
        otx: createOtxProvider({ outbound, clock, baseUrl: otx.url, key: KEY }),
        scanner: createScannerProvider({ outbound, clock, baseUrl: scanner.url, key: KEY }),
        web: createWebProvider({
          outbound: visitingLoopback(direct),
          ports: { https: web.port, http: web.port },
        }),
        tenant: createTenantProvider({ outbound, clock, baseUrl: tenant.url }),
        intelowl: createIntelOwlProvider({ outbound }),
        observations: createObservations({ postgres, log, clock }),
        closeOutbound: async () => {
          await Promise.all([direct.close(), streams.close()]);
        },
      };
    },
    close: async () => {
      await Promise.all(
        [rdap, whois, ct, internetdb, otx, scanner, tenant, web, tls, dns].map((peer) => peer.close()),
      );
    },
  };
}

const onLoopback = (streams: OutboundStreams): OutboundStreams => ({
  ...streams,
  handshake: (target) => streams.handshake({ ...target, host: LOOPBACK, serverName: target.host }),
});

const visitingLoopback = (outbound: Outbound): Outbound => ({
  ...outbound,
  fetch: (url, options) => {
    const target = new URL(url);
    target.hostname = LOOPBACK;
    return outbound.fetch(target, options);
  },
});
