import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, sleep } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

/** Pause between two looks at counts that are written every ten seconds; shorter ones would use up the burst. */
const PACE_MS = 3_000;

let shared: SharedService;

beforeAll(async () => {
  shared = await sharedService('usage');
});
afterAll(() => shared?.stop());

type Body = {
  readonly requests: {
    readonly byEndpoint: readonly { readonly endpoint: string; readonly count: number }[];
    readonly byStatus: Readonly<Record<string, number>>;
  };
  readonly monthly: unknown;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly results: readonly unknown[];
  readonly steps: readonly unknown[];
};

const ask = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${shared.service.url}${path}`, {
    ...init,
    headers: { 'X-API-KEY': shared.account.credential, 'Content-Type': 'application/json' },
  });
  return { status: answer.status, body: (await answer.json()) as Body };
};

test('checks, batches and streams of a key are in its analytics with their verdicts, and cost what they cost', async () => {
  await ask('/check?query=203.0.114.7');
  await ask('/check?query=not%20readable');
  const { body: batch } = await ask('/bulk/check', {
    method: 'POST',
    body: JSON.stringify({ entities: ['203.0.114.7', 'bad.example.com', 'never-listed.example.org'] }),
  });
  const stream = await fetch(`${shared.service.url}/check/stream?query=203.0.114.7`, {
    headers: { 'X-API-KEY': shared.account.credential },
  });
  await stream.text();
  const seen = new Map<string, number>();
  await eventually('the counts are written', 30_000, async () => {
    await sleep(PACE_MS);
    const { status, body } = await ask('/user/analytics?days=2');
    expect(status).toBe(200);
    for (const { endpoint, count } of body.requests.byEndpoint) seen.set(endpoint, count);
    return seen.has('POST /bulk/check') && seen.has('GET /check/stream');
  });
  expect(seen.get('POST /bulk/check')).toBe(1);
  const { body } = await ask('/user/analytics?days=2');
  expect(body.requests.byStatus['4xx']).toBe(1);
  expect(body.monthly).toEqual({ used: 5, limit: 10_000 });
  const verdicts = Object.values(body.verdicts).reduce((sum, count) => sum + count, 0);
  expect(verdicts).toBe(batch.results.length + 2);
});

test('subscription, meters, plans and first steps of a key', async () => {
  expect((await ask('/subscription')).body).toMatchObject({ plan: 'PRO', billing: null, status: 'active' });
  expect((await ask('/metrics/subscription')).body).toMatchObject({
    monthly: { limit: 10_000 },
    indicators: { today: 0, limit: 0 },
  });
  expect((await fetch(`${shared.service.url}/billing/plans`, { headers: shared.fromHere })).status).toBe(200);
  const { body } = await ask('/onboarding');
  expect(body.steps[0]).toEqual({ id: 'key', label: 'Make an API key.', done: true });
  expect((await ask('/billing/portal', { method: 'POST' })).status).toBe(403);
});
