import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { loadConfig } from './config.ts';
import { asSystem, type LentConnection, lendConnection, type Postgres, sql } from './postgres.ts';

let database: TestDatabase;
let system: Postgres;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  system = asSystem({ ...loadConfig({ DATABASE_URL: database.url }), POSTGRES_POOL_MAX: 1 });
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await system.close();
  await database.drop();
});

const pidOf = async ({ client }: Pick<LentConnection, 'client'>): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
const lentPid = () => lendConnection(system, pidOf);

test('a lent connection returns to the pool, also when the work fails', async () => {
  const pid = await lentPid();
  const failing = lendConnection(system, () => Promise.reject(new Error('refused by a gate')));
  await expect(failing).rejects.toThrow('refused by a gate');
  expect(await lentPid()).toBe(pid);
});

test('its kysely speaks on the same connection', async () => {
  const same = lendConnection(system, async (lent) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(lent.db);
    return rows[0]?.pid === (await pidOf(lent));
  });
  expect(await same).toBe(true);
});

test('a server that ends an idle lent connection is noticed, and the connection is not lent again', async () => {
  let ended = 0;
  await lendConnection(system, async (lent) => {
    ended = await pidOf(lent);
    const noticed = sleep(60_000, 'late', { signal: lent.broken }).catch(() => 'noticed');
    await owner.query('select pg_terminate_backend($1)', [ended]);
    expect(await noticed).toBe('noticed');
  });
  expect(await lentPid()).not.toBe(ended);
});

test('a connection that was cut, or is to be closed, is not lent again', async () => {
  const cut = await lendConnection(system, async (lent) => {
    const pid = await pidOf(lent);
    lent.cut();
    return pid;
  });
  const closed = await lendConnection(system, pidOf, { isClosed: true });
  expect(closed).not.toBe(cut);
  expect(await lentPid()).not.toBe(closed);
});
