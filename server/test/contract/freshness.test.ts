import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statisticsDeps } from '#app/statistics.ts';
import { refreshStatistics } from '#capabilities/analytics/index.ts';
import { registerSource } from '#capabilities/corpus/index.ts';
import { systemClock } from '#platform/clock.ts';
import { sql } from '#platform/postgres.ts';
import { loadList } from '#test/load-list.ts';
import type { Service } from '#test/service.ts';
import {
  type ServiceAccount,
  type ServiceAccounts,
  type ServiceWithAccount,
  startWithAccount,
} from '#test/service-accounts.ts';

const clock = systemClock();
const DAY_MS = 86_400_000;
/** Blocklists, TAXII collections, address database. */
const PUBLICATIONS = 3;

let running: ServiceWithAccount;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

beforeAll(async () => {
  running = await startWithAccount();
  ({ service, accounts, account } = running);
  const deps = { system: accounts.system, clock };
  const load = (id: string, ageDays: number) =>
    loadList(deps, id, ['a.example.com'], {
      dataAtMs: clock.now() - ageDays * DAY_MS,
      settings: { name: `List ${id}`, intervalS: 3_600 },
    });
  await load('new', 1);
  await load('newer', 0);
  await load('old', 15);
  await registerSource(deps, 'never', { name: 'Never', scheduled: true });
  await registerSource(deps, 'offered', { name: 'Offered' });
  // No worker runs beside this service, and nothing is built.
  await sql`update publication set current_at = now(), outcome = 'published'`.execute(accounts.system.db);
}, 600_000);
afterAll(() => running?.stop());

const get = (path: string, credential: string | null = account.credential) =>
  fetch(`${service.url}${path}`, { headers: credential === null ? {} : { 'X-API-KEY': credential } });

describe('GET /platform/data-freshness (contract 2.12, decisions 3.14)', () => {
  test('401 without a credential', async () => {
    for (const path of ['/platform/data-freshness', '/platform/data-ops/pipeline'])
      expect((await get(path, null)).status, path).toBe(401);
  });

  test('200: one data set per source in use and per publication, the worst first, with advice', async () => {
    const answer = await get('/platform/data-freshness');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      generatedAt: expect.any(String),
      overallStatus: 'degraded',
      datasets: [
        {
          id: 'never',
          label: 'Never',
          status: 'missing',
          lastUpdatedAt: null,
          ageHours: null,
          slaHours: 720,
          records: null,
          message: 'It has never been loaded.',
          cause: 'waiting',
          reason: 'It has never been loaded.',
          category: expect.any(String),
          threatClass: 'threat',
          ownList: false,
          expiresAt: null,
          movedDays: 0,
        },
        {
          id: 'old',
          label: 'List old',
          status: 'stale',
          lastUpdatedAt: expect.any(String),
          ageHours: expect.closeTo(360, 0),
          slaHours: 336,
          records: 1,
          message: 'Its data is older than 14 days.',
          cause: 'old',
          reason: 'Its data is older than the interval it promises allows.',
          category: expect.any(String),
          threatClass: 'threat',
          ownList: false,
          expiresAt: null,
          movedDays: 0,
        },
        ...['blocklists', 'mmdb', 'new', 'newer', 'taxii'].map((id) =>
          expect.objectContaining({ id, status: 'fresh', message: null }),
        ),
      ],
      actions: [expect.stringContaining('Load never'), expect.stringContaining('old')],
      sourceCount: 3,
    });
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(answer.headers.get('x-monthly-usage')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect((await get('/api/platform/data-freshness')).status).toBe(200);
  });
});

test('GET /platform/data-ops/pipeline: the phases of a run, and {} before the first one', async () => {
  const answer = await get('/platform/data-ops/pipeline');
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as { phases: unknown[] };
  expect(body).toEqual({
    generatedAt: expect.any(String),
    phases: expect.any(Array),
    lastRun: {},
    freshnessApiPath: '/platform/data-freshness',
    backofficePath: '/admin',
  });
  for (const phase of body.phases)
    expect(phase).toEqual({
      id: expect.any(String),
      label: expect.any(String),
      command: expect.any(String),
      produces: expect.any(Array),
      requiredForSla: true,
    });
});

test('every route that counts indicators or sources says the same number', async () => {
  await refreshStatistics({ ...statisticsDeps(clock), transaction: accounts.system.transaction });
  const read = async (path: string): Promise<Record<string, unknown>> => {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const stats = await read('/stats');
  const { threatOverview } = await read('/analytics');
  const { data } = await read('/sources/statistics');
  const freshness = await read('/platform/data-freshness');
  // Three lists name one domain; a fourth was never loaded, and a fifth is not in use.
  expect(stats).toMatchObject({ indicators: 1, sourceCount: 3, freshSourceCount: 2 });
  expect(threatOverview).toMatchObject({ indicators: 1, sourceCount: 3 });
  expect(data).toMatchObject({ totalIndicators: 1, sourceCount: 3, activeSources: 4 });
  expect(freshness).toMatchObject({ sourceCount: 3, datasets: { length: 4 + PUBLICATIONS } });
});
