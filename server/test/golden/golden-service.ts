import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { bulkRoutes } from '#capabilities/bulk/index.ts';
import { type CheckDeps, checkRoutes, judgePast } from '#capabilities/check/index.ts';
import { createContactSummaries } from '#capabilities/contacts/index.ts';
import { corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import type { Geo, NetworkBook } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { loadPasswords, openPasswords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import { PLAN_LIMITS } from '#domain/plans/plans.ts';
import { openAttack } from '#domain/techniques/index.ts';
import type { Clock } from '#platform/clock.ts';
import { createLog, type Log } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createTestDatabase, PATIENT } from '#test/database.ts';
import { testApp } from '#test/http-app.ts';
import { loadList } from '#test/load-list.ts';
import { buildReplica } from '#test/replica.ts';
import {
  ASKED_AT_MS,
  FORMERLY_AT_MS,
  GOLDEN,
  GOLDEN_LISTS,
  type GoldenList,
  LOADED_AT_MS,
} from './golden-corpus.ts';

const clockAt = (ms: number): Clock => ({ now: () => ms, monotonic: () => performance.now() });

const GEO: Geo = {
  country: 'Netherlands',
  countryCode: 'NL',
  city: 'Amsterdam',
  region: 'North Holland',
  lat: 52.37,
  lon: 4.9,
  isp: 'Example Hosting B.V.',
  timezone: 'Europe/Amsterdam',
  org: 'Example Hosting B.V.',
  asn: 64_500,
};
const BOOK: NetworkBook = {
  version: 'b00c01',
  networkOf: ({ value }) =>
    value === GOLDEN.ip ? { asn: 64_500, name: 'Example Hosting B.V.', prefix: '45.155.204.0/22' } : null,
  geoOf: ({ value }) => (value === GOLDEN.ip ? GEO : null),
  countryOf: ({ value }) => (value === GOLDEN.ip ? GEO.countryCode : null),
  geoAtMs: ASKED_AT_MS - 10 * 86_400_000,
};
const tactic = (id: string, name: string) => ({ id, name });
const ATTACK = openAttack({
  format: 1,
  tactics: [tactic('TA0001', 'Initial Access'), tactic('TA0011', 'Command and Control')],
  techniques: [
    {
      id: 'T1071',
      name: 'Application Layer Protocol',
      url: 'https://attack.mitre.org/techniques/T1071',
      isSubtechnique: false,
      tactics: ['TA0011'],
      mitigations: ['M1031'],
    },
    {
      id: 'T1566',
      name: 'Phishing',
      url: 'https://attack.mitre.org/techniques/T1566',
      isSubtechnique: false,
      tactics: ['TA0001'],
      mitigations: ['M1017'],
    },
  ],
  mitigations: [
    { id: 'M1017', name: 'User Training' },
    { id: 'M1031', name: 'Network Intrusion Prevention' },
  ],
});

/** SHA-1 and NTLM of the password `password`, as Have I Been Pwned lists them. */
export const BREACHED = {
  sha1: '5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8',
  ntlm: '8846f7eaee8fb117ad06bdd830b7586c',
} as const;

async function loadBreached(dataDir: string): Promise<void> {
  for (const type of ['sha1', 'ntlm'] as const) {
    const file = join(dataDir, `${type}.txt`);
    writeFileSync(file, `${BREACHED[type].toUpperCase()}:9659365\r\n`);
    await loadPasswords({
      dataDir,
      paths: [file],
      type,
      dataAtMs: Date.UTC(2026, 6, 1),
      nowMs: LOADED_AT_MS,
    });
  }
}

async function loadGolden(
  system: Postgres,
  { id, values, formerly = [], dataAtMs, settings }: GoldenList,
): Promise<void> {
  if (formerly.length > 0) {
    const clock = clockAt(FORMERLY_AT_MS);
    await loadList({ system, clock }, id, [...values, ...formerly], { dataAtMs: FORMERLY_AT_MS, settings });
  }
  await loadList({ system, clock: clockAt(LOADED_AT_MS) }, id, values, { dataAtMs, settings });
}

export type GoldenService = { readonly app: FastifyInstance; readonly close: () => Promise<void> };

/** Additions for the goldens of `full`: the providers, and the history of the corpus. */
export type GoldenContext = {
  readonly open: (deps: {
    readonly clock: Clock;
    readonly log: Log;
    readonly postgres: Postgres;
  }) => Promise<Pick<CheckDeps, 'live' | 'observations' | 'liveBudgetMs'>>;
  readonly close: () => Promise<void>;
};

export async function startGolden(context?: GoldenContext): Promise<GoldenService> {
  const database = await createTestDatabase();
  const system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 });
  for (const list of GOLDEN_LISTS) await loadGolden(system, list);
  const built = await buildReplica(system, corpusDataset);
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-golden-'));
  await loadBreached(dataDir);
  const passwords = openPasswords({ dataDir, log: createLog('silent') });
  const clock = clockAt(ASKED_AT_MS);
  const judging = {
    corpus: openCorpus(built.replica),
    misses: createMissCache(clock),
    clock,
    enrichment: { book: () => BOOK, attack: () => ATTACK, attackAt: async () => ATTACK },
  };
  const assess = createAssessor(judging);
  const postgres = connectPostgres(
    { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 },
    'assay_app',
    PATIENT,
  );
  const replay = { postgres, clock, enrichment: { bookAt: async () => BOOK } };
  const live = await context?.open({ clock, log: createLog('silent'), postgres });
  const past = (indicator: Indicator, days: number) => judgePast(replay, indicator, days);
  const secrets = createSecrets(`1:${'s'.repeat(32)}`);
  const caller = { plan: 'ENTERPRISE', billing: null, limits: PLAN_LIMITS.ENTERPRISE };
  const app = testApp([
    ...checkRoutes({ ...judging, secrets, assess, passwords, ...(live !== undefined && { ...live, past }) }),
    // The answer of a batch contains its duration, which must be constant.
    ...bulkRoutes({
      clock: { ...clock, monotonic: () => 0 },
      assess,
      contacts: createContactSummaries(judging),
      callerOf: () => caller,
    }),
  ]);
  return {
    app,
    close: async () => {
      await app.close();
      await context?.close();
      await passwords.close();
      await built.close();
      await Promise.all([postgres.close(), system.close()]);
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
