import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { sql } from '#platform/postgres.ts';
import { loginsOf, makeLogins } from '#platform/service-logins.ts';
import { type Acknowledged, findLost, WRITE_KINDS, WRITES_ENV, Writer } from '#test/acknowledged-writes.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { type PostgresServer, startPostgresServer } from '#test/postgres-server.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

const MAIN = join(import.meta.dirname, '../../src/app/main.ts');
const WRITES = bySize(200, 5_000);
const WRITERS = bySize(4, 12);
/** Each round kills one listener, the worker and the whole of PostgreSQL. */
const ROUNDS = bySize(1, 7);
const LIMITS = { burstPerMinute: 1_000_000, checksPerMonth: 100_000_000 };

let postgres: PostgresServer;
let service: Service;
let accounts: ServiceAccounts;
let worker: ChildProcess;
const random = seededRandom('acknowledged-writes');

beforeAll(async () => {
  postgres = await startPostgresServer({ isDurable: true });
  const ownerUrl = postgres.url('assay');
  await migrate(ownerUrl);
  const as = (login: string) => ownerUrl.replace('//postgres@', `//${login}:password-of-a-test@`);
  const logins = { DATABASE_URL: as('assay_app_login'), SYSTEM_DATABASE_URL: as('assay_system_login') };
  await makeLogins(ownerUrl, loginsOf(logins));
  // The logins of production: everything below works without a powerful one.
  service = await startService({
    databaseUrl: logins.DATABASE_URL,
    processes: bySize(1, 2),
    env: { ...logins, ...WRITES_ENV, ALLOW_POWERFUL_LOGIN: 'false' },
  });
  accounts = openAccounts(service);
  startWorker();
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await accounts?.close();
  await service?.stop();
  await postgres?.stop();
});

function startWorker(): void {
  worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...service.env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
}

const KILLS: Readonly<Record<string, () => Promise<void>>> = {
  listener: async () => {
    const pids = service.listenerPids();
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  },
  worker: async () => {
    // It may have ended by itself, because a worker that lost its lease exits.
    if (worker.exitCode === null && worker.signalCode === null) {
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
    }
    startWorker();
  },
  postgres: async () => {
    await postgres.kill();
    await sleep(random() * 500);
    await postgres.restart();
  },
};

test('no acknowledged write of any kind is lost while the API, the worker and PostgreSQL are killed (reliability D1, D2)', async () => {
  const writers: Writer[] = [];
  for (let nth = 0; nth < WRITERS; nth += 1) {
    const account = await accounts.newAccount(`writer-${nth}@example.com`, {
      plan: 'ENTERPRISE',
      limits: LIMITS,
    });
    writers.push(new Writer(`writer-${nth}`, service, account, accounts.system));
  }
  const all = (): Acknowledged[] => writers.flatMap(({ acknowledged }) => acknowledged);
  const running = writers.map((writer) => writer.run(() => all().length >= WRITES));
  const kills = Array.from({ length: ROUNDS }, () => Object.entries(KILLS)).flat();
  for (const [nth, [name, kill]] of kills.entries()) {
    const due = Math.floor(((nth + random()) * WRITES) / (kills.length + 1));
    await eventually(`${due} writes before ${name} is killed`, 600_000, () => all().length >= due);
    await kill();
  }
  await Promise.all(running);
  const written = all();
  expect(written.length).toBeGreaterThanOrEqual(WRITES);
  expect([...new Set(written.map(({ kind }) => kind))].sort()).toEqual([...WRITE_KINDS].sort());
  const lost = await findLost(postgres.url('assay'), writers);
  const unknown = writers.reduce((sum, writer) => sum + writer.unknown, 0);
  console.log(`figure acknowledged-writes ${written.length}`);
  console.log(`figure unanswered-writes ${unknown}`);
  console.log(`figure lost-writes ${lost.length}`);
  expect(lost).toEqual([]);
  await eventually('the last worker holds a lease', 60_000, async () => (await leases()) > 0);
});

/** A worker over the login of production takes its lease and the queue as the first one did. */
async function leases(): Promise<number> {
  const counted = sql<{ count: number }>`select count(*)::int as count from worker_lease`;
  const { rows } = await counted.execute(accounts.system.db);
  return rows[0]?.count ?? 0;
}
