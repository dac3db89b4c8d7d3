import type { FastifyInstance } from 'fastify';
import { setPlan } from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import {
  admitOwnSignIn,
  callbackUrlOf,
  createProvider,
  createProviderFetch,
  openSso,
  openSsoRoutes,
  type SsoDeps,
  ssoRoutes,
} from '#capabilities/sso/index.ts';
import { createDns } from '#platform/dns.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { createSecrets } from '#platform/secrets.ts';
import { FROM_DASHBOARD, OPERATOR, type TestAccessParts } from './access.ts';
import { cookiesOf } from './accounts.ts';
import { createTestOrganizations, type TestOrganizations } from './organizations.ts';
import { CLIENT } from './peers/hostile-oidc.ts';
import { type Authority, makeAuthority } from './peers/tls-peer.ts';
import { startZonePeer, type ZonePeer } from './peers/zone-peer.ts';

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

export type TestSso = TestOrganizations & {
  readonly authority: Authority;
  readonly zones: ZonePeer;
  readonly ssoDeps: SsoDeps;
  /** Log lines of failed sign-ins. */
  readonly failures: readonly string[];
  /** An organization of the ENTERPRISE plan and an owner of it. */
  readonly newEnterprise: (name: string) => ReturnType<TestOrganizations['join']>;
  readonly put: (cookie: string, settings: object) => Promise<Answer>;
  /** Saves the settings, publishes the DNS record of the domain and enables single sign-on. */
  readonly connect: (cookie: string, issuer: string, domain: string, more?: object) => Promise<Answer>;
  readonly browser: () => Browser;
};

/** A browser: keeps cookies by name, and sends them all. */
export type Browser = {
  readonly jar: Map<string, string>;
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly post: (path: string, body: object) => Promise<Answer>;
};

/**
 * Organizations with single sign-on, over a real name server and TLS on loopback. `start` starts the providers and returns their
 * ports, the only ones that the service may reach there.
 */
export async function createTestSso(
  start: (authority: Authority, zones: ZonePeer) => Promise<readonly number[]>,
): Promise<TestSso> {
  const [authority, zones] = [makeAuthority(), await startZonePeer()];
  const ports = await start(authority, zones);
  const failures: string[] = [];
  const made: { deps?: SsoDeps; close?: () => Promise<void> } = {};
  const depsOf = ({
    config,
    clock,
    system,
  }: Pick<TestAccessParts, 'config' | 'clock' | 'system'>): SsoDeps => {
    if (made.deps !== undefined) return made.deps;
    const outbound = createOutbound({
      log: createLog('silent'),
      clock,
      allow: ports.map((port) => `127.0.0.1/32:${port}`),
      dnsServers: [zones.server],
      authorities: [authority.pem],
    });
    made.close = outbound.close;
    made.deps = {
      system,
      clock,
      letters: openLetters({ config, clock }),
      secrets: createSecrets(config.SECRET_KEY),
      dns: createDns({ servers: [zones.server], clock }),
      provider: createProvider({
        fetch: createProviderFetch(outbound),
        redirectUri: callbackUrlOf(config.PUBLIC_WEB_URL),
      }),
    };
    return made.deps;
  };
  const t = await createTestOrganizations(
    { SSO_LOOKUPS_PER_HOUR: '100000' },
    {
      admitOwnSignIn: (parts) => (signIn) => admitOwnSignIn(depsOf(parts), signIn),
      routes: (parts) =>
        ssoRoutes(
          openSsoRoutes({
            ...parts,
            log: createLog('warn', { write: (line) => failures.push(line) }),
            sso: openSso(depsOf(parts)),
            secrets: createSecrets(parts.config.SECRET_KEY),
            publicWebUrl: parts.config.PUBLIC_WEB_URL,
          }),
        ),
    },
  );
  if (made.deps === undefined) throw new Error('The routes of single sign-on were not made.');
  return {
    ...t,
    ...actionsOf(t, zones),
    failures,
    authority,
    zones,
    ssoDeps: made.deps,
    close: () => closeAll(t, made, zones, authority),
  };
}

async function closeAll(
  t: TestOrganizations,
  made: { close?: () => Promise<void> },
  zones: ZonePeer,
  authority: Authority,
): Promise<void> {
  await t.close();
  await made.close?.();
  zones.close();
  authority.close();
}

function actionsOf(
  t: TestOrganizations,
  zones: ZonePeer,
): Pick<TestSso, 'newEnterprise' | 'put' | 'connect' | 'browser'> {
  const put: TestSso['put'] = (cookie, settings) => t.call(cookie, 'PUT', '/organization/sso', settings);
  return {
    put,
    newEnterprise: async (name) => {
      const owner = await t.join(name, `owner-of-${name}`, 'OWNER');
      const manage = { postgres: t.system, clock: t.clock, pepper: t.access.pepper };
      await setPlan(manage, OPERATOR, owner.orgId, { plan: 'ENTERPRISE' });
      return owner;
    },
    connect: async (cookie, issuerUrl, emailDomain, more = {}) => {
      const client = { clientId: CLIENT.id, clientSecret: CLIENT.secret };
      const settings = { emailDomain, issuerUrl, ...client, enforceSso: false, enabled: false, ...more };
      const saved = await put(cookie, settings);
      if (saved.statusCode !== 200) throw new Error(`${saved.statusCode}: ${saved.body}`);
      const { name, value } = saved.json().connection.domainProof;
      zones.records.set(`TXT ${name}`, ['v=spf1 -all', value]);
      return put(cookie, { ...settings, enabled: true });
    },
    browser: () => newBrowser(t),
  };
}

function newBrowser(t: TestOrganizations): Browser {
  const jar = new Map<string, string>();
  const kept = (answer: Answer): Answer => {
    for (const line of cookiesOf(answer)) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (line.includes('Max-Age=0;')) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  };
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    jar,
    get: async (path, headers = {}) => {
      t.clock.advance(1);
      return kept(await t.app.inject({ url: path, headers: { cookie: cookie(), ...headers } }));
    },
    post: async (path, body) => {
      t.clock.advance(1);
      const headers = { ...FROM_DASHBOARD, cookie: cookie() };
      return kept(await t.app.inject({ method: 'POST', url: path, headers, payload: body }));
    },
  };
}
