import { afterAll, describe, expect, test } from 'vitest';
import { type BlocklistsDeps, blocklistsRoutes } from '#capabilities/blocklists/index.ts';
import { LIMIT_HEADERS } from '#platform/http/cors.ts';
import { POLICY, PUBLIC, plainRoute, recordedGates, testApp, WEB_ORIGIN } from '#test/http-app.ts';

const { gates, calls } = recordedGates();
const app = testApp(
  [
    plainRoute({ path: '/stats', policy: PUBLIC }),
    plainRoute({ method: 'POST', path: '/contact', policy: PUBLIC }),
    plainRoute({ path: '/check', policy: POLICY }),
    plainRoute({ method: 'POST', path: '/check', policy: POLICY }),
    plainRoute({ path: '/download', policy: { ...POLICY, auth: 'optional' } }),
  ],
  { gates },
);
afterAll(() => app.close());

const from = (url: string, origin: string) => app.inject({ url, headers: { origin } });
const ELSEWHERE = 'https://elsewhere.test';

describe('CORS (G58)', () => {
  test('a public GET may be read by any page, without credentials', async () => {
    for (const headers of [{ origin: ELSEWHERE }, { origin: WEB_ORIGIN }, {}]) {
      const reply = await app.inject({ url: '/stats', headers });
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('a key route may be read by the dashboard only, with credentials', async () => {
    const ours = await from('/check', WEB_ORIGIN);
    expect(ours.headers).toMatchObject({
      'access-control-allow-origin': WEB_ORIGIN,
      'access-control-allow-credentials': 'true',
      vary: 'origin',
    });
    for (const origin of [ELSEWHERE, 'null', `${WEB_ORIGIN}.evil.test`, WEB_ORIGIN.replace('https', 'http')])
      expect((await from('/check', origin)).headers['access-control-allow-origin']).toBeUndefined();
  });

  test('an answer that depends on the credential has Vary for caches, and any page may read the anonymous one', async () => {
    const anyone = await from('/download', ELSEWHERE);
    expect(anyone.headers['access-control-allow-origin']).toBe('*');
    expect(anyone.headers['access-control-allow-credentials']).toBeUndefined();
    expect(anyone.headers.vary).toBe('authorization, cookie, origin, x-api-key');
    expect((await from('/download', WEB_ORIGIN)).headers['access-control-allow-origin']).toBe(WEB_ORIGIN);
  });

  test('`*` is never sent together with credentials, on any route, for any origin', async () => {
    for (const url of ['/stats', '/check', '/download'])
      for (const origin of [ELSEWHERE, WEB_ORIGIN]) {
        const { headers } = await from(url, origin);
        expect(
          headers['access-control-allow-origin'] === '*' && 'access-control-allow-credentials' in headers,
        ).toBe(false);
      }
  });

  test('every limit header is exposed', async () => {
    const exposed = String((await from('/check', WEB_ORIGIN)).headers['access-control-expose-headers']).split(
      ', ',
    );
    for (const name of LIMIT_HEADERS) expect(exposed).toContain(name);
  });

  test('every header that a list download adds is exposed', async () => {
    const exposed = String((await from('/download', ELSEWHERE)).headers['access-control-expose-headers']);
    const route = blocklistsRoutes({} as BlocklistsDeps).find(({ path }) => path.includes('download'));
    const added = Object.keys(route?.replyHeaders ?? {});
    expect(added).toContain('X-Blocklist-Variant');
    for (const name of [...added, 'ETag', 'Content-Range', 'Accept-Ranges'])
      expect(exposed.split(', ')).toContain(name);
  });

  test('OPTIONS is 204, asks for no credential and costs nothing', async () => {
    calls.length = 0;
    const ask = (url: string, origin: string, method: string) =>
      app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': method } });
    const ours = await ask('/check', WEB_ORIGIN, 'POST');
    expect(ours.statusCode).toBe(204);
    expect(ours.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS, POST',
      'access-control-allow-origin': WEB_ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
    });
    const theirs = await ask('/check', ELSEWHERE, 'POST');
    expect(theirs.statusCode).toBe(204);
    expect(theirs.headers['access-control-allow-origin']).toBeUndefined();
    expect((await ask('/contact', ELSEWHERE, 'POST')).headers['access-control-allow-origin']).toBeUndefined();
    const open = await ask('/stats', ELSEWHERE, 'GET');
    expect(open.headers['access-control-allow-headers']).not.toMatch(/x-api-key|authorization/i);
    expect((await app.inject({ method: 'OPTIONS', url: '/nothing' })).statusCode).toBe(404);
    expect(calls).toEqual([]);
  });

  test('an error to the dashboard can be read by it', async () => {
    const refusing = testApp([plainRoute({ path: '/check', handle: () => Promise.reject(new Error('x')) })]);
    const reply = await refusing.inject({ url: '/check', headers: { origin: WEB_ORIGIN } });
    expect(reply.statusCode).toBe(500);
    expect(reply.headers['access-control-allow-origin']).toBe(WEB_ORIGIN);
  });
});
