import {
  createAddressesProvider,
  createCtProvider,
  createDnsProvider,
  createIntelOwlProvider,
  createInternetDbProvider,
  createObservations,
  createOtxProvider,
  createProviders,
  createRdapProvider,
  createScannerProvider,
  createTenantProvider,
  createTlsProvider,
  createWebProvider,
  type FindCve,
  type LiveContexts,
  type ProviderSet,
  type Providers,
  reachesIntelOwl,
} from '#capabilities/providers/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { createDns } from '#platform/dns.ts';
import type { Log } from '#platform/log.ts';
import type { OutboundStreams } from '#platform/outbound/stream-target.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound, type Outbound } from '#platform/outbound.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Redis } from '#platform/redis.ts';
import { egressOf } from './egress.ts';

export type LiveDeps = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly redis: Redis;
  readonly postgres: Postgres;
  /** The CVE catalogue of this node. */
  readonly findCve?: FindCve;
};

export type Live = {
  readonly providers: Providers;
  readonly contexts: LiveContexts;
  /** True when IntelOwl accepts requests. Never rejects. */
  readonly reachesIntelOwl: (ask: {
    readonly deadlineMs: number;
    readonly signal: AbortSignal;
  }) => Promise<boolean>;
  readonly services: Outbound;
  readonly close: () => Promise<void>;
};

/**
 * Opens all live providers, with two outbound policies: services whose URL the operator configured may use addresses
 * that OUTBOUND_ALLOW names; a host that a caller or a registry named may not, except for the servers of tests.
 */
export function openLive({ config, log, clock, redis, postgres, findCve }: LiveDeps): Live {
  const common = {
    log,
    clock,
    ...egressOf(config),
    ...(config.DNS_SERVERS.length > 0 && { dnsServers: config.DNS_SERVERS }),
  };
  const allowed = { ...common, allow: config.OUTBOUND_ALLOW };
  const guarded = config.ASSAY_ENV === 'test' ? allowed : common;
  const [services, targets, streams] = [
    createOutbound(allowed),
    createOutbound(guarded),
    createOutboundStreams(guarded),
  ];
  const { providers, contexts } = createProviders({
    set: providerSet({ config, log, clock, postgres, services, targets, streams }),
    on: new Set(config.LIVE_PROVIDERS),
    redis,
    redisPrefix: config.REDIS_PREFIX,
    postgres,
    clock,
    log,
    ...(findCve === undefined ? {} : { findCve }),
  });
  return {
    providers,
    contexts,
    services,
    reachesIntelOwl: (ask) => reachesIntelOwl(intelOwl(config, services), ask),
    close: async () => {
      await providers.close();
      await Promise.all([services.close(), targets.close(), streams.close()]);
    },
  };
}

type Ways = Omit<LiveDeps, 'redis'> & {
  readonly services: Outbound;
  readonly targets: Outbound;
  readonly streams: OutboundStreams;
};

function providerSet({ config, log, clock, postgres, services, targets, streams }: Ways): ProviderSet {
  const dns = createDns({ servers: config.DNS_SERVERS, clock });
  const outbound = services;
  return {
    addresses: createAddressesProvider({ dns }),
    dns: createDnsProvider({ dns }),
    // The bootstrap files and referrals name the registry, not the operator, so it gets the stricter policy.
    rdap: createRdapProvider({
      outbound: targets,
      streams,
      clock,
      bootstrapUrl: config.RDAP_BOOTSTRAP_URL,
      whoisRoot: config.WHOIS_ROOT,
    }),
    tls: createTlsProvider({ streams, clock }),
    ct: createCtProvider({ outbound, baseUrl: config.CT_URL }),
    internetdb: createInternetDbProvider({ outbound, baseUrl: config.INTERNETDB_URL }),
    otx: createOtxProvider({ outbound, clock, baseUrl: config.OTX_URL, ...keyOf(config.OTX_KEY) }),
    scanner: createScannerProvider({
      outbound,
      clock,
      baseUrl: config.SCANNER_URL,
      ...keyOf(config.SCANNER_KEY),
    }),
    web: createWebProvider({ outbound: targets }),
    tenant: createTenantProvider({ outbound, clock, baseUrl: config.TENANT_URL }),
    intelowl: createIntelOwlProvider(intelOwl(config, outbound)),
    observations: createObservations({ postgres, log, clock }),
  };
}

const keyOf = (key: string | undefined): { readonly key?: string } => (key === undefined ? {} : { key });

const intelOwl = ({ INTELOWL_URL: baseUrl, INTELOWL_TOKEN: token }: Config, outbound: Outbound) => ({
  outbound,
  ...(baseUrl !== undefined && { baseUrl }),
  ...(token !== undefined && { token }),
});
