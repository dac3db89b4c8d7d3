import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeSnapshot, type SourceSettings } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { type Service, startService } from '#test/service.ts';

type Answer = Record<string, unknown> & {
  sources: Record<string, unknown>[];
  infrastructure?: { attributes: string[]; sources: unknown[] };
};
type Key = { header: string; apiKey: string; apiSecret: string };

const CROWDED_IP = '45.155.205.233';
const CLOUD_IP = '52.95.110.1';
const SAMPLE_SHA256 = 'ab'.repeat(32);
const SAMPLE_MD5 = 'cd'.repeat(16);

let database: TestDatabase;
let service: Service;
let key: Key;
let system: Postgres;

/** Through the capability rather than the command line: forty-two processes would take a minute to start. */
async function importList(
  id: string,
  lines: readonly string[],
  settings: SourceSettings = {},
): Promise<void> {
  const clock = systemClock();
  const rows = lines.map((line) => {
    const parsed = parseIndicator(line);
    if (!parsed.ok) throw new Error(parsed.reason);
    return { indicator: parsed.indicator };
  });
  await mergeSnapshot({ system, clock }, id, [rows], { dataAtMs: clock.now(), settings });
}

async function get(
  path: string,
  header = key.header,
): Promise<{ status: number; headers: Headers; body: Answer }> {
  const response = await fetch(`${service.url}${path}`, {
    headers: header === '' ? {} : { 'X-API-KEY': header },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}
const check = (query: string) => get(`/check?enrichment=basic&query=${encodeURIComponent(query)}`);

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ databaseUrl: database.url });
  system = asSystem({ DATABASE_URL: database.url, POSTGRES_POOL_MAX: 2 });
  key = await service.admin('key', 'create', '--email', 'analyst@example.com', '--plan', 'ENTERPRISE');
  for (let i = 0; i < 42; i += 1)
    await importList(`feed-${String(i).padStart(2, '0')}`, [CROWDED_IP, 'evil.com']);
  const infrastructure = { threatClass: 'infrastructure' } as const;
  await importList('cloud', ['52.95.0.0/16', '52.95.110.0/24'], { ...infrastructure, attributes: ['cloud'] });
  await importList('exits', [CLOUD_IP], { ...infrastructure, attributes: ['tor-exit'] });
  await importList('ads', ['ads.evil.com'], { adOnly: true, category: 'ads' });
  await importList('samples', [SAMPLE_SHA256, SAMPLE_MD5], { signal: 'scanner', category: 'malware' });
  await importList('ranges', ['45.155.206.0/24', '2a02:4780::/32'], { category: 'malware' });
  await importList('urls', ['http://evil.com/payload.exe'], { category: 'malware' });
  await importList('mixed-good', [CROWDED_IP], { threatClass: 'allowlist', category: 'known-good' });
  await eventually(
    'the lists are in the replica',
    5_000,
    async () => (await check('http://evil.com/payload.exe')).body.blocklistHits === 43,
  );
}, 240_000);

afterAll(async () => {
  await system?.close();
  await service?.stop();
  await database?.drop();
});

describe('GET /check at basic', () => {
  test('trap 1: an address on 42 feeds and no scanner is listed 42 times and not called malicious', async () => {
    const { status, body } = await check(CROWDED_IP);
    expect(status).toBe(200);
    expect(body).toMatchObject({ malicious: false, blocklistHits: 42, blocklistListed: true });
    expect(
      body.sources.filter((source) => source.matchType === 'exact' && source.threatClass === 'threat'),
    ).toHaveLength(42);
  });

  test('trap 2: an address only in infrastructure lists is not listed, and says what it is', async () => {
    const { body } = await check(CLOUD_IP);
    expect(body).toMatchObject({ malicious: false, blocklistHits: 0, blocklistListed: false });
    expect(body.infrastructure?.attributes).toEqual(['cloud', 'tor-exit']);
    expect(body.reputation).toEqual({ malicious: 0, suspicious: 0, harmless: 0, undetected: 0 });
  });

  test('trap 3: without such a listing the key infrastructure is absent', async () => {
    const { body } = await check('evil.com');
    expect(body.blocklistHits).toBe(42);
    expect('infrastructure' in body).toBe(false);
  });

  test('trap 4, counters: an advertising list shows in sources and is never counted', async () => {
    const { body } = await check('ads.evil.com');
    expect(body.sources.map((source) => source.id)).toContain('ads');
    expect(body.blocklistHits).toBe(42);
    expect(body.sources.filter((source) => source.matchType === 'parent')).toHaveLength(42);
  });

  test('trap 5: every source carries threatClass and fpRisk although the registry row named neither', async () => {
    const { body } = await check('evil.com');
    for (const source of body.sources)
      expect(source).toMatchObject({ threatClass: 'threat', fpRisk: 'medium' });
  });

  test('trap 8: a SHA-256 never carries pwnedPassword', async () => {
    expect('pwnedPassword' in (await check(SAMPLE_SHA256)).body).toBe(false);
  });

  test('trap 9: asking nothing answers exactly the minimal body, costs no check, and still needs a key', async () => {
    const before = await check('evil.com');
    const { status, headers, body } = await get('/check');
    expect(status).toBe(200);
    expect(body).toEqual({ malicious: false, apiVersion: 'v2', enrichmentLevel: 'standard' });
    expect(headers.get('x-monthly-usage')).toBe(before.headers.get('x-monthly-usage'));
    expect((await get('/check', '')).status).toBe(401);
  });

  test('trap 14: defanged, upper-case, full-width and URL forms of a host reach the same document', async () => {
    const plain = (await check('evil.com')).body;
    for (const form of ['evil[.]com', 'hxxps://evil.com/', 'EVIL.COM.', 'ｅｖｉｌ.com', ' evil(dot)com '])
      expect((await check(form)).body, form).toEqual(plain);
  });

  test('trap 15: SHA-512 is refused with a sentence, not answered as a clean domain', async () => {
    const { status, body } = await check('a'.repeat(128));
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Bad Request' });
    expect(String(body.message)).toMatch(/SHA-256/);
  });

  test('trap 16, counters: an allow-list entry beside threat listings takes nothing away', async () => {
    const { body } = await check(CROWDED_IP);
    expect(body.blocklistHits).toBe(42);
    expect(body.infrastructure?.attributes).toContain('allowlist');
  });

  test('a malware sample is known, malicious by scanner signal and counted in reputation', async () => {
    const { body } = await check(SAMPLE_SHA256.toUpperCase());
    expect(body).toMatchObject({ malicious: true, lookupStatus: 'known', reputation: { malicious: 1 } });
  });

  test('an unseen hash is unknown, and a list that names it later is seen at once (O6)', async () => {
    const unseen = 'ef'.repeat(32);
    expect((await check(unseen)).body).toMatchObject({
      malicious: false,
      lookupStatus: 'unknown',
      blocklistHits: 0,
    });
    expect((await check(unseen)).body.lookupStatus).toBe('unknown');
    await importList('late', [unseen]);
    await eventually(
      'the hash is known',
      2_000,
      async () => (await check(unseen)).body.lookupStatus === 'known',
    );
  });

  test('an address inside a listed range names the range, IPv4 and IPv6', async () => {
    for (const address of ['2a02:4780:1:2::3', '45.155.206.9'])
      expect((await check(address)).body.sources).toMatchObject([{ id: 'ranges', matchType: 'cidr' }]);
  });

  test('a URL is judged on its exact listing and on its host', async () => {
    const { body } = await check('hxxp://evil[.]com/payload.exe');
    expect(body.sources.find((source) => source.id === 'urls')).toMatchObject({ matchType: 'exact' });
    expect(body.blocklistHits).toBe(43);
  });

  test('a private address is a bogon, not an error', async () => {
    const { status, body } = await check('192.168.1.1');
    expect(status).toBe(200);
    expect(body.infrastructure?.attributes).toEqual(['bogon']);
    expect(body).toMatchObject({ malicious: false, blocklistHits: 0 });
  });

  test('standard and full are answered at basic and say so; an unknown level is refused', async () => {
    for (const level of ['standard', 'full'])
      expect((await get(`/check?query=evil.com&enrichment=${level}`)).body.enrichmentLevel).toBe('basic');
    const wrong = await get('/check?query=evil.com&enrichment=deep');
    expect(wrong.status).toBe(400);
    expect(wrong.body.details).toMatchObject([{ path: 'enrichment' }]);
  });

  test('a range, a word and an empty query are refused with what to do, and cost no check', async () => {
    const before = (await check('evil.com')).headers.get('x-monthly-usage');
    for (const query of ['10.0.0.0/8', 'localhost', '', 'not an indicator']) {
      const { status, body, headers } = await check(query);
      expect(status, query).toBe(400);
      expect(String(body.message).length).toBeGreaterThan(10);
      expect(headers.get('x-monthly-usage')).toBe(before);
    }
  });

  test('query wins over ip, domain and hash; an alias is typed by its content', async () => {
    const both = await get(`/check?query=evil.com&ip=${CROWDED_IP}&enrichment=basic`);
    expect(both.body.query).toBe('evil.com');
    expect((await get(`/check?hash=${CROWDED_IP}&enrichment=basic`)).body.query).toBe(CROWDED_IP);
  });

  test('the web surface answers the same document under /api', async () => {
    expect((await get('/api/check?query=evil.com&enrichment=basic')).body).toEqual(
      (await check('evil.com')).body,
    );
  });
});
