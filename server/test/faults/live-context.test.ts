import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProviders } from '#capabilities/providers/create-providers.ts';
import type { FacetName } from '#capabilities/providers/live-context.ts';
import { PROVIDERS, type ProviderName } from '#capabilities/providers/provider.ts';
import { type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import { keySlot } from '#platform/redis/key-slot.ts';
import type { Redis } from '#platform/redis.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize } from '#test/lane.ts';
import { type PeeredSet, startPeeredSet } from '#test/live-provider-set.ts';
import { connectTestRedis, removeKeys, testPrefix } from '#test/redis.ts';
import { withoutTimeouts } from '#test/without-timeouts.ts';

const clock = systemClock();
const log = createLog('silent');
const redisPrefix = testPrefix();
/** Longer than a busy machine needs; a test with hanging peers sets a shorter one, which ends the call. */
const BUDGET_MS = 30_000;
let database: TestDatabase;
let postgres: Postgres;
let redis: Redis;
let peered: PeeredSet;
let commands: string[][] = [];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = connectPostgres({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 }, 'assay_app', PATIENT);
  const real = await connectTestRedis();
  redis = {
    ...real,
    command: (key, argv, onLate) => {
      commands.push(argv);
      return real.command(key, argv, onLate);
    },
  };
  peered = await startPeeredSet({ log, clock });
});
afterAll(async () => {
  for (const close of closing) await close();
  await peered.close();
  await removeKeys(redisPrefix);
  redis.close();
  await postgres.close();
  await database.drop();
});
beforeEach(() => {
  commands = [];
  for (const peer of Object.values(peered.peers)) peer.mode = 'answer';
});

/** A separate process: its memory is empty and its breakers are closed. */
function live(on: readonly ProviderName[] = PROVIDERS, set = peered.set) {
  const created = createProviders({ set, on: new Set(on), redis, redisPrefix, postgres, clock, log });
  closing.push(created.providers.close);
  return created;
}
const asked = () => PROVIDERS.filter((name) => peered.peers[name].requests.length > 0);
const total = () => PROVIDERS.reduce((sum, name) => sum + peered.peers[name].requests.length, 0);

let subjects = 0;
function indicator(text: string): Indicator {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.indicator;
}
const freshName = (): Indicator => {
  subjects += 1;
  return indicator(`www.site-${subjects}.com`);
};
const statesOf = (context: object) =>
  Object.fromEntries(
    Object.entries(context).map(([facet, outcome]) => [facet, outcome.reason ?? outcome.state]),
  );

test('every applicable provider is asked at once, and each facet is reported once, when it arrives', async () => {
  const heard: FacetName[] = [];
  const { contexts } = live();
  // The certificate logs get a second after the host has answered, which is no matter of this test.
  const context = await withoutTimeouts(() =>
    contexts.gather(freshName(), {
      level: 'full',
      budgetMs: BUDGET_MS,
      onFacet: (facet) => void heard.push(facet),
    }),
  );
  expect(statesOf(context)).toEqual({
    addresses: 'found',
    dns: 'found',
    whois: 'found',
    certificates: 'found',
    vulnerabilities: 'inapplicable',
    otx: 'found',
    scanner: 'found',
    technologies: 'found',
  });
  expect(context.certificates).toMatchObject({ value: { serialNumber: '0A', isTrusted: true, total: 1 } });
  expect([...heard].sort()).toEqual(Object.keys(context).sort());
  expect(asked()).toEqual(['addresses', 'dns', 'rdap', 'tls', 'ct', 'otx', 'scanner', 'web']);
});

test('only the named provider is asked', async () => {
  const before = total();
  const { contexts } = live();
  const options = { level: 'standard', only: ['scanner'], budgetMs: BUDGET_MS } as const;
  const context = await contexts.gather(freshName(), options);
  expect(context).toMatchObject({ scanner: { state: 'found' }, whois: { reason: 'inapplicable' } });
  expect(total()).toBe(before + 1);
});

test('providers that hang are missing when the budget is over; the answers of the others stay', async () => {
  const { contexts, providers } = live();
  for (const name of ['rdap', 'tls', 'otx'] as const) peered.peers[name].mode = 'hang';
  const subject = freshName();
  const startedMs = performance.now();
  const context = await contexts.gather(subject, { level: 'standard', budgetMs: bySize(5_000, 400) });
  expectWithin(performance.now() - startedMs, 900);
  expect(statesOf(context)).toEqual({
    addresses: 'found',
    dns: 'inapplicable',
    whois: 'underway',
    // From the certificate logs only, because the host did not answer.
    certificates: 'found',
    vulnerabilities: 'inapplicable',
    otx: 'underway',
    scanner: 'found',
    technologies: 'inapplicable',
  });
  expect(context.certificates).toMatchObject({ value: { isTrusted: null } });
  await providers.close();
});

test('a caller who disconnects cancels all its lookups', async () => {
  const { contexts } = live();
  for (const name of PROVIDERS) peered.peers[name].mode = 'hang';
  const controller = new AbortController();
  const gathering = contexts.gather(freshName(), {
    level: 'full',
    budgetMs: BUDGET_MS,
    signal: controller.signal,
  });
  setTimeout(() => controller.abort(), 50);
  const startedMs = performance.now();
  expect(new Set(Object.values(statesOf(await gathering)))).toEqual(new Set(['cancelled', 'inapplicable']));
  expectWithin(performance.now() - startedMs, 500);
});

test('a failing listener does not break the lookup', async () => {
  const { contexts } = live();
  const context = await contexts.gather(freshName(), {
    level: 'standard',
    budgetMs: BUDGET_MS,
    onFacet: () => {
      throw new Error('oops');
    },
  });
  expect(statesOf(context).whois).toBe('found');
});

test('reading cached facts takes one Redis command and no request, and missing facts are fetched in the background', async () => {
  const subject = freshName();
  const { contexts } = live();
  for (const name of PROVIDERS) peered.peers[name].mode = 'hang';
  const before = total();
  const nothing = await contexts.remembered(subject);
  expect(statesOf(nothing)).toMatchObject({ whois: 'uncached', certificates: 'uncached', otx: 'uncached' });
  expect(commands[0]?.[0]).toBe('MGET');
  expect(commands.filter(([verb]) => verb === 'MGET')).toHaveLength(1);
  const ids = commands[0]?.slice(1) ?? [];
  expect(ids).toHaveLength(6);
  expect(new Set(ids.map(keySlot)).size).toBe(1);
  await eventually('they are asked', 2_000, () => total() > before);

  const healthy = live();
  for (const name of PROVIDERS) peered.peers[name].mode = 'answer';
  await healthy.contexts.remembered(subject);
  await eventually('all is remembered', 3_000, async () => {
    const { whois, scanner, certificates } = await healthy.contexts.remembered(subject);
    return [whois, scanner, certificates].every(({ state }) => state === 'found');
  });
  // Facets that a basic check does not show are not fetched in the background.
  expect(statesOf(await healthy.contexts.remembered(subject)).otx).toBe('uncached');
  commands = [];
  // A check waits 10 ms for Redis, which a busy machine may exceed.
  const elsewhere = await withoutTimeouts(() => live().contexts.remembered(subject));
  expect(statesOf(elsewhere)).toMatchObject({ addresses: 'found', whois: 'found', certificates: 'found' });
  expect(commands.filter(([verb]) => verb === 'MGET')).toHaveLength(1);
});

test('with all facts in memory Redis is not asked', async () => {
  const { contexts } = live();
  const subject = freshName();
  await contexts.gather(subject, { level: 'standard', budgetMs: BUDGET_MS });
  commands = [];
  expect(statesOf(await contexts.remembered(subject))).toMatchObject({ whois: 'found', otx: 'found' });
  expect(commands).toEqual([]);
});

test(`a Redis that does not answer does not delay the lookup${bySize('', ' longer than a few milliseconds')}`, async () => {
  const silent = { ...redis, command: () => new Promise<never>(() => undefined) };
  const { contexts } = createProviders({
    set: peered.set,
    on: new Set(PROVIDERS),
    redis: silent,
    redisPrefix,
    postgres,
    clock,
    log,
  });
  const startedMs = performance.now();
  expect(statesOf(await contexts.remembered(freshName())).whois).toBe('uncached');
  expectWithin(performance.now() - startedMs, 60);
});

test('a provider that is off or has no key is missing for that reason, is not asked, and does not degrade the answer', async () => {
  const set = { ...peered.set, otx: { ...peered.set.otx, unconfigured: 'Set OTX_KEY.' } };
  const { contexts, providers } = live(['otx', 'dns'], set);
  const before = peered.peers.rdap.requests.length;
  const context = await contexts.gather(freshName(), { level: 'full', budgetMs: BUDGET_MS });
  expect(statesOf(context)).toMatchObject({
    addresses: 'found',
    dns: 'found',
    whois: 'off',
    certificates: 'off',
    otx: 'unconfigured',
    scanner: 'off',
  });
  expect(peered.peers.rdap.requests.length).toBe(before);
  expect(providers.rdap.isOn).toBe(false);
  expect(contexts.isOn).toBe(true);
  expect(live(['tenant', 'intelowl']).contexts.isOn).toBe(false);
  expect(live([]).contexts.isOn).toBe(false);
});

test('the plan of a check names the providers that cover the value: those that are asked, and those that are off or have no key (O80)', () => {
  const set = { ...peered.set, otx: { ...peered.set.otx, unconfigured: 'Set OTX_KEY.' } };
  const planOf = (text: string, on: readonly ProviderName[]) => live(on, set).contexts.plan(indicator(text));
  const every = ['dns', 'rdap', 'tls', 'ct', 'otx', 'scanner', 'web'];
  expect(planOf('evil.com', [])).toEqual({ asked: [], off: every });
  expect(planOf('evil.com', ['dns', 'rdap', 'otx'])).toEqual({
    asked: ['dns', 'rdap'],
    off: ['tls', 'ct', 'otx', 'scanner', 'web'],
  });
  // Certificate logs and name servers know names only, the port search addresses.
  expect(planOf('185.220.101.7', ['ct', 'internetdb'])).toEqual({
    asked: ['internetdb'],
    off: ['rdap', 'tls', 'otx', 'scanner', 'web'],
  });
  expect(planOf('192.168.1.1', PROVIDERS)).toEqual({ asked: [], off: [] });
});

test('an address: registration, open ports and community opinion; a file: the opinion only; a private address: no provider', async () => {
  const { contexts } = live();
  const gather = async (text: string) =>
    statesOf(await contexts.gather(indicator(text), { level: 'standard', budgetMs: BUDGET_MS }));
  expect(await gather('185.220.101.7')).toMatchObject({
    addresses: 'inapplicable',
    whois: 'found',
    certificates: 'found',
    vulnerabilities: 'found',
    otx: 'found',
  });
  const only = (facet: string) => ({
    addresses: 'inapplicable',
    dns: 'inapplicable',
    whois: 'inapplicable',
    certificates: 'inapplicable',
    vulnerabilities: 'inapplicable',
    otx: 'inapplicable',
    scanner: 'inapplicable',
    technologies: 'inapplicable',
    [facet]: 'found',
  });
  expect(await gather('d41d8cd98f00b204e9800998ecf8427e')).toEqual(only('otx'));
  expect(Object.values(await gather('192.168.1.1')).every((state) => state === 'inapplicable')).toBe(true);
});
