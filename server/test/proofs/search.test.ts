import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FollowReport, mergeSnapshot } from '#capabilities/corpus/index.ts';
import { followCorpus } from '#capabilities/search/index.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { indicatorOf } from '../../../bench/support/generated-corpus.ts';
import { PLANTED_BRANDS, plantedFor } from '../../../bench/support/planted-lookalikes.ts';
import { proveSearch, quantile } from '../../../bench/support/search-proof.ts';
import { syntheticNames } from '../../../bench/support/synthetic-names.ts';

/**
 * Look-alikes of brands among many listed names, over HTTP. `bench/search.ts` repeats it with the real
 * lists.
 */
const NAMES = 2_000_000;
const ROUNDS = 10;
const P99_MAX_MS = 150;
const MERGE_ROWS = 100_000;

let database: TestDatabase;
let system: Postgres;
let service: Service;
let accounts: ServiceAccounts;
let credential: string;
let filled: FollowReport;
let fillS: number;
const clock = systemClock();

const list = (id: string, names: readonly string[], reliability: number) =>
  mergeSnapshot({ system, clock }, id, [names.map((name) => ({ indicator: indicatorOf(name) }))], {
    dataAtMs: clock.now(),
    settings: { category: 'phishing', reliability },
  });

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 });
  const names = Array.from(syntheticNames(NAMES));
  for (let at = 0; at < names.length; at += MERGE_ROWS)
    await list(`names-${at / MERGE_ROWS}`, names.slice(at, at + MERGE_ROWS), 0.5);
  await list(
    'planted',
    PLANTED_BRANDS.flatMap(plantedFor).map(({ name }) => name),
    0.9,
  );
  const begunMs = clock.monotonic();
  filled = await followCorpus({ run: 'scale', transaction: system.transaction });
  fillS = (clock.monotonic() - begunMs) / 1_000;
  service = await startService({ databaseUrl: database.url });
  accounts = openAccounts(service);
  const limits = { burstPerMinute: 1_000_000, checksPerMonth: 1_000_000 };
  ({ credential } = await accounts.newAccount('desk@example.com', { plan: 'ENTERPRISE', limits }));
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await system?.close();
  await database?.drop();
});

test('every listed name is made searchable by the first walk', () => {
  expect(filled).toMatchObject({ walks: 1, removed: 0 });
  expect(filled.put).toBe(NAMES + PLANTED_BRANDS.length * 5);
});

test('planted look-alikes of 202 brands are found by their technique, no brand is its own look-alike, and p99 is below 150 ms', async () => {
  const proof = await proveSearch(service.url, credential, ROUNDS);
  keepResult('search', {
    names: filled.put,
    fillS,
    searches: proof.warmMs.length,
    coldP50Ms: quantile(proof.coldMs, 0.5),
    coldMaxMs: Math.max(...proof.coldMs),
    p50Ms: quantile(proof.warmMs, 0.5),
    p99Ms: quantile(proof.warmMs, 0.99),
    hits: proof.hits,
    truncated: proof.truncated,
  });
  expect(proof.missing).toEqual([]);
  expect(proof.own).toEqual([]);
  expect(proof.warmMs.length).toBeGreaterThanOrEqual(500);
  expect(quantile(proof.warmMs, 0.99)).toBeLessThan(P99_MAX_MS);
});
