import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { corpusDataset, mergeSnapshot, openCorpus, type SourceSettings } from '#capabilities/corpus/index.ts';
import { type Enrichment, loadReference, openEnrichment } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { parseAsn, parseIndicator } from '#domain/indicator/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { recordedGates, testApp } from '#test/http-app.ts';
import { loadList } from '#test/load-list.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { type BuiltReplica, buildReplica } from '#test/replica.ts';
import { createCountListed } from './count-listed.ts';
import type { NetworkDeps } from './look-up-asn.ts';
import { networkRoutes } from './routes.ts';

const log = createLog('silent');
const clock = systemClock();
const DATA_MS = Date.UTC(2026, 5, 17);
const AWAY = { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 };

/** No DNS lookups and no observations; both have their own tests. */
const WITHOUT_LOOKUPS: Pick<NetworkDeps, 'addresses' | 'observations'> = {
  addresses: { isOn: false, ask: () => Promise.reject(new Error('DNS lookups are off.')) },
  observations: { byPivot: async () => ({ rows: [], total: 0 }) },
};

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let built: BuiltReplica;
let enrichment: Enrichment;
let deps: NetworkDeps;
let app: FastifyInstance;
const dataDir = mkdtempSync(join(tmpdir(), 'assay-network-'));
const recorded = recordedGates();

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  await fill();
  built = await buildReplica(system, corpusDataset);
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const corpus = openCorpus(built.replica);
  const assess = createAssessor({ corpus, misses: createMissCache(clock), clock, enrichment });
  deps = {
    corpus,
    assess,
    enrichment,
    clock,
    countListed: createCountListed({ clock, postgres }),
    ...WITHOUT_LOOKUPS,
  };
  app = testApp(networkRoutes(deps), { gates: recorded.gates });
});
afterAll(async () => {
  await enrichment?.close();
  await built?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  const write = { system, clock };
  const list = (id: string, values: readonly string[], settings: SourceSettings = {}) =>
    loadList(write, id, values, { dataAtMs: clock.now(), settings });
  await list(
    'attackers',
    ['45.83.64.1', '45.83.64.2', '45.83.65.1', '9.9.9.9', '45.83.64.0/22', '2a0e:97c0::1'],
    {
      category: 'bruteforce',
    },
  );
  await list('others', ['45.83.64.1', '45.83.66.200']);
  await list('trackers', ['45.83.64.77'], { adOnly: true });
  await list('exits', ['45.83.64.1'], {
    threatClass: 'infrastructure',
    category: 'anonymity',
    attributes: ['tor-exit'],
  });
  await list('clouds', ['45.83.64.0/22'], {
    threatClass: 'infrastructure',
    category: 'cloud',
    attributes: ['cloud'],
  });
  await listNetworks('asn-drop', [64_496, 65_551], { category: 'malware', attributes: ['hosting'] });
  await listNetworks('datacenters', [64_496], {
    threatClass: 'infrastructure',
    category: 'hosting',
    attributes: ['cloud'],
  });
  const load = (kind: 'geo' | 'asn', content: Uint8Array | string) =>
    loadReference({ clock, transaction: system.transaction }, kind, [
      { label: kind, bytes: Buffer.from(content), modifiedAtMs: DATA_MS },
    ]);
  await load(
    'asn',
    [
      '45.83.64.0,45.83.66.255,64496,Example Hosting',
      '45.84.0.0,45.84.255.255,64497,"Quiet, Inc."',
      '2a0e:97c0::,2a0e:97c0:ffff:ffff:ffff:ffff:ffff:ffff,64496,Example Hosting',
    ].join('\n'),
  );
  await load(
    'geo',
    makeMmdb({ '45.83.64.0/22': { country_code: 'DE' }, '9.9.9.0/24': { country_code: 'US' } }),
  );
}

function listNetworks(id: string, numbers: readonly number[], settings: SourceSettings): Promise<unknown> {
  const rows = numbers.map((number) => {
    const parsed = parseAsn(String(number));
    if (!parsed.ok) throw new Error(parsed.reason);
    return { indicator: parsed.indicator };
  });
  return mergeSnapshot({ system, clock }, id, [rows], { settings, dataAtMs: clock.now() });
}

const get = async (url: string, from: FastifyInstance = app) => {
  const answer = await from.inject({ method: 'GET', url });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};
const DE = {
  country: 'Germany',
  countryCode: 'DE',
  city: null,
  region: null,
  lat: null,
  lon: null,
  timezone: null,
};
const HOSTING = { isp: 'Example Hosting', org: 'Example Hosting', asn: 64_496 };

describe('GET /check/location (contract 4.2, G56)', () => {
  test('200: the location of an address, its network and its infrastructure', async () => {
    const { body } = await get('/check/location?query=45.83.64.1');
    expect(body).toEqual({
      geo: {
        ...DE,
        ...HOSTING,
        network: { isDatacenter: true, isTor: true, isProxy: false, isVpn: false },
      },
      message: expect.stringMatching(/knows countries only.*reference load geo FILE$/),
    });
  });

  test.each([
    ['http://45.83.64.1:8080/a', 64_496],
    ['hxxp://45[.]83[.]64[.]1/', 64_496],
    ['::ffff:45.83.64.1', 64_496],
    ['2a0e:97c0::5', 64_496],
  ])('200: %s is located by its host', async (query, asn) => {
    const { body } = await get(`/check/location?query=${encodeURIComponent(query)}`);
    expect(body.geo.asn).toBe(asn);
  });

  test.each(['example.com', 'https://example.com/x', '10.0.0.1', '203.0.113.7', '198.41.0.4'])(
    '200 with null: %s is private, in no file, or a name while DNS lookups are off',
    async (query) => {
      expect(await get(`/check/location?query=${encodeURIComponent(query)}`)).toMatchObject({
        status: 200,
        body: { geo: null },
      });
    },
  );

  test.each([
    [''],
    ['?query='],
    ['?query=not%20a%20target'],
    ['?query=45.83.64.0/24'],
    ['?query=user@example.com'],
    [`?query=${'a'.repeat(32)}`],
    [`?query=${'a'.repeat(3_000)}`],
  ])("400: '%s'", async (search) => {
    const { status, body } = await get(`/check/location${search}`);
    expect([status, body.error, body.details[0].path]).toEqual([400, 'Bad Request', 'query']);
  });

  test('costs one check, and bad input none (decisions 1.4)', async () => {
    recorded.calls.length = 0;
    await get('/check/location?query=45.83.64.1');
    await get('/check/location?query=nothing%20here');
    expect(recorded.calls.filter((call) => call.startsWith('admit'))).toEqual(['admit 1', 'admit 0']);
  });
});

describe('GET /threat-intel/asn (decisions 3.7)', () => {
  test('200 by address: exactly the fields of the table', async () => {
    const { body } = await get('/threat-intel/asn?ip=45.83.64.1');
    expect(body).toEqual({
      ip: '45.83.64.1',
      asn: 64_496,
      asName: 'Example Hosting',
      org: 'Example Hosting',
      country: null,
      registry: null,
      type: 'hosting',
      prefix: '45.83.64.0/23',
      allocatedAt: null,
      listed: true,
      list: 'asn-drop',
      listedIps: 5,
      updatedAt: '2026-06-17T00:00:00.000Z',
      loaded: true,
      message: expect.stringMatching(/^country, registry and allocatedAt are null/),
    });
  });

  test.each(['AS64496', 'as64496', '64496', 'AS%2064496'])('200 by number: %s (trap 78)', async (asn) => {
    const { status, body } = await get(`/threat-intel/asn?asn=${asn}`);
    expect([status, body.asn, body.ip, body.prefix, body.listedIps]).toEqual([200, 64_496, null, null, 5]);
  });

  test('200: a network on no list is unknown, unlisted and holds nothing listed', async () => {
    const { body } = await get('/threat-intel/asn?asn=64497');
    expect(body).toMatchObject({
      asName: 'Quiet, Inc.',
      type: 'unknown',
      listed: false,
      list: null,
      listedIps: 0,
    });
  });

  test('200: a listed network that announces nothing has no name', async () => {
    const { status, body } = await get('/threat-intel/asn?asn=65551');
    expect([status, body.asName, body.listed, body.listedIps]).toEqual([200, null, true, 0]);
    // The category of an accusing list does not describe the type of the network.
    expect(body.type).toBe('unknown');
  });

  test.each([
    ['', 'asn'],
    ['?asn=AS', 'asn'],
    ['?asn=', 'asn'],
    ['?asn=0', 'asn'],
    ['?asn=4294967296', 'asn'],
    ['?asn=-5', 'asn'],
    ['?asn=AS15169x', 'asn'],
    ['?ip=', 'ip'],
    ['?ip=example.com', 'ip'],
    ['?ip=45.83.64.0/24', 'ip'],
    ['?ip=999.1.1.1&asn=64496', 'ip'],
  ])("400: '%s'", async (search, path) => {
    const { status, body } = await get(`/threat-intel/asn${search}`);
    expect([status, body.error, body.details[0].path]).toEqual([400, 'Bad Request', path]);
  });

  test.each(['?asn=64499', '?ip=10.0.0.1', '?ip=9.9.9.9', '?ip=2a10::1'])(
    "404: '%s' is unknown",
    async (search) => {
      const { status, body } = await get(`/threat-intel/asn${search}`);
      expect([status, body.error]).toEqual([404, 'Not Found']);
    },
  );

  test('without a table of networks a number is still looked up in lists (O63)', async () => {
    const empty = { ...deps, enrichment: { ...enrichment, networks: () => null } };
    const { body } = await get('/threat-intel/asn?asn=64496', testApp(networkRoutes(empty)));
    expect(body).toMatchObject({ listed: true, list: 'asn-drop', listedIps: null, loaded: false });
  });

  test('503 while nothing can be counted', async () => {
    const away = connectPostgres(AWAY, 'assay_app');
    const uncounted = { ...deps, countListed: createCountListed({ clock, postgres: away }) };
    expect((await get('/threat-intel/asn?asn=64496', testApp(networkRoutes(uncounted)))).status).toBe(503);
    await away.close();
  });

  test('while PostgreSQL is down the last count is used for a day', async () => {
    const at = { ms: 0 };
    const moved = { now: clock.now, monotonic: () => at.ms };
    const pool = { transaction: postgres.transaction };
    const countListed = createCountListed({ clock: moved, postgres: pool });
    const own = testApp(networkRoutes({ ...deps, countListed }));
    expect((await get('/threat-intel/asn?asn=64496', own)).body.listedIps).toBe(5);
    const away = connectPostgres(AWAY, 'assay_app');
    pool.transaction = away.transaction;
    at.ms = 600_000;
    expect((await get('/threat-intel/asn?asn=64496', own)).body.listedIps).toBe(5);
    at.ms = 2 * 86_400_000;
    expect((await get('/threat-intel/asn?asn=64496', own)).status).toBe(503);
    await away.close();
  });

  test('200 with members=true: the listed addresses of all its ranges, judged as by /check (O58)', async () => {
    const { status, body } = await get('/threat-intel/asn?asn=64496&members=true');
    expect([status, body.listedIps]).toEqual([200, 5]);
    expect(body.members.counts).toMatchObject({ listed: 5, examined: 5, isPartial: false, withheld: 0 });
    const members = body.members.newest.members as { value: string; score: number; word: string }[];
    expect(members.map(({ value }) => value).toSorted()).toEqual([
      '2a0e:97c0::1',
      '45.83.64.1',
      '45.83.64.2',
      '45.83.65.1',
      '45.83.66.200',
    ]);
    for (const { value, score, word } of members) {
      const parsed = parseIndicator(value);
      if (!parsed.ok) throw new Error(parsed.reason);
      const { riskScore } = deps.assess(parsed.indicator).verdict;
      expect([score, word], value).toEqual([riskScore.score, riskScore.word]);
    }
  });

  test('200: by address as well, empty for a quiet network, and absent unless it is asked for', async () => {
    const byAddress = await get('/threat-intel/asn?ip=45.83.64.1&members=true');
    expect(byAddress.body.members.counts.listed).toBe(5);
    const { ranges, announced } = byAddress.body.members;
    const listedIn = ranges.map(({ listed }: { listed: number }) => listed);
    expect(listedIn).toEqual(listedIn.toSorted((a: number, b: number) => b - a));
    expect(listedIn.reduce((sum: number, each: number) => sum + each, 0)).toBe(5);
    expect([announced > 0, ranges[0].cidr]).toEqual([true, expect.stringMatching(/^[\d.]+\/\d+$/)]);
    const quiet = await get('/threat-intel/asn?asn=64497&members=true');
    expect(quiet.body.members).toMatchObject({ counts: { listed: 0 }, newest: { members: [], next: null } });
    const none = await get('/threat-intel/asn?asn=65551&members=true');
    expect([none.status, none.body.members.counts.listed]).toEqual([200, 0]);
    expect((await get('/threat-intel/asn?asn=64496&members=false')).body).not.toHaveProperty('members');
  });

  test.each([
    ['members=yes', 'members'],
    ['members=true&cursor=nonsense', 'cursor'],
  ])("400: '%s'", async (search, path) => {
    const { status, body } = await get(`/threat-intel/asn?asn=64496&${search}`);
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  test('an AS costs a check, the others only the burst (O82)', () => {
    const meters = networkRoutes(deps).map(({ path, policy }) => [path, policy.meter]);
    expect(meters).toEqual([
      ['/check/location', 'checks'],
      ['/threat-intel/asn', 'checks'],
      ['/threat-intel/reverse-ip', 'burst'],
      ['/network/intel', 'burst'],
    ]);
  });
});

describe('GET /network/intel (decisions 3.7)', () => {
  test('200: the address, its network, its neighbours and its infrastructure', async () => {
    const { status, body } = await get('/network/intel?ip=45.83.64.1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ip: '45.83.64.1',
      asn: { asn: 64_496, name: 'Example Hosting', org: 'Example Hosting', country: null, type: 'hosting' },
      prefix: '45.83.64.0/23',
      geo: { ...DE, ...HOSTING },
      network: { isDatacenter: true, isTor: true, isProxy: false, isVpn: false },
      neighbourhood: { prefix: '45.83.64.0/24', total: 256, listed: 2, ratio: 0.0078 },
      infrastructure: { attributes: ['cloud', 'tor-exit'] },
    });
    expect(Object.keys(body)).toEqual([
      'ip',
      'asn',
      'prefix',
      'geo',
      'network',
      'neighbourhood',
      'infrastructure',
    ]);
  });

  test('200: unknown values are null, and without a list there is no infrastructure', async () => {
    const { body } = await get('/network/intel?ip=198.41.0.4');
    expect(body).toEqual({
      ip: '198.41.0.4',
      asn: null,
      prefix: null,
      geo: null,
      network: { isDatacenter: false, isTor: false, isProxy: false, isVpn: false },
      neighbourhood: { prefix: '198.41.0.0/24', total: 256, listed: 0, ratio: 0 },
    });
  });

  test('200: IPv6 counts the /64s of its /48; a private address is a bogon', async () => {
    const { body } = await get('/network/intel?ip=2a0e:97c0::9');
    expect(body.neighbourhood).toEqual({ prefix: '2a0e:97c0::/48', total: 65_536, listed: 1, ratio: 0 });
    expect((await get('/network/intel?ip=192.168.1.1')).body).toMatchObject({
      geo: null,
      infrastructure: { attributes: ['bogon'] },
    });
  });

  test.each(['', '?ip=', '?ip=example.com', '?ip=10.0.0.0/8', '?ip=AS64496'])("400: '%s'", async (search) => {
    const { status, body } = await get(`/network/intel${search}`);
    expect([status, body.error, body.details[0].path]).toEqual([400, 'Bad Request', 'ip']);
  });
});
