import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breachedHashes, listOf } from '#capabilities/passwords/breached.fixture.ts';
import { loadPasswords } from '#capabilities/passwords/index.ts';
import { eventually } from '#test/eventually.ts';
import { type CheckService, startCheckService, undated } from './check-corpus.ts';
import { beginWithinOneHour } from './one-hour.ts';
import { CLOUD_IP, CROWDED_IP, DISPUTED_IP, FEEDS, SAMPLE_SHA256 } from './shared-corpus.ts';

let running: CheckService;
const check: CheckService['check'] = (query, more) => running.check(query, more);

beforeAll(async () => {
  running = await startCheckService();
}, 600_000);
beforeEach(beginWithinOneHour);
afterAll(async () => {
  await running?.stop();
});

describe('traps 1 to 5: listings that count', () => {
  test('trap 1: an address on 42 feeds and no scanner is listed 42 times, high or critical, and not called malicious', async () => {
    const { status, body } = await check(CROWDED_IP);
    expect(status).toBe(200);
    expect(body).toMatchObject({ malicious: false, blocklistHits: FEEDS, blocklistListed: true });
    const hits = body.sources.filter(
      ({ matchType, threatClass }) => matchType === 'exact' && threatClass === 'threat',
    );
    expect(hits).toHaveLength(FEEDS);
    expect(['high', 'critical']).toContain(body.riskScore.level);
    expect(body.evidence.recommendedAction).toBe('block');
  });

  test('trap 2: an infrastructure listing changes no counter and no score, and describes the address', async () => {
    const address = '52.96.17.5';
    const before = (await check(address)).body;
    expect('infrastructure' in before).toBe(false);
    await running.importList('cloud-2', ['52.96.0.0/16', '52.96.17.0/24'], {
      threatClass: 'infrastructure',
      attributes: ['cloud', 'cdn'],
    });
    await eventually(
      'the range is known',
      5_000,
      async () => 'infrastructure' in (await check(address)).body,
    );
    const { body } = await check(address);
    expect(body).toMatchObject({ malicious: false, blocklistHits: 0, blocklistListed: false });
    expect(body.riskScore).toEqual(before.riskScore);
    expect(body.reputation).toEqual(before.reputation);
    expect(body.infrastructure?.attributes).toEqual(['cdn', 'cloud']);
    expect((await check(CLOUD_IP)).body.infrastructure?.attributes).toEqual(['cloud', 'tor-exit']);
  });

  test('trap 3: without an infrastructure listing the key infrastructure is absent, not null and not {}', async () => {
    const { body } = await check('evil.com');
    expect(body.blocklistHits).toBe(FEEDS);
    expect('infrastructure' in body).toBe(false);
  });

  test('trap 4: an advertising list appears in sources and changes neither counters nor score', async () => {
    const { body } = await check('only-ads.com');
    expect(body.sources.map(({ id }) => id)).toEqual(['ads']);
    expect(body).toMatchObject({ blocklistHits: 0, blocklistListed: false, riskScore: { score: 0 } });
    const child = (await check('ads.evil.com')).body;
    expect(child.sources.map(({ id }) => id)).toContain('ads');
    expect(child.blocklistHits).toBe(FEEDS);
    expect(child.sources.filter(({ matchType }) => matchType === 'parent')).toHaveLength(FEEDS);
    expect(child.riskScore.factors.map(({ name }) => name)).not.toContain('ads');
  });

  test('trap 5: every source carries threatClass and fpRisk although the registry row named neither', async () => {
    const { body } = await check('evil.com');
    for (const source of body.sources)
      expect(source).toMatchObject({ threatClass: 'threat', fpRisk: 'medium' });
  });
});

describe('traps 6 to 8: hashes', () => {
  test('trap 6: an unseen hash is unknown and inconclusive, and a list that names it later is seen at once (O6)', async () => {
    const unseen = 'ef'.repeat(32);
    for (let asked = 0; asked < 2; asked += 1)
      expect((await check(unseen)).body).toMatchObject({
        malicious: false,
        lookupStatus: 'unknown',
        blocklistHits: 0,
        riskScore: { score: 0, level: 'inconclusive', factors: [] },
        evidence: { verdict: 'unknown', recommendedAction: 'unverified' },
      });
    await running.importList('late', [unseen]);
    const isKnown = async () => (await check(unseen)).body.lookupStatus === 'known';
    await eventually('the hash is known', 2_000, isKnown);
  });

  test('C16: the answer about a file that no source knows has low confidence', async () => {
    expect((await check('fe'.repeat(32))).body.confidence).toMatchObject({ level: 'low' });
  });

  test('trap 7: pwnedPassword changes not a byte of the rest, in SHA-1 and NTLM, upper case or lower', async () => {
    const [sha1, ntlm] = [breachedHashes(40), breachedHashes(32)];
    const listed = sha1[0]?.hash.toLowerCase() ?? '';
    const asked = [listed, sha1[500]?.hash, sha1[501]?.hash.toLowerCase(), ntlm[7]?.hash].map(String);
    await running.importList('sha1-samples', [listed], { signal: 'scanner', entityTypes: ['hash'] });
    const isMalicious = async () => (await check(listed)).body.malicious === true;
    await eventually('the sample is listed', 5_000, isMalicious);
    const before = await Promise.all(asked.map(async (hash) => (await check(hash)).body));
    for (const body of before) expect('pwnedPassword' in body).toBe(false);
    for (const type of ['sha1', 'ntlm'] as const) {
      const file = join(running.service.dataDir, `${type}.txt`);
      writeFileSync(file, listOf(type === 'sha1' ? sha1 : ntlm));
      const [dataDir, nowMs] = [running.service.dataDir, Date.now()];
      await loadPasswords({ dataDir, paths: [file], type, dataAtMs: Date.UTC(2026, 6, 1), nowMs });
    }
    await eventually('both corpora are open', 5_000, async () => {
      const bodies = await Promise.all(asked.map(async (hash) => (await check(hash)).body));
      return bodies.every((body) => 'pwnedPassword' in body);
    });
    for (const [index, hash] of asked.entries()) {
      const { pwnedPassword, ...rest } = (await check(hash)).body;
      const hashType = hash.length === 40 ? 'sha1' : 'ntlm';
      expect(pwnedPassword, hash).toEqual({
        hashType,
        count: countOf(hash),
        corpusUpdatedAt: '2026-07-01T00:00:00.000Z',
      });
      expect(JSON.stringify(undated(rest as never))).toBe(JSON.stringify(undated(before[index] as never)));
    }
    expect('pwnedPassword' in (await check('12'.repeat(20))).body).toBe(false);
  });

  test('trap 8: a SHA-256 never carries pwnedPassword, not even one that begins with a breached hash', async () => {
    const begins = `${breachedHashes(40)[500]?.hash}${'0'.repeat(24)}`;
    for (const hash of [SAMPLE_SHA256, begins])
      expect('pwnedPassword' in (await check(hash)).body).toBe(false);
  });
});

const countOf = (hash: string): number | undefined =>
  breachedHashes(hash.length as 32 | 40).find((row) => row.hash === hash.toUpperCase())?.count;

describe('traps 9 to 16a', () => {
  test('trap 9: an empty query gets exactly the minimal body, costs no check, and still needs a key', async () => {
    const before = await check('evil.com');
    const { status, headers, body } = await running.get('/check');
    expect(status).toBe(200);
    expect(body).toEqual({ malicious: false, apiVersion: 'v2', enrichmentLevel: 'standard' });
    expect(headers.get('x-monthly-usage')).toBe(before.headers.get('x-monthly-usage'));
    expect(headers.has('x-assay-target')).toBe(false);
    expect((await running.get('/check', '')).status).toBe(401);
  });

  test('parameters without a target get the same fields, and fields and headers that say that nothing was judged', async () => {
    const misspelt = (name: string) =>
      `No target: '${name}' is not a parameter. Use query, ip, domain or hash.`;
    for (const [path, ignored, message] of [
      ['/check?q=evil.com', 'q', misspelt('q')],
      ['/check?enrichment=basic&domian=evil.com', 'domian', misspelt('domian')],
      ['/check?enrichment=basic', null, 'No target: send one in query, ip, domain or hash.'],
    ] as const) {
      const { status, headers, body } = await running.get(path);
      expect([status, headers.get('x-assay-target')], path).toEqual([200, 'unreadable']);
      expect(headers.get('x-assay-ignored'), path).toBe(ignored);
      expect(body).toMatchObject({ malicious: false, apiVersion: 'v2', target: null, message });
      expect(Object.keys(body)).toHaveLength(5);
    }
    const known = await check('evil.com', '&utm_source=a');
    expect(known.headers.has('x-assay-target')).toBe(false);
    expect(known.headers.get('x-assay-ignored')).toBe('utm_source');
    expect('target' in known.body).toBe(false);
  });

  test('trap 11: basic has no score and no judgement, standard has no field that is reserved for full', async () => {
    const basic = (await check(CROWDED_IP, '&enrichment=basic')).body;
    for (const key of ['riskScore', 'confidence', 'classification', 'mitre', 'otx'])
      expect(key in basic, key).toBe(false);
    expect(basic).toMatchObject({ enrichmentLevel: 'basic', dataTrust: null, evidence: null });
    const standard = (await check(CROWDED_IP, '&enrichment=standard')).body;
    for (const key of ['riskScore', 'confidence', 'classification', 'mitre', 'dataTrust', 'evidence'])
      expect(key in standard, key).toBe(true);
    for (const key of ['timeline', 'relatedInfrastructure', 'dns', 'technologies', 'otx', 'pending'])
      expect(key in standard, key).toBe(false);
  });

  test('trap 13: a hundred checks with track_reports=true write nothing but their charges', async () => {
    const before = await rowCounts();
    for (let i = 0; i < 100; i += 1)
      expect((await check('evil.com', '&track_reports=true')).status).toBe(200);
    const after = await rowCounts();
    const grown = [...after].filter(([table, rows]) => rows > (before.get(table) ?? 0));
    const isMeter = (table: string) =>
      ['usage_ledger', 'request_count', 'request_count_writer'].includes(table);
    expect(grown.map(([table]) => table).filter((table) => !isMeter(table))).toEqual([]);
    expect((await running.get('/reports')).body).toMatchObject({ reports: [], total: 0 });
  });

  test('trap 14: defanged, upper-case, full-width and URL forms of a host get the same answer', async () => {
    const plain = (await check('evil.com')).body;
    for (const form of ['evil[.]com', 'hxxps://evil.com/', 'EVIL.COM.', 'ｅｖｉｌ.com', ' evil(dot)com '])
      expect(undated((await check(form)).body), form).toEqual(undated(plain));
  });

  test('trap 15: SHA-512 is refused with a message, not answered as a clean domain', async () => {
    const { status, body } = await check('a'.repeat(128));
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Bad Request' });
    expect(String(body.message)).toMatch(/SHA-256/);
  });

  test('trap 16: an allow-list entry beside threat listings takes no listing away and is reported as a contradiction', async () => {
    const { body } = await check(DISPUTED_IP);
    expect(body.blocklistHits).toBe(FEEDS);
    expect(body.infrastructure?.attributes).toContain('allowlist');
    expect(body.evidence.contradictorySignals).not.toEqual([]);
    expect(body.dataTrust.providerAgreement).toMatchObject({ status: 'disagreement' });
    expect(body.evidence.recommendedAction).not.toBe('allow');
  });

  test('trap 16a: with no engine (four zeros) and one listing, nothing calls the indicator clean or recommends to allow it', async () => {
    for (const query of ['one-weak-list.com', 'evil.com']) {
      const { body } = await check(query);
      expect(body.reputation).toEqual({ malicious: 0, suspicious: 0, harmless: 0, undetected: 0 });
      expect(body.dataTrust.completeness).toMatchObject({
        missing: expect.arrayContaining(['reputation']) as unknown,
      });
      expect(body.blocklistListed).toBe(true);
      expect(body.evidence.recommendedAction, query).not.toMatch(/allow|unverified/);
      expect(body.classification.primary, query).not.toBe('safe');
      expect(`${body.evidence.reasons.join(' ')} ${JSON.stringify(body.riskScore)}`).not.toMatch(
        /clean|harmless/i,
      );
    }
  });
});

/** Fields that a replay reproduces byte for byte (scoring ruling 12). */
const REPLAYED =
  `malicious blocklistHits blocklistListed sources infrastructure reputation riskScore confidence
classification dataTrust evidence`.split(/\s+/);

describe('GET /check: asOf', () => {
  test('asOf the moment of an answer returns that answer again after the lists have changed', async () => {
    await running.importList('past', ['was-listed.com'], { category: 'phishing' });
    const hits = async () => (await check('was-listed.com')).body.blocklistHits;
    await eventually('it is listed', 5_000, async () => (await hits()) === 1);
    const then = (await check('was-listed.com')).body;
    const asOf = then.evidence.observedAt;
    await running.importList('past', ['another.com'], { category: 'phishing' });
    await eventually('it is delisted', 5_000, async () => (await hits()) === 0);
    const again = await check('was-listed.com', `&asOf=${encodeURIComponent(asOf)}`);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    for (const field of REPLAYED)
      expect(JSON.stringify(again.body[field]), field).toBe(JSON.stringify(then[field]));
    const basic = await check('was-listed.com', `&enrichment=basic&asOf=${encodeURIComponent(asOf)}`);
    expect(basic.body).toMatchObject({ enrichmentLevel: 'basic', blocklistHits: 1, evidence: null });
  });
});

describe('GET /check/reputation', () => {
  test('an engine that lists a domain is counted', async () => {
    await running.importList('engine', ['engine-says-so.com'], {
      signal: 'scanner',
      entityTypes: ['email', 'domain'],
    });
    const counted = async (query: string) =>
      JSON.stringify(
        (await running.get(`/check/reputation?query=${encodeURIComponent(query)}`)).body.reputation,
      );
    const one = '{"malicious":1,"suspicious":0,"harmless":0,"undetected":0}';
    await eventually('it is counted', 5_000, async () => (await counted('engine-says-so.com')) === one);
    expect(await counted('evil.com')).toContain('"malicious":0');
    expect(await counted('evil.com')).toContain('"undetected":1');
  });
});

async function rowCounts(): Promise<ReadonlyMap<string, number>> {
  const { db } = running.accounts.system;
  const tables = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public'
  `.execute(db);
  const counts = new Map<string, number>();
  for (const { name } of tables.rows) {
    const counted = await sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(name)}`.execute(
      db,
    );
    counts.set(name, counted.rows[0]?.rows ?? 0);
  }
  return counts;
}
