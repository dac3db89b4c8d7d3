import { afterAll, beforeAll, expect, test } from 'vitest';
import { bySize } from '#test/lane.ts';
import { keepResult } from '#test/proof-results.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { quotaBypass } from '../../../attack/quota-bypass.ts';

let shared: SharedService;
let key: string;
beforeAll(async () => {
  shared = await sharedService('quota-bypass');
  ({ credential: key } = await shared.accounts.newAccount('attacker@example.com', { plan: 'FREE' }));
});
afterAll(() => shared?.stop());

test('a FREE key gets no verdict that no check paid for, whichever route it asks', async () => {
  const { held, figures } = await quotaBypass.run({
    url: shared.service.url,
    bystanderKey: '',
    attackerKey: key,
    strength: bySize(0.1, 1),
  });
  for (const [name, value] of Object.entries(figures))
    keepResult('quota-bypass', { [name.replaceAll(' ', '-')]: value });
  expect(figures).toMatchObject({ 'verdicts without a check': 0, 'watch verdicts': 3 });
  expect(figures['history verdicts']).toBeGreaterThan(0);
  expect(held).toBe(true);
});

test('the 429 of a page says what was used and when it resets', async () => {
  const plan = { plan: 'FREE', limits: { checksPerMonth: 0 } } as const;
  const { credential } = await shared.accounts.newAccount('used-up@example.com', plan);
  const answer = await fetch(`${shared.service.url}/threat-intel/history?entity=23.78.1.1`, {
    headers: { 'x-api-key': credential },
  });
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({
    usage: { current: 0, limit: 0 },
    resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
  });
});

test('what was paid for is free: a history after a check, a batch or a watch, a repeat, and a value that is watched already', async () => {
  const { credential } = await shared.accounts.newAccount('paid@example.com', { plan: 'PRO' });
  const call = async (method: string, path: string, body?: object, headers: object = {}) => {
    const answer = await fetch(`${shared.service.url}${path}`, {
      method,
      headers: {
        'x-api-key': credential,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    await answer.body?.cancel();
    return [answer.status, Number(answer.headers.get('x-monthly-usage'))];
  };
  const history = (value: string) => call('GET', `/threat-intel/history?entity=${value}`);
  const once = { 'idempotency-key': 'watch-once' };
  expect(await call('GET', '/check?query=23.79.0.1')).toEqual([200, 1]);
  expect(await history('23.79.0.1')).toEqual([200, 1]);
  expect(await call('POST', '/monitoring', { value: '23.79.0.2' }, once)).toEqual([201, 2]);
  expect(await call('POST', '/monitoring', { value: '23.79.0.2' }, once)).toEqual([201, 2]);
  expect(await call('POST', '/monitoring', { value: '23.79.0.2' })).toEqual([200, 2]);
  expect(await history('23.79.0.2')).toEqual([200, 2]);
  expect(await history('23.79.0.3')).toEqual([200, 3]);
  expect(await call('POST', '/bulk/check', { entities: ['23.79.0.4', '23.79.0.5'] })).toEqual([200, 5]);
  expect(await history('23.79.0.5')).toEqual([200, 5]);
  expect(await call('POST', '/monitoring', { value: 'not a value' })).toEqual([400, 5]);
});
