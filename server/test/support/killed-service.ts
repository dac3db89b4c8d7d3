import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { migrate } from '#platform/migrate.ts';
import { eventually, sleep } from './eventually.ts';
import { bySize } from './lane.ts';
import { MAIN } from './main-file.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { INHERITED_ENV, type Service, startService } from './service.ts';

/** How long PostgreSQL stays away at most. */
const AWAY_MS = 500;
const DUE_WITHIN_MS = 2 * 3_600_000;

/** Kills that are spread over writes. */
export type Killing = {
  /** Each round kills one listener, the worker and the whole of PostgreSQL, in this order. */
  readonly rounds: number;
  /** How many writes the writers are to make, and how many were answered so far. */
  readonly writes: number;
  readonly acknowledged: () => number;
  readonly beforeKill?: (nth: number) => Promise<void>;
};

export type KilledService = {
  readonly service: Service;
  /** As the owner of the database, whom no grant holds back. */
  readonly ownerUrl: string;
  /** Returns the number of kills, after the last one. */
  readonly killDuring: (killing: Killing) => Promise<number>;
  readonly stop: () => Promise<void>;
};

export type KilledServiceOptions = {
  readonly random: () => number;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that need the migrated database, such as those of its logins. */
  readonly prepare?: (ownerUrl: string) => Promise<Readonly<Record<string, string>>>;
};

/** The API, a worker and a durable PostgreSQL of their own, which end by SIGKILL and are started again. */
export async function startKilledService({
  random,
  env,
  prepare,
}: KilledServiceOptions): Promise<KilledService> {
  const postgres = await startPostgresServer({ isDurable: true });
  const ownerUrl = postgres.url('assay');
  await migrate(ownerUrl);
  const prepared = (await prepare?.(ownerUrl)) ?? {};
  const service = await startService({
    databaseUrl: ownerUrl,
    processes: bySize(1, 2),
    env: { ...env, ...prepared },
  });
  const worker = superviseWorker(service);
  const kills = [
    async () => killListener(service, random),
    worker.kill,
    () => killPostgres(postgres, random),
  ];
  return {
    service,
    ownerUrl,
    killDuring: async ({ rounds, writes, acknowledged, beforeKill }) => {
      const all = Array.from({ length: rounds }, () => kills).flat();
      for (const [nth, kill] of all.entries()) {
        const due = Math.floor(((nth + random()) * writes) / (all.length + 1));
        await eventually(`${due} writes before kill ${nth}`, DUE_WITHIN_MS, () => acknowledged() >= due);
        await beforeKill?.(nth);
        await kill();
      }
      return all.length;
    },
    stop: async () => {
      worker.stop();
      await service.stop();
      await postgres.stop();
    },
  };
}

function killListener(service: Service, random: () => number): void {
  const pids = service.listenerPids();
  const pid = pids[Math.floor(random() * pids.length)];
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

async function killPostgres(postgres: PostgresServer, random: () => number): Promise<void> {
  await postgres.kill();
  await sleep(random() * AWAY_MS);
  await postgres.restart();
}

/** A worker that ends is followed by another, as under a supervisor; one that lost its lease ends by itself. */
function superviseWorker({ env }: Service): { kill: () => Promise<void>; stop: () => void } {
  let worker: ChildProcess;
  let isStopping = false;
  const start = (): void => {
    worker = spawn(process.execPath, [MAIN, 'worker'], {
      env: { ...INHERITED_ENV, ...env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
      stdio: 'ignore',
    });
    worker.once('exit', () => {
      if (!isStopping) start();
    });
  };
  start();
  return {
    kill: async () => {
      const gone = once(worker, 'exit');
      worker.kill('SIGKILL');
      await gone;
    },
    stop: () => {
      isStopping = true;
      worker.kill('SIGKILL');
    },
  };
}
