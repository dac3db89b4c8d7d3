import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadReference } from '#capabilities/enrichment/index.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { makeMmdb } from '#test/mmdb.ts';
import { type BadDnsPeer, startBadDnsPeer } from '#test/peers/bad-dns-peer.ts';
import { type KnotPeer, startKnotPeer } from '#test/peers/knot-peer.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

const clock = systemClock();
const SERVERS = ['@ NS ns1', 'ns1 A 45.83.64.1'];
const ZONES = {
  'berlin.com': [...SERVERS, '@ A 45.83.64.7', '@ A 45.84.0.1', 'www CNAME @', 'six AAAA 2a0e:97c0::9'],
  'nowhere.com': SERVERS,
};

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let knot: KnotPeer;
let silent: BadDnsPeer;
let service: Service;
let accounts: ServiceAccounts;
let credential: string;

beforeAll(async () => {
  [database, knot, silent] = await Promise.all([
    createTestDatabase(),
    startKnotPeer(ZONES),
    startBadDnsPeer(({ name }) => (name.endsWith('silent.com') ? 'silent' : 'answer')),
  ]);
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  postgres = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
  const places = makeMmdb({
    '45.83.64.0/22': { country_code: 'DE' },
    '45.84.0.0/16': { country_code: 'US' },
    '2a0e:97c0::/32': { country_code: 'FR' },
  });
  await loadReference({ clock, transaction: system.transaction }, 'geo', [
    { label: 'geo', bytes: Buffer.from(places), modifiedAtMs: clock.now() },
  ]);
  service = await startService({
    databaseUrl: database.url,
    env: { LIVE_PROVIDERS: 'dns', DNS_SERVERS: knot.server },
  });
  accounts = openAccounts(service);
  ({ credential } = await accounts.newAccount('analyst@example.com', {
    plan: 'PRO',
    limits: { burstPerMinute: 100_000 },
  }));
  await hasPlaces(service.url);
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await Promise.all([knot?.close(), silent?.close(), system?.close(), postgres?.close()]);
  await database?.drop();
});

type Body = {
  readonly geo: unknown;
  readonly message?: string;
  readonly domains: readonly string[];
  readonly total_domains: number;
  readonly truncated: boolean;
  readonly error: string;
  readonly details: readonly { readonly path: string }[];
};
const get = async (path: string, at = service.url) => {
  const startedMs = clock.monotonic();
  const answer = await fetch(`${at}${path}`, { headers: { 'X-API-KEY': credential } });
  const body = (await answer.json()) as Body;
  return { status: answer.status, body, ms: clock.monotonic() - startedMs };
};

/** Locations are loaded at the start of a process, which may take longer on a busy machine. */
const hasPlaces = (at: string) =>
  eventually('places are loaded', 60_000, async () => {
    const { status, body } = await get('/check/location?query=45.83.64.7', at);
    return status === 200 && body.geo !== null;
  });

describe('GET /check/location of a name (G56)', () => {
  test.each([
    ['berlin.com', 'DE'],
    ['https://www.berlin.com/a?b', 'DE'],
    ['six.berlin.com', 'FR'],
  ])('%s has the location of its first address: %s', async (query, countryCode) => {
    const { status, body } = await get(`/check/location?query=${encodeURIComponent(query)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ geo: { countryCode } });
  });

  test.each(['nowhere.com', 'not-there.berlin.com'])(
    '200 with null only: %s has no address',
    async (query) => {
      const { status, body } = await get(`/check/location?query=${query}`);
      expect([status, body]).toEqual([200, { geo: null }]);
    },
  );

  test('200 with null and a message: no name server would answer', async () => {
    const { status, body } = await get('/check/location?query=refused-by-the-server.net');
    expect([status, body]).toEqual([200, { geo: null, message: expect.stringMatching(/says nothing/) }]);
  });
});

describe('GET /threat-intel/reverse-ip (decisions 3.7)', () => {
  test('200: the names that lookups recorded, in exactly the fields of decisions 3.7', async () => {
    await get('/check/location?query=berlin.com');
    await get('/check/location?query=www.berlin.com');
    await eventually('both names are written', 30_000, async () => {
      return (await get('/threat-intel/reverse-ip?ip=45.83.64.7')).body.total_domains === 2;
    });
    const { status, body } = await get('/threat-intel/reverse-ip?ip=45.83.64.7');
    expect(status).toBe(200);
    expect(body).toEqual({
      ip: '45.83.64.7',
      domains: expect.arrayContaining(['berlin.com', 'www.berlin.com']),
      total_domains: 2,
      truncated: false,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      loaded: true,
    });
    expect(Object.keys(body)).toEqual(['ip', 'domains', 'total_domains', 'truncated', 'updatedAt', 'loaded']);
  });

  test('200, empty: an address that no lookup recorded', async () => {
    expect((await get('/threat-intel/reverse-ip?ip=198.41.0.4')).body).toEqual({
      ip: '198.41.0.4',
      domains: [],
      total_domains: 0,
      truncated: false,
      updatedAt: null,
      loaded: true,
    });
  });

  test('200: the newest thousand of more, and the total count', async () => {
    await sql`
      insert into observation (first_seen, last_seen, relation, pivot, subject, record_type)
      select now() - interval '9 days', now() - (i * interval '1 second'), 1, '45.83.64.200', 'n' || i || '.com', 'A'
        from generate_series(1, 1500) as i`.execute(postgres.db);
    const { body } = await get('/threat-intel/reverse-ip?ip=45.83.64.200');
    expect([body.domains.length, body.total_domains, body.truncated]).toEqual([1_000, 1_500, true]);
    expect(body.domains.slice(0, 2)).toEqual(['n1.com', 'n2.com']);
  });

  test.each(['', '?ip=', '?ip=2a0e:97c0::9', '?ip=berlin.com', '?ip=45.83.64.0/24'])(
    "400: '%s' (trap 78)",
    async (search) => {
      const { status, body } = await get(`/threat-intel/reverse-ip${search}`);
      expect([status, body.error, body.details[0]?.path]).toEqual([400, 'Bad Request', 'ip']);
    },
  );

  test('401 without a key', async () => {
    expect((await fetch(`${service.url}/threat-intel/reverse-ip?ip=45.83.64.7`)).status).toBe(401);
  });
});

/** Starts a second service, so the proofs lane alone runs it; silent hosts are a case of live-upstreams.test.ts. */
describe.runIf(IS_FULL_SIZE)('a name whose zone does not answer', () => {
  test(`answers null${bySize('', ' within the five seconds')}, and does not block the resolution of other names`, async () => {
    const other = await startService({
      databaseUrl: database.url,
      env: { LIVE_PROVIDERS: 'dns', DNS_SERVERS: silent.server },
    });
    try {
      await hasPlaces(other.url);
      const names = Array.from({ length: 25 }, (_, i) =>
        get(`/check/location?query=n${i}.silent.com`, other.url),
      );
      for (const { status, body, ms } of await Promise.all(names)) {
        expect([status, body.geo, body.message]).toEqual([200, null, expect.stringMatching(/try again/)]);
        expectWithin(ms, 5_500);
      }
      const { body } = await get('/check/location?query=works.com', other.url);
      expect(body).toMatchObject({ geo: { countryCode: 'DE' } });
    } finally {
      await other.stop();
    }
  }, 180_000);
});
