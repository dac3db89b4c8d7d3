import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listSubmissions } from '#capabilities/feeds/index.ts';
import type { ServiceAccount, ServiceAccounts } from '#test/service-accounts.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';

const LIST = {
  name: 'Phish',
  type: 'domain',
  url: 'https://lists.example.org/phish.txt',
  category: 'phishing',
};

let running: SharedService;
let service: SharedService['service'];
let accounts: ServiceAccounts;
let account: ServiceAccount;

beforeAll(async () => {
  running = await sharedService('submissions');
  ({ service, accounts, account } = running);
}, 600_000);
afterAll(() => running?.stop());

const submit = (
  body: unknown,
  headers: Record<string, string> = { 'X-API-KEY': account.credential },
  path = '/submit',
) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Submissions of this account only, because other test files submit to the shared service too. */
const ownSubmissions = async () =>
  (await listSubmissions(accounts.system)).filter(({ accountId }) => accountId === account.accountId);

describe('POST /submit (contract 4.6)', () => {
  test('401 without a credential, naming the three ways', async () => {
    const answer = await submit({ sources: [LIST] }, {});
    expect(answer.status).toBe(401);
    expect(((await answer.json()) as { message: string }).message).toMatch(
      /X-API-KEY.*Basic.*session cookie/,
    );
  });

  test('200 with message and number; the burst is spent, the month is not', async () => {
    const answer = await submit({ sources: [LIST] });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ message: expect.any(String), submitted: 1 });
    for (const name of ['limit', 'remaining', 'reset', 'type', 'plan'])
      expect(answer.headers.get(`x-ratelimit-${name}`), name).not.toBeNull();
    expect(answer.headers.get('x-ratelimit-plan')).toBe('PRO');
    expect(answer.headers.get('x-monthly-usage')).toBeNull();
    expect(await ownSubmissions()).toMatchObject([{ ...LIST, accountId: account.accountId }]);
  });

  test('400 has a message, costs the burst, and stores nothing', async () => {
    const before = await submit({ sources: [LIST] });
    const answer = await submit({ sources: [{ ...LIST, url: 'https://169.254.169.254/latest' }] });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: 'Bad Request',
      message: expect.stringContaining('not public'),
      details: [{ path: 'sources.0.url' }],
    });
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBe(
      Number(before.headers.get('x-ratelimit-remaining')) - 1,
    );
    expect(await ownSubmissions()).toHaveLength(1);
  });

  test('a deeply nested body is answered alike with and without an Idempotency-Key, and never with a 5xx', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const body = `{"sources":[${JSON.stringify(LIST)}],"deep":${deep}}`;
    const send = (headers: Record<string, string>) =>
      fetch(`${service.url}/submit`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-KEY': account.credential, ...headers },
        body,
      });
    const plain = await send({});
    expect(plain.status).toBeLessThan(500);
    expect((await send({ 'Idempotency-Key': 'deep-1' })).status).toBe(plain.status);
  });

  test('a retry with the same Idempotency-Key is answered from the first', async () => {
    const headers = { 'X-API-KEY': account.credential, 'Idempotency-Key': 'proposal-1' };
    const body = { sources: [LIST, { ...LIST, url: 'https://lists.example.org/two.txt' }] };
    const first = await (await submit(body, headers)).json();
    const second = await submit(body, headers);
    expect(second.status).toBe(200);
    expect(await second.json()).toEqual(first);
    expect(first).toMatchObject({ submitted: 2 });
  });

  test('the web surface accepts the same request', async () => {
    expect((await submit({ sources: [LIST] }, undefined, '/api/submit')).status).toBe(200);
  });

  test('429 in the burst form once the minute is used up', async () => {
    const slow = await accounts.newAccount('slow@example.com', {
      plan: 'FREE',
      limits: { burstPerMinute: 2 },
    });
    const headers = { 'X-API-KEY': slow.credential };
    let answer = await submit({ sources: [LIST] }, headers);
    for (let i = 0; i < 3 && answer.status !== 429; i += 1)
      answer = await submit({ sources: [LIST] }, headers);
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({
      error: 'Rate Limited',
      plan: 'FREE',
      rateLimit: { limit: 2, remaining: 0 },
    });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
  });
});
