import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createKey,
  createUser,
  ensureOrganization,
  putMembership,
  setPlan,
} from '#capabilities/access/index.ts';
import { bitOf, type SharedId } from '#capabilities/taxii/collections.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/secrets.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { HOSTILE_NAMES, HOSTILE_URLS, valuesOfAllKinds } from '#test/taxii-values.ts';
import { CLIENT_DIR, type ClientWalk, type Filters, walkWithClient } from './taxii-clients/oasis-client.ts';
import {
  chosenRows,
  organizationRows,
  type PublishedRow,
  sharedRows,
  timeOfMicros,
} from './taxii-clients/published-rows.ts';

const INDICATORS = 3_000;
const REPORTED = 300;
/** Smaller collections are also walked with the default of 50 objects a page. */
const SMALL = 1_000;
/** How many objects of a collection the filters name. */
const SAMPLE = 25;
const OPEN = { reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const LIMITS = { burstPerMinute: 1_000_000, orgIndicatorsPerDay: 100_000 };
const VALUES = [...new Set([...valuesOfAllKinds(INDICATORS), ...HOSTILE_URLS, ...HOSTILE_NAMES])];
const SHARED: readonly SharedId[] = [
  'malicious-ips',
  'malicious-domains',
  'c2-indicators',
  'phishing-indicators',
];
const OWN = {
  'org-reported-ips': 'ip',
  'org-reported-domains': 'domain',
  'org-reported-file-hashes': 'hash',
};
const ORDERS = ['accept', 'newest'] as const;

let database: TestDatabase;
let services: Record<(typeof ORDERS)[number], Service>;
let accounts: ServiceAccounts;
let organizationId: string;
let credential: string;
/** The newest date after the first of the two publications, so that a poll can ask for the second one. */
let between: string;

beforeAll(async () => {
  if (CLIENT_DIR === undefined) return;
  database = await createTestDatabase();
  const start = (TAXII_ORDER: string) => startService({ databaseUrl: database.url, env: { TAXII_ORDER } });
  services = { accept: await start('accept'), newest: await start('newest') };
  accounts = openAccounts(services.accept);
  await openOrganization();
  await publish(VALUES.slice(0, -400), VALUES.slice(200, 1_800));
  between = await newestDate();
  await publish(VALUES.slice(150), VALUES.slice(600));
  await report();
});
afterAll(async () => {
  await accounts?.close();
  for (const order of ORDERS) await services?.[order].stop();
  await database?.drop();
});

async function openOrganization(): Promise<void> {
  const clock = systemClock();
  const { KEY_PEPPER } = loadConfig(services.accept.env);
  const deps = { postgres: accounts.system, clock, pepper: createSecrets(KEY_PEPPER) };
  organizationId = await ensureOrganization(deps, OPERATOR, 'Reader');
  await setPlan(deps, OPERATOR, organizationId, { plan: 'ENTERPRISE', limits: LIMITS });
  const userId = await createUser(deps, OPERATOR, 'owner@reader.example');
  await putMembership(deps, OPERATOR, organizationId, userId, 'OWNER');
  const wanted = { accountId: organizationId, userId, label: 'reader', allowedCidrs: [] };
  ({ credential } = await createKey(deps, OPERATOR, wanted));
  for (const order of ORDERS)
    await eventually('the key is known', 60_000, async () => (await ask(order, 'GET', '/check')).ok);
}

const ask = (
  order: (typeof ORDERS)[number],
  method: string,
  path: string,
  body?: object,
): Promise<Response> =>
  fetch(`${services[order].url}${path}`, {
    method,
    headers: { 'x-api-key': credential, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Makes these the lists of two sources and brings the collections up to date as an operator does. */
async function publish(servers: readonly string[], pages: readonly string[]): Promise<void> {
  const deps = { system: accounts.system, clock: systemClock() };
  const at = { dataAtMs: Date.now() };
  await loadList(deps, 'servers', servers, {
    ...at,
    settings: { ...OPEN, category: 'c2', lineage: 'servers' },
  });
  await loadList(deps, 'pages', pages, {
    ...at,
    settings: { ...OPEN, category: 'phishing', lineage: 'pages' },
  });
  const { admin } = services.accept;
  await eventually('the standings follow the lists', 120_000, async () => {
    await admin('standing', 'follow');
    const { seq, newestSeq } = await admin<{ seq: number; newestSeq: number }>('standing', 'status');
    return seq === newestSeq;
  });
  const { published } = await admin<{ published: number }>('taxii', 'rebuild');
  expect(published).toBeGreaterThan(0);
}

async function newestDate(): Promise<string> {
  const rows = await sharedRows(accounts.system.db, bitOf('c2-indicators'));
  return timeOfMicros(Math.max(...rows.map(({ addedUs }) => addedUs)));
}

async function report(): Promise<void> {
  const kinds = [
    ['ip', (at: number) => `203.0.${at >> 8}.${at & 255}`],
    ['domain', (at: number) => `own${at}.example.com`],
    ['hash', (at: number) => at.toString(16).padStart(32, 'a')],
  ] as const;
  for (const [type, nameAt] of kinds)
    for (let first = 0; first < REPORTED; first += 100) {
      const indicators = Array.from({ length: 100 }, (_, at) => ({
        type,
        value: nameAt(113 * 256 + first + at),
        category: 'c2',
      }));
      const answer = await ask('accept', 'POST', '/org/indicators', { indicators });
      expect(answer.status, await answer.clone().text()).toBeLessThan(300);
      const { indicators: reported } = (await answer.json()) as { indicators: { id: string }[] };
      await ask('accept', 'DELETE', `/org/indicators/${reported[first / 100]?.id}`);
    }
}

type Expected = {
  readonly walk: ClientWalk;
  readonly rows: readonly PublishedRow[];
  readonly hasIdentity: boolean;
};

async function rowsIn(collection: string): Promise<readonly PublishedRow[]> {
  const kind = OWN[collection as keyof typeof OWN];
  return kind === undefined
    ? sharedRows(accounts.system.db, bitOf(collection as SharedId))
    : organizationRows(accounts.system.db, organizationId, kind);
}

/** Each filter alone and together, with page sizes that cut the collection at different places. */
function questions(rows: readonly PublishedRow[]): readonly (readonly [limit: number, Filters])[] {
  const present = rows.filter(({ isIn }) => isIn);
  const some = present.filter((_, at) => at % Math.floor(present.length / SAMPLE) === 0);
  const ids = some.slice(0, 20).map(({ id }) => id);
  const dates = some.slice(5, 25).map(({ addedUs }) => timeOfMicros(addedUs));
  const isSmall = rows.length < SMALL;
  return [
    [isSmall ? 0 : 97, {}],
    [1_001, {}],
    [8_001, {}],
    [0, { added_after: between }],
    [250, { added_after: between }],
    [500, { type: ['indicator'] }],
    [500, { type: ['malware', 'indicator'] }],
    [500, { type: ['identity'] }],
    [500, { type: ['campaign'] }],
    [1_000, { id: [...ids, 'indicator--00000000-0000-4000-8000-000000000000'] }],
    [isSmall ? 60 : 400, { id: ids.slice(0, 3) }],
    [1_000, { version: ['last'] }],
    [1_000, { version: ['first'] }],
    [1_000, { version: ['all'] }],
    [1_000, { version: dates }],
    [1_000, { spec_version: ['2.1'] }],
    [1_000, { spec_version: ['2.0', '2.1'] }],
    [1_000, { spec_version: ['2.0'] }],
    [333, { added_after: between, type: ['indicator'], spec_version: ['2.1'], version: ['last'] }],
    [333, { added_after: between, id: ids }],
  ];
}

/** Whether the filters select the identity too, which has its own id and date. */
const hasIdentity = ({ type, id, version, spec_version: spec }: Filters): boolean =>
  (type?.includes('identity') ?? true) &&
  id === undefined &&
  (version === undefined || !version.some((word) => word.startsWith('2'))) &&
  (spec?.includes('2.1') ?? true);

async function walksOf(order: (typeof ORDERS)[number], root: string): Promise<readonly Expected[]> {
  const walks: Expected[] = [];
  for (const collection of [...SHARED, ...Object.keys(OWN)]) {
    const rows = await rowsIn(collection);
    for (const [limit, filters] of questions(rows))
      for (const resource of ['objects', 'manifest'] as const)
        walks.push({
          walk: { url: `${services[order].url}${root}`, collection, resource, limit, filters },
          rows: chosenRows(rows, filters, order),
          hasIdentity: hasIdentity(filters),
        });
  }
  return walks;
}

describe.skipIf(CLIENT_DIR === undefined)('the Python client of OASIS', () => {
  test.each(ORDERS.flatMap((order) => ['/taxii/', '/taxii2/'].map((root) => [order, root] as const)))(
    'gets in the order %s below %s what a database query gets, in the same order, with and without filters',
    async (order, root) => {
      const expected = await walksOf(order, root);
      const { version, answers } = await walkWithClient(
        credential,
        expected.map(({ walk }) => walk),
      );
      expect(answers).toHaveLength(expected.length);
      let objects = 0;
      for (const [at, { walk, rows, hasIdentity }] of expected.entries()) {
        const { objects: all, pages } = answers[at] ?? { objects: [], pages: 0 };
        const got = all.filter(({ id }) => !id.startsWith('identity--'));
        const dated = walk.resource === 'manifest' ? 'version' : 'modified';
        const words = JSON.stringify(walk);
        expect(
          got.map(({ id, [dated]: date }) => `${id} ${String(date)}`),
          words,
        ).toEqual(rows.map(({ id, addedUs }) => `${id} ${timeOfMicros(addedUs)}`));
        expect(all.length - got.length, words).toBe(hasIdentity ? pages : 0);
        objects += got.length;
      }
      console.info(`taxii2-client ${version}, order ${order}, root ${root}`);
      const name = `taxii-clients-${order}-${root.replaceAll('/', '')}`;
      console.info(`figure ${name}-walks ${expected.length}`);
      console.info(`figure ${name}-objects ${objects}`);
    },
  );

  test('gets from each twin every value of its collection, as observed data', async () => {
    const walks: ClientWalk[] = SHARED.map((id) => ({
      url: `${services.accept.url}/taxii/`,
      collection: `${id}-observables`,
      resource: 'objects',
      limit: 1_001,
      filters: {},
    }));
    const { answers } = await walkWithClient(credential, walks);
    for (const [at, id] of SHARED.entries()) {
      const rows = (await sharedRows(accounts.system.db, bitOf(id))).filter(({ isIn }) => isIn);
      const values = (answers[at]?.objects ?? []).flatMap(({ value, hashes }) =>
        hashes === undefined
          ? ((value as string | undefined) ?? [])
          : Object.values(hashes as Record<string, string>),
      );
      expect(values.toSorted()).toEqual(rows.map(({ value }) => value).toSorted());
      expect(values.length).toBeGreaterThan(300);
    }
  });

  test('walked collections of real size, among them objects that left', async () => {
    const sizes = await Promise.all(SHARED.map(async (id) => (await rowsIn(id)).length));
    expect(Math.max(...sizes)).toBeGreaterThan(2_000);
    const left = (await rowsIn('c2-indicators')).filter(({ isIn }) => !isIn);
    expect(left.length).toBeGreaterThan(50);
  });
});

test('the checkout of the client is named', ({ skip }) => {
  if (CLIENT_DIR === undefined)
    skip('Set TAXII_CLIENT_DIR to a checkout of github.com/oasis-open/cti-taxii-client to run this proof.');
});
