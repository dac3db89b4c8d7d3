import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, PATIENT, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { openTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import {
  asSystem,
  connectPostgres,
  isPostgresAway,
  isReadOnlyRefusal,
  pingPostgres,
  sql,
} from './postgres.ts';
import { writableUrl } from './postgres-hosts.ts';

let database: TestDatabase;
/** Two ways to the same server stand for two hosts; one of them ends as a host that is lost. */
let hosts: [TcpProxy, TcpProxy];
let owner: pg.Client;

const urlOf = (...ports: number[]): string => {
  const url = new URL(database.url);
  return url.href.replace(url.host, ports.map((port) => `127.0.0.1:${port}`).join(','));
};

beforeAll(async () => {
  database = await createTestDatabase();
  const target = { host: '127.0.0.1', port: Number(new URL(database.url).port || 5432) };
  hosts = [await openTcpProxy(target), await openTcpProxy(target)];
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await Promise.all(hosts.map((host) => host.close().catch(() => undefined)));
  await database.drop();
});

const portOf = async (postgres: { readonly pool: pg.Pool }): Promise<number> => {
  const client = await postgres.pool.connect();
  client.release();
  return (client as unknown as pg.Client).port;
};

test('a host that is away is passed over, and all hosts away is an error as of one host', async () => {
  const config = { DATABASE_URL: urlOf(9, hosts[0].port), POSTGRES_POOL_MAX: 2 };
  const system = asSystem(config, PATIENT);
  expect(await pingPostgres(system)).toBe('writable');
  expect(await portOf(system)).toBe(hosts[0].port);
  await system.close();
  const away = connectPostgres({ DATABASE_URL: urlOf(9, 10), POSTGRES_POOL_MAX: 1 }, 'assay_app', PATIENT);
  const error = await pingPostgres(away).catch((reason: unknown) => reason);
  expect(isPostgresAway(error)).toBe(true);
  expect(isReadOnlyRefusal(error)).toBe(false);
  await away.close();
});

test('migrations and connections outside of a pool go to the writable host', async () => {
  expect(await writableUrl(urlOf(9, hosts[1].port), 'postgres')).toBe(urlOf(hosts[1].port));
  expect(await writableUrl('postgres://127.0.0.1:9/none')).toBe('postgres://127.0.0.1:9/none');
});

test('while no host accepts writes, reads are answered, and work that writes gets a refusal and not a standby', async () => {
  await owner.query(`alter database "${database.name}" set default_transaction_read_only = on`);
  const config = { DATABASE_URL: urlOf(hosts[0].port, 9), POSTGRES_POOL_MAX: 2 };
  const [app, system] = [connectPostgres(config, 'assay_app', PATIENT), asSystem(config, PATIENT)];
  expect(await pingPostgres(app)).toBe('readOnly');
  const refused = await pingPostgres(system).catch((error: unknown) => error);
  expect(isReadOnlyRefusal(refused)).toBe(true);
  await owner.query(`alter database "${database.name}" reset default_transaction_read_only`);
  await eventually('writes work again without a restart', 10_000, () =>
    pingPostgres(system).then(
      (state) => state === 'writable',
      () => false,
    ),
  );
  await app.close();
  await system.close();
});

test('connections move to the other host when theirs is lost, those in use too', async () => {
  const config = { DATABASE_URL: urlOf(hosts[0].port, hosts[1].port), POSTGRES_POOL_MAX: 3 };
  const [app, system] = [connectPostgres(config, 'assay_app', PATIENT), asSystem(config, PATIENT)];
  await pingPostgres(app);
  const before = await portOf(system);
  const [lost, other] = before === hosts[0].port ? hosts : [hosts[1], hosts[0]];
  const working = sql`select pg_sleep(60)`.execute(system.db).catch((error: unknown) => error);
  await eventually('it works', 10_000, async () => {
    const { rows } = await owner.query(
      "select 1 from pg_stat_activity where datname = $1 and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
      [database.name],
    );
    return rows.length === 1;
  });
  await lost.close();
  expect(isPostgresAway(await working)).toBe(true);
  for (const postgres of [app, system]) {
    await eventually('it moved', 20_000, () =>
      pingPostgres(postgres).then(
        () => true,
        () => false,
      ),
    );
    expect(await portOf(postgres)).toBe(other.port);
    await postgres.close();
  }
});
