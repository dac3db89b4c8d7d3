import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openLetters } from '#capabilities/letters/index.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { usageWorkerPart } from './jobs.ts';
import { tellQuota } from './tell-quota.ts';

const clock = { now: () => Date.UTC(2027, 0, 31, 12), monotonic: () => performance.now() };

let database: TestDatabase;
let system: Postgres;
let app: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 8 };
  system = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT);
});
afterAll(async () => {
  await Promise.all([system?.close(), app?.close()]);
  await database?.drop();
});
beforeEach(async () => {
  for (const table of ['usage_ledger', 'subscription', 'quota_notice', 'event_outbox'])
    await sql`delete from ${sql.table(table)}`.execute(system.db);
});

const NO_MAIL = { canSendLetters: false, enqueueLetter: async () => undefined };
const letters = openLetters({
  clock,
  config: {
    SMTP_URL: 'smtp://127.0.0.1:1',
    SECRET_KEY: `1:${'s'.repeat(64)}`,
    PUBLIC_WEB_URL: 'https://app.example.test',
    PUBLIC_API_URL: 'https://api.example.test',
  },
});
const tell = (mail: Parameters<typeof tellQuota>[0]['letters'] = NO_MAIL) =>
  tellQuota({ clock, letters: mail, transaction: system.transaction });
const use = (accountId: string, used: number, meter = 'checks', period = '202701') =>
  sql`insert into usage_ledger (account_id, meter, period, granted, refunded)
      values (${accountId}, ${meter}, ${period}, ${used + 3}, 3)
      on conflict (account_id, period, meter) do update set granted = excluded.granted`.execute(system.db);
const subscribe = (accountId: string, plan: string, status = 'active', limits: object = {}) =>
  sql`insert into subscription (account_id, plan, status, limits, updated_at)
      values (${accountId}, ${plan}, ${status}, ${JSON.stringify(limits)}::jsonb, now())`.execute(system.db);
const events = async (): Promise<readonly string[]> => {
  const { rows } = await sql<{ row: string }>`
    select concat_ws(' ', type, account_id, payload ->> 'meter', payload ->> 'share', payload ->> 'period',
                     payload ->> 'used', payload ->> 'limit') as row
      from event_outbox order by account_id, payload ->> 'meter', draft`.execute(system.db);
  return rows.map(({ row }) => row);
};

test('80 and 100 percent of checks and scans are told once a month each, however many processes look', async () => {
  await use('usr_free', 399);
  expect(await tell()).toBe(0);
  await use('usr_free', 400);
  await use('usr_free', 1_000, 'scans');
  const told = await Promise.all([tell(), tell(), tell(), tell()]);
  expect(told.reduce((sum, each) => sum + each, 0)).toBe(3);
  await use('usr_free', 500);
  await tell();
  await tell();
  expect(await events()).toEqual([
    'quota.reached usr_free checks 80 202701 400 500',
    'quota.reached usr_free checks 100 202701 500 500',
    'quota.reached usr_free scans 80 202701 1000 1000',
    'quota.reached usr_free scans 100 202701 1000 1000',
  ]);
});

test('the owners of an account get one letter for a month, about the higher share; members and unclaimed addresses none', async () => {
  await sql`insert into app_user (id, email, created_at, unclaimed_since) values
    ('usr_a', 'a@example.org', now(), null), ('usr_b', 'b@example.org', now(), null),
    ('usr_c', 'c@example.org', now(), now())`.execute(system.db);
  await sql`insert into organization (id, name, created_at) values ('org_a', 'A', now())`.execute(system.db);
  await sql`insert into membership (account_id, user_id, role, created_at) values
    ('org_a', 'usr_a', 'OWNER', now()), ('org_a', 'usr_b', 'MEMBER', now())`.execute(system.db);
  for (const accountId of ['usr_b', 'usr_c', 'org_a']) await use(accountId, 500);
  await Promise.all([tell(letters), tell(letters)]);
  await tell(letters);
  const { rows } = await sql<{ row: string }>`
    select concat_ws(' ', account_id, kind, key) as row from letter order by 1`.execute(system.db);
  expect(rows.map(({ row }) => row)).toEqual([
    'org_a quota-reached quota:checks:202701:100:usr_a',
    'usr_b quota-reached quota:checks:202701:100:usr_b',
  ]);
});

test('the figure is that of the subscription: plan, figures of its own, or FREE while it is suspended', async () => {
  await subscribe('org_pro', 'PRO');
  await use('org_pro', 7_999);
  await subscribe('org_small', 'PRO', 'active', { checksPerMonth: 10 });
  await use('org_small', 8);
  await subscribe('org_late', 'ENTERPRISE', 'suspended', { checksPerMonth: 1_000_000 });
  await use('org_late', 450);
  await use('usr_before', 500, 'checks', '202612');
  expect(await tell()).toBe(2);
  expect(await events()).toEqual([
    'quota.reached org_late checks 80 202701 450 500',
    'quota.reached org_small checks 80 202701 8 10',
  ]);
});

test('more accounts than a page are all told', async () => {
  await sql`insert into usage_ledger (account_id, meter, period, granted, refunded)
            select 'usr_' || n, 'checks', '202701', 450, 0 from generate_series(1, 2100) as n`.execute(
    system.db,
  );
  expect(await tell()).toBe(2_100);
  expect(await tell()).toBe(0);
});

test('an account reads its own notices alone and cannot write one', async () => {
  await use('usr_a', 500);
  await tell();
  const seenBy = (accountId: string) =>
    app.withAccount(accountId, (tx) => sql`select share from quota_notice order by share`.execute(tx));
  expect((await seenBy('usr_a')).rows).toEqual([{ share: 80 }, { share: 100 }]);
  expect((await seenBy('usr_b')).rows).toEqual([]);
  await expect(app.withAccount('usr_a', (tx) => sql`delete from quota_notice`.execute(tx))).rejects.toThrow(
    'permission denied',
  );
});

test('what is older than 400 days is forgotten', async () => {
  await sql`insert into request_count (account_id, day, caller_id, route, status_class, verdict, counted)
            select 'usr_a', date '2027-01-31' - n, 'key_1', 'GET /check', 2, '', 1
              from unnest(array[0, 399, 400, 401, 900]) as n`.execute(system.db);
  await sql`insert into quota_notice values ('usr_a', '202511', 'checks', 80, 1, 1, now()),
                                            ('usr_a', '202512', 'checks', 80, 1, 1, now())`.execute(
    system.db,
  );
  const forget = usageWorkerPart({ clock, letters: NO_MAIL }).jobs.find(
    ({ name }) => name === 'usage.forget',
  );
  await forget?.run(
    {
      transaction: system.transaction,
      log: { info: () => undefined },
      signal: new AbortController().signal,
    } as never,
    {} as never,
  );
  const { rows } = await sql<{ ago: number }>`
    select date '2027-01-31' - day as ago from request_count order by 1`.execute(system.db);
  expect(rows.map(({ ago }) => ago)).toEqual([0, 399, 400]);
  expect((await sql<{ period: string }>`select period from quota_notice`.execute(system.db)).rows).toEqual([
    { period: '202512' },
  ]);
});
