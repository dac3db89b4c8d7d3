import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCheckService, type SharedCheckService, undated } from './check-corpus.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { CROWDED_IP, FEEDS, SAMPLE_SHA256 } from './shared-corpus.ts';

let running: SharedCheckService;
const check: SharedCheckService['check'] = (query, more) => running.check(query, more);
const get: SharedCheckService['get'] = (path, credential) => running.get(path, credential);
const usageOf = (headers: Headers): number => Number(headers.get('x-monthly-usage'));

beforeAll(async () => {
  running = await openCheckService('check');
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
});

describe('GET /check: the query', () => {
  test('parameters that name different targets are refused; the type of an alias follows from its content', async () => {
    for (const [several, path] of [
      [`ip=${CROWDED_IP}&domain=evil.com`, 'domain'],
      [`query=evil.com&hash=${SAMPLE_SHA256}`, 'hash'],
      ['query=evil.com&domain=not%20a%20domain', 'domain'],
    ]) {
      const { status, body } = await get(`/check?${several}`);
      expect(status, several).toBe(400);
      expect(body.details, several).toMatchObject([{ path }]);
      expect(body.message, several).toContain('have different values. Send one target.');
    }
    expect((await get('/check?query=EVIL[.]com&domain=evil.com')).body.query).toBe('evil.com');
    expect((await get(`/check?hash=${CROWDED_IP}`)).body.query).toBe(CROWDED_IP);
  });

  test('a range, a word, an e-mail address and an empty query are refused with advice, and cost no check', async () => {
    const before = usageOf((await check('evil.com')).headers);
    for (const query of ['10.0.0.0/8', 'localhost', '', 'not an indicator', 'a@evil.com']) {
      const { status, body, headers } = await check(query);
      expect(status, query).toBe(400);
      expect(String(body.message).length).toBeGreaterThan(10);
      expect(usageOf(headers)).toBe(before);
    }
  });

  test('a check costs one', async () => {
    const before = usageOf((await check('evil.com')).headers);
    expect(usageOf((await check('evil.com')).headers)).toBe(before + 1);
  });

  test('the web surface answers the same document under /api', async () => {
    const [api, web] = [await check('evil.com'), await get('/api/check?query=evil.com')];
    expect(undated(web.body)).toEqual(undated(api.body));
  });
});

describe('GET /check: matches', () => {
  test('an address inside a listed range names the range, IPv4 and IPv6', async () => {
    for (const address of ['2a02:4780:1:2::3', '45.155.206.9'])
      expect((await check(address)).body.sources).toMatchObject([{ id: 'ranges', matchType: 'cidr' }]);
  });

  test('a URL is judged on its exact listing and on its host', async () => {
    const { body } = await check('hxxp://evil[.]com/payload.exe');
    expect(body.sources.find(({ id }) => id === 'urls')).toMatchObject({ matchType: 'exact' });
    expect(body.blocklistHits).toBe(FEEDS + 1);
  });

  test('a malware sample is known, malicious by scanner signal and counted in reputation', async () => {
    const { body } = await check(SAMPLE_SHA256.toUpperCase());
    expect(body).toMatchObject({ malicious: true, lookupStatus: 'known', reputation: { malicious: 1 } });
  });

  test('a private address, and a page on one, are bogons: safe, not an error, not looked up', async () => {
    for (const query of ['192.168.1.1', 'http://192.168.1.1/login']) {
      const { status, body } = await check(query);
      expect(status).toBe(200);
      expect(body.infrastructure).toMatchObject({
        attributes: ['bogon'],
        sources: [{ id: 'iana-special-purpose', name: 'Private use (RFC 1918)' }],
      });
      expect(body).toMatchObject({ malicious: false, blocklistHits: 0, classification: { primary: 'safe' } });
    }
  });

  test('an unlisted indicator is unknown and not clean (ruling 7)', async () => {
    const { body } = await check('nobody-lists-this.com');
    expect(body).toMatchObject({
      riskScore: { score: 0, level: 'inconclusive', word: 'Not listed' },
      evidence: { verdict: 'unknown', recommendedAction: 'unverified' },
    });
    expect(body.evidence.reasons.join(' ')).toMatch(/not proof of good/);
  });
});

describe('GET /check: levels', () => {
  test('full without live lookups is standard and what local tables add; an unknown level is refused', async () => {
    const [standard, full] = [await check('evil.com'), await check('evil.com', '&enrichment=full')];
    const { timeline, relatedInfrastructure, ...rest } = undated(full.body) as Record<string, unknown>;
    expect(timeline).toMatchObject({ trend: expect.any(String) as unknown });
    expect(relatedInfrastructure).toMatchObject({ totalRelated: expect.any(Number) as unknown });
    expect(rest).toEqual({ ...(undated(standard.body) as object), enrichmentLevel: 'full' });
    const wrong = await check('evil.com', '&enrichment=deep');
    expect(wrong.status).toBe(400);
    expect(wrong.body.details).toMatchObject([{ path: 'enrichment' }]);
  });

  test('fast has every field of standard, and names the facts that a live lookup would add (G53)', async () => {
    const pending = {
      [CROWDED_IP]: ['whois', 'geo', 'certificates', 'otx'],
      'evil.com': ['dns', 'whois', 'geo', 'certificates', 'otx'],
      [SAMPLE_SHA256]: ['otx', 'circl'],
    };
    for (const [query, facets] of Object.entries(pending)) {
      const standard = (await check(query)).body;
      const fast = (await check(query, '&enrichment=fast')).body;
      expect(fast.pending, query).toEqual(facets);
      expect(fast.enrichmentLevel).toBe('fast');
      for (const key of Object.keys(standard)) expect(key in fast, key).toBe(true);
      expect(fast.riskScore).toEqual(standard.riskScore);
    }
  });

  test('the points of every answer add up to its score', async () => {
    for (const query of [
      CROWDED_IP,
      'evil.com',
      'ads.evil.com',
      '45.155.206.9',
      SAMPLE_SHA256,
      'only-ads.com',
    ]) {
      const { score, factors } = (await check(query)).body.riskScore;
      expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(score);
    }
  });

  test('completeness names the lookups that were not made, and needs no live lookup itself', async () => {
    const { completeness } = (await check('evil.com')).body.dataTrust;
    expect(completeness).toMatchObject({
      score: 13,
      present: ['sources'],
      missing: ['reputation', 'whois', 'geo', 'certificates', 'dns', 'vulnerabilities', 'otx'],
    });
  });
});

describe('GET /check: asOf', () => {
  test('a moment without a target, in the future, too far in the past or unreadable is refused and costs no check', async () => {
    const before = usageOf((await check('evil.com')).headers);
    const moments = ['2999-01-01T00:00:00Z', '2020-01-01T00:00:00Z', 'yesterday', '2026-13-01T00:00:00Z'];
    for (const moment of moments) {
      const { status, body } = await check('evil.com', `&asOf=${encodeURIComponent(moment)}`);
      expect(status, moment).toBe(400);
      // The example in the message is a time that the route accepts.
      const [example = ''] = /\d{4}-\d\d-\d\dT12:00:00Z/.exec(String(body.message)) ?? [];
      const ageDays = (Date.now() - Date.parse(example)) / 86_400_000;
      expect(ageDays, moment).toBeGreaterThan(6);
      expect(ageDays, moment).toBeLessThan(9);
    }
    const nothing = await get('/check?asOf=2026-08-22T12:00:00Z');
    expect(nothing.status).toBe(400);
    expect(nothing.body.details).toMatchObject([{ path: 'asOf' }]);
    expect(usageOf((await check('evil.com')).headers)).toBe(before + 1);
  });
});

describe('GET /check/reputation', () => {
  const reputation = (query: string) => get(`/check/reputation?query=${encodeURIComponent(query)}`);

  test('answers the counts of an address or a domain, four zeros without an engine, and costs one check', async () => {
    const before = usageOf((await check('evil.com')).headers);
    for (const query of [CROWDED_IP, 'evil[.]com']) {
      const { status, body } = await reputation(query);
      expect(status).toBe(200);
      expect(body).toEqual({
        reputation: { malicious: 0, suspicious: 0, harmless: 0, undetected: 0 },
        blocklistHits: expect.any(Number),
        riskScore: { score: expect.any(Number), level: expect.any(String), word: expect.any(String) },
        message: expect.stringMatching(
          /^No scanner-type source answered, so the four counts say nothing\. [1-9]\d* threat lists? names? it\. Verdict: .+ \(\d+ of 100\)\.$/,
        ),
      });
      expect(body.blocklistHits).toBeGreaterThan(0);
    }
    expect(usageOf((await check('evil.com')).headers)).toBe(before + 3);
  });

  test('a missing query, a URL and a hash are refused (G56), and a caller without a key too', async () => {
    expect((await get('/check/reputation')).status).toBe(400);
    for (const query of ['http://evil.com/a', SAMPLE_SHA256, '10.0.0.0/8', ''])
      expect((await reputation(query)).status, query).toBe(400);
    expect((await get('/check/reputation?query=evil.com', '')).status).toBe(401);
  });
});
