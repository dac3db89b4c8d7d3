import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { type MeteredApp, startMeteredApp } from '#test/metered-app.ts';
import { mailRoutes } from '../routes.ts';

let rig: MailRig;
let metered: MeteredApp;
const C2 = { category: 'c2', fpRisk: 'low', threatClass: 'threat' } as const;

beforeAll(async () => {
  rig = await openMailRig();
  await rig.list('sure', ['http://listed.malware-host.net/x'], { ...C2, reliability: 0.9 });
  await rig.list('doubtful', ['http://doubtful.malware-host.org/x'], { ...C2, reliability: 0.5 });
  await rig.list('popular', ['established.com'], {
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 100_000,
  });
  metered = await startMeteredApp(mailRoutes(rig.depsWith(rig.threadsOf())));
});
beforeEach(() => metered.nextCaller());
afterAll(async () => {
  await metered?.close();
  await rig?.close();
});

const scan = (payload: object) => metered.app.inject({ method: 'POST', url: '/gate/scan', payload });
const url = (u: string) => metered.app.inject({ url: `/gate/url?u=${encodeURIComponent(u)}` });

describe('POST /gate/scan (G40)', () => {
  test('a listed link blocks the text, costs one scan and no check', async () => {
    const answer = await scan({
      content:
        'Read http://listed.malware-host.net/x and https://established.com/a and http://new.example.net/',
      source_url: 'https://established.com/feed',
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      verdict: 'block',
      mode: 'fast',
      injection: { score: 0, families: [], spans: [] },
      links: [
        { entity: 'listed.malware-host.net', verdict: 'malicious', sources: 1 },
        { entity: 'established.com', verdict: 'clean', sources: 0 },
        { entity: 'new.example.net', verdict: 'unknown', sources: 0 },
      ],
      links_truncated: false,
      source: { entity: 'established.com', verdict: 'clean' },
      sanitized_content: 'Read [link removed] and https://established.com/a and http://new.example.net/',
    });
    expect(answer.headers['x-scan-usage']).toBe('1');
    expect(answer.headers['x-monthly-usage']).toBeUndefined();
  });

  test('a text with nothing against it is allowed, with no source and nothing removed', async () => {
    expect((await scan({ content: 'Hello.', mode: 'thorough' })).json()).toMatchObject({
      verdict: 'allow',
      mode: 'thorough',
      source: null,
      sanitized_content: null,
    });
  });

  test('a body without content, with an unknown mode or with two spellings of a field is 400 and costs nothing', async () => {
    for (const [body, field] of [
      [{}, 'content'],
      [{ content: 'x', mode: 'slow' }, 'mode'],
      [
        { content: 'x', source_url: 'http://a.example.com/', sourceUrl: 'http://b.example.com/' },
        'source_url',
      ],
      [{ content: 'x', source_url: 'not a link' }, 'source_url'],
    ] as const) {
      const answer = await scan(body);
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.body).toContain(field);
      expect(answer.headers['x-scan-usage'] ?? '0').toBe('0');
    }
    expect((await scan({ content: 'x' })).headers['x-scan-usage']).toBe('1');
  });

  test('content above 1 MiB is 413, also where its letters take more bytes than units', async () => {
    for (const content of ['x'.repeat(1024 * 1024 + 1), 'ü'.repeat(600_000)])
      expect([400, 413]).toContain((await scan({ content })).statusCode);
    expect((await scan({ content: 'ü'.repeat(600_000) })).statusCode).toBe(413);
  });
});

describe('GET /gate/url (G40)', () => {
  test('one threat listing is never clean, and an unknown link is unknown (trap 16a)', async () => {
    expect((await url('http://listed.malware-host.net/x')).json()).toMatchObject({
      verdict: 'malicious',
      sources: 1,
    });
    expect((await url('http://doubtful.malware-host.org/x')).json()).toMatchObject({
      verdict: 'suspicious',
      sources: 1,
    });
    expect((await url('established.com/a')).json()).toMatchObject({
      verdict: 'clean',
      url: 'http://established.com/a',
      entity: 'established.com',
      sources: 0,
      latency_ms: expect.any(Number),
    });
    expect((await url('http://new.example.net/')).json()).toMatchObject({ verdict: 'unknown' });
  });

  test('a text that is no web address is 400 and says what to send', async () => {
    const answer = await url('mailto:x@example.com');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('This is not a web address. Send one like https://example.com/page.');
    expect((await url('http://new.example.net/')).headers['x-scan-usage']).toBe('1');
  });
});

test('GET /gate/quota reads the meter of scans and spends nothing (trap 65)', async () => {
  const answer = await metered.app.inject({ url: '/gate/quota' });
  expect(answer.json()).toEqual({
    meter: 'scans',
    plan: 'FREE',
    used: 3,
    limit: 50,
    remaining: 47,
    percentage: 6,
    periodStart: '2026-11-01T00:00:00.000Z',
    resetsAt: '2026-12-01T00:00:00.000Z',
    billingIssue: false,
  });
  expect((await scan({ content: 'x' })).headers['x-scan-usage']).toBe('1');
});
