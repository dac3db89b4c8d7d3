import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIdempotency } from '#capabilities/access/idempotent.ts';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { orgIndicatorsRoutes } from './routes.ts';

let nowMs = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const OTHER: Principal = {
  ...CALLER,
  id: 'key_02',
  accountId: 'org_02',
  userId: 'usr_02',
  organizationId: 'org_02',
};
const LIMITS: Readonly<Record<string, number>> = { PRO: 200, ENTERPRISE: 100_000 };

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let caller: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  await sql`insert into app_user (id, email, created_at) values
    ('usr_01', 'a@example.org', now()), ('usr_02', 'b@example.org', now())`.execute(system.db);
  const secrets = createSecrets(`1:${'a'.repeat(64)}`);
  const idempotency = createIdempotency({ postgres, clock, secrets });
  app = testApp(
    orgIndicatorsRoutes({
      clock,
      postgres: idempotency.postgres,
      dailyLimitOf: ({ plan }) => LIMITS[plan] ?? 0,
      warn: ({ indicator: { value } }) =>
        value.startsWith('10.') ? [{ value, code: 'private', message: 'A private address.' }] : [],
    }),
    { gates: recordedGates({ identify: () => caller, idempotent: idempotency.idempotent }).gates },
  );
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  nowMs = Date.UTC(2027, 0, 31, 12);
  caller = CALLER;
  for (const table of [
    'org_indicator_period',
    'org_indicator_revision',
    'org_indicator_object',
    'org_indicator',
    'org_indicator_state',
    'event_outbox',
  ])
    await sql`delete from ${sql.table(table)}`.execute(system.db);
});

type Given = { type?: string; value: string; [field: string]: unknown };
const ip = (value: string, rest: object = {}): Given => ({ type: 'ip', value, category: 'c2', ...rest });
const post = (indicators: unknown, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/org/indicators', payload: { indicators }, headers });
const posted = async (indicators: readonly Given[]) => {
  const answer = await post(indicators);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers });
const revoke = (id: string) => app.inject({ method: 'DELETE', url: `/org/indicators/${id}` });
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) =>
    ip(`203.0.${113 + Math.floor((from + at) / 250)}.${(from + at) % 250}`),
  );

describe('reporting', () => {
  test('200 with every item in order; a duplicate in the batch has one id, and inserted counts values', async () => {
    const answer = await posted([
      ip('198.51.100.7', { comment: 'seen in a mail' }),
      { entityType: 'domain', value: 'Evil[.]Example[.]com', category: 'Phishing' },
      { type: 'hash', value: 'A'.repeat(32), category: 'malware' },
      ip('198.51.100.7', { comment: 'again' }),
      ip('10.1.2.3'),
    ]);
    expect(answer).toEqual({
      message: '4 added or restored, 1 sent twice.',
      inserted: 4,
      indicators: [
        { id: expect.stringMatching(/^ind_[0-9A-Z]{26}$/), entityType: 'ip', value: '198.51.100.7' },
        { id: expect.any(String), entityType: 'domain', value: 'evil.example.com' },
        { id: expect.any(String), entityType: 'hash', value: 'a'.repeat(32) },
        { id: answer.indicators[0].id, entityType: 'ip', value: '198.51.100.7' },
        { id: expect.any(String), entityType: 'ip', value: '10.1.2.3' },
      ],
      warnings: [{ index: 4, value: '10.1.2.3', code: 'private', message: 'A private address.' }],
    });
    const { indicators, ...page } = (await get('/org/indicators?entityType=ip&limit=1&page=2')).json();
    expect(page).toEqual({ total: 2, page: 2, limit: 1 });
    expect(indicators).toHaveLength(1);
    const all = (await get('/org/indicators?limit=1000')).json();
    expect(all.limit).toBe(100);
    expect(all.indicators.find(({ value }: Given) => value === '198.51.100.7')).toEqual({
      id: answer.indicators[0].id,
      entityType: 'ip',
      value: '198.51.100.7',
      status: 'approved',
      category: 'c2',
      comment: 'again',
      submittedBy: 'usr_01',
      createdAt: new Date(nowMs).toISOString(),
      updatedAt: new Date(nowMs).toISOString(),
      revokedAt: null,
      disposition: 'block',
      reason: null,
      endsAt: null,
    });
  });

  test.each([
    ['a public suffix', { type: 'domain', value: 'co.uk' }, /public suffix under which others register/],
    ['text that is none of the three', { type: 'domain', value: '*.evil.com' }, /^This is not a domain\.$/],
    ['a URL', { type: 'domain', value: 'http://evil.com/' }, /^This is not a domain; correct/],
  ])('400 for %s, without naming kinds that the route does not take', async (_, item, words) => {
    const [detail] = (await post([{ category: 'c2', ...item }])).json().details;
    expect(detail).toMatchObject({ path: 'indicators.0.value', message: expect.stringMatching(words) });
    expect(detail.message).not.toMatch(/URL/);
  });

  test('400 refuses the whole batch and names every wrong item by its index', async () => {
    const answer = await post([
      ip('198.51.100.7'),
      ip('999.1.1.1'),
      { type: 'domain', value: '198.51.100.8', category: 'c2' },
      { value: 'evil.example.com', category: 'c2' },
      { type: 'ip', value: '198.51.100.9' },
      ip('11.0.0.0/7'),
      ip('198.51.100.10', { comment: 'x'.repeat(501) }),
    ]);
    expect(answer.statusCode).toBe(400);
    expect(
      answer
        .json()
        .details.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual([
      'indicators.1.value',
      'indicators.2.value',
      'indicators.3.type',
      'indicators.4.category',
      'indicators.5.value',
      'indicators.6.comment',
    ]);
    expect((await post([ip('198.51.100.7', { endsAt: '2020-01-01T00:00:00Z' })])).json().details).toEqual([
      { path: 'indicators.0.endsAt', message: expect.stringContaining('past') },
    ]);
    for (const wrong of [[], many(101), undefined]) expect((await post(wrong)).statusCode).toBe(400);
    expect((await get('/org/indicators')).json().total).toBe(0);
  });

  test('the 201st of a UTC day is 429 with nothing of its batch stored; unchanged ones cost nothing (trap 26)', async () => {
    await posted(many(100));
    await posted(many(99, 100));
    for (let i = 0; i < 3; i += 1) expect((await posted(many(100))).inserted).toBe(0);
    const refused = await post(many(2, 199));
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      error: 'Rate Limited',
      usage: { current: 199, limit: 200 },
      resetsAt: '2027-02-01T00:00:00.000Z',
    });
    expect(refused.headers['retry-after']).toBe(String(12 * 3_600));
    expect((await get('/org/indicators')).json().total).toBe(199);
    await posted(many(1, 199));
    expect((await post([ip('203.0.113.0', { category: 'botnet' })])).statusCode).toBe(429);
    nowMs += 12 * 3_600_000;
    await posted(many(2, 200));
    caller = { ...CALLER, plan: 'ENTERPRISE' };
    await posted(many(100, 202));
  });

  test('a warning counts against the day, also of a value that has not changed (O82)', async () => {
    const warned = Array.from({ length: 100 }, (_, nth) => ip(`10.1.2.${nth}`));
    for (const inserted of [100, 0]) {
      const answer = await posted(warned);
      expect([answer.inserted, answer.warnings.length]).toEqual([inserted, 100]);
    }
    const refused = await post(warned);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ usage: { current: 200, limit: 200 } });
    expect(refused.body).not.toContain('A private address.');
  });

  test('two batches at once never pass the daily cap together', async () => {
    await posted(many(100));
    const answers = await Promise.all([post(many(80, 100)), post(many(80, 180))]);
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 429]);
  });

  test('an Idempotency-Key stores once, whatever the retries', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = await Promise.all([post(many(3), headers), post(many(3), headers)]);
    expect(second.json()).toEqual(first.json());
    expect([first, second].filter(({ headers: of }) => of['idempotent-replayed'] === 'true')).toHaveLength(1);
    expect((await post(many(4), headers)).statusCode).toBe(409);
  });
});

describe('revoking and restoring', () => {
  test('a revoked value leaves the list at once, is 200 again, and a resubmission restores it under its id', async () => {
    const { indicators } = await posted([ip('198.51.100.7'), ip('198.51.100.8')]);
    const { id } = indicators[0];
    for (let i = 0; i < 2; i += 1) {
      const answer = await revoke(id);
      expect([answer.statusCode, answer.json()]).toEqual([200, { indicator: { id, status: 'revoked' } }]);
      expect((await get('/org/blocklists/ips')).body).toBe('198.51.100.8\n');
    }
    expect((await get('/org/indicators?status=revoked')).json().indicators[0]).toMatchObject({
      id,
      revokedAt: new Date(nowMs).toISOString(),
    });
    expect(await posted([ip('198.51.100.7')])).toMatchObject({ inserted: 1, indicators: [{ id }] });
    expect((await get('/org/blocklists/ip')).body).toBe('198.51.100.7\n198.51.100.8\n');
    const { rows } = await sql<{ type: string; account_id: string }>`
      select type, account_id from event_outbox order by draft`.execute(system.db);
    expect(rows.map(({ type }) => type)).toEqual([
      'org.indicator.added',
      'org.indicator.added',
      'org.indicator.revoked',
      'org.indicator.restored',
    ]);
    expect(new Set(rows.map(({ account_id }) => account_id))).toEqual(new Set(['org_01']));
  });

  test('another organization sees, revokes and lists nothing: 404 and empty lists (trap 28)', async () => {
    const { indicators } = await posted([ip('198.51.100.7')]);
    caller = OTHER;
    for (const id of [indicators[0].id, 'ind_0', 'x\u0000'])
      expect((await revoke(encodeURIComponent(id))).statusCode).toBe(404);
    expect((await get('/org/indicators')).json().total).toBe(0);
    expect((await get('/org/blocklists/ips')).body).toBe('');
    expect((await posted([ip('198.51.100.7')])).indicators[0].id).not.toBe(indicators[0].id);
    caller = CALLER;
    expect((await get('/org/blocklists/ips')).body).toBe('198.51.100.7\n');
  });

  test('row-level security refuses a row for another organization', async () => {
    await expect(
      postgres.withAccount('org_01', (tx) =>
        sql`insert into org_indicator_state (account_id, day) values ('org_02', now())`.execute(tx),
      ),
    ).rejects.toThrow(/row-level security/);
  });
});

describe('lists', () => {
  test('approved values alone, sorted by bytes, LF, text/plain in UTF-8; the ETag answers 304', async () => {
    await posted([
      ip('9.9.9.10'),
      ip('10.0.0.9'),
      ip('2001:db8::1'),
      { type: 'domain', value: 'b.example.com', category: 'spam' },
    ]);
    const answer = await get('/org/blocklists/ips');
    expect(answer.body).toBe('10.0.0.9\n2001:db8::1\n9.9.9.10\n');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toContain('private');
    const again = await get('/org/blocklists/ips', { 'if-none-match': String(answer.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    for (const name of ['domains', 'domain'])
      expect((await get(`/org/blocklists/${name}`)).body).toBe('b.example.com\n');
    expect((await get('/org/blocklists/hashes')).body).toBe('');
    for (const name of ['urls', 'toString', 'IPS'])
      expect((await get(`/org/blocklists/${name}`)).statusCode).toBe(404);
    expect((await get('/org/blocklists/stats')).json()).toEqual({
      ips: 3,
      domains: 1,
      hashes: 0,
      total: 4,
      updatedAt: new Date(nowMs).toISOString(),
    });
  });

  test('allowed values and addresses in allowed ranges are left out until the allowance ends', async () => {
    await posted([
      ip('198.51.100.7'),
      ip('203.0.113.5'),
      ip('192.0.2.0/30'),
      {
        type: 'ip',
        value: '198.51.100.0/24',
        disposition: 'allow',
        reason: 'our office',
        endsAt: '2027-02-01T00:00:00Z',
      },
      { type: 'ip', value: '192.0.2.1', disposition: 'allow' },
      { type: 'domain', value: 'example.com', disposition: 'allow' },
      { type: 'domain', value: 'evil.example.com', category: 'phishing' },
    ]);
    expect((await get('/org/blocklists/ips')).body).toBe('192.0.2.0\n192.0.2.2/31\n203.0.113.5\n');
    expect((await get('/org/blocklists/domains')).body).toBe('evil.example.com\n');
    expect((await get('/org/blocklists/stats')).json()).toMatchObject({ ips: 3, domains: 1 });
    nowMs += 86_400_000;
    expect((await get('/org/blocklists/ips')).body).toContain('198.51.100.7\n');
    // Blocking the value that was allowed replaces the allowance.
    await posted([ip('192.0.2.1')]);
    expect((await get('/org/blocklists/ips')).body).toContain('192.0.2.0/30\n192.0.2.1\n');
  });
});
