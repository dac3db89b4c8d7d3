import type { FastifyInstance } from 'fastify';
import { type LookupsDeps, lookupsRoutes } from '#capabilities/lookups/index.ts';
import {
  createIntelOwlProvider,
  createProviders,
  PROVIDERS,
  type ProviderName,
  reachesIntelOwl,
} from '#capabilities/providers/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound } from '#platform/outbound.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { recordedGates, testApp } from './http-app.ts';
import { type LivePeers, startLivePeers } from './live-peers.ts';
import { ctRow } from './peers/ct-peer.ts';
import { type IntelOwlPeer, startIntelOwlPeer } from './peers/intelowl-peer.ts';
import { makeAuthority } from './peers/tls-peer.ts';
import { connectTestRedis, removeKeys, testPrefix } from './redis.ts';

export type LookupsRig = {
  readonly peers: LivePeers;
  readonly owl: IntelOwlPeer;
  readonly calls: string[];
  /** A separate process: an empty memory and closed breakers, over the same Redis and PostgreSQL. */
  readonly serve: (on?: readonly ProviderName[], token?: string | null) => FastifyInstance;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
};

export const LOGGED = 'logged.com';
const TOKEN = 'owl-token-7710';

/** The routes of single lookups over every provider, each with a real peer on loopback. */
export async function startLookupsRig(): Promise<LookupsRig> {
  const [clock, log, redisPrefix] = [systemClock(), createLog('silent'), testPrefix()];
  const database = await createTestDatabase();
  const postgres = connectPostgres(
    { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 },
    'assay_app',
    PATIENT,
  );
  const redis = await connectTestRedis();
  const authority = makeAuthority();
  const owl = await startIntelOwlPeer(TOKEN);
  const peers = await startLivePeers({
    zones: { 'example.com': [] },
    ctRows: (name) => (name === LOGGED ? [ctRow({ common_name: LOGGED, name_value: LOGGED })] : []),
    page: () => ({}),
    certificate: authority.issue({ subject: '/CN=shown.com', names: ['DNS:shown.com', 'IP:9.9.9.9'] }),
    authorities: [authority.pem],
  });
  const outbound = createOutbound({ log, clock, allow: [`127.0.0.1/32:${owl.port}`] });
  const recorded = recordedGates();
  const closing: (() => Promise<void>)[] = [];
  return {
    peers,
    owl,
    calls: recorded.calls,
    serve: (on = PROVIDERS, token = TOKEN) => {
      const { closeOutbound, ...set } = peers.providerSet({ clock, log, postgres });
      const intelOwl = { outbound, baseUrl: owl.url, ...(token === null ? {} : { token }) };
      const { providers } = createProviders({
        set: { ...set, intelowl: createIntelOwlProvider(intelOwl) },
        on: new Set(on),
        redis,
        redisPrefix,
        postgres,
        clock,
        log,
      });
      closing.push(async () => {
        await providers.close();
        await closeOutbound();
      });
      const deps: LookupsDeps = {
        providers,
        clock,
        reachesIntelOwl: (ask) => reachesIntelOwl(intelOwl, ask),
      };
      return testApp(lookupsRoutes(deps), { gates: recorded.gates });
    },
    reset: () => {
      recorded.calls.length = 0;
      for (const peer of [...peers.modal, owl]) peer.mode = 'answer';
      owl.state.runningFor = 0;
    },
    close: async () => {
      for (const close of closing) await close();
      await outbound.close();
      await Promise.all([peers.close(), owl.close()]);
      authority.close();
      await removeKeys(redisPrefix);
      redis.close();
      await postgres.close();
      await database.drop();
    },
  };
}
