import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statisticsDeps } from '#app/statistics.ts';
import { refreshStatistics } from '#capabilities/analytics/index.ts';
import { registerSource } from '#capabilities/corpus/index.ts';
import { systemClock } from '#platform/clock.ts';
import { eventually } from '#test/eventually.ts';
import { loadList } from '#test/load-list.ts';
import type { Service } from '#test/service.ts';
import {
  type ServiceAccount,
  type ServiceAccounts,
  type ServiceWithAccount,
  startWithAccount,
} from '#test/service-accounts.ts';

const clock = systemClock();
const HOUR_MS = 3_600_000;
/** The tests ask until a licence is known, which would use up the burst of a plan on a slow machine. */
const UNLIMITED = { burstPerMinute: 1_000_000 };

let running: ServiceWithAccount;
let service: Service;
let accounts: ServiceAccounts;
let account: ServiceAccount;

beforeAll(async () => {
  running = await startWithAccount();
  ({ service, accounts } = running);
  account = await accounts.newAccount('sources@example.com', { plan: 'PRO', limits: UNLIMITED });
}, 600_000);
afterAll(() => running?.stop());

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { method, headers: { 'X-API-KEY': account.credential, ...headers } });
const sources = (licence?: string, path = '/sources') =>
  call('POST', path, licence === undefined ? {} : { 'X-License-Key': licence });
const refusal = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { message: string }).message,
];

describe('GET /sources/statistics (contract 4.6)', () => {
  test('401 without a credential', async () => {
    expect((await fetch(`${service.url}/sources/statistics`)).status).toBe(401);
  });

  test('404 while there is no data, then the wrapper with the figures of decisions 3.5', async () => {
    const none = await call('GET', '/sources/statistics');
    expect(none.status).toBe(404);
    expect(await none.json()).toMatchObject({ error: 'Not Found', message: expect.any(String) });
    expect(none.headers.get('x-ratelimit-remaining')).not.toBeNull();
    const deps = { system: accounts.system, clock };
    const settings = { name: 'Bad names', type: 'domain', category: 'phishing', reliability: 0.75 };
    const dataAtMs = clock.now() - HOUR_MS;
    await loadList(deps, 'names', ['a.example.com', 'b.example.com'], { dataAtMs, settings });
    await loadList(deps, 'names', ['b.example.com', 'c.example.com', 'd.example.com'], { dataAtMs });
    await registerSource(deps, 'offered', { name: 'Offered', licenceMode: 'api-key' });
    await refreshStatistics({ ...statisticsDeps(clock), transaction: accounts.system.transaction });
    const answer = await call('GET', '/sources/statistics');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      success: true,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        totalSources: 2,
        activeSources: 1,
        failingSources: 0,
        byType: { domain: 1 },
        byCategory: { phishing: 1 },
        byThreatClass: { threat: 1 },
        totalIndicators: 3,
        sourceCount: 1,
        lastIngestAt: expect.any(String),
        sources: [
          {
            id: 'names',
            name: 'Bad names',
            entries: 3,
            added24h: 2,
            removed24h: 1,
            lastFetchedAt: expect.any(String),
            status: 'ok',
          },
        ],
      },
    });
    expect(answer.headers.get('x-monthly-usage')).toBeNull();
  });
});

describe('POST /sources (contract 4.6 and 5 rule 2, trap 67)', () => {
  test('401 without a key, even with a licence', async () => {
    const licence = await accounts.newLicence(account.accountId, null);
    const headers = { 'X-License-Key': licence };
    expect((await fetch(`${service.url}/sources`, { method: 'POST', headers })).status).toBe(401);
  });

  test('403: a valid key and no licence, an empty one, an unknown one', async () => {
    for (const licence of [undefined, '', 'lk_nothing', `lk_${'a'.repeat(43)}`]) {
      const [status, message] = await refusal(await sources(licence));
      expect(status, String(licence)).toBe(403);
      expect(message).toMatch(/licence/);
    }
  });

  test('403: a licence that has expired, and one of another account', async () => {
    const expired = await accounts.newLicence(account.accountId, clock.now() - 1_000);
    await eventually('the licence is known', 5_000, async () =>
      /expired/.test(String((await refusal(await sources(expired)))[1])),
    );
    expect((await sources(expired)).status).toBe(403);
    const other = await accounts.newAccount('other@example.com', { plan: 'FREE', limits: UNLIMITED });
    const theirs = await accounts.newLicence(other.accountId, null);
    const known = () =>
      fetch(`${service.url}/sources`, {
        method: 'POST',
        headers: { 'X-API-KEY': other.credential, 'X-License-Key': theirs },
      });
    await eventually('the licence is known', 5_000, async () => (await known()).status === 200);
    expect((await sources(theirs)).status).toBe(403);
  });

  test('200: the whole registry, with sources that are not in use, in exactly the fields of decisions 3.5', async () => {
    const licence = await accounts.newLicence(account.accountId, clock.now() + HOUR_MS);
    await eventually('the licence is known', 5_000, async () => (await sources(licence)).status === 200);
    const answer = await sources(licence);
    expect(await answer.json()).toEqual([
      {
        id: 'names',
        provider: null,
        name: 'Bad names',
        type: 'domain',
        url: null,
        status: 'ok',
        category: 'phishing',
        categories: ['phishing'],
        entityTypes: [],
        format: 'text',
        licenseMode: 'free',
        tags: [],
        confidenceBase: 75,
        retentionDays: 90,
        threatClass: 'threat',
        fpRisk: 'medium',
        signal: 'feed',
        lastFetchedAt: expect.any(String),
        entries: 3,
      },
      expect.objectContaining({ id: 'offered', status: 'disabled', licenseMode: 'api-key', entries: 0 }),
    ]);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect((await sources(licence, '/api/sources')).status).toBe(200);
    expect(
      (await call('POST', '/sources', { 'X-License-Key': licence, 'Content-Type': 'application/json' }))
        .status,
    ).toBe(200);
    expect((await call('GET', '/sources', { 'X-License-Key': licence })).status).toBe(405);
  });
});
