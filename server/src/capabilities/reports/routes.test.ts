import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { REPORTS_MAX } from './keep-reports.ts';
import { reportsRoutes } from './routes.ts';

let nowMs = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const RESULT = {
  query: '185.220.101.1',
  malicious: false,
  blocklistHits: 3,
  sources: [{ id: 'a', name: 'A list', category: 'botnet', threatClass: 'threat' }],
  riskScore: { score: 72, level: 'high', word: 'High risk', summary: '…', factors: [] },
  evidence: {
    verdict: 'high',
    reasons: ['Listed by A list.'],
    recommendedAction: 'block',
    freshness: 'fresh',
  },
  apiVersion: 'v2',
  enrichmentLevel: 'standard',
};
const MD5 = '0123456789abcdef0123456789abcdef';

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let caller: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 3 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  await sql`insert into app_user (id, email, created_at) values
    ('usr_01', 'a@example.org', now()), ('usr_02', 'b@example.org', now())`.execute(system.db);
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  await sql`delete from report`.execute(system.db);
  caller = CALLER;
  app = testApp(reportsRoutes({ clock, postgres }), {
    gates: recordedGates({ identify: () => caller }).gates,
  });
});

const save = (body: object, path = '/reports/save') =>
  app.inject({ method: 'POST', url: path, payload: body });
const saved = async (body: object): Promise<string> => {
  nowMs += 1_000;
  const answer = await save(body);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().report.id;
};
const get = (url: string) => app.inject({ method: 'GET', url });
const exportEntity = (payload: object) =>
  app.inject({ method: 'POST', url: '/reports/entity-export', payload });

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i += 1) value = [value];
  return value;
};

describe('saving', () => {
  test('201 with the report; the result is read back exactly as it was sent, in its order', async () => {
    const answer = await save({ result: RESULT, note: 'ticket 7', tags: ['tor', 'tor', 'soc'] });
    expect(answer.statusCode).toBe(201);
    const { report } = answer.json();
    expect(report).toEqual({
      id: expect.stringMatching(/^rpt_[0-9A-Z]{26}$/),
      userId: 'usr_01',
      organizationId: 'org_01',
      entityType: 'ip',
      entityValue: '185.220.101.1',
      verdict: 'high',
      riskScore: 72,
      riskLevel: 'high',
      word: 'High risk',
      note: 'ticket 7',
      tags: ['tor', 'soc'],
      origin: 'client',
      result: RESULT,
      createdAt: new Date(nowMs).toISOString(),
    });
    const read = await get(`/reports/${report.id}`);
    expect(read.json()).toEqual(report);
    expect(JSON.stringify(read.json().result)).toBe(JSON.stringify(RESULT));
  });

  test('the list has the word that each check showed, and none for a result without a readable one', async () => {
    const scored = (word: unknown) => ({ ...RESULT, riskScore: { score: 0, level: 'inconclusive', word } });
    for (const word of ['Not listed', undefined, 7, 'a\u0000b', 'x'.repeat(61)])
      await saved({ result: scored(word) });
    const { reports } = (await get('/reports')).json();
    expect(
      reports.map((report: { word: unknown; riskScore: unknown }) => [report.word, report.riskScore]),
    ).toEqual([
      [null, 0],
      [null, 0],
      [null, 0],
      [null, 0],
      ['Not listed', 0],
    ]);
  });

  test('POST /reports is an alias of /reports/save', async () => {
    expect((await save({ result: RESULT }, '/reports')).statusCode).toBe(201);
    expect((await get('/reports')).json().total).toBe(1);
  });

  test.each([MD5, MD5 + MD5.slice(0, 8)])(
    'a breached password leaves no trace in the report of %s',
    async (hash) => {
      const pwnedPassword = { hashType: 'ntlm', count: 9_999_123, corpusUpdatedAt: '2026-01-01' };
      const id = await saved({ result: { ...RESULT, query: hash, pwnedPassword } });
      expect((await get(`/reports/${id}`)).body).not.toContain('pwnedPassword');
      const { rows } = await sql`select 1 from report where report::text like '%9999123%'`.execute(system.db);
      expect(rows).toEqual([]);
    },
  );

  test('a result without a score gets the verdict unknown, not safe', async () => {
    const { riskScore: _, evidence: __, ...basic } = RESULT;
    const { report } = (await save({ result: basic })).json();
    expect(report).toMatchObject({ verdict: 'unknown', riskScore: null, riskLevel: null });
    expect((await save({ result: { ...basic, malicious: true } })).json().report.verdict).toBe('malicious');
  });

  test('a score of 0 without a vouching source is unknown, as its evidence says; a vouched one is safe', async () => {
    const saveWith = async (verdict: string) => {
      const riskScore = { score: 0, level: 'safe', summary: '…', factors: [] };
      const result = { ...RESULT, riskScore, evidence: { ...RESULT.evidence, verdict } };
      return (await save({ result })).json().report;
    };
    expect(await saveWith('unknown')).toMatchObject({ verdict: 'unknown', riskScore: 0, riskLevel: 'safe' });
    const about = { entityType: 'ip', entityValue: RESULT.query, format: 'html' };
    expect((await exportEntity(about)).body).not.toMatch(/Safe by|0 of 100/);
    expect(await saveWith('safe')).toMatchObject({ verdict: 'safe' });
  });

  test('a level that the scale does not have is not taken from the caller', async () => {
    const lie = { ...RESULT, riskScore: { score: 0, level: 'clean' } };
    expect((await save({ result: lie })).json().report).toMatchObject({
      verdict: 'unknown',
      riskScore: null,
    });
  });

  test.each([
    ['no malicious', { result: { apiVersion: 'v2', query: 'example.org' } }, /malicious/],
    ['no apiVersion', { result: { malicious: true, query: 'example.org' } }, /apiVersion/],
    ['no entity and no query', { result: { malicious: true, apiVersion: 'v2' } }, /entity/],
    ['another entity', { entity: 'example.org', result: RESULT }, /about '185\.220\.101\.1'/],
    ['a range', { entity: '10.0.0.0/8', result: { malicious: true, apiVersion: 'v2' } }, /range/],
    ['21 tags', { result: RESULT, tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, /tags/],
    ['an empty tag', { result: RESULT, tags: [' '] }, /tags/],
    ['U+0000 in the note', { result: RESULT, note: 'a\u0000b' }, /note/],
    ['a result that is a list', { result: [1] }, /result/],
    ['no result', {}, /Send the answer of \/check/],
    ['a result nested 21 deep', { result: { ...RESULT, deep: nested(20) } }, /20 levels/],
    ['a result nested 5,000 deep', { result: { ...RESULT, deep: nested(5_000) } }, /32 levels/],
  ])('400 for %s', async (_, body, message) => {
    const answer = await save(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(message);
  });

  test('two spellings of an indicator are the same entity', async () => {
    const id = await saved({
      entity: 'hxxp://EXAMPLE[.]org/a',
      result: { malicious: true, apiVersion: 'v2' },
    });
    expect((await get(`/reports/${id}`)).json()).toMatchObject({
      entityType: 'url',
      entityValue: 'http://example.org/a',
    });
  });

  test('413 over 256 KiB of result, and U+0000 inside it is kept', async () => {
    const answer = await save({ result: { ...RESULT, filler: 'x'.repeat(262_144) } });
    expect(answer.statusCode).toBe(413);
    expect(answer.json().message).toMatch(/256 KiB/);
    const id = await saved({ result: { ...RESULT, odd: 'a\u0000b' } });
    expect((await get(`/reports/${id}`)).json().result.odd).toBe('a\u0000b');
  });

  test('409 at the limit of the account, with a message that says what to do', async () => {
    await sql`insert into report (id, account_id, user_id, entity_type, entity_value, verdict, origin, result, created_at)
      select 'rpt_' || n, 'org_01', 'usr_01', 'ip', '192.0.2.1', 'unknown', 'client', '{}', now()
        from generate_series(1, ${REPORTS_MAX}) n`.execute(system.db);
    const answer = await save({ result: RESULT });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toMatch(/delete some/);
    caller = { ...CALLER, accountId: 'org_02' };
    expect((await save({ result: RESULT })).statusCode).toBe(201);
  });
});

describe('reading', () => {
  test('newest first, by page; the list leaves out `result`', async () => {
    for (const last of [1, 2, 3]) await saved({ result: { ...RESULT, query: `192.0.2.${last}` } });
    const page = (await get('/reports?page=2&limit=2')).json();
    expect(page).toMatchObject({ total: 3, page: 2, limit: 2, reports: [{ entityValue: '192.0.2.1' }] });
    expect(page.reports[0]).not.toHaveProperty('result');
    expect((await get('/reports?limit=1000')).json().limit).toBe(100);
    for (const bad of ['page=0', 'limit=0', 'limit=1.5', 'page=x', 'entityType=planet'])
      expect((await get(`/reports?${bad}`)).statusCode, bad).toBe(400);
  });

  test('searches entity, note and tags; % and _ are matched literally', async () => {
    await saved({ result: { ...RESULT, query: 'shop_a.example.org' } });
    await saved({ result: RESULT, note: '100% sure', tags: ['Botnet'] });
    const found = async (search: string) =>
      (await get(`/reports?search=${encodeURIComponent(search)}`)).json().total;
    expect(await found('shop_a')).toBe(1);
    expect(await found('SHOP')).toBe(1);
    expect(await found('0% s')).toBe(1);
    expect(await found('botnet')).toBe(1);
    expect(await found('%')).toBe(1);
    expect(await found('_')).toBe(1);
    expect(await found('\\')).toBe(0);
    expect((await get('/reports?entityType=domain')).json().total).toBe(1);
  });

  test('another account reads, lists, exports and deletes nothing of it: 404', async () => {
    const id = await saved({ result: RESULT });
    caller = { ...CALLER, accountId: 'usr_02', userId: 'usr_02', organizationId: null };
    expect((await get(`/reports/${id}`)).statusCode).toBe(404);
    expect((await app.inject({ method: 'DELETE', url: `/reports/${id}` })).statusCode).toBe(404);
    expect((await get('/reports')).json().total).toBe(0);
    expect((await get('/reports/export?format=json')).json()).toEqual({ reports: [] });
    const about = { entityType: 'ip', entityValue: RESULT.query };
    expect((await exportEntity(about)).statusCode).toBe(404);
    // Row-level security applies even when a query filters nothing.
    const { rows } = await postgres.withAccount('usr_02', (tx) => sql`select 1 from report`.execute(tx));
    expect(rows).toEqual([]);
    caller = CALLER;
    expect((await get(`/reports/${id}`)).statusCode).toBe(200);
  });

  test.each(['rpt_%00', 'rpt_nothing', '..%2f..'])(
    'text that is not an id, such as %s, is 404',
    async (id) => {
      expect((await get(`/reports/${id}`)).statusCode).toBe(404);
      expect((await app.inject({ method: 'DELETE', url: `/reports/${id}` })).statusCode).toBe(404);
    },
  );

  test('204 for a deletion, 404 for the second one', async () => {
    const id = await saved({ result: RESULT });
    const first = await app.inject({ method: 'DELETE', url: `/reports/${id}` });
    expect([first.statusCode, first.body]).toEqual([204, '']);
    expect((await app.inject({ method: 'DELETE', url: `/reports/${id}` })).statusCode).toBe(404);
  });
});

describe('exporting', () => {
  test('every report of a range once, over several pages, as CSV and as JSON', async () => {
    await sql`insert into report (id, account_id, user_id, entity_type, entity_value, verdict, origin, result, created_at)
      select 'rpt_' || lpad(n::text, 5, '0'), 'org_01', 'usr_01', 'domain', n || '.example.org', 'unknown', 'client',
             '{"n":' || n || '}', timestamptz '2026-11-01 00:00Z' + (n / 3) * interval '1 minute'
        from generate_series(1, 1005) n`.execute(system.db);
    const csv = await get('/reports/export?format=csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toMatch(
      /^attachment; filename="reports-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const lines = csv.body.split('\r\n');
    expect(lines).toHaveLength(1_007);
    expect(new Set(lines).size).toBe(1_007);
    const { reports } = (await get('/reports/export?format=json')).json();
    expect(reports.map(({ result }: { result: { n: number } }) => result.n)).toEqual(
      Array.from({ length: 1_005 }, (_, i) => 1_005 - i),
    );
    const part = (await get('/reports/export?format=json&from=2026-11-01T05:00:00Z&to=2026-11-01')).json();
    expect(part.reports).toHaveLength(106);
    for (const bad of ['format=xml', 'from=yesterday', 'from=2026-11-02&to=2026-11-01'])
      expect((await get(`/reports/export?${bad}`)).statusCode, bad).toBe(400);
  });

  test('a cell never runs in a spreadsheet', async () => {
    await saved({ result: RESULT, note: '=HYPERLINK("http://evil","x")', tags: ['+1', '@x'] });
    const { body } = await get('/reports/export');
    expect(body).toContain(`"'=HYPERLINK(""http://evil"",""x"")"`);
    expect(body).toContain(`"'+1;'@x"`);
  });

  test('one entity as JSON, CSV and HTML, however it is written', async () => {
    await saved({ result: RESULT });
    const about = { entityType: 'ip', entityValue: '185[.]220[.]101[.]1' };
    expect((await exportEntity(about)).json()).toMatchObject({
      entityType: 'ip',
      entityValue: '185.220.101.1',
      reports: [{ result: RESULT }],
    });
    expect((await exportEntity({ ...about, format: 'csv' })).body).toContain('185.220.101.1,high,72');
    const html = await exportEntity({ ...about, format: 'html' });
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html.headers['content-disposition']).toMatch(/^attachment/);
    expect(html.body).toContain('Listed by A list.');
    expect(html.body).toContain('High risk (72 of 100)');
    expect((await exportEntity({ ...about, entityType: 'domain' })).statusCode).toBe(404);
    expect((await exportEntity({ ...about, entityValue: '192.0.2.77' })).json().message).toMatch(/Save one/);
    expect((await exportEntity({ ...about, format: 'pdf' })).statusCode).toBe(400);
  });

  test('a result of many small values does not make a page many times its size', async () => {
    const deep = [[[[[[[[[[[[[[[[Array.from({ length: 100_000 }, () => 1)]]]]]]]]]]]]]]]];
    await saved({ result: { ...RESULT, deep } });
    const { body } = await exportEntity({ entityType: 'ip', entityValue: RESULT.query, format: 'html' });
    expect(body.length).toBeLessThan(524_288);
    expect(body).toContain('</html>');
  });

  test('a hostile result is shown inert: no markup, no clickable address, no reversed text', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'\u202egnp.exe';
    await saved({
      entity: 'http://evil.example.org/<b>',
      note: evil,
      tags: [evil.slice(0, 40)],
      result: {
        malicious: true,
        apiVersion: 'v2',
        sources: [{ name: evil, category: evil, threatClass: evil }, 7],
        evidence: { reasons: [evil, evil], recommendedAction: evil, freshness: 7 },
        '</pre><script>': evil,
      },
    });
    const { body } = await exportEntity({
      entityType: 'url',
      entityValue: 'http://evil.example.org/<b>',
      format: 'html',
    });
    expect(body).not.toMatch(/<script|<img|<b>|\u202e|https?:\/\/evil\.example/);
    expect(body).not.toMatch(/\son\w+=[^&]*>/);
    expect(body).toContain("default-src 'none'");
  });
});
