import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { SANCTIONED } from './contact-rows.ts';

let running: SharedService;

beforeAll(async () => {
  running = await sharedService('contacts-service');
  await eventually('the list is in the replica', 30_000, async () => {
    const { body } = await get(`/api/check/crypto?address=${SANCTIONED}`);
    return body.localBlacklistHit === true;
  });
}, 600_000);
afterAll(async () => {
  await running?.stop();
});

type Body = Record<string, unknown>;
async function get(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Body; used: number }> {
  const headers = { 'X-API-KEY': running.account.credential, 'content-type': 'application/json' };
  const response = await fetch(`${running.service.url}${path}`, { headers, ...init });
  const used = Number(response.headers.get('x-monthly-usage'));
  return { status: response.status, body: (await response.json()) as Body, used };
}
const analyze = (input: string) => get('/api/analyze', { method: 'POST', body: JSON.stringify({ input }) });

test('the running service finds listed contacts by their own routes and by analyze', async () => {
  expect((await get('/api/check/phone?phone=%2B18005550199')).body).toMatchObject({
    verdict: 'malicious',
    blocklistHits: 1,
  });
  expect((await analyze(SANCTIONED)).body).toMatchObject({
    detectedType: 'crypto',
    localBlacklistHit: true,
    sources: [{ id: 'contacts' }],
  });
  expect((await analyze('1 800 555 0199')).body).toMatchObject({ detectedType: 'phone', blocklistHits: 1 });
});

test('the API host answers v1 of an address and the web host v2, both with nulls where there is no name server', async () => {
  const [api, web] = [
    await get('/check/email?email=a@example.com'),
    await get('/api/check/email?email=a@example.com'),
  ];
  expect(api.body).toMatchObject({ apiVersion: 'v1', validation: { mxValid: null } });
  expect(web.body).toMatchObject({ apiVersion: 'v2', dns: null, email: { address: 'a@example.com' } });
});

test('each costs one check, a refused one none, and none answers without a key', async () => {
  const paths = [
    '/check/email?email=a@example.com',
    '/api/check/email?email=a@example.com',
    '/api/check/phone?phone=%2B18005550199',
    `/api/check/crypto?address=${SANCTIONED}`,
  ];
  let { used } = await analyze('example.com');
  for (const path of paths) {
    const answer = await get(path);
    expect(answer.used, path).toBe(used + 1);
    used = answer.used;
    expect((await get(path, { headers: {} })).status, path).toBe(401);
  }
  expect(await analyze('hello')).toMatchObject({ status: 400, used });
  expect((await get('/api/check/crypto?address=nonsense')).used).toBe(used);
});

test('the API description distinguishes the two answers about an address', async () => {
  const { body } = await get('/openapi.json');
  const paths = body.paths as Record<string, Record<string, { operationId: string }>>;
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(paths['/check/email']?.get?.operationId).toBe('getCheckEmail');
  expect(paths['/api/check/email']?.get?.operationId).toBe('getApiCheckEmail');
});
