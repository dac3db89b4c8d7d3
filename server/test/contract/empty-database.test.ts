import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { corpusDataset, openCorpus } from '#capabilities/corpus/index.ts';
import { cveDataset, cveRoutes, openCveFacts } from '#capabilities/cve/index.ts';
import { type Enrichment, openEnrichment } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { createCountListed, type NetworkDeps, networkRoutes } from '#capabilities/network/index.ts';
import { ransomwareRoutes } from '#capabilities/ransomware/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { ransomwareDeps } from '../../src/app/ransomware-deps.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '../support/database.ts';
import { recordedGates, testApp } from '../support/http-app.ts';
import { type BuiltReplica, buildReplica } from '../support/replica.ts';

/**
 * What a service that was just installed answers where it has no data (decisions O63, O77): nulls and empty lists that
 * say so and name the command or setting, no number, no 503, no charge.
 */
const clock = systemClock();
const log = createLog('silent');
const dataDir = mkdtempSync(join(tmpdir(), 'assay-empty-'));
const { gates, calls } = recordedGates();
let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let enrichment: Enrichment;
let replicas: readonly BuiltReplica[] = [];
let network: NetworkDeps;
let app: FastifyInstance;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  const lists = await buildReplica(system, corpusDataset);
  const cves = await buildReplica(system, cveDataset);
  replicas = [lists, cves];
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const corpus = openCorpus(lists.replica);
  network = {
    corpus,
    assess: createAssessor({ corpus, misses: createMissCache(clock), clock, enrichment }),
    enrichment,
    clock,
    countListed: createCountListed({ clock, postgres }),
    addresses: { isOn: false, ask: () => Promise.reject(new Error('DNS lookups are off.')) },
    observations: { byPivot: async () => ({ rows: [], total: 0 }) },
  };
  const routes = [
    ...cveRoutes({ clock, postgres, facts: openCveFacts(cves.replica) }),
    ...ransomwareRoutes(ransomwareDeps({ postgres, enrichment }, corpus, clock)),
    ...networkRoutes(network),
  ];
  app = testApp(routes, { gates });
});
afterAll(async () => {
  await app?.close();
  await enrichment?.close();
  for (const replica of replicas) await replica.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  calls.length = 0;
});

const get = async (url: string, from = app) => {
  const { statusCode, headers, ...answer } = await from.inject({ method: 'GET', url });
  return { status: statusCode, loaded: headers['x-assay-loaded'], body: answer.json() };
};
const charged = () => calls.filter((call) => /^(admit|refund) [1-9]/.test(call));

/** Every number of an answer with its path. */
const numbersIn = (value: unknown, path = ''): readonly string[] => {
  if (typeof value === 'number') return [`${path} ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => numbersIn(each, `${path}.${name}`));
};

const CVES = /admin -- cve (import-manifest FOLDER|load epss FILE)/;
const CLAIMS = /admin -- ransomware (import-manifest FOLDER|load cyberwatch FILE)/;
const OBJECTS: readonly (readonly [string, RegExp])[] = [
  ['/cve?recent=true', CVES],
  ['/cve?q=gateway', CVES],
  ['/cve/vendors', CVES],
  ['/cve/products', CVES],
  ['/cve/stats/epss', CVES],
  ['/ransomware/feed', CLAIMS],
  ['/ransomware/stats', CLAIMS],
  ['/ransomware/press', CLAIMS],
  ['/ransomware/sector-risk', CLAIMS],
  ['/ransomware/sector-risk?sector=healthcare', CLAIMS],
  ['/ransomware/sector-risk/history', CLAIMS],
  ['/ransomware/sector-victims?sector=healthcare', CLAIMS],
  ['/ransomware/groups', CLAIMS],
  ['/ransomware/group-profile?group=akira', CLAIMS],
  ['/check/ransomware', CLAIMS],
  ['/check/ransomware?query=example.com', CLAIMS],
  ['/check/ransomware?query=akira', CLAIMS],
  ['/check/ransomware?query=192.0.2.8', /admin -- feeds import ID FILE --category ransomware/],
  ['/threat-intel/asn?ip=9.9.9.9', /admin -- reference load asn FILE/],
  ['/threat-intel/asn?asn=15169', /admin -- reference load asn FILE/],
  ['/threat-intel/reverse-ip?ip=9.9.9.9', /adds dns to LIVE_PROVIDERS/],
];

describe('objects', () => {
  test.each(OBJECTS)('%s has loaded: false and no number, and costs nothing', async (path, said) => {
    const { status, loaded, body } = await get(path);
    expect([status, loaded, body.loaded]).toEqual([200, 'false', false]);
    expect(body.message).toMatch(said);
    // The question is repeated: the days of a series and the number of the network.
    const { days: _days, asn: _asn, ...answer } = body;
    expect(numbersIn(answer)).toEqual([]);
    if (path.startsWith('/check/')) expect(body.found ?? null).toBeNull();
    expect([[], ['admit 1', 'refund 1']]).toContainEqual(charged());
  });

  test('a sector has no level, a group no status, and an unknown number is on no loaded list', async () => {
    expect((await get('/ransomware/sector-risk?sector=healthcare')).body).toMatchObject({
      riskLevel: 'inconclusive',
      trend: null,
      dataAsOf: null,
    });
    expect((await get('/ransomware/group-profile?group=akira')).body).toMatchObject({
      name: 'akira',
      status: null,
    });
    expect((await get('/threat-intel/asn?ip=9.9.9.9')).body).toMatchObject({ asn: null, listed: null });
  });
});

test.each(['/cve/recent', '/cve/stats/top-products', '/cve/stats/timeseries'])(
  '%s is an empty array whose header says that nothing is loaded, and costs nothing',
  async (path) => {
    expect(await get(path)).toEqual({ status: 200, loaded: 'false', body: [] });
    expect([[], ['admit 1', 'refund 1']]).toContainEqual(charged());
  },
);

test('a CVE is not called unknown: the 404 names the command and costs nothing', async () => {
  const { status, body } = await get('/cve/CVE-2021-44228');
  expect([status, body.message]).toEqual([404, expect.stringMatching(CVES)]);
  expect(charged()).toEqual(['admit 1', 'refund 1']);
});

test.each([
  ['9.9.9.9', 'admin -- reference load geo FILE'],
  ['example.com', 'adds dns to LIVE_PROVIDERS'],
])('/check/location of %s says what is missing and costs nothing', async (query, said) => {
  const { status, body } = await get(`/check/location?query=${query}`);
  expect([status, body]).toEqual([200, { geo: null, message: expect.stringContaining(said) }]);
  expect(charged()).toEqual(['admit 1', 'refund 1']);
});

test('/network/intel counts no listed neighbours and names both commands', async () => {
  const { body } = await get('/network/intel?ip=9.9.9.9');
  expect(body.neighbourhood).toMatchObject({ listed: null, ratio: null });
  expect(body.message).toMatch(/reference load asn FILE.*feeds import ID FILE/);
});

test('reverse-ip counts to 0 where names are resolved and none led to the address', async () => {
  const on = testApp(networkRoutes({ ...network, addresses: { ...network.addresses, isOn: true } }));
  const { loaded, body } = await get('/threat-intel/reverse-ip?ip=9.9.9.9', on);
  expect([body.total_domains, body.loaded, loaded]).toEqual([0, true, undefined]);
});
