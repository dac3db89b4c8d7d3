import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildOperators,
  describeOperatorRoutes,
  type OperatorServices,
  openOperators,
} from '#app/build-operators.ts';
import { createKey, createUser, listAudit, setPlan } from '#capabilities/access/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { enqueue } from '#platform/jobs.ts';
import { createLog } from '#platform/log.ts';
import { sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { adminRun } from '#test/run-admin.ts';

const HERE = '192.0.2.10';
const dataDir = mkdtempSync(join(tmpdir(), 'assay-operators-'));
let database: TestDatabase;
let services: OperatorServices;
let app: FastifyInstance;
let token: string;
let customer: { readonly accountId: string; readonly credential: string; readonly keyId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ ASSAY_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir });
  const clock = systemClock();
  services = openOperators(config, createLog('silent'), clock);
  app = buildOperators(services);
  token = await newToken('ann', '192.0.2.0/24');
  const access = { postgres: services.deps.system, clock, pepper: createSecrets(config.KEY_PEPPER) };
  const accountId = await createUser(access, OPERATOR, 'customer@example.com');
  await setPlan(access, OPERATOR, accountId, { plan: 'ENTERPRISE' });
  const wanted = { accountId, userId: accountId, label: '', allowedCidrs: [] };
  const { credential, id: keyId } = await createKey(access, OPERATOR, wanted);
  customer = { accountId, credential, keyId };
});
afterAll(async () => {
  await app?.close();
  await services?.close();
  await database?.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function newToken(name: string, cidr: string): Promise<string> {
  const args = ['operator', 'create', '--name', name, '--cidr', cidr, '--json'];
  const run = await adminRun({ DATABASE_URL: database.url }, args);
  expect(run.stderr).toBe('');
  return (run.documents[0] as { token: string }).token;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD';

const call = (method: Method, url: string, payload?: object, from = HERE, bearer = token) =>
  app.inject({
    method,
    url,
    remoteAddress: from,
    headers: { authorization: `Bearer ${bearer}` },
    ...(payload !== undefined && { payload }),
  });

const statusAndBody = async (method: Method, url: string, payload?: object) => {
  const answer = await call(method, url, payload);
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
};

type Act = { readonly action: string; readonly target: string; readonly outcome: string | null };
const actsOf = async (): Promise<readonly Act[]> =>
  (await call('GET', '/admin/audit?limit=500')).json().entries;

describe('who is let in', () => {
  test('without an operator token from its addresses every address and method is 404, with the words of an unknown one', async () => {
    const nothing = (await app.inject({ url: '/nothing', remoteAddress: HERE })).json().message;
    const strangers: Readonly<Record<string, string>>[] = [
      {},
      { authorization: 'Bearer op_nonsense' },
      { authorization: `Bearer ${token.slice(0, -1)}x` },
      { 'x-api-key': customer.credential },
      { authorization: `Basic ${Buffer.from(`x:${customer.credential}`).toString('base64')}` },
      { authorization: `Bearer ${customer.credential}` },
    ];
    for (const { method, path } of describeOperatorRoutes()) {
      const url = path.replace(':id', 'x');
      for (const headers of strangers) {
        const answer = await app.inject({ method, url, headers, remoteAddress: HERE });
        expect([answer.statusCode, answer.json().message], `${method} ${url}`).toEqual([404, nothing]);
      }
      const foreign = await call(method as Method, url, undefined, '198.51.100.7');
      expect([foreign.statusCode, foreign.json().message], `${method} ${url}`).toEqual([404, nothing]);
    }
    for (const method of ['PUT', 'OPTIONS'] as const)
      expect((await app.inject({ method, url: '/admin/overview', remoteAddress: HERE })).statusCode).toBe(
        404,
      );
  });

  test('the listener describes all of its routes to an operator, with the token as the credential', async () => {
    const { status, body } = await statusAndBody('GET', '/openapi.json');
    expect([status, body.openapi, body.servers[0].url]).toEqual([200, '3.1.0', '/']);
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => (method === 'head' ? [] : `${method.toUpperCase()} ${path}`)),
    );
    const mounted = describeOperatorRoutes().map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(described.toSorted()).toEqual(mounted.toSorted());
    expect(Object.keys(body.components.securitySchemes)).toEqual(['operatorToken']);
    const answers = Object.keys(body.paths['/admin/sources/{id}/release'].post.responses);
    expect(answers).toEqual(expect.arrayContaining(['200', '404', '409', '422']));
    expect(answers).not.toContain('401');
  });

  test('a revoked token ends with the next request; its name is free again', async () => {
    const short = await newToken('bob', '192.0.2.10');
    expect((await call('GET', '/admin/overview', undefined, HERE, short)).statusCode).toBe(200);
    const revoked = await adminRun({ DATABASE_URL: database.url }, ['operator', 'revoke', 'bob']);
    expect(revoked.code).toBe(0);
    expect((await call('GET', '/admin/overview', undefined, HERE, short)).statusCode).toBe(404);
    expect(await newToken('bob', '192.0.2.10')).not.toBe(short);
    const listed = await adminRun({ DATABASE_URL: database.url }, ['operator', 'list']);
    expect(listed.lines.filter((line) => line.startsWith('bob'))).toHaveLength(2);
    expect(listed.text).not.toContain(short);
  });

  test('the token is stored as a hash alone, and needs named addresses', async () => {
    const { rows } = await sql<{ row: string }>`select t::text as row from operator_token t`.execute(
      services.deps.system.db,
    );
    expect(JSON.stringify(rows)).not.toContain(token.slice(3));
    for (const cidr of ['0.0.0.0/0', '::/0', 'nowhere']) {
      const args = ['operator', 'create', '--name', 'carl', '--cidr', cidr];
      const run = await adminRun({ DATABASE_URL: database.url }, args);
      expect([run.code, run.lines]).toEqual([1, []]);
    }
  });
});

describe('sources', () => {
  const LIST = '/admin/sources/my-list';

  test('are created, listed, changed, and deleted without losing their history', async () => {
    const body = { id: 'my-list', category: 'phishing', threatClass: 'threat' };
    expect(await statusAndBody('POST', '/admin/sources', body)).toMatchObject({
      status: 201,
      body: { source: { ownList: true, grade: 'B', fpRisk: 'low', redistributable: true } },
    });
    expect((await statusAndBody('POST', '/admin/sources', body)).status).toBe(409);
    expect((await statusAndBody('PATCH', LIST, { fpRisk: 'high' })).body.source.fpRisk).toBe('high');
    const { sources } = (await statusAndBody('GET', '/admin/sources')).body;
    expect(sources.map(({ id }: { id: string }) => id)).toContain('my-list');
    expect((await statusAndBody('DELETE', LIST)).status).toBe(204);
    expect((await statusAndBody('GET', LIST)).body.source).toMatchObject({ enabled: false, status: 'off' });
    expect((await statusAndBody('GET', '/admin/sources/none')).status).toBe(404);
  });

  test('a run is queued for the worker; the content routes say what is missing', async () => {
    const queued = await statusAndBody('POST', `${LIST}/run`, { force: true });
    expect(queued).toMatchObject({ status: 202, body: { sourceId: 'my-list' } });
    const { jobs } = (await statusAndBody('GET', '/admin/jobs?state=all')).body;
    expect(jobs).toContainEqual(expect.objectContaining({ id: queued.body.jobId, name: 'feeds.run' }));
    for (const what of ['release', 'discard', 'rollback'])
      expect([404, 409]).toContain((await statusAndBody('POST', `${LIST}/${what}`)).status);
  });

  test('scheduling a source with terms needs their acceptance, as on the command line', async () => {
    const row = services.deps.catalogue.find(({ licence }) => licence.optIn === true);
    await statusAndBody('POST', '/admin/sources', { id: row?.id });
    const change = (more: object) =>
      statusAndBody('PATCH', `/admin/sources/${row?.id}`, { scheduled: true, ...more });
    expect((await change({})).status).toBe(409);
    expect((await change({ acceptLicence: true })).body.source.scheduled).toBe(true);
  });

  test('proposals are approved or rejected; a rejection says why', async () => {
    await sql`insert into source_submission (id, account_id, name, type, url, submitted_at) values
      ('sbm_1', ${customer.accountId}, 'One', 'ip', 'https://a.example.org/1', now()),
      ('sbm_2', ${customer.accountId}, 'Two', 'ip', 'https://a.example.org/2', now())`.execute(
      services.deps.system.db,
    );
    expect((await statusAndBody('GET', '/admin/submissions')).body.submissions).toHaveLength(2);
    const decide = (id: string, body: object) => statusAndBody('PATCH', `/admin/submissions/${id}`, body);
    expect((await decide('sbm_1', { status: 'approved', sourceId: 'one' })).body.sourceId).toBe('one');
    expect((await decide('sbm_2', { status: 'rejected' })).status).toBe(400);
    expect((await decide('sbm_2', { status: 'rejected', note: 'spam' })).body.submission.note).toBe('spam');
    expect((await statusAndBody('GET', '/admin/submissions')).body.submissions).toEqual([]);
  });
});

describe('accounts', () => {
  test('are found by part of their address; a changed plan is in the audit trail under the name of the operator', async () => {
    const { users } = (await statusAndBody('GET', '/admin/users?search=CUSTOMER')).body;
    expect(users).toEqual([expect.objectContaining({ id: customer.accountId, plan: 'ENTERPRISE', keys: 1 })]);
    expect((await statusAndBody('GET', '/admin/users?search=%25')).body.users).toEqual([]);
    const url = `/admin/accounts/${customer.accountId}/subscription`;
    expect((await statusAndBody('PATCH', url, {})).status).toBe(400);
    const changed = await statusAndBody('PATCH', url, { plan: 'PRO', limits: { checksPerMonth: 7 } });
    expect(changed.body).toMatchObject({ plan: 'PRO', limits: { checksPerMonth: 7 } });
    const { rows } = await sql`
      select 1 from event_outbox where type = 'plan.changed' and account_id = ${customer.accountId}`.execute(
      services.deps.system.db,
    );
    expect(rows).toHaveLength(1);
    expect(
      (await statusAndBody('PATCH', '/admin/accounts/usr_none/subscription', { plan: 'PRO' })).status,
    ).toBe(404);
    const trail = await listAudit(services.deps.system.db, {
      accountId: customer.accountId,
      before: null,
      limit: 1,
    });
    expect(trail).toEqual([
      expect.objectContaining({ action: 'plan.set', actorKind: 'operator', actorId: 'ann', ip: HERE }),
    ]);
    const read = await statusAndBody(
      'GET',
      `/admin/audit?of=accounts&accountId=${customer.accountId}&limit=1`,
    );
    expect(read.body.entries[0].actor).toEqual({ kind: 'operator', id: 'ann' });
  });

  test('organizations are listed page by page', async () => {
    for (const name of ['One', 'Two', 'Three'])
      await adminRun({ DATABASE_URL: database.url }, ['org', 'create', '--name', name]);
    const first = (await statusAndBody('GET', '/admin/organizations?limit=2')).body;
    const second = (await statusAndBody('GET', `/admin/organizations?limit=2&before=${first.next}`)).body;
    const names = [...first.organizations, ...second.organizations].map(({ name }: { name: string }) => name);
    expect([names, second.next]).toEqual([['Three', 'Two', 'One'], null]);
  });

  test('licences are made, listed and revoked; a key is revoked', async () => {
    const made = await statusAndBody('POST', '/admin/licences', { accountId: customer.accountId });
    expect(made.status).toBe(201);
    const listed = await statusAndBody('GET', '/admin/licences');
    expect(JSON.stringify(listed.body)).toContain(made.body.id);
    expect(JSON.stringify(listed.body)).not.toContain(made.body.licence);
    expect((await statusAndBody('DELETE', `/admin/licences/${made.body.id}`)).status).toBe(204);
    expect((await statusAndBody('DELETE', `/admin/licences/${made.body.id}`)).status).toBe(404);
    const revoke = () => statusAndBody('POST', `/admin/keys/${customer.keyId}/revoke`);
    expect((await revoke()).body).toMatchObject({ accountId: customer.accountId, revoked: true });
    expect((await revoke()).status).toBe(404);
  });
});

describe('jobs and letters', () => {
  test('a job that failed for good is listed and retried', async () => {
    const { system } = services.deps;
    const id = await system.transaction((tx) => enqueue(tx, 'letters.forget', {}, { maxAttempts: 1 }));
    await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'It broke.' where id = ${id}::bigint`.execute(
      system.db,
    );
    const failed = (await statusAndBody('GET', '/admin/jobs')).body;
    expect(failed.jobs).toEqual([expect.objectContaining({ id, state: 'failed', lastError: 'It broke.' })]);
    expect((await statusAndBody('POST', `/admin/jobs/${id}/retry`)).status).toBe(200);
    expect((await statusAndBody('GET', '/admin/jobs')).body.jobs).toEqual([]);
    expect((await statusAndBody('POST', '/admin/jobs/999999/retry')).status).toBe(404);
  });

  test('a waiting letter is tried again; one that ended cannot be; topics can be paused', async () => {
    const { system, clock } = services.deps;
    const config = loadConfig({
      ASSAY_ENV: 'test',
      SMTP_URL: 'smtp://127.0.0.1',
      MAIL_FROM: 'a@example.com',
    });
    const letters = openLetters({ config, clock });
    for (const key of ['a', 'b'])
      await system.transaction((tx) =>
        letters.enqueueLetter(tx, { kind: 'address-taken', to: 'person@example.com', facts: {}, key }),
      );
    const waiting = (await statusAndBody('GET', '/emails/outbox')).body;
    expect(waiting.letters).toHaveLength(2);
    expect(JSON.stringify(waiting)).not.toContain('person@');
    const [{ id: first }, { id: second }] = waiting.letters;
    await sql`update letter set state = 'sent', sealed = null, finished_at = now() where id = ${second}`.execute(
      system.db,
    );
    expect((await statusAndBody('POST', `/emails/${first}/retry`)).status).toBe(200);
    expect((await statusAndBody('POST', `/emails/${second}/retry`)).status).toBe(409);
    expect((await statusAndBody('POST', '/emails/ltr_none/retry')).status).toBe(404);
    const paused = await statusAndBody('PATCH', '/emails/sequences', { id: 'quota', enabled: false });
    expect(paused.body.sequences).toContainEqual(
      expect.objectContaining({ id: 'quota', enabled: false, pausedBy: 'ann', kinds: ['quota-reached'] }),
    );
    await statusAndBody('PATCH', '/emails/sequences', { id: 'quota', enabled: true });
    const { sequences } = (await statusAndBody('GET', '/emails/sequences')).body;
    expect(sequences.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
  });
});

test('the overview counts what needs an operator, and the CVE dashboard says what is missing', async () => {
  const { body } = await statusAndBody('GET', '/admin/overview');
  expect(body).toMatchObject({
    submissions: { pending: 0 },
    webhooks: { failing: 0 },
    accounts: { users: 1 },
  });
  expect((await statusAndBody('GET', '/cve/dashboard')).body).toMatchObject({
    backlog: { pending: 0 },
    knownExploited: { records: 0, withoutProduct: 0 },
    fieldsCountedAt: null,
    fields: [],
  });
});

test('notices are made, listed and ended', async () => {
  const made = await statusAndBody('POST', '/admin/notices', {
    severity: 'incident',
    title: 'TAXII is slow',
  });
  expect(made).toMatchObject({ status: 201, body: { notice: { endsAt: null } } });
  const ended = await statusAndBody('POST', `/admin/notices/${made.body.notice.id}/end`);
  expect(ended.body.notice.endsAt).not.toBeNull();
  expect((await statusAndBody('POST', `/admin/notices/${made.body.notice.id}/end`)).status).toBe(404);
  expect((await statusAndBody('GET', '/admin/notices')).body.notices).toHaveLength(1);
});

test('every act has a row with the name of the operator, its target and its outcome, also a refused one', async () => {
  const acts = await actsOf();
  const done = (action: string) =>
    acts.filter((each) => each.action === action).map(({ outcome }) => outcome);
  expect(done('source.create')).toEqual(['done', 'refused', 'done']);
  expect(done('plan.set')).toEqual(['refused', 'done']);
  expect(done('key.revoke')).toEqual(['refused', 'done']);
  expect(acts.every(({ outcome }) => outcome !== null)).toBe(true);
  const { system } = services.deps;
  await expect(sql`delete from operator_act`.execute(system.db)).rejects.toThrow(/permission denied/);
  await expect(sql`update operator_act set operator = 'x'`.execute(system.db)).rejects.toThrow(
    /permission denied/,
  );
});
