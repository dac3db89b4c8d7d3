import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PUBLIC, plainRoute, testApp } from '#test/http-app.ts';

const whoami = plainRoute({
  path: '/whoami',
  policy: PUBLIC,
  reply: z.object({ ip: z.string() }),
  handle: ((call: { request: { ip: string } }) => ({ ip: call.request.ip })) as never,
});
const PROXY = '10.1.2.3';
const behind = (cidrs: string[]) => testApp([whoami], { config: { TRUSTED_PROXIES: cidrs } });
const ask = async (app: ReturnType<typeof behind>, forwarded: string, remoteAddress = PROXY) =>
  (await app.inject({ url: '/whoami', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).json().ip;

describe('the address of the caller (trap 68)', () => {
  test('without trusted proxies X-Forwarded-For is ignored', async () => {
    const app = behind([]);
    expect(await ask(app, '198.51.100.7')).toBe(PROXY);
    expect(await ask(app, '198.51.100.7, 203.0.113.9')).toBe(PROXY);
  });

  test('from an address that is not a trusted proxy it is ignored too', async () => {
    expect(await ask(behind(['10.0.0.0/8']), '198.51.100.7', '203.0.113.50')).toBe('203.0.113.50');
  });

  test('the right-most address that is not a trusted proxy is used, so addresses that the caller wrote before it do not count', async () => {
    const app = behind(['10.0.0.0/8', '2001:db8::/32']);
    expect(await ask(app, '198.51.100.7')).toBe('198.51.100.7');
    expect(await ask(app, '6.6.6.6, 198.51.100.7')).toBe('198.51.100.7');
    expect(await ask(app, '6.6.6.6, 198.51.100.7, 10.9.9.9')).toBe('198.51.100.7');
    expect(await ask(app, '127.0.0.1, 10.0.0.1, 198.51.100.7')).toBe('198.51.100.7');
    expect(await ask(app, '2001:db9::5', '2001:db8::1')).toBe('2001:db9::5');
    expect(await ask(app, '198.51.100.7', '::ffff:10.0.0.4')).toBe('198.51.100.7');
  });

  test.each([
    'garbage',
    '6.6.6.6, garbage',
    '',
    'unknown',
    '198.51.100.7:x',
    '999.1.1.1:80',
    "'; drop table",
    '999.1.1.1',
    '_hidden',
  ])('%j is not an address, so the address of the proxy is used', async (forwarded) => {
    expect(await ask(behind(['10.0.0.0/8']), forwarded)).toBe(PROXY);
  });

  test('a port that a proxy forwards with the address is not part of it', async () => {
    const app = behind(['10.0.0.0/8', '2001:db8::/32']);
    expect(await ask(app, '198.51.100.7:4711')).toBe('198.51.100.7');
    expect(await ask(app, '[2001:db9::5]:4711')).toBe('2001:db9::5');
    expect(await ask(app, '6.6.6.6:1, 198.51.100.7:4711, 10.9.9.9:80')).toBe('198.51.100.7');
    expect(await ask(app, '2001:db9::5')).toBe('2001:db9::5');
  });

  test('Forwarded and X-Real-IP are not read', async () => {
    const reply = await behind(['10.0.0.0/8']).inject({
      url: '/whoami',
      remoteAddress: PROXY,
      headers: { forwarded: 'for=6.6.6.6', 'x-real-ip': '6.6.6.6' },
    });
    expect(reply.json().ip).toBe(PROXY);
  });
});

describe('plain HTTP (decisions 1.3)', () => {
  const app = testApp([whoami], { config: { TRUSTED_PROXIES: ['10.0.0.0/8'], REQUIRE_HTTPS: true } });
  const over = (proto: string, remoteAddress = PROXY, url = '/whoami') =>
    app.inject({ url, remoteAddress, headers: { 'x-forwarded-proto': proto } });

  test('plain HTTP reported by a trusted proxy is refused, never redirected, on any path', async () => {
    for (const url of ['/whoami', '/nothing']) {
      const reply = await over('http', PROXY, url);
      expect(reply.statusCode).toBe(403);
      expect(reply.headers.location).toBeUndefined();
      expect(reply.json()).toMatchObject({
        error: 'Forbidden',
        message: expect.stringContaining('HTTPS required'),
      });
    }
    expect((await over('HTTP')).statusCode).toBe(403);
  });

  test('https passes; the header of an untrusted peer is ignored', async () => {
    expect((await over('https')).statusCode).toBe(200);
    expect((await over('http', '203.0.113.50')).statusCode).toBe(200);
    expect((await app.inject({ url: '/whoami', remoteAddress: PROXY })).statusCode).toBe(200);
  });

  test('with REQUIRE_HTTPS off nothing is refused', async () => {
    const relaxed = testApp([whoami], { config: { TRUSTED_PROXIES: ['10.0.0.0/8'] } });
    const reply = await relaxed.inject({
      url: '/whoami',
      remoteAddress: PROXY,
      headers: { 'x-forwarded-proto': 'http' },
    });
    expect(reply.statusCode).toBe(200);
  });
});
