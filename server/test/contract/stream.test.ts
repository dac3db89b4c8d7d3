import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey, createSession, revokeKey, setPlan } from '#capabilities/access/index.ts';
import { IocPublished, Summary, ThreatNew, ThreatUpdated } from '#capabilities/stream/events.ts';
import { WatchlistAlert } from '#capabilities/stream/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { createRelay, emitAll, type NewEvent, type Relay } from '#platform/events.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { createSecrets } from '#platform/secrets.ts';
import { cookieWith, OPERATOR } from '#test/access.ts';
import { sleep } from '#test/eventually.ts';
import { type SharedService, sharedService } from '#test/shared-service.ts';
import { openThreatStream, type StreamAsk, type ThreatStream } from '#test/threat-stream.ts';

let running: SharedService;
let redis: Redis;
let relay: Relay;
let pro: { readonly accountId: string; readonly credential: string };
let big: { readonly accountId: string; readonly credential: string };
const opened: ThreatStream[] = [];
const log = createLog('silent');
const clock = systemClock();

beforeAll(async () => {
  running = await sharedService('stream');
  const config = loadConfig(running.service.env);
  redis = await connectRedis({ config, log, clock });
  relay = createRelay({ postgres: running.accounts.system, redis, prefix: config.REDIS_PREFIX, log });
  pro = await running.accounts.newAccount('pro@example.com', {
    plan: 'PRO',
    limits: { burstPerMinute: 500 },
  });
  big = await running.accounts.newAccount('big@example.com', { plan: 'ENTERPRISE' });
}, 600_000);
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await sleep(100);
});
afterAll(async () => {
  await relay?.stop();
  redis?.close();
  await running?.stop();
});

async function open(ask: StreamAsk = {}): Promise<ThreatStream> {
  const stream = await openThreatStream(running.service.url, { credential: big.credential, ...ask });
  opened.push(stream);
  return stream;
}

const threat = (value: string, level: 'low' | 'medium' | 'high' | 'critical' = 'high', category = 'c2') => ({
  severity: level,
  categories: [category],
  indicator: { type: 'domain' as const, value },
  score: 70,
  level,
  sources: { count: 1, names: ['A list'] },
  firstSeen: null,
  lastSeen: null,
});
const shared = (type: NewEvent['type'], payload: unknown): NewEvent => ({ type, accountId: null, payload });
const emitNow = (...events: NewEvent[]) =>
  running.accounts.system.transaction((tx) => emitAll(tx, events)).then(() => relay.flush());
const values = ({ events }: ThreatStream) =>
  events.map(({ data }) => (data.indicator as { value: string } | undefined)?.value);

describe('opening the stream (contract 6.2)', () => {
  test('headers, retry first, and a mark to resume after before any event', async () => {
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-ratelimit-type': 'burst',
      'x-ratelimit-plan': 'ENTERPRISE',
    });
    expect(stream.headers['content-encoding']).toBeUndefined();
    await expect.poll(() => stream.text()).toMatch(/^retry: 5000\n\nid: \d+\n\n$/);
  });

  test('an event is one data line {type, data} with its id, and no event line', async () => {
    const stream = await open();
    await emitNow(shared(ThreatNew, threat('one.example')));
    await expect.poll(() => values(stream)).toEqual(['one.example']);
    const [event] = stream.events;
    expect(event).toMatchObject({ type: 'threat.new', data: { id: event?.id, ...threat('one.example') } });
    expect(event?.data.occurredAt).toMatch(/Z$/);
    expect(stream.text()).not.toContain('event:');
  });

  test('HEAD gets the headers and holds no stream', async () => {
    const head = await open({ method: 'HEAD', credential: pro.credential });
    expect(head.status).toBe(200);
    const both = await Promise.all([
      open({ credential: pro.credential }),
      open({ credential: pro.credential }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('trap 66: without a key and with a session 401, FREE is told which plans the streaming API needs', async () => {
    const { url, env } = running.service;
    const none = await fetch(`${url}/stream`);
    expect(none.status).toBe(401);
    const who = { userId: big.accountId, accountId: big.accountId, ip: '127.0.0.1', userAgent: 'test' };
    const { token } = await createSession({ postgres: running.accounts.system, clock }, who);
    const cookie = cookieWith(loadConfig(env), token);
    const byPage = await fetch(`${url}/api/stream`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect(byPage.status).toBe(401);
    expect(await byPage.json()).toMatchObject({
      message: expect.stringMatching(/session cannot call/) as unknown,
    });
    const free = await running.accounts.newAccount('free@example.com');
    const refused = await fetch(`${url}/stream`, { headers: { 'X-API-KEY': free.credential } });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      message: expect.stringMatching(/streaming API needs PRO or ENTERPRISE/) as unknown,
    });
  });

  test.each(['types=threat.gone', 'types=threat.new,nonsense', 'severity=urgent', 'severity=safe'])(
    '%s is 400, and the message says what may be sent',
    async (query) => {
      const answer = await fetch(`${running.service.url}/stream?${query}`, {
        headers: { 'X-API-KEY': pro.credential },
      });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(await answer.json())).toMatch(/threat\.new|low|critical/);
    },
  );
});

describe('filters', () => {
  test('types, least severity and categories in either case; query and unknown parameters are ignored', async () => {
    const of = (query: string) => open({ query });
    const streams = await Promise.all([
      of('query=ignored&nonsense=1'),
      of('types=threat.updated,ioc.published'),
      of('severity=high'),
      of('categories=Phishing,%20MALWARE'),
      of('types=&categories='),
      of('types=threat.new&severity=critical&categories=phishing'),
    ]);
    const published = { collection: 'malicious-domains', stixId: 'indicator--1' };
    await emitNow(
      shared(ThreatNew, threat('a.example', 'critical', 'phishing')),
      shared(ThreatUpdated, { ...threat('b.example', 'medium'), changed: ['sources'] }),
      shared(IocPublished, { ...threat('c.example', 'high', 'malware'), ...published }),
      shared(ThreatNew, threat('last.example', 'critical', 'phishing')),
    );
    const [a, b, c, last] = ['a', 'b', 'c', 'last'].map((name) => `${name}.example`);
    await expect
      .poll(() => streams.map(values))
      .toEqual([
        [a, b, c, last],
        [b, c],
        [a, c, last],
        [a, c, last],
        [a, b, c, last],
        [a, last],
      ]);
  });

  test('a summary reaches those who want one of the types that it stands for', async () => {
    const [wants, other] = await Promise.all([
      open({ query: 'types=threat.new' }),
      open({ query: 'types=watchlist.alert' }),
    ]);
    await emitNow(
      shared(Summary, {
        severity: 'critical',
        categories: ['c2'],
        reason: 'many-changes',
        message: '20,000 more.',
        types: ['threat.new', 'threat.updated'],
        count: 20_000,
        source: null,
      }),
    );
    await expect.poll(() => wants?.events.map(({ type }) => type)).toEqual(['summary']);
    expect(other?.events).toEqual([]);
  });
});

describe('tenants (reliability S2)', () => {
  const alert = (accountId: string, value: string): NewEvent => ({
    type: WatchlistAlert,
    accountId,
    payload: { ...threat(value), alertId: 'alrt_1', monitorId: 'mon_1', alertType: 'reputation.changed' },
  });

  test('an alert reaches its own account, in order among shared events, live and replayed, and no other', async () => {
    const [own, foreign] = await Promise.all([open(), open({ credential: pro.credential })]);
    await expect.poll(() => [own?.lastId(), foreign?.lastId()].every((id) => id !== '')).toBe(true);
    const from = own?.lastId() ?? '';
    await emitNow(
      shared(ThreatNew, threat('before.example')),
      alert(big.accountId, 'mine.example'),
      shared(ThreatNew, threat('after.example')),
    );
    const all = ['before.example', 'mine.example', 'after.example'];
    const others = ['before.example', 'after.example'];
    await expect.poll(() => values(own as ThreatStream)).toEqual(all);
    await expect.poll(() => values(foreign as ThreatStream)).toEqual(others);
    foreign?.close();
    const [again, alien] = await Promise.all([
      open({ lastEventId: from }),
      open({ lastEventId: from, credential: pro.credential }),
    ]);
    await expect.poll(() => values(again as ThreatStream)).toEqual(all);
    await expect.poll(() => values(alien as ThreatStream)).toEqual(others);
  });
});

describe('resuming (decisions 3.13, O40)', () => {
  test('after Last-Event-ID come exactly the later events, from the memory of the process and then live', async () => {
    const stream = await open();
    await emitNow(...['r1', 'r2', 'r3'].map((name) => shared(ThreatNew, threat(`${name}.example`))));
    await expect.poll(() => values(stream)).toHaveLength(3);
    const resumed = await open({ lastEventId: stream.events[0]?.id ?? '' });
    await expect.poll(() => values(resumed)).toEqual(['r2.example', 'r3.example']);
    await emitNow(shared(ThreatNew, threat('r4.example')));
    await expect.poll(() => values(resumed)).toEqual(['r2.example', 'r3.example', 'r4.example']);
  });

  test.each(['999999999', 'nonsense', '1-0'])(
    'the unknown id %s starts with a gap and goes on with new events',
    async (lastEventId) => {
      const stream = await open({ lastEventId });
      await expect
        .poll(() => stream.events[0])
        .toMatchObject({ type: 'gap', data: { after: lastEventId, reason: 'unknown' } });
      await emitNow(shared(ThreatNew, threat('next.example')));
      await expect.poll(() => stream.events.map(({ type }) => type)).toEqual(['gap', 'threat.new']);
      expect(Number(stream.events[1]?.id)).toBeGreaterThan(Number(stream.events[0]?.id));
    },
  );
});

describe('how many at once (decisions 1.4)', () => {
  test('the third stream of PRO is 429 until one is closed; the account counts, not the key', async () => {
    const deps = {
      postgres: running.accounts.system,
      clock,
      pepper: createSecrets(loadConfig(running.service.env).KEY_PEPPER),
    };
    const wanted = { accountId: pro.accountId, userId: pro.accountId, label: 'second', allowedCidrs: [] };
    const { credential } = await createKey(deps, OPERATOR, wanted);
    const first = await open({ credential: pro.credential });
    const second = await open({ credential });
    expect([first.status, second.status]).toEqual([200, 200]);
    const refused = await fetch(`${running.service.url}/stream`, { headers: { 'X-API-KEY': credential } });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toMatchObject({
      error: 'Rate Limited',
      plan: 'PRO',
      usage: { current: 2, limit: 2 },
      retryAfter: 30,
    });
    second.close();
    await expect.poll(async () => (await open({ credential })).status).toBe(200);
  });
});

describe('who may no longer have it', () => {
  test('a revoked key and a lower plan end their streams within 60 s; others go on', async () => {
    const { system } = running.accounts;
    const deps = {
      postgres: system,
      clock,
      pepper: createSecrets(loadConfig(running.service.env).KEY_PEPPER),
    };
    const leaving = await running.accounts.newAccount('leaving@example.com', { plan: 'PRO' });
    const revoked = await running.accounts.newAccount('revoked@example.com', { plan: 'PRO' });
    const streams = await Promise.all([leaving, revoked, big].map(({ credential }) => open({ credential })));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await setPlan(deps, OPERATOR, leaving.accountId, { plan: 'BASIC' });
    const { rows } = await sql<{ id: string }>`
      select id from api_key where account_id = ${revoked.accountId}`.execute(system.db);
    const scope = { accountId: revoked.accountId, userId: null };
    await revokeKey(deps, OPERATOR, scope, rows[0]?.id ?? '');
    await expect.poll(() => streams.map(({ isClosed }) => isClosed())).toEqual([true, true, false]);
  });
});
