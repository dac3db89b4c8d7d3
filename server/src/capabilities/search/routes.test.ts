import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Enrichment, openEnrichment } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { createLog } from '#platform/log.ts';
import { connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { PATIENT } from '#test/database.ts';
import { recordedGates, testApp } from '#test/http-app.ts';
import { type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import type { SearchReply } from './contract.ts';
import { followCorpus } from './follow-corpus.ts';
import { searchRoutes } from './routes.ts';
import type { SearchDeps } from './search-lookalikes.ts';

const START_MS = Date.UTC(2026, 8, 1);
const log = createLog('silent');
const dataDir = mkdtempSync(join(tmpdir(), 'assay-search-'));
const recorded = recordedGates();

let listed: ListedCorpus;
let postgres: Postgres;
let enrichment: Enrichment;
let deps: SearchDeps;
let app: FastifyInstance;

const PHISHING = [
  'paypa1.com',
  'paypla.com',
  'paypal.top',
  'secure-paypal-login.com',
  'paypal.com.evil-host.net',
  'pаypal.org',
  'purchase-order.com',
  'chase-verify.com',
  'unrelated.example.org',
  'hp-support.net',
];

beforeAll(async () => {
  listed = await openListedCorpus(START_MS);
  const config = { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 3 };
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  const { clock, corpus } = listed;
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const assess = createAssessor({ corpus, misses: createMissCache(clock), clock, enrichment });
  deps = { postgres, assess };
  app = testApp(searchRoutes(deps), { gates: recorded.gates });
});
afterAll(async () => {
  await enrichment?.close();
  await postgres?.close();
  await listed?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const follow = () => followCorpus({ run: 'test', transaction: listed.system.transaction });

async function post(url: string, payload?: string, type = 'application/json', to = app) {
  recorded.calls.length = 0;
  const answer = await to.inject({
    method: 'POST',
    url,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': type } }),
  });
  return {
    status: answer.statusCode,
    body: answer.json(),
    headers: answer.headers,
    calls: [...recorded.calls],
  };
}
const search = async (keywords: string): Promise<SearchReply> =>
  (await post(`/search?keywords=${encodeURIComponent(keywords)}`)).body as SearchReply;
const found = async (keywords: string) =>
  Object.fromEntries((await search(keywords)).results.map(({ value, technique }) => [value, technique]));

test('503 until the names are searchable, because an empty result would read as no look-alike', async () => {
  await listed.list('phish', PHISHING, { category: 'phishing', reliability: 0.9 });
  await listed.list('second', ['paypla.com'], { category: 'malware', reliability: 0.9 });
  const { status, body, headers, calls } = await post('/search?keywords=paypal');
  expect(status).toBe(503);
  expect(body.message).toMatch(/names searchable/);
  expect(headers['retry-after']).toBe('60');
  expect(calls).toEqual(['identify', 'admit 1', 'refund 1']);
  await follow();
});

describe('200', () => {
  test('every technique is found and named, in the reply of decisions 3.4', async () => {
    expect(await found('paypal')).toEqual({
      'paypa1.com': 'homoglyph',
      'xn--pypal-4ve.org': 'homoglyph',
      'paypla.com': 'typosquat',
      'paypal.top': 'tld',
      'secure-paypal-login.com': 'combosquat',
      'paypal.com.evil-host.net': 'subdomain',
    });
    const { results, hits, ...rest } = await search('paypal');
    expect(rest).toEqual({ keywords: 'paypal', total_hits: 6, truncated: false });
    expect(hits).toEqual(results.map(({ value }) => `domain:${value}`));
    expect(results.find(({ value }) => value === 'paypa1.com')).toEqual({
      value: 'paypa1.com',
      type: 'domain',
      technique: 'homoglyph',
      score: expect.any(Number),
      categories: ['phishing'],
      lastSeen: '2026-09-01T00:00:00.000Z',
    });
  });

  test('the most dangerous come first: a brand left of a foreign domain, then what two sources accuse', async () => {
    const { results } = await search('paypal');
    expect(results[0]).toMatchObject({ value: 'paypal.com.evil-host.net' });
    expect(results.find(({ value }) => value === 'paypla.com')).toMatchObject({
      categories: ['malware', 'phishing'],
    });
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(scores[1] as number);
  });

  test('a bare word is read as .com; a domain, a URL, an address and joined words mean the same', async () => {
    const names = Object.keys(await found('paypal'));
    for (const same of [
      'PAYPAL',
      ' paypal.com ',
      'www.paypal.com',
      'https://paypal.com/x',
      'a@paypal.com',
      'pay pal',
    ])
      expect(Object.keys(await found(same)), same).toEqual(names);
    expect(await found('paypal.top')).toMatchObject({ 'paypal.top': 'exact', 'paypa1.com': 'homoglyph' });
  });

  test('the web host gives the same names without prefix, for one check as well', async () => {
    const { status, body, calls } = await post('/api/search?keywords=paypal');
    expect(status).toBe(200);
    expect(body.hits).toEqual(body.results.map(({ value }: { value: string }) => value));
    expect(body.results).toEqual((await search('paypal')).results);
    expect(calls).toEqual(['identify', 'admit 1']);
  });

  test('costs one check on the API host', async () => {
    expect((await post('/search?keywords=paypal')).calls).toEqual(['identify', 'admit 1']);
  });

  test('keywords in a JSON or form body; the query string wins', async () => {
    const names = (body: SearchReply) => body.results.map(({ value }) => value);
    const json = await post('/search', JSON.stringify({ keywords: 'chase' }));
    expect(names(json.body)).toEqual(['chase-verify.com']);
    const form = await post('/search', 'keywords=chase', 'application/x-www-form-urlencoded');
    expect(names(form.body)).toEqual(['chase-verify.com']);
    const both = await post('/search?keywords=chase', JSON.stringify({ keywords: 'x' }));
    expect(names(both.body)).toEqual(['chase-verify.com']);
  });

  test('a brand of two letters is found where it is a separate word', async () => {
    expect(await found('hp')).toEqual({ 'hp-support.net': 'combosquat' });
  });

  test('nothing listed looks like it: 200 with an empty result', async () => {
    const { body } = await post('/search?keywords=nobody-imitates-this');
    expect(body).toEqual({
      keywords: 'nobody-imitates-this',
      hits: [],
      total_hits: 0,
      truncated: false,
      results: [],
    });
  });

  test('the searched name comes first, and only when it is listed', async () => {
    await listed.list('third', ['paypal.com', 'login.paypal.com'], { reliability: 0.1 });
    await follow();
    const { results } = await search('paypal');
    expect(results[0]).toMatchObject({ value: 'paypal.com', technique: 'exact' });
    expect(results.filter(({ technique }) => technique === 'exact')).toHaveLength(1);
    expect(results.map(({ value }) => value)).not.toContain('login.paypal.com');
    await listed.list('third', []);
    await follow();
    expect((await search('paypal')).results.map(({ value }) => value)).not.toContain('paypal.com');
  });

  test('a name that was delisted is not reported, though the index still has it', async () => {
    await listed.list('fourth', ['paypal-gone.com']);
    await follow();
    expect(await found('paypal')).toHaveProperty(['paypal-gone.com']);
    await listed.list('fourth', []);
    expect(await found('paypal')).not.toHaveProperty(['paypal-gone.com']);
    await follow();
    const { rows } = await sql`select 1 from search_name where name = 'paypal-gone.com'`.execute(
      listed.system.db,
    );
    expect(rows).toEqual([]);
  });

  test('a name among the most visited is no imitation', async () => {
    await listed.list('fifth', ['paypal.me']);
    await follow();
    expect(await found('paypal')).toHaveProperty(['paypal.me']);
    await listed.list('top', ['paypal.me'], {
      threatClass: 'allowlist',
      guard: 'popularity',
      rankMax: 10_000,
    });
    expect(await found('paypal')).not.toHaveProperty(['paypal.me']);
    await listed.list('top', []);
    await listed.list('fifth', []);
    await follow();
  });

  test('at most 500 are shown, and `truncated` is true', async () => {
    const many = Array.from({ length: 1_100 }, (_, at) => `netflix-${at}.com`);
    await listed.list('flood', many);
    await follow();
    const { results, hits, truncated, total_hits } = await search('netflix');
    expect(results).toHaveLength(500);
    expect(hits).toHaveLength(500);
    expect(truncated).toBe(true);
    expect(total_hits).toBeGreaterThanOrEqual(1_000);
    await listed.list('flood', many.slice(0, 501));
    await follow();
    expect(await search('netflix')).toMatchObject({ truncated: true, total_hits: 501 });
    await listed.list('flood', many.slice(0, 500));
    await follow();
    expect(await search('netflix')).toMatchObject({ truncated: false, total_hits: 500 });
  });

  test('characters of a LIKE pattern are matched literally', async () => {
    await listed.list('odd', ['my_brand_x.example.com', 'myxbrand.example.com']);
    await follow();
    expect(Object.keys(await found('my_brand_x.com'))).toEqual(['my_brand_x.example.com']);
  });
});

describe('400, which costs no check', () => {
  test.each([
    ['', /Give a brand/],
    ['keywords=', /2 to 128 characters/],
    ['keywords=a', /2 to 128 characters/],
    ['keywords=%20%20a%20', /2 to 128 characters/],
    [`keywords=${'a'.repeat(129)}`, /2 to 128 characters/],
    ['keywords=8.8.8.8', /neither a brand/],
    ['keywords=co.uk', /neither a brand/],
    [`keywords=${'0'.repeat(32)}`, /neither a brand/],
    ['keywords=%00%01', /neither a brand/],
    ['keywords=a%25b%5C', /neither a brand/],
    ['keywords=paypal&keywords=apple', /Send it once, not 2 times/],
  ])('%s', async (query, message) => {
    const { status, body, calls } = await post(`/search?${query}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
    expect(calls).toEqual(['identify', 'admit 0']);
  });

  test('a body that is not an object', async () => {
    expect((await post('/search', '"paypal"')).status).toBe(400);
    expect((await post('/search', '{"keywords":["paypal"]}')).status).toBe(400);
  });
});

test('415 for a body of another type', async () => {
  expect((await post('/search', 'paypal', 'text/plain')).status).toBe(415);
});

describe('503, whose check is given back', () => {
  test('a statement that takes too long is named as the cause', async () => {
    const hurried = connectPostgres({ DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 1 }, 'assay_app', {
      // Only the statement timeout may end the search, because the other limits give other errors.
      acquireTimeoutMs: 60_000,
      statementTimeoutMs: 150,
      lockTimeoutMs: 60_000,
      queryTimeoutMs: 60_000,
    });
    const blocked = testApp(searchRoutes({ ...deps, postgres: hurried }), { gates: recorded.gates });
    try {
      const { status, body, calls } = await listed.system.transaction(async (tx) => {
        // An exclusive lock stands for anything that blocks readers.
        await sql`lock table search_name in access exclusive mode`.execute(tx);
        return post('/search?keywords=paypal', undefined, undefined, blocked);
      });
      expect(status).toBe(503);
      expect(body.message).toMatch(/took too long/);
      expect(calls).toEqual(['identify', 'admit 1', 'refund 1']);
    } finally {
      await hurried.close();
    }
  });

  test('PostgreSQL is down', async () => {
    const away = connectPostgres(
      { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
      'assay_app',
    );
    const lost = testApp(searchRoutes({ ...deps, postgres: away }), { gates: recorded.gates });
    const { status, body } = await post('/search?keywords=paypal', undefined, undefined, lost);
    expect(status).toBe(503);
    expect(body.message).toMatch(/database is not reachable/);
    await away.close();
  });
});
