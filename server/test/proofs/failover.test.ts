import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';
import { connectPostgres } from '#platform/postgres.ts';
import { cookieWith } from '#test/access.ts';
import { PATIENT } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { ADDRESSES } from '#test/fuzz-routes.ts';
import { MAIN } from '#test/main-file.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';

const WEB_URL = 'http://127.0.0.1:8080';
const WRITE_EVERY_MS = 50;
/** From the promotion to the first write that works: a round of questions a second, and a new connection. */
const RECOVERED_WITHIN_MS = 5_000;

let primary: PostgresServer;
let standby: PostgresServer;
let service: Service;
let worker: ChildProcess;
let cookie: string;
let key: { header: string; accountId: string; userId: string };
const standbyDir = mkdtempSync(join(tmpdir(), 'assay-standby-'));

const program = (name: string): string =>
  join('/usr/lib/postgresql', readdirSync('/usr/lib/postgresql').sort().at(-1) ?? '', 'bin', name);

/** A standby that receives every write before it is acknowledged. */
async function startStandby(): Promise<void> {
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  chownSync(standbyDir, uid, gid);
  const { port } = new URL(primary.url('postgres'));
  const source = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  const asPostgres = ['runuser', '-u', 'postgres', '--'];
  const copy = [program('pg_basebackup'), '-R', '-c', 'fast', '-d', source, '-D', join(standbyDir, 'data')];
  const [command = '', ...args] = [...asPostgres, ...copy];
  execFileSync(command, args, { stdio: 'ignore' });
  standby = await startPostgresServer({ dir: standbyDir });
  await onServer(primary.url('postgres'), "alter system set synchronous_standby_names = '*'");
  await onServer(primary.url('postgres'), 'select pg_reload_conf()');
}

async function onServer<T extends object>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  primary = await startPostgresServer();
  await migrate(primary.url('assay'));
  await startStandby();
  const [one, two] = [primary, standby].map((server) => new URL(server.url('assay')).host);
  // The standby comes first: the order of the hosts must not matter.
  const databaseUrl = `postgres://postgres@${two},${one}/assay`;
  service = await startService({
    databaseUrl,
    processes: 2,
    env: {
      PUBLIC_WEB_URL: WEB_URL,
      POSTGRES_WAIT_FACTOR: '1',
      PUBLIC_PER_MINUTE: '100000',
      ANON_PER_HOUR: '100000',
      LIVE_PROVIDERS: 'none',
    },
  });
  worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...service.env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
  key = await service.admin(
    'key',
    'create',
    '--email',
    'failover@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify({ burstPerMinute: 1_000_000 }),
  );
  const app = connectPostgres(
    { DATABASE_URL: primary.url('assay'), POSTGRES_POOL_MAX: 1 },
    'assay_app',
    PATIENT,
  );
  const { accountId, userId } = key;
  const { token } = await createSession(
    { postgres: app, clock: systemClock() },
    { accountId, userId, ip: '127.0.0.1', userAgent: 'test' },
  );
  await app.close();
  cookie = cookieWith(loadConfig(service.env), token);
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await service?.stop();
  await standby?.stop();
  await primary?.stop();
  rmSync(standbyDir, { recursive: true, force: true });
});

type Seen = { readonly status: number; readonly retryAfter: string | null; readonly text: string };
async function ask(method: 'GET' | 'POST', path: string, headers: Record<string, string>): Promise<Seen> {
  const answer = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      origin: WEB_URL,
      ...headers,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(method === 'POST' && { body: '{"label":"of a failover"}' }),
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() };
}
const write = () => ask('POST', '/user/keys', { cookie });
const readStored = () => ask('GET', '/user/keys', { cookie });
const check = () => ask('GET', '/check?query=203.0.114.7', { 'x-api-key': key.header });
const databaseState = async (): Promise<string> => {
  const { text } = await ask('GET', '/health', {});
  return (JSON.parse(text) as { services: { database: string } }).services.database;
};
const madeKeys = (seen: readonly Seen[]): string[] =>
  seen.flatMap(({ status, text }) => (status === 201 ? [(JSON.parse(text) as { id: string }).id] : []));

/** The status of every route that reads, as the caller of the session and of the key. */
async function readAll(): Promise<ReadonlyMap<string, number>> {
  const reads = ADDRESSES.filter(({ route }) => route.method === 'GET');
  const statuses = new Map<string, number>();
  for (const { template } of reads)
    for (const [caller, headers] of [
      ['session', { cookie, origin: WEB_URL }],
      ['key', { 'x-api-key': key.header }],
    ] as const) {
      const leave = new AbortController();
      const answer = await fetch(`${service.url}${template.replace(/:\w+/g, 'x')}`, {
        headers,
        redirect: 'manual',
        signal: leave.signal,
      });
      statuses.set(`${caller} ${template}`, answer.status);
      leave.abort();
    }
  return statuses;
}

describe('a planned switchover: the server stays reachable and becomes read-only', () => {
  test('writes are 503 and reads go on until it accepts writes again', async () => {
    const server = primary.url('postgres');
    expect((await write()).status).toBe(201);
    const before = await readAll();
    await onServer(server, 'alter database assay set default_transaction_read_only = on');
    await onServer(server, "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'assay'");
    await eventually('writes are refused', 10_000, async () => {
      const { status, text } = await write();
      return status === 503 && text.includes('accepts no changes right now');
    });
    const during = await readAll();
    const refused = [...during].filter(([name, status]) => status >= 500 && (before.get(name) ?? 500) < 500);
    console.log(`figure reads-while-read-only ${during.size}`);
    console.log(`figure reads-refused ${refused.length}`);
    expect(refused).toEqual([]);
    await onServer(server, 'alter database assay reset default_transaction_read_only');
    await eventually('writes work again', 10_000, async () => (await write()).status === 201);
  });
});

describe('the primary is lost and its standby is promoted', () => {
  test('writes are 503 and reads are answered meanwhile; everything works again without a restart', async () => {
    const writes: Seen[] = [];
    const checks: Seen[] = [];
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        writes.push(await write());
        checks.push(await check());
        await sleep(WRITE_EVERY_MS);
      }
    })().catch(() => undefined);
    onTestFinished(() => {
      isOver = true;
    });
    await eventually('writes are made', 30_000, () => madeKeys(writes).length >= 20);
    expect(await databaseState()).toBe('operational');

    await primary.kill();
    await eventually(
      '/health says that writes are refused',
      10_000,
      async () => (await databaseState()) === 'degraded',
    );
    await eventually(
      'stored things are read from the standby',
      10_000,
      async () => (await readStored()).status === 200,
    );
    const refusals = writes.filter(({ status }) => status !== 201).length;
    await eventually(
      'writes are refused',
      10_000,
      () => writes.filter(({ status }) => status !== 201).length >= refusals + 5,
    );

    const before = madeKeys(writes).length;
    await onServer(standby.url('postgres'), 'select pg_promote()');
    const recoveredMs = await eventually(
      'writes work again',
      RECOVERED_WITHIN_MS,
      () => madeKeys(writes).length >= before + 5,
    );
    isOver = true;
    await load;

    console.log(`figure failover-writes ${writes.length}`);
    console.log(`figure failover-writes-refused ${writes.filter(({ status }) => status === 503).length}`);
    console.log(`figure failover-checks ${checks.length}`);
    console.log(`figure failover-recovered-ms ${Math.round(recoveredMs)}`);
    expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([201, 503]));
    for (const { retryAfter, text } of writes.filter(({ status }) => status === 503)) {
      expect(retryAfter).toMatch(/^[1-5]$/);
      expect(text).toContain('Nothing was changed');
    }
    expect(checks.filter(({ status }) => status !== 200)).toEqual([]);
    const kept = await onServer<{ id: string }>(standby.url('assay'), 'select id from api_key');
    const ids = new Set(kept.map(({ id }) => id));
    expect(madeKeys(writes).filter((id) => !ids.has(id))).toEqual([]);
    await eventually('/health is calm', 10_000, async () => (await databaseState()) === 'operational');
  });

  test('the replicator, the worker and the operator commands use the new primary', async () => {
    const made = await service.admin<{ header: string }>('key', 'create', '--email', 'after@example.com');
    await eventually('a key made afterwards is known', 30_000, async () => {
      const answer = await ask('GET', '/check?query=203.0.114.8', { 'x-api-key': made.header });
      return answer.status === 200;
    });
    // Of a task that no worker knows, which only a worker that asks the queue marks as failed.
    await onServer(
      standby.url('assay'),
      "select graphile_worker.add_job('of_a_test', '{}', max_attempts => 1)",
    );
    await eventually('the worker renews its lease', 60_000, async () => {
      const leases = await onServer(
        standby.url('assay'),
        "select 1 from worker_lease where seen_at > now() - interval '10 seconds'",
      );
      return leases.length === 1;
    });
    const ran = () =>
      onServer<{ attempts: number }>(
        standby.url('assay'),
        'select attempts from graphile_worker.jobs where attempts > 0 or locked_at is not null',
      );
    await eventually('a job was taken from the new primary', 120_000, async () => (await ran()).length > 0);
  });
});
