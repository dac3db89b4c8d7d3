import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Principal } from '#platform/http/principal.ts';
import { plainRoute, rawConnection } from '#test/http-app.ts';
import { testCaller } from '#test/meter.ts';
import { type MeteredApp, policyOf, startMeteredApp } from '#test/metered-app.ts';

let metered: MeteredApp;

beforeAll(async () => {
  metered = await startMeteredApp([
    plainRoute({ path: '/burst', policy: policyOf('burst') }),
    plainRoute({
      path: '/burst',
      method: 'POST',
      body: z.unknown().meta({ boundedBy: 'the size of the body' }),
      policy: policyOf('burst'),
    }),
    plainRoute({
      path: '/open',
      method: 'POST',
      body: z.unknown().meta({ boundedBy: 'the size of the body' }),
      policy: policyOf('public', { auth: 'public' }),
    }),
    plainRoute({ path: '/open', policy: policyOf('public', { auth: 'public' }) }),
    plainRoute({ path: '/sign-in', policy: policyOf('public', { auth: 'signIn' }) }),
    plainRoute({ path: '/stream', policy: policyOf('checks', { auth: 'optional' }) }),
  ]);
});
afterAll(() => metered?.close());
beforeEach(() => metered.nextCaller());

const get = (url: string) => metered.app.inject({ method: 'GET', url });

describe('a caller that is known to have spent its limit', () => {
  /** Only the head is sent, so an answer cannot have waited for the body. */
  const answerToHead = async (path: string) => {
    const raw = await rawConnection(metered.port);
    raw.socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
    );
    const answer = await raw.until(/\r\n\r\n\{.*\}/s);
    raw.socket.destroy();
    return answer;
  };

  test('is refused before its body is read, with the headers and the fields of any such refusal', async () => {
    for (let i = 0; i < 60; i += 1) await get('/burst');
    const usual = await get('/burst');
    expect(usual.statusCode).toBe(429);
    const early = await answerToHead('/burst');
    expect(early).toMatch(/^HTTP\/1\.1 429 /);
    for (const name of Object.keys(usual.headers).filter((key) => /^x-ratelimit|^retry/.test(key)))
      expect(early.toLowerCase()).toContain(`${name}: ${String(usual.headers[name]).toLowerCase()}\r\n`);
    const body = JSON.parse(early.slice(early.indexOf('{'))) as Record<string, unknown>;
    expect({ ...body, requestId: '' }).toEqual({ ...usual.json(), requestId: '' });
  });

  test('is heard again as soon as the time that the refusal named is over', async () => {
    const post = () => metered.app.inject({ method: 'POST', url: '/burst', payload: {} });
    for (let i = 0; i < 60; i += 1) await get('/burst');
    const refused = await post();
    expect(refused.statusCode).toBe(429);
    expect((await post()).statusCode).toBe(429);
    metered.nowMs += Number(refused.headers['retry-after']) * 1_000 + 5_000;
    expect((await post()).statusCode).toBe(200);
  });

  test('by its address is refused before its body too', async () => {
    metered.principal = {
      ...metered.principal,
      kind: 'anonymous',
      id: `198.51.100.${metered.callers}`,
      accountId: '',
    };
    let calls = 0;
    while ((await get('/open')).statusCode === 200 && calls < 1_000) calls += 1;
    expect(await answerToHead('/open')).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('callers without credentials', () => {
  const anonymous = (address: string) =>
    ({
      ...testCaller('FREE'),
      kind: 'anonymous',
      id: address,
      accountId: '',
      plan: 'ANONYMOUS',
    }) as Principal;

  test('have 10 metered calls an hour and 50 a month per address, then the anonymous 429', async () => {
    metered.principal = anonymous(`198.51.100.${metered.callers}`);
    for (let hour = 0; hour < 5; hour += 1) {
      for (let i = 0; i < 10; i += 1) expect((await get('/stream')).statusCode).toBe(200);
      if (hour < 4) {
        const refused = await get('/stream');
        expect(refused.statusCode).toBe(429);
        expect(refused.json()).toMatchObject({ plan: 'ANONYMOUS', rateLimit: { limit: 10, remaining: 0 } });
      }
      metered.nowMs += 3_900_000;
    }
    const spent = await get('/stream');
    expect(spent.json()).toMatchObject({
      plan: 'ANONYMOUS',
      rateLimit: { limit: 50, resetAt: '2026-12-01T00:00:00.000Z' },
    });
    metered.principal = anonymous(`198.51.101.${metered.callers}`);
    expect((await get('/stream')).statusCode).toBe(200);
  });

  test('have 120 public calls a minute per address', async () => {
    metered.principal = anonymous(`203.0.113.${metered.callers}`);
    const answers = await Promise.all(Array.from({ length: 121 }, () => get('/open')));
    expect(answers.filter((answer) => answer.statusCode === 429)).toHaveLength(1);
  });

  test('both addresses of one route are one bucket, and each public route has its own', async () => {
    metered.principal = anonymous(`203.0.114.${metered.callers}`);
    for (let i = 0; i < 10; i += 1)
      expect((await get(i % 2 === 0 ? '/stream' : '/api/stream')).statusCode).toBe(200);
    expect([(await get('/stream')).statusCode, (await get('/api/stream')).statusCode]).toEqual([429, 429]);
    await Promise.all(Array.from({ length: 60 }, () => get('/open')));
    await Promise.all(Array.from({ length: 60 }, () => get('/api/open')));
    expect([(await get('/open')).statusCode, (await get('/sign-in')).statusCode]).toEqual([429, 200]);
  });

  test('are told to send a key only where a key is taken', async () => {
    metered.principal = anonymous(`203.0.115.${metered.callers}`);
    const refusalOf = async (url: string) => {
      let answer = await get(url);
      for (let i = 0; i < 120 && answer.statusCode === 200; i += 1) answer = await get(url);
      return answer.json<{ message: string }>().message;
    };
    expect(await refusalOf('/stream')).toContain('or send an API key');
    for (const url of ['/open', '/sign-in']) expect(await refusalOf(url)).not.toContain('key');
  });

  test('of one IPv6 /48 share sixteen times what one of its /64s may spend', async () => {
    const from = (i: number) => {
      metered.principal = anonymous(`2001:db8:${metered.callers.toString(16)}:${i.toString(16)}::/64`);
      return get('/stream');
    };
    for (let i = 0; i < 160; i += 1) expect((await from(i)).statusCode).toBe(200);
    const refused = await from(160);
    expect([refused.statusCode, refused.json<{ rateLimit: { limit: number } }>().rateLimit.limit]).toEqual([
      429, 160,
    ]);
  });
});
