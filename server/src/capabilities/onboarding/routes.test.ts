import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { CALLER, recordedGates, testApp } from '#test/http-app.ts';
import { onboardingRoutes } from './routes.ts';

let nowMs = Date.UTC(2027, 0, 31, 12);
const clock = { now: () => nowMs, monotonic: () => performance.now() };
const PERSON: Principal = {
  ...CALLER,
  id: 'key_02',
  accountId: 'usr_02',
  userId: 'usr_02',
  organizationId: null,
};

let database: TestDatabase;
let system: Postgres;
let postgres: Postgres;
let app: FastifyInstance;
let caller: Principal = CALLER;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 4 };
  system = asSystem(config);
  postgres = connectPostgres(config, 'assay_app', PATIENT);
  await sql`insert into app_user (id, email, created_at) values
    ('usr_01', 'a@example.org', now()), ('usr_02', 'b@example.org', now())`.execute(system.db);
  await sql`insert into organization (id, name, created_at) values ('org_01', 'One', now())`.execute(
    system.db,
  );
  app = testApp(
    onboardingRoutes({
      clock,
      postgres,
      accountOf: ({ organizationId, plan }) => ({
        isOrganization: organizationId !== null,
        indicatorsPerDay: plan === 'PRO' ? 200 : 0,
      }),
    }),
    { gates: recordedGates({ identify: () => caller }).gates },
  );
});
afterAll(async () => {
  await app?.close();
  await Promise.all([system?.close(), postgres?.close()]);
  await database?.drop();
});

type Steps = { steps: { id: string; label: string; done: boolean }[]; completedAt: string | null };
const read = async (): Promise<Steps> => {
  const answer = await app.inject({ method: 'GET', url: '/onboarding' });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const done = ({ steps }: Steps) => steps.filter((step) => step.done).map(({ id }) => id);
const tick = (payload: object) => app.inject({ method: 'PATCH', url: '/onboarding', payload });

test('steps tick by what the account has, stay ticked, and the moment of completion is kept', async () => {
  const first = await read();
  expect(first.steps.map(({ id }) => id)).toEqual([
    'key',
    'check',
    'scan',
    'list',
    'member',
    'indicator',
    'reference',
  ]);
  expect([done(first), first.completedAt]).toEqual([[], null]);
  await sql`insert into api_key (id, api_key, account_id, user_id, secret_hmac, pepper_version, created_at)
    values ('key_01', ${`ak_${'a'.repeat(24)}`}, 'org_01', 'usr_01', ${Buffer.alloc(32)}, 1, now())`.execute(
    system.db,
  );
  await sql`insert into usage_ledger (account_id, meter, period, granted, refunded)
    values ('org_01', 'checks', '202701', 1, 0), ('org_01', 'scans', '202612', 1, 1)`.execute(system.db);
  expect(done(await read())).toEqual(['key', 'check']);
  await sql`delete from api_key`.execute(system.db);
  await sql`update usage_ledger set granted = 2 where meter = 'scans'`.execute(system.db);
  await sql`insert into membership (account_id, user_id, role, created_at)
    values ('org_01', 'usr_01', 'OWNER', now())`.execute(system.db);
  expect(done(await read())).toEqual(['key', 'check', 'scan']);
  await sql`insert into membership (account_id, user_id, role, created_at)
    values ('org_01', 'usr_02', 'MEMBER', now())`.execute(system.db);
  await sql`insert into blocklist_pull (account_id, key_id, list, variant, status, bytes, pulled_at)
    values ('org_01', 'key_01', 'blocklist-ips-all.txt', 'full', 200, 1, now())`.execute(system.db);
  await sql`insert into org_indicator (id, account_id, entity_type, value, entry_key, disposition, category, status,
                                       submitted_by, created_at, updated_at)
    values ('ind_1', 'org_01', 'ip', '192.0.2.1', '\\x0102030405', 'block', 'c2', 'approved', 'usr_01', now(), now())`.execute(
    system.db,
  );
  const ticked = await tick({ step: 'reference', done: true });
  expect(ticked.statusCode, ticked.body).toBe(200);
  const completedAt = new Date(nowMs).toISOString();
  expect([done(ticked.json()).length, ticked.json().completedAt]).toEqual([7, completedAt]);
  nowMs += 1_000;
  const back = await tick({ step: 'reference', done: false });
  expect(done(back.json())).not.toContain('reference');
  await tick({ step: 'reference', done: true });
  expect((await read()).completedAt).toBe(completedAt);
});

test('an account without an organization has no step that it cannot take, and sees nothing of another', async () => {
  caller = PERSON;
  const mine = await read();
  expect(mine.steps.map(({ id }) => id)).toEqual(['key', 'check', 'scan', 'list', 'reference']);
  expect(done(mine)).toEqual([]);
  const seen = await postgres.withAccount('usr_02', (tx) => sql`select 1 from onboarding`.execute(tx));
  expect(seen.rows).toEqual([]);
  await expect(
    postgres.withAccount('usr_02', (tx) =>
      sql`insert into onboarding (account_id) values ('org_01')`.execute(tx),
    ),
  ).rejects.toThrow('row-level security');
});

test('400 for a step that is ticked by itself, and for one that does not exist', async () => {
  const proven = await tick({ step: 'key', done: true });
  expect([proven.statusCode, proven.json().message]).toEqual([
    400,
    expect.stringContaining('Make an API key'),
  ]);
  expect((await tick({ step: 'nothing', done: true })).statusCode).toBe(400);
  expect((await tick({ step: 'reference' })).statusCode).toBe(400);
});
