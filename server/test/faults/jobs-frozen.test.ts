import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#platform/config.ts';
import { enqueue } from '#platform/jobs.ts';
import { migrate } from '#platform/migrate.ts';
import { asSystem, type Postgres } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { INHERITED_ENV } from '#test/service.ts';

const WAIT_MS = bySize(60_000, 10_000);
/** The first worker to return waits two heartbeats before it sweeps others; long, so that a busy machine keeps them. */
const [HEARTBEAT_MS, LEASE_MS] = [2_500, 8_000];
const LONGER_THAN_A_LEASE_MS = 9_500;

let server: PostgresServer;
let system: Postgres;
let owner: pg.Client;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  const url = server.url('assay');
  await migrate(url);
  system = asSystem(loadConfig({ DATABASE_URL: url }));
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`create table probe (id bigint generated always as identity, step text, job_id text, pid int);
    grant select, insert on probe to assay_system`);
  const timing = { TEST_HEARTBEAT_MS: String(HEARTBEAT_MS), TEST_LEASE_MS: String(LEASE_MS) };
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent', ...timing };
  for (let n = 0; n < 2; n += 1)
    workers.push(
      spawn(process.execPath, [join(import.meta.dirname, 'jobs-child.ts')], {
        env: { ...INHERITED_ENV, ...env },
        stdio: 'ignore',
      }),
    );
});
afterAll(async () => {
  for (const worker of workers) {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
  await system?.close();
  await owner?.end();
  await server?.stop();
});

const count = async (from: string): Promise<number> => {
  const { rows } = await owner.query<{ n: number }>(`select count(*)::int as n from ${from}`);
  return rows[0]?.n ?? -1;
};
const ran = (jobs: number) => async () =>
  (await count('probe')) >= jobs && (await count('graphile_worker.jobs')) === 0;
const renewedSince =
  (since: Date, renewed = 2) =>
  async () => {
    const counted = 'select count(*)::int as n from worker_lease where seen_at > $1';
    return (await owner.query<{ n: number }>(counted, [since])).rows[0]?.n === renewed;
  };
const databaseNow = async () => (await owner.query<{ now: Date }>('select now()')).rows[0]?.now as Date;
const add = () => system.transaction((tx) => enqueue(tx, 'test.flaky', { failures: 0 }));

test(`PostgreSQL frozen for longer than a lease: the workers continue within ${WAIT_MS / 1_000} s, and neither declares the other dead`, async () => {
  await eventually('both workers hold a lease', 60_000, async () => (await count('worker_lease')) === 2);
  await add();
  await eventually('the first job runs', 60_000, ran(1));
  server.freeze();
  await sleep(LONGER_THAN_A_LEASE_MS);
  server.thaw();
  await add();
  await eventually('the second job runs', WAIT_MS, ran(2));
  await eventually('both leases are renewed', 60_000, renewedSince(await databaseNow()));
  expect(workers.map((worker) => worker.exitCode)).toEqual([null, null]);
}, 600_000);

test('all workers suspended for longer than a lease: the first to wake gives the others time to renew their leases', async () => {
  await eventually('both workers hold a lease', 60_000, async () => (await count('worker_lease')) === 2);
  const [first, second] = workers;
  first?.kill('SIGSTOP');
  second?.kill('SIGSTOP');
  await sleep(LONGER_THAN_A_LEASE_MS);
  const wokenAt = await databaseNow();
  first?.kill('SIGCONT');
  await eventually('the first lease is renewed', 60_000, renewedSince(wokenAt, 1));
  second?.kill('SIGCONT');
  await eventually('both leases are renewed', 60_000, renewedSince(wokenAt));
  expect(workers.map((worker) => worker.exitCode)).toEqual([null, null]);
}, 600_000);
