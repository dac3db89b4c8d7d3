import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadConfig } from '#platform/config.ts';
import { enqueue } from '#platform/jobs.ts';
import { asSystem, connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createTestDatabase, PATIENT as PATIENT_LIMITS, type TestDatabase } from '#test/database.ts';
import { expectWithin } from '#test/expect-within.ts';
import { bySize, IS_FULL_SIZE } from '#test/lane.ts';
import { INHERITED_ENV } from '#test/service.ts';

/** A worker with these settings takes over one second after the last heartbeat of another one. */
const FAST = { TEST_HEARTBEAT_MS: '200', TEST_LEASE_MS: '1000' };
/** With these settings a worker that a busy machine delays is not declared dead. */
const PATIENT = { TEST_HEARTBEAT_MS: '500', TEST_LEASE_MS: '5000' };
/** For workers that must keep their lease: only a machine without other work keeps a lease of one second. */
const UNDISTURBED = bySize(PATIENT, FAST);
/** Generous, because a test waits for a fact; a test about time measures it itself. */
const WAIT_MS = 60_000;
const CUTS = bySize(5, 10);
const JOBS_PER_CUT = 4;
vi.setConfig({ testTimeout: 180_000 });

let database: TestDatabase;
let system: Postgres;
let app: Postgres;
let owner: pg.Client;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url });
  system = asSystem(config);
  app = connectPostgres(config, 'assay_app', PATIENT_LIMITS);
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create table probe (id bigint generated always as identity, step text not null,
    job_id text not null, pid int not null, at timestamptz not null default clock_timestamp());
    grant select, insert, delete on probe to assay_system`);
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await sql`delete from worker_lease`.execute(system.db);
  await sql`delete from graphile_worker._private_jobs`.execute(system.db);
  await sql`delete from probe`.execute(system.db);
});

afterAll(async () => {
  await system.close();
  await app.close();
  await owner.end();
  await database.drop();
});

function startWorker(env: Record<string, string>): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'jobs-child.ts')], {
    env: { ...INHERITED_ENV, DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'inherit', process.env.TEST_LOG === undefined ? 'ignore' : 'inherit'],
  });
  children.push(child);
  if (child.pid === undefined) throw new Error('The worker process did not start.');
  return child as ChildProcess & { pid: number };
}

type Probe = { step: string; pid: number; jobId: string };
const probes = async (): Promise<Probe[]> => {
  const { rows } = await sql<Probe>`select step, pid, job_id as "jobId" from probe order by id`.execute(
    system.db,
  );
  return rows;
};
const jobCount = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from graphile_worker.jobs`.execute(
    system.db,
  );
  return rows[0]?.n ?? -1;
};

async function until<T>(
  what: string,
  withinMs: number,
  look: () => Promise<T | false | undefined>,
): Promise<T> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > endsAt) throw new Error(`Waited ${withinMs} ms in vain for: ${what}.`);
    await sleep(50);
  }
}
const started = (pid: number) =>
  until('the job to start', WAIT_MS, async () =>
    (await probes()).some((row) => row.step === 'started' && row.pid === pid),
  );
const leases = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from worker_lease`.execute(system.db);
  return rows[0]?.n ?? -1;
};
const holdsLease = async (pid: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from worker_lease where process = ${`node ${pid}`}`.execute(system.db);
  return rows.length === 1;
};

test('a job enqueued in a transaction that rolls back never exists, and one that commits runs', async () => {
  await expect(
    system.transaction(async (tx) => {
      await enqueue(tx, 'test.flaky', { failures: 0 });
      throw new Error('Change of mind.');
    }),
  ).rejects.toThrow('Change of mind.');
  expect(await jobCount()).toBe(0);
  // The role that serves callers may add a job, but cannot read jobs.
  await app.transaction((tx) => enqueue(tx, 'test.flaky', { failures: 0 }));
  await expect(sql`select * from graphile_worker.jobs`.execute(app.db)).rejects.toThrow(/permission denied/);
  expect(await jobCount()).toBe(1);
  startWorker(UNDISTURBED);
  await until(
    'the job to run',
    WAIT_MS,
    async () => (await probes()).length === 1 && (await jobCount()) === 0,
  );
});

test('a key has one waiting job at most, with the latest payload', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000);
  await system.transaction(async (tx) => {
    await enqueue(tx, 'test.flaky', { failures: 1 }, { key: 'source-1', runAt: inAnHour });
    await enqueue(tx, 'test.flaky', { failures: 0 }, { key: 'source-1' });
  });
  const { rows } = await sql<{ payload: unknown }>`
    select payload from graphile_worker._private_jobs`.execute(system.db);
  expect(rows).toEqual([{ payload: { failures: 0 } }]);
});

test('a job that fails is tried again after a pause, and one that always fails ends at its last attempt', async () => {
  await system.transaction((tx) => enqueue(tx, 'test.flaky', { failures: 1 }, { maxAttempts: 3 }));
  await system.transaction((tx) => enqueue(tx, 'test.flaky', { failures: 5 }, { maxAttempts: 1 }));
  const begun = performance.now();
  startWorker(UNDISTURBED);
  const rows = await until('the second attempt', WAIT_MS, async () => {
    const seen = await probes();
    return seen.length >= 3 && seen.some((row) => row.step === 'attempt 2') && seen;
  });
  expect(rows.map((row) => row.step).sort()).toEqual(['attempt 1', 'attempt 1', 'attempt 2']);
  // The first pause is e = 2.718 seconds.
  expect(performance.now() - begun).toBeGreaterThan(2_700);
  await until('the good job to go', WAIT_MS, async () => (await jobCount()) === 1);
});

test('a job past its timeout commits nothing, even though it was inside its transaction', async () => {
  await system.transaction((tx) => enqueue(tx, 'test.overdue', {}, { maxAttempts: 1 }));
  startWorker(UNDISTURBED);
  await until('the failure to be recorded', WAIT_MS, async () => {
    const { rows } = await sql`select 1 from graphile_worker.jobs where last_error is not null`.execute(
      system.db,
    );
    return rows.length === 1;
  });
  expect(await probes()).toEqual([]);
});

test(`kill -9: another worker takes the job over (${Number(UNDISTURBED.TEST_LEASE_MS) / 1_000} s lease)`, async () => {
  await system.transaction((tx) => enqueue(tx, 'test.hold', { holdMs: 60_000 }));
  const first = startWorker(UNDISTURBED);
  await started(first.pid);
  const second = startWorker(UNDISTURBED);
  await until('both leases', WAIT_MS, async () => (await leases()) === 2);
  first.kill('SIGKILL');
  const killedAt = performance.now();
  await until('the second worker to finish', WAIT_MS, async () =>
    (await probes()).some((row) => row.step === 'finished' && row.pid === second.pid),
  );
  expectWithin(performance.now() - killedAt, 6_000);
});

test.runIf(IS_FULL_SIZE)(
  'kill -9 with the real figures (5 s heartbeat, 15 s lease): taken over within 30 s',
  async () => {
    await system.transaction((tx) => enqueue(tx, 'test.hold', { holdMs: 60_000 }));
    const first = startWorker({});
    await started(first.pid);
    first.kill('SIGKILL');
    const killedAt = performance.now();
    const second = startWorker({});
    await until('the second worker to finish', 40_000, async () =>
      (await probes()).some((row) => row.step === 'finished' && row.pid === second.pid),
    );
    const tookMs = performance.now() - killedAt;
    console.info(`kill -9 to the second worker's commit: ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(30_000);
  },
);

test.each([
  ['between its transactions', 'test.hold'],
  ['inside a transaction', 'test.hold-open'],
])('a worker suspended %s cannot commit when it resumes, and exits', async (_where, name) => {
  // Long enough that the worker is suspended before the job's next step, however late this process is.
  await system.transaction((tx) => enqueue(tx, name, { holdMs: 7_000 }));
  // The worker's next heartbeat comes after the job's next step, so only the fence can refuse the commit.
  const first = startWorker({ ...FAST, TEST_HEARTBEAT_MS: '15000' });
  await started(first.pid);
  first.kill('SIGSTOP');
  const second = startWorker(UNDISTURBED);
  await until('the second lease', WAIT_MS, () => holdsLease(second.pid));
  const secondUpAt = performance.now();
  await until('the second worker to finish', WAIT_MS, async () =>
    (await probes()).some((row) => row.step === 'finished' && row.pid === second.pid),
  );
  // The sweeper ends the connection; waiting for idle_in_transaction_session_timeout would take 10 s.
  expectWithin(performance.now() - secondUpAt, 6_000);
  first.kill('SIGCONT');
  const [code] = await once(first, 'exit');
  expect(code).toBe(75);
  const finished = (await probes()).filter((row) => row.step === 'finished');
  expect(finished.map((row) => row.pid)).toEqual([second.pid]);
  await until('the job to go', WAIT_MS, async () => (await jobCount()) === 0);
});

test('a transaction longer than the lease does not starve the heartbeat', async () => {
  await system.transaction((tx) => enqueue(tx, 'test.hold-open', { holdMs: 8_000 }));
  const first = startWorker(PATIENT);
  await started(first.pid);
  startWorker(PATIENT);
  await until('the job to go', WAIT_MS, async () => (await jobCount()) === 0);
  expect((await probes()).map((row) => [row.step, row.pid])).toEqual([
    ['started', first.pid],
    ['finished', first.pid],
  ]);
});

test('a worker that stops on SIGTERM releases its lease and its jobs at once', async () => {
  await system.transaction((tx) => enqueue(tx, 'test.hold', { holdMs: 60_000 }));
  const first = startWorker({});
  await started(first.pid);
  first.kill('SIGTERM');
  const [code] = await once(first, 'exit');
  expect(code).toBe(0);
  expect(await leases()).toBe(0);
  const { rows } = await sql`select 1 from graphile_worker.jobs where locked_by is not null`.execute(
    system.db,
  );
  expect(rows).toEqual([]);
});

test('two workers add one job per scheduled minute between them', async () => {
  await sql`insert into graphile_worker._private_known_crontabs (identifier, known_since)
            values ('test.tick', now() - interval '1 hour')`.execute(system.db);
  const env = { ...PATIENT, TEST_CATCH_UP_MS: '600000' };
  startWorker(env);
  startWorker(env);
  await until('both leases', WAIT_MS, async () => (await leases()) === 2);
  await until('ten minutes to be made up for', WAIT_MS, async () => {
    return (await probes()).length >= 9 && (await jobCount()) === 0;
  });
  const ticks = (await probes()).map((row) => row.step);
  expect(new Set(ticks).size).toBe(ticks.length);
});

test(`connections cut ${CUTS} times, each time with jobs waiting: the worker survives, and no job is lost`, async () => {
  const worker = startWorker(UNDISTURBED);
  for (let cut = 1; cut <= CUTS; cut += 1) {
    const before = (await probes()).length;
    for (let n = 0; n < JOBS_PER_CUT; n += 1)
      await system.transaction((tx) => enqueue(tx, 'test.flaky', { failures: 0 }));
    await until(`a job to run before cut ${cut}`, WAIT_MS, async () => (await probes()).length > before);
    await cutConnectionsOf(worker.pid);
  }
  await until('every job to run', WAIT_MS, async () => {
    // A job that several cuts have hit waits up to 54 s for its next attempt; how long is not the claim here.
    await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
      system.db,
    );
    return (await jobCount()) === 0;
  });
  expect(new Set((await probes()).map((row) => row.jobId)).size).toBe(CUTS * JOBS_PER_CUT);
  expect(worker.exitCode).toBeNull();
});

async function cutConnectionsOf(pid: number): Promise<void> {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const ports = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => sockets.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and client_port = any($1)`,
    [ports],
  );
}
