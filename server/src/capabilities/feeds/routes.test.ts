import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { findSource, registerSource } from '#capabilities/corpus/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { feedsRoutes } from './routes.ts';
import { refreshSourceStatistics } from './sources/refresh-source-statistics.ts';
import { findFetchRow, idsOutsideCatalogue } from './submissions/find-fetch-row.ts';
import { approveSubmission, listSubmissions, rejectSubmission } from './submissions/moderate.ts';
import { PENDING_MAX } from './submissions/submit-sources.ts';

const NOW_MS = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => NOW_MS, monotonic: () => performance.now() };
const PHISH = {
  name: 'Phish',
  type: 'url',
  url: 'https://lists.example.org/phish.txt',
  category: 'phishing',
};

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
});
afterAll(async () => {
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  for (const table of [
    'source_submission',
    'source',
    'source_fetch',
    'feed_state',
    'feed_run',
    'feed_quarantine',
  ])
    await sql`delete from ${sql.table(table)}`.execute(system.db);
  caller = CALLER;
  const { gates } = recordedGates({ identify: () => caller });
  app = testApp(feedsRoutes({ clock, postgres }), { gates });
});

const submit = (body: unknown) => app.inject({ method: 'POST', url: '/submit', payload: body as object });
const get = async (url: string) => (await app.inject({ method: 'GET', url })).json();
const as = (accountId: string): void => {
  caller = { ...CALLER, accountId, id: `key_${accountId}` };
};

describe('POST /submit', () => {
  test('200: the proposal waits, under the account that made it, and nothing becomes a source', async () => {
    const answer = await submit({
      sources: [PHISH, { ...PHISH, url: 'https://z.example.org', category: undefined }],
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ message: expect.stringContaining('operator'), submitted: 2 });
    expect(await listSubmissions(system)).toMatchObject([
      { ...PHISH, accountId: 'org_01', status: 'pending', decidedAt: null },
      { url: 'https://z.example.org/', category: null },
    ]);
    const { rows } = await sql`select 1 from source`.execute(system.db);
    expect(rows).toEqual([]);
  });

  test('the same address again, in another spelling, twice in one body or from another account, changes nothing', async () => {
    const first = await submit({ sources: [PHISH] });
    const spelled = { ...PHISH, name: 'Other', url: 'HTTPS://LISTS.example.org:443/phish.txt#x' };
    const again = await submit({ sources: [spelled, spelled] });
    as('org_02');
    const others = await submit({ sources: [{ ...PHISH, name: 'Mine' }] });
    for (const answer of [again, others]) expect(answer.json()).toEqual(first.json());
    expect(await listSubmissions(system, null)).toMatchObject([{ name: 'Phish', accountId: 'org_01' }]);
  });

  test('an account sees its own proposals only, and cannot file one under another account', async () => {
    await submit({ sources: [PHISH] });
    as('org_02');
    await submit({ sources: [{ ...PHISH, url: 'https://two.example.org/' }] });
    const seenBy = (account: string) =>
      postgres.withAccount(account, (tx) =>
        sql<{ url: string }>`select url from source_submission`.execute(tx),
      );
    expect((await seenBy('org_02')).rows).toEqual([{ url: 'https://two.example.org/' }]);
    expect((await seenBy('org_01')).rows).toEqual([{ url: PHISH.url }]);
    expect((await sql`select 1 from source_submission`.execute(postgres.db)).rows).toEqual([]);
    await expect(
      postgres.withAccount('org_01', (tx) =>
        sql`insert into source_submission (id, account_id, name, type, url, submitted_at)
            values ('sbm_x', 'org_02', 'n', 'ip', 'https://x.example.org/', now())`.execute(tx),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test.each([
    ['no body', undefined, 'body'],
    ['no list', {}, 'sources'],
    ['an empty list', { sources: [] }, 'sources'],
    ['21 sources', { sources: Array.from({ length: 21 }, () => PHISH) }, 'sources'],
    ['no name', { sources: [{ ...PHISH, name: ' ' }] }, 'sources.0.name'],
    ['a name of 121 characters', { sources: [{ ...PHISH, name: 'n'.repeat(121) }] }, 'sources.0.name'],
    ['an unknown type', { sources: [{ ...PHISH, type: 'asn' }] }, 'sources.0.type'],
    ['an unknown category', { sources: [{ ...PHISH, category: 'bad' }] }, 'sources.0.category'],
    ['no url', { sources: [{ ...PHISH, url: undefined }] }, 'sources.0.url'],
    ['http', { sources: [{ ...PHISH, url: 'http://lists.example.org/' }] }, 'sources.0.url'],
    [
      '2,049 characters',
      { sources: [{ ...PHISH, url: `https://a.example.org/${'a'.repeat(2_027)}` }] },
      'sources.0.url',
    ],
    [
      'a private address',
      { sources: [PHISH, { ...PHISH, url: 'https://192.168.0.1/l.txt' }] },
      'sources.1.url',
    ],
    ['this machine', { sources: [{ ...PHISH, url: 'https://localhost/l.txt' }] }, 'sources.0.url'],
    [
      'credentials in the url',
      { sources: [{ ...PHISH, url: 'https://u:p@a.example.org/' }] },
      'sources.0.url',
    ],
  ])('400, and nothing is stored: %s', async (_what, body, path) => {
    const answer = await submit(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'Bad Request', details: [{ path }] });
    expect(answer.json().message.length).toBeGreaterThan(15);
    expect(await listSubmissions(system, null)).toEqual([]);
  });

  test('unknown fields are ignored', async () => {
    expect((await submit({ sources: [{ ...PHISH, status: 'approved', id: 'sbm_mine' }] })).statusCode).toBe(
      200,
    );
    const [only] = await listSubmissions(system);
    expect(only?.id).toMatch(/^sbm_[0-9A-Z]{26}$/);
  });

  test(`429: an account with ${PENDING_MAX} waiting proposals; other accounts are not affected`, async () => {
    await sql`
      insert into source_submission (id, account_id, name, type, url, submitted_at)
      select 'sbm_' || n, 'org_01', 'n', 'ip', 'https://a.example.org/' || n, now()
        from generate_series(1, ${PENDING_MAX}) n`.execute(system.db);
    const answer = await submit({ sources: [PHISH] });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '86400']);
    expect(answer.json()).toMatchObject({ error: 'Rate Limited', retryAfter: 86_400 });
    as('org_02');
    expect((await submit({ sources: [PHISH] })).statusCode).toBe(200);
  });

  test('503 while PostgreSQL is away', async () => {
    const away = connectPostgres(
      { DATABASE_URL: 'postgres://127.0.0.1:1/none', POSTGRES_POOL_MAX: 1 },
      'assay_app',
    );
    app = testApp(feedsRoutes({ clock, postgres: away }));
    expect((await submit({ sources: [PHISH] })).statusCode).toBe(503);
    expect((await app.inject('/platform/data-freshness')).statusCode).toBe(503);
    await away.close();
  });
});

describe('moderation', () => {
  const deps = () => ({ system, clock });
  const proposed = async (given: object = {}): Promise<string> => {
    await submit({ sources: [{ ...PHISH, ...given }] });
    const [first] = await listSubmissions(system);
    return first?.id ?? '';
  };

  test('an approval registers a scheduled source of letter F, and queues nothing', async () => {
    const jobs = async () => (await sql`select 1 from graphile_worker.jobs`.execute(system.db)).rows.length;
    const before = await jobs();
    const { source, submission } = await approveSubmission(deps(), await proposed());
    expect(source).toMatchObject({
      id: expect.stringMatching(/^phish-[0-9a-z]{6}$/),
      name: 'Phish',
      url: PHISH.url,
      category: 'phishing',
      letter: 'F',
      threatClass: 'threat',
      fpRisk: 'medium',
      scheduled: true,
      enabled: true,
      redistributable: false,
      entries: 0,
    });
    expect(submission).toMatchObject({ status: 'approved', decidedAt: new Date(NOW_MS) });
    expect(await listSubmissions(system, 'approved')).toHaveLength(1);
    expect(await jobs()).toBe(before);
    const planned = await sql`select 1 from feed_state where source_number = ${source.number}
      and next_run_at <= to_timestamp(${NOW_MS / 1000}::float8)`.execute(system.db);
    expect(planned.rows).toHaveLength(1);
    expect(await findFetchRow({ system, catalogue: [] }, source.id)).toMatchObject({
      id: source.id,
      urls: [PHISH.url],
      format: { kind: 'plain' },
    });
    expect(await idsOutsideCatalogue(system.db, [])).toEqual([source.id]);
    expect(await idsOutsideCatalogue(system.db, [{ id: source.id } as CatalogueRow])).toEqual([]);
  });

  test('the operator decides id and settings, and may approve twice', async () => {
    const id = await proposed();
    const options = { sourceId: 'phish-daily', settings: { letter: 'C', reliability: 0.5 } } as const;
    await approveSubmission(deps(), id, options);
    await approveSubmission(deps(), id, options);
    expect(await findSource(system.db, 'phish-daily')).toMatchObject({ letter: 'C', reliability: 0.5 });
  });

  test('an invalid id, or the id of another list, is refused and the proposal still waits', async () => {
    const id = await proposed();
    await registerSource(deps(), 'taken', { url: 'https://other.example.org/' });
    await expect(approveSubmission(deps(), id, { sourceId: 'taken' })).rejects.toThrow(
      /source 'taken' already/,
    );
    await expect(approveSubmission(deps(), id, { sourceId: 'No Good' })).rejects.toThrow(/source id/);
    expect(await listSubmissions(system, 'pending')).toHaveLength(1);
  });

  test('a rejection keeps its reason, and the address does not come back by being sent again', async () => {
    const id = await proposed();
    await rejectSubmission(deps(), id, 'A copy of another list.');
    await submit({ sources: [PHISH] });
    expect(await listSubmissions(system, null)).toMatchObject([
      { status: 'rejected', note: 'A copy of another list.' },
    ]);
    await expect(approveSubmission(deps(), id)).rejects.toThrow(/was rejected/);
  });

  test('an approved proposal cannot be rejected, an unknown one cannot be decided, telephone lists are read as such', async () => {
    const id = await proposed();
    await approveSubmission(deps(), id);
    await expect(rejectSubmission(deps(), id, 'x')).rejects.toThrow(/Disable its source/);
    await expect(rejectSubmission(deps(), 'sbm_none', 'x')).rejects.toThrow(/not found/);
    const phones = await proposed({ type: 'phone', url: 'https://phones.example.org/' });
    expect((await approveSubmission(deps(), phones)).source).toMatchObject({ entityTypes: ['phone'] });
  });
});

describe('GET /sources/statistics', () => {
  test('404 before the first computation, then the wrapper; the 404 is not kept', async () => {
    expect((await app.inject('/sources/statistics')).statusCode).toBe(404);
    expect(await get('/sources/statistics')).toMatchObject({ error: 'Not Found' });
    const { number } = await registerSource({ system, clock }, 'urls', { name: 'URLs', scheduled: true });
    for (const [agoS, added, removed] of [
      [90_000, 500, 7],
      [7_000, 3, 1],
      [60, 2, 4],
    ])
      await sql`
        insert into source_fetch
          (source_number, fetched_at, data_at, entries, added, removed, changed, duplicates, rejected)
        values (${number}, to_timestamp(${NOW_MS / 1000 - (agoS ?? 0)}::float8), now(), 0, ${added}, ${removed}, 0, 0, 0)`.execute(
        system.db,
      );
    await refreshSourceStatistics(system.db, {
      indicators: 12,
      added24h: new Map([[number, 5]]),
      nowMs: NOW_MS,
      seq: 1,
    });
    expect(await get('/sources/statistics')).toMatchObject({
      success: true,
      timestamp: '2027-01-31T12:00:00.000Z',
      data: {
        totalSources: 1,
        totalIndicators: 12,
        sources: [{ id: 'urls', added24h: 5, removed24h: 5, status: 'stale', lastFetchedAt: null }],
      },
    });
  });
});

describe('platform routes read what the pipeline wrote', () => {
  test('problems, quarantine and moved dates, by source', async () => {
    const loaded = async (id: string) => {
      const { number } = await registerSource({ system, clock }, id, { name: id });
      await sql`update source set data_at = to_timestamp(${NOW_MS / 1000 - 3_600}::float8), entries = 3
                 where number = ${number}`.execute(system.db);
      return number;
    };
    const [failing, held, moved] = [await loaded('failing'), await loaded('held'), await loaded('moved')];
    await sql`insert into feed_state (source_number, problem, rebase_ms)
              values (${failing}, 'The publisher answered 500.', 0), (${moved}, null, 172800000)`.execute(
      system.db,
    );
    await sql`insert into feed_quarantine (source_number, run_id, since, gate, reason, artifact)
              values (${held}, 'run_1', now(), 'volume', 'It grew from 10 to 900 entries.', 'a')`.execute(
      system.db,
    );
    expect(await get('/platform/data-freshness')).toMatchObject({
      generatedAt: '2027-01-31T12:00:00.000Z',
      overallStatus: 'stale',
      datasets: [
        { id: 'failing', status: 'failing', message: 'The publisher answered 500.', ageHours: 1, records: 3 },
        { id: 'held', status: 'failing', message: 'It grew from 10 to 900 entries.' },
        { id: 'moved', status: 'fresh', message: expect.stringContaining('2 days') },
      ],
      actions: [expect.stringContaining('held'), expect.stringContaining('failing')],
    });
  });

  test('the last run is the one that started last, of any source', async () => {
    expect(await get('/platform/data-ops/pipeline')).toMatchObject({ lastRun: {} });
    const { number } = await registerSource({ system, clock }, 'urls', {});
    await sql`
      insert into feed_run (id, source_number, started_at, finished_at, status, reason, phases)
      values ('run_1', ${number}, '2027-01-31T11:00:00Z', '2027-01-31T11:00:02Z', 'quarantined', 'Too small.',
              '[{"id": "fetch", "status": "succeeded", "durationMs": 12, "records": null}]'),
             ('run_0', ${number}, '2027-01-31T10:00:00Z', null, 'running', null, '[]')`.execute(system.db);
    app = testApp(feedsRoutes({ clock, postgres }));
    expect((await get('/platform/data-ops/pipeline')).lastRun).toEqual({
      id: 'run_1',
      status: 'failed',
      startedAt: '2027-01-31T11:00:00.000Z',
      finishedAt: '2027-01-31T11:00:02.000Z',
      durationMs: 2_000,
      phases: [{ id: 'fetch', status: 'succeeded', durationMs: 12, records: null }],
      sourceId: 'urls',
      reason: 'Too small.',
    });
  });
});
