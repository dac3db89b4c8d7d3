import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createCheck } from '#capabilities/check/index.ts';
import { type ContactsDeps, contactsRoutes } from '#capabilities/contacts/index.ts';
import { openEnrichment } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { openPasswords } from '#capabilities/passwords/index.ts';
import { createDnsProvider } from '#capabilities/providers/dns/dns.ts';
import { AnswerMemory } from '#capabilities/providers/frame/answer-memory.ts';
import { createAbsentLookup, createLookup } from '#capabilities/providers/frame/create-lookup.ts';
import { createKeptAnswers } from '#capabilities/providers/frame/kept-answers.ts';
import { createRedisRoom } from '#capabilities/providers/frame/redis-room.ts';
import { createRdapProvider } from '#capabilities/providers/rdap/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { createDns } from '#platform/dns.ts';
import { createLog } from '#platform/log.ts';
import { createOutboundStreams } from '#platform/outbound/streams.ts';
import { createOutbound } from '#platform/outbound.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { PATIENT } from './database.ts';
import { recordedGates, testApp } from './http-app.ts';
import { type ListedCorpus, openListedCorpus } from './listed-corpus.ts';
import { type RdapPeer, startRdapPeer } from './peers/rdap-peer.ts';
import { connectTestRedis, removeKeys, testPrefix } from './redis.ts';

export type ContactsRig = ListedCorpus & {
  readonly deps: ContactsDeps;
  readonly app: FastifyInstance;
  /** The same routes without a name server and a registry. */
  readonly quietApp: FastifyInstance;
  readonly calls: string[];
  readonly registry: RdapPeer;
};

const log = createLog('silent');

/** The routes of contacts on a real corpus and replica, with a test name server and registry. */
export async function openContactsRig(startMs: number, dnsServer: string): Promise<ContactsRig> {
  const listed = await openListedCorpus(startMs);
  const { corpus, clock } = listed;
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-contacts-'));
  const postgres = connectPostgres(
    { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 3 },
    'assay_app',
    PATIENT,
  );
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const passwords = openPasswords({ dataDir, log });
  const [redis, redisPrefix, registry] = [await connectTestRedis(), testPrefix(), await startRdapPeer()];
  const allow = [`127.0.0.1/32:${registry.port}`];
  const outbound = createOutbound({ log, clock, allow });
  const streams = createOutboundStreams({ log, clock, allow });
  const kept = createKeptAnswers({ postgres, clock, log });
  const frame = {
    memory: new AnswerMemory(),
    redis,
    redisPrefix,
    room: createRedisRoom({ redis, clock, log }),
    kept,
    observations: { record: () => undefined },
    clock,
    log,
  };
  const dns = createLookup(
    frame,
    createDnsProvider({ dns: createDns({ servers: [dnsServer], clock }) }),
    ({ value }) => value,
  );
  const rdap = createLookup(
    frame,
    createRdapProvider({
      outbound,
      streams,
      clock,
      bootstrapUrl: registry.bootstrapUrl,
      whoisRoot: '127.0.0.1:1',
    }),
    ({ value }) => value,
  );
  const judging = { corpus, misses: createMissCache(clock), clock, enrichment };
  const assess = createAssessor(judging);
  const check = createCheck({ ...judging, assess, passwords }).check;
  const deps: ContactsDeps = { assess, corpus, clock, check, providers: { dns, rdap } };
  const nobody = { dns: createAbsentLookup('dns', 'off'), rdap: createAbsentLookup('rdap', 'off') };
  const recorded = recordedGates();
  return {
    ...listed,
    deps,
    registry,
    calls: recorded.calls,
    app: testApp(contactsRoutes(deps), { gates: recorded.gates }),
    quietApp: testApp(contactsRoutes({ ...deps, providers: nobody as ContactsDeps['providers'] })),
    close: async () => {
      dns.close();
      rdap.close();
      await Promise.all([kept.close(), passwords.close(), enrichment.close(), registry.close()]);
      await Promise.all([outbound.close(), streams.close()]);
      redis.close();
      await removeKeys(redisPrefix);
      await postgres.close();
      await listed.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
