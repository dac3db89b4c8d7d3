import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { capturedLog, recordedGates, testApp, WEB_ORIGIN } from '#test/http-app.ts';
import { createTestMeter, type TestMeter, testCaller } from '#test/meter.ts';
import { REDIS_URL, removeKeys, testPrefix } from '#test/redis.ts';
import { runOn } from '#test/redis-server.ts';
import { breachedHashes, listOf, sha1Of } from './breached.fixture.ts';
import { dataFile, readPointer } from './corpus-files.ts';
import { loadPasswords } from './load-passwords.ts';
import { openPasswords, type Passwords } from './open-passwords.ts';
import { passwordsRoutes } from './routes.ts';

const DATA_AT = '2026-08-22T00:00:00.000Z';
const NOW_MS = Date.UTC(2026, 7, 23);
const PASSWORD = { hash: sha1Of('password').toUpperCase(), count: 9_659_365 };
const SHA1 = [...breachedHashes(), PASSWORD].toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
const NTLM = breachedHashes(32);

let database: TestDatabase;
let meters: TestMeter;
let prefix: string;
let dataDir: string;
let passwords: Passwords;
let app: FastifyInstance;
let caller: Principal;
let callers = 0;
const { log, lines } = capturedLog();

beforeAll(async () => {
  database = await createTestDatabase();
  prefix = testPrefix();
  meters = await createTestMeter({ redisUrl: REDIS_URL, databaseUrl: database.url, prefix });
  const { refuseEarly, refuseSpent, admit, refund } = meters.gates;
  const gates = {
    ...recordedGates({ identify: () => caller }).gates,
    refuseEarly,
    refuseSpent,
    admit,
    refund,
  };
  const routes = passwordsRoutes({
    passwords: {
      isAnswered: (...asked) => passwords.isAnswered(...asked),
      lookUp: (...asked) => passwords.lookUp(...asked),
      range: (...asked) => passwords.range(...asked),
    },
  });
  app = testApp(routes, { gates, log });
});
afterAll(async () => {
  await app?.close();
  await meters?.close();
  await removeKeys(prefix);
  await database?.drop();
});
beforeEach(() => {
  callers += 1;
  dataDir = mkdtempSync(join(tmpdir(), 'assay-passwords-'));
  passwords = openPasswords({ dataDir, log, refreshMs: 10 });
  asKey();
});
afterEach(async () => {
  await passwords.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const asKey = (): void => {
  caller = testCaller('FREE', { accountId: `org_${callers}`, id: `key_${callers}` });
};
const asAnonymous = (): void => {
  caller = { ...caller, kind: 'anonymous', id: `198.51.100.${callers}`, accountId: '' };
};

async function load(type: 'sha1' | 'ntlm', partial?: { first: number; last: number }): Promise<void> {
  const file = join(dataDir, `${type}.txt`);
  const list = type === 'sha1' ? SHA1 : NTLM;
  const isTaken = ({ hash }: { hash: string }) =>
    partial === undefined || (hash >= hex(partial.first) && hash < hex(partial.last + 1));
  writeFileSync(file, listOf(list.filter(isTaken)));
  const options = { dataDir, paths: [file], type, dataAtMs: Date.parse(DATA_AT), nowMs: NOW_MS };
  const { digest } = await loadPasswords(partial === undefined ? options : { ...options, partial });
  await expect.poll(() => passwords.status()[type]?.digest).toBe(digest);
}
const hex = (number: number): string => number.toString(16).toUpperCase().padStart(5, '0');

const check = (payload: unknown) =>
  app.inject({ method: 'POST', url: '/api/check/password', payload: payload as object });
const range = (of: string, { mode = '', ...headers }: Record<string, string> = {}) =>
  app.inject({ url: `/api/pwned-passwords/range/${of}${mode === '' ? '' : `?mode=${mode}`}`, headers });
type Range = { entries: { suffix: string; count: number }[] };

describe('before the corpus is loaded', () => {
  test('both routes answer 503 and charge nothing (trap 56)', async () => {
    for (const answer of [await check({ sha1: PASSWORD.hash }), await range('5BAA6')]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ error: 'Service unavailable' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.headers['x-monthly-usage']).toBe('0');
    }
  });

  test('an anonymous caller keeps its ten calls', async () => {
    asAnonymous();
    for (let call = 0; call < 12; call += 1) expect((await range('5BAA6')).statusCode).toBe(503);
    await load('sha1');
    for (let call = 0; call < 10; call += 1) expect((await range('5BAA6')).statusCode).toBe(200);
  });

  test('one type answers while the other is missing', async () => {
    await load('sha1');
    expect((await check({ sha1: PASSWORD.hash })).statusCode).toBe(200);
    expect((await check({ ntlm: NTLM[0]?.hash })).statusCode).toBe(503);
    expect((await range('5BAA6', { mode: 'ntlm' })).statusCode).toBe(503);
  });
});

describe('POST /api/check/password (contract 4.10)', () => {
  test('200: a breached password with its count, in either case, by any of the three fields; one check each', async () => {
    await load('sha1');
    await load('ntlm');
    const { hash = '' } = NTLM[4] ?? {};
    const answer = await check({ sha1: PASSWORD.hash.toLowerCase() });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-monthly-usage': '1' });
    expect(answer.json()).toEqual({
      indicatorType: 'password',
      hashType: 'sha1',
      exposed: true,
      verdict: 'compromised',
      count: PASSWORD.count,
      prevalence: 'very_common',
      recommendation: expect.stringContaining('Do not use'),
      source: 'Have I Been Pwned',
      sourceUrl: expect.stringMatching(/^https:/),
      corpusUpdatedAt: DATA_AT,
      apiVersion: 'v2',
    });
    expect((await check({ hash: PASSWORD.hash })).json()).toEqual(answer.json());
    for (const body of [{ ntlm: hash }, { hash }])
      expect((await check(body)).json()).toMatchObject({ hashType: 'ntlm', exposed: true });
  });

  test('200: a hash that is not in the corpus is not_found, and that is no praise', async () => {
    await load('sha1');
    const answer = (await check({ sha1: sha1Of('unseen'), note: 'unknown fields are ignored' })).json();
    expect(answer).toMatchObject({ exposed: false, verdict: 'not_found', count: 0, prevalence: null });
    expect((answer as { recommendation: string }).recommendation).toContain('nothing about its strength');
  });

  test.each([
    [1, 'rare'],
    [9, 'rare'],
    [10, 'common'],
    [999, 'common'],
    [1_000, 'very_common'],
  ])('a password that was seen %d times is %s', async (count, prevalence) => {
    await load('sha1');
    const { hash } = SHA1.find((listed) => listed.count === count) ?? {};
    expect((await check({ sha1: hash })).json()).toMatchObject({ count, prevalence });
  });

  test('400 for a password, alone or beside a hash; the password is in no log and in no answer (trap 54)', async () => {
    await load('sha1');
    const secret = 'correct-horse-battery-staple';
    for (const body of [
      { password: secret },
      { sha1: PASSWORD.hash, password: secret },
      { password: null },
    ]) {
      const answer = await check(body);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).not.toContain(secret);
      expect(answer.body).toContain('Never send a password');
      expect(answer.headers['x-monthly-usage']).toBe('0');
    }
    expect(lines.join('')).not.toContain(secret);
  });

  test('400 for none, for several, for a wrong length and for other digits; no message repeats a value', async () => {
    await load('sha1');
    const { hash } = PASSWORD;
    const bodies = [
      {},
      { sha1: hash, hash },
      { sha1: hash.slice(1) },
      { sha1: `${hash}0` },
      { ntlm: hash },
      { hash: hash.slice(0, 36) },
      { sha1: `${hash.slice(0, 39)}g` },
      { sha1: [hash] },
      { hash: { value: hash } },
      { sha1: Number(`0x${hash.slice(0, 10)}`) },
      { sha1: null },
      [hash],
      hash,
    ];
    for (const body of bodies) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/check/password',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      expect(answer.statusCode, JSON.stringify(body)).toBe(400);
      expect(answer.body.toUpperCase()).not.toContain(hash.slice(0, 10));
    }
  });
});

describe('GET /api/pwned-passwords/range/{prefix} (contract 4.10)', () => {
  test('200: SHA-1 of "password" is found under 5BAA6 by digits 6 to 17 (trap 55)', async () => {
    await load('sha1');
    const answer = await range('5baa6');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({
      prefix: '5BAA6',
      mode: 'sha1',
      suffixLength: 12,
      entries: [{ suffix: PASSWORD.hash.slice(5, 17), count: PASSWORD.count }],
      source: 'Have I Been Pwned',
      corpusUpdatedAt: DATA_AT,
    });
    expect(answer.headers['x-monthly-usage']).toBe('1');
  });

  test('200: NTLM has twelve digits too, and a prefix without hashes an empty list', async () => {
    await load('ntlm');
    const { hash = '', count } = NTLM[7] ?? {};
    const found = (await range(hash.slice(0, 5), { mode: 'ntlm' })).json() as Range;
    expect(found).toMatchObject({ mode: 'ntlm', suffixLength: 12 });
    expect(found.entries).toContainEqual({ suffix: hash.slice(5, 17), count });
    const empty = Array.from({ length: 16 }, (_, at) => hex(at)).find(
      (of) => !NTLM.some((listed) => listed.hash.startsWith(of)),
    );
    expect((await range(empty ?? '', { mode: 'ntlm' })).json()).toMatchObject({ entries: [] });
  });

  test('400 for anything but five digits and a known mode, without the value', async () => {
    await load('sha1');
    const asked = ['5BAA', '5BAA61', 'GGGGG', PASSWORD.hash, '5BAA6?mode=md5', `5BAA6?mode=${PASSWORD.hash}`];
    for (const of of asked) {
      const answer = await range(of);
      expect(answer.statusCode, of).toBe(400);
      expect(answer.body).not.toContain('5BAA6');
    }
  });

  test('the eleventh anonymous call of an hour is 429; a key pays one check instead (trap 58)', async () => {
    await load('sha1');
    asAnonymous();
    for (let call = 0; call < 10; call += 1) expect((await range('00000')).statusCode).toBe(200);
    const refused = await range('00000');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: 'Rate Limited', plan: 'ANONYMOUS' });
    asKey();
    const paid = await range('00000');
    expect(paid.statusCode).toBe(200);
    expect(paid.headers['x-monthly-usage']).toBe('1');
  });

  test('only the answers to anonymous callers may be cached, by the corpus; a key gets none to keep', async () => {
    await load('sha1');
    asAnonymous();
    const first = await range('5BAA6');
    expect(first.headers['cache-control']).toBe('public, max-age=86400');
    for (const name of ['x-api-key', 'authorization', 'cookie', 'add-padding'])
      expect(first.headers.vary).toContain(name);
    const { etag = '' } = first.headers as { etag?: string };
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await range('00000')).headers.etag).toBe(etag);
    const same = await range('5BAA6', { 'if-none-match': etag });
    expect([same.statusCode, same.body]).toEqual([304, '']);
    expect((await range('5BAA6', { 'if-none-match': etag, 'add-padding': 'true' })).statusCode).toBe(200);
    asKey();
    const keyed = await range('5BAA6', { 'if-none-match': etag });
    expect(keyed.statusCode).toBe(200);
    expect(keyed.headers['cache-control']).toBe('private, no-store');
    expect(keyed.headers.etag).toBeUndefined();
  });

  test('padded answers are equally long for every prefix, the same each time, and hold every real entry', async () => {
    await load('sha1');
    const lengths = new Set<number>();
    for (const of of ['5BAA6', '00000', ...SHA1.slice(0, 8).map(({ hash }) => hash.slice(0, 5))]) {
      const answer = await range(of, { 'add-padding': 'true' });
      lengths.add(answer.rawPayload.length);
      const real = ((await range(of)).json() as Range).entries;
      expect((answer.json() as Range).entries.filter(({ count }) => count > 0)).toEqual(real);
      expect((await range(of, { 'add-padding': 'TRUE' })).body).toBe(answer.body);
    }
    expect(lengths.size).toBe(1);
  });

  test('a page of another site may ask for padding', async () => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url: '/api/pwned-passwords/range/00000',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
    });
    expect(answer.headers['access-control-allow-headers']).toContain('Add-Padding');
    expect(answer.headers['access-control-allow-origin']).not.toBe(WEB_ORIGIN);
  });
});

test('a partial corpus answers 503 outside its prefixes and charges nothing there (O41)', async () => {
  await load('sha1', { first: 0x5_0000, last: 0x5_ffff });
  expect((await range('5BAA6')).statusCode).toBe(200);
  expect((await check({ sha1: PASSWORD.hash })).json()).toMatchObject({ exposed: true });
  for (const answer of [await range('60000'), await check({ sha1: `60000${'0'.repeat(35)}` })]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ message: expect.stringContaining('Only a part') });
    expect(answer.headers['x-monthly-usage']).toBe('2');
  }
});

test('a damaged bucket is 503, never not_found, and gives the check back', async () => {
  await load('sha1');
  await passwords.close();
  const file = dataFile(dataDir, 'sha1', readPointer(dataDir, 'sha1')?.generation ?? '');
  const bytes = readFileSync(file);
  const suffix = Buffer.from(PASSWORD.hash.slice(5, 17), 'hex');
  bytes.writeUInt32BE(1, bytes.indexOf(suffix) + suffix.length);
  writeFileSync(file, bytes);
  passwords = openPasswords({ dataDir, log, refreshMs: 10 });
  for (const answer of [await range('5BAA6'), await check({ sha1: PASSWORD.hash })]) {
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['x-monthly-usage']).toBe('0');
  }
});

test('after all of this no hash is in the logs, in Redis or in PostgreSQL (trap 57)', async () => {
  await load('sha1');
  const unseen = createHash('sha1').update('asked-and-never-listed').digest('hex');
  for (const sha1 of [unseen, PASSWORD.hash]) {
    expect((await check({ sha1 })).statusCode).toBe(200);
    expect((await range(sha1.slice(0, 5))).statusCode).toBe(200);
  }
  const told = lines.join('');
  expect(told).toContain('/api/pwned-passwords/range/:prefix');
  const everything = `${told} ${await redisText()} ${await databaseText()}`.toLowerCase();
  expect(everything).toContain(`org_${callers}`);
  for (const hash of [unseen, PASSWORD.hash.toLowerCase()]) {
    expect(everything).not.toContain(hash.slice(0, 12));
    expect(everything).not.toContain(hash.slice(5, 17));
    expect(told.toLowerCase()).not.toContain(hash.slice(0, 5));
  }
});

async function redisText(): Promise<string> {
  const keys = (await runOn(REDIS_URL, ['KEYS', `${prefix}:*`])) as string[];
  expect(keys.length).toBeGreaterThan(0);
  const values = await Promise.all(keys.map((key) => runOn(REDIS_URL, ['DUMP', key])));
  return [...keys, ...values].join(' ');
}

/** Every row of every table as text. */
async function databaseText(): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const found = await client.query<{ text: string }>(`select t::text as text from ${name} t limit 10000`);
      texts.push(...found.rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
