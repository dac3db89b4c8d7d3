import type { OwnSignIn } from '#capabilities/access/index.ts';
import {
  admitOwnSignIn,
  callbackUrlOf,
  createProvider,
  createProviderFetch,
  openSso,
  type Sso,
  type SsoDeps,
} from '#capabilities/sso/index.ts';
import type { Config } from '#platform/config.ts';
import { createDns } from '#platform/dns.ts';
import type { Log } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { createSecrets } from '#platform/secrets.ts';
import { egressOf } from './egress.ts';

export type OpenSso = {
  readonly sso: Sso;
  readonly admitOwnSignIn: (signIn: OwnSignIn) => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Identity providers have a way out of their own: organizations name the issuers, so OUTBOUND_ALLOW, which is for URLs of the
 * operator, does not count for them.
 */
export function openProviders({
  config,
  log,
  clock,
  system,
  letters,
}: Pick<SsoDeps, 'clock' | 'system' | 'letters'> & {
  readonly config: Config;
  readonly log: Log;
}): OpenSso {
  const outbound = createOutbound({
    log,
    clock,
    ...egressOf(config),
    allow: config.SSO_ALLOW,
    ...(config.DNS_SERVERS.length > 0 && { dnsServers: config.DNS_SERVERS }),
  });
  const deps: SsoDeps = {
    system,
    clock,
    letters,
    secrets: createSecrets(config.SECRET_KEY),
    dns: createDns({ servers: config.DNS_SERVERS, clock }),
    provider: createProvider({
      fetch: createProviderFetch(outbound),
      redirectUri: callbackUrlOf(config.PUBLIC_WEB_URL),
    }),
  };
  return {
    sso: openSso(deps),
    admitOwnSignIn: (signIn) => admitOwnSignIn(deps, signIn),
    close: () => outbound.close(),
  };
}
