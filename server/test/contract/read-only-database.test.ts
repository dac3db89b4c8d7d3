import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asServiceError } from '#platform/http/render-error.ts';
import { createTestAccess, FROM_DASHBOARD, type TestAccess } from '#test/access.ts';
import { eventually } from '#test/eventually.ts';

/** As during a failover: PostgreSQL answers, and refuses every write with SQLSTATE 25006. */
let t: TestAccess;
let owner: pg.Client;
let cookie: string;

const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) =>
  t.app.inject({
    method,
    url,
    headers: { cookie, ...FROM_DASHBOARD, ...headers },
    ...(method === 'POST' && { payload: {} }),
  });
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const { name } = t.database;
  await owner.query(
    `alter database "${name}" ${isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
  );
  // Sessions that were opened before keep what they had.
  if (isReadOnly)
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
  await eventually(
    'the pool has new connections',
    10_000,
    async () => (await call('GET', '/user/keys')).statusCode === 200,
  );
}

beforeAll(async () => {
  t = await createTestAccess();
  owner = new pg.Client({ connectionString: t.database.url });
  await owner.connect();
  const user = await t.newUser('owner@example.com');
  cookie = await t.newCookie(user);
  await setReadOnly(true);
});
afterAll(async () => {
  await owner?.end();
  await t?.close();
});

describe('a PostgreSQL that accepts no writes (decisions O72)', () => {
  test.each([
    ['plain', {}],
    ['with an Idempotency-Key', { 'idempotency-key': 'of-a-failover' }],
  ])('a write is 503 with Retry-After and says that nothing was changed: %s', async (_name, headers) => {
    const answer = await call('POST', '/user/keys', headers);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.json()).toMatchObject({
      error: 'Service unavailable',
      message: 'The database accepts no changes right now. Nothing was changed; try again in 5 seconds.',
    });
  });

  test('reads go on, also of a session that was last seen long ago', async () => {
    expect((await call('GET', '/user/keys')).statusCode).toBe(200);
    t.clock.advance(3_600_000);
    expect((await call('GET', '/user/keys')).statusCode).toBe(200);
    t.clock.advance(-3_600_000);
  });

  test('writes work again by themselves, and an Idempotency-Key that was refused is not spent', async () => {
    await setReadOnly(false);
    const again = () => call('POST', '/user/keys', { 'idempotency-key': 'of-a-failover' });
    let answer = await again();
    // Each connection that was opened meanwhile refuses one more write and is closed.
    for (let tries = 0; answer.statusCode === 503 && tries < 4; tries += 1) answer = await again();
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a transaction that PostgreSQL undid in favor of another one', () => {
  const failure = (code: string) => asServiceError(Object.assign(new Error('deadlock detected'), { code }));

  test.each(['40001', '40P01'])('%s is 503: nothing was changed', (code) => {
    const { status, message, options } = failure(code);
    expect([status, options.headers]).toEqual([503, { 'Retry-After': '1' }]);
    expect(message).toContain('Nothing was changed');
  });

  test('a session that the server ended for idling (57P05) is 503', () => {
    expect(failure('57P05').status).toBe(503);
  });

  test('with an Idempotency-Key it is run again as a whole', async () => {
    // The trigger undoes the first two tries, as the choice of a deadlock's victim would.
    await owner.query(`
      create sequence tries_of_a_test;
      grant usage on sequence tries_of_a_test to public;
      create function undo_the_first_tries() returns trigger language plpgsql as $$
        begin
          if nextval('tries_of_a_test') < 3 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
          return new;
        end $$;
      create trigger undo before insert on api_key for each row execute function undo_the_first_tries()`);
    const before = (await call('GET', '/user/keys')).json<{ keys: unknown[] }>().keys.length;
    expect((await call('POST', '/user/keys', { 'idempotency-key': 'undone-twice' })).statusCode).toBe(201);
    expect((await call('GET', '/user/keys')).json<{ keys: unknown[] }>().keys).toHaveLength(before + 1);
    await owner.query('alter sequence tries_of_a_test restart');
    expect((await call('POST', '/user/keys')).statusCode).toBe(503);
  });
});
