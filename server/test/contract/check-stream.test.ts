import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CheckEvent } from '#capabilities/check/index.ts';
import { eventually } from '#test/eventually.ts';
import { readStream } from '#test/read-stream.ts';
import { openCheckService, type SharedCheckService } from './check-corpus.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { CROWDED_IP, FEEDS, SAMPLE_SHA256 } from './shared-corpus.ts';

let running: SharedCheckService;
let key: string;
const open = (query: string, headers: Record<string, string> = { 'X-API-KEY': key }, surface = '') =>
  readStream(`${running.service.url}${surface}/check/stream?query=${encodeURIComponent(query)}`, headers);
const usage = async () => Number((await running.get('/check', key)).headers.get('x-monthly-usage'));

beforeAll(async () => {
  running = await openCheckService('check-stream');
  key = (await running.accounts.newAccount('streams@example.com', { plan: 'ENTERPRISE' })).credential;
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
});

describe('trap 17: the events of a stream', () => {
  const PHASES = ['reputation', 'basic', 'insights', 'enrichment', 'done'];

  test('exactly the phases in order, one JSON object per data line, ids that begin with the number of the phase, and no event line', async () => {
    for (const query of [CROWDED_IP, SAMPLE_SHA256, 'evil.com', 'http://evil.com/payload.exe']) {
      const { events, text } = await open(query);
      expect(
        events.map(({ type }) => type),
        query,
      ).toEqual(PHASES);
      // Phase 4 is `dns`, which is absent because no provider is configured here.
      expect(events.map(({ id }) => id.split('.')[0])).toEqual(['1', '2', '3', '5', '6']);
      for (const { type, data } of events) CheckEvent.parse({ type, data });
      expect(text.startsWith('retry: 5000\n\n')).toBe(true);
      expect(text).not.toContain('event:');
      for (const line of text.split('\n').filter((l) => l.startsWith('data:')))
        expect(JSON.parse(line.slice(5))).toHaveProperty('type');
    }
  });

  test('its headers forbid proxies to cache or buffer it', async () => {
    const { status, headers } = await open(CROWDED_IP);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('content-encoding')).toBeNull();
  });

  test('it gives the same facts as a check of the same target', async () => {
    for (const query of [CROWDED_IP, 'evil.com', SAMPLE_SHA256]) {
      const { body } = await running.check(query);
      const { events } = await open(query);
      const [reputation, basic, insights] = events.map(({ data }) => data);
      for (const field of ['query', 'malicious', 'blocklistHits', 'sources', 'reputation', 'lookupStatus'])
        expect(reputation?.[field], field).toEqual(body[field]);
      expect(basic).toEqual({ geo: body.geo, whois: null, certificates: null, vulnerabilities: null });
      for (const field of ['riskScore', 'confidence', 'classification', 'mitre'])
        expect(insights?.[field], field).toEqual(body[field]);
    }
    expect((await open(CROWDED_IP)).events[0]?.data).toMatchObject({ type: 'ip', blocklistHits: FEEDS });
  });

  test('both surfaces serve it', async () => {
    expect((await open('evil.com', { 'X-API-KEY': key }, '/api')).events.at(-1)?.type).toBe('done');
  });

  test('HEAD gets the headers and no stream, and costs no check', async () => {
    const before = await usage();
    const response = await fetch(`${running.service.url}/check/stream?query=evil.com`, {
      method: 'HEAD',
      headers: { 'X-API-KEY': key },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await usage()).toBe(before);
  });
});

describe('charges and permissions', () => {
  test('with a key one check of the month, and the limit headers; a target that cannot be read costs none', async () => {
    const before = await usage();
    const { headers } = await open('evil.com');
    expect(Number(headers.get('x-monthly-usage'))).toBe(before + 1);
    expect(headers.get('x-ratelimit-limit')).not.toBeNull();
    for (const query of ['', '10.0.0.0/8', 'a@evil.com', 'not an indicator', 'a'.repeat(128)]) {
      const refused = await open(query);
      expect(refused.status, query).toBe(400);
      expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
      expect(JSON.parse(refused.text)).toMatchObject({ error: 'Bad Request', details: [{ path: 'query' }] });
    }
    const without = await fetch(`${running.service.url}/check/stream`, { headers: { 'X-API-KEY': key } });
    expect(without.status).toBe(400);
    expect(await without.json()).toMatchObject({
      message: expect.stringContaining('Nothing was sent. It takes: IP address') as unknown,
    });
    expect(await usage()).toBe(before + 1);
  });

  test('a wrong credential is refused, not treated as anonymous (decisions 1.3)', async () => {
    const wrong = Buffer.from('ak_wrong:sk_wrong').toString('base64');
    const { status, text } = await open('evil.com', { 'X-API-KEY': wrong });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ error: 'Unauthorized', message: 'Invalid API key' });
  });

  test('without credentials ten an hour per address, by the figures of decisions 1.4; the 11th gets 429 with a wait, and a key still works', async () => {
    for (let call = 1; call <= 10; call += 1)
      expect((await open('evil.com', running.fromHere)).events.at(-1)?.type, `call ${call}`).toBe('done');
    const { status, headers, text } = await open('evil.com', running.fromHere);
    expect(status).toBe(429);
    const retryAfter = Number(headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(2 * 3_600);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(text)).toMatchObject({
      error: 'Rate Limited',
      plan: 'ANONYMOUS',
      retryAfter,
      rateLimit: { limit: 10, remaining: 0 },
    });
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now());
    expect((await open('evil.com')).status).toBe(200);
    // Both addresses of the route are one bucket (G47); two would double the limit.
    expect((await open('evil.com', running.fromHere, '/api')).status).toBe(429);
  });
});

test('no stream stays open after its reader disconnects', async () => {
  const leave = new AbortController();
  const response = await fetch(`${running.service.url}/check/stream?query=evil.com`, {
    headers: { 'X-API-KEY': key },
    signal: leave.signal,
  });
  expect(response.status).toBe(200);
  leave.abort();
  // Other test files open streams briefly; a leaked stream would keep the gauge above 0 for good.
  await eventually('nothing is open', 30_000, async () => {
    const page = await (await fetch(running.service.metricsUrl)).text();
    return /assay_sse_streams\{process="listener-0"\} 0/.test(page);
  });
});
