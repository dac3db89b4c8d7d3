import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually, freePort } from './eventually.ts';
import { bySize } from './lane.ts';
import { MAIN } from './main-file.ts';
import { removeKeys } from './redis.ts';

/** Below the 600 s of a hook, so that the log of a service that does not start is shown. */
const READY_WITHIN_MS = 500_000;
const run = promisify(execFile);

/** The variables that a service process inherits: the path of programs and the folder of compiled modules. */
export const INHERITED_ENV = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

export type Service = {
  readonly url: string;
  readonly metricsUrl: string;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly pid: number;
  /** Pids of the HTTP listeners, found by their parent and command line. */
  readonly listenerPids: () => number[];
  readonly replicatorPid: () => number | undefined;
  /** Runs `admin …args --json` against the same configuration. */
  readonly admin: <T>(...args: string[]) => Promise<T>;
  readonly stop: () => Promise<void>;
};

export type ServiceOptions = {
  readonly databaseUrl: string;
  readonly processes?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** An environment below the values that tests need, such as the one of compose.yaml. */
  readonly deployment?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  /** False: waits for the port only, not for /readyz. */
  readonly waitReady?: boolean;
};

/**
 * The whole API as an operator starts it: parent, listeners, replicator, with its own data folder, ports and
 * key prefix.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'assay-service-'));
  // A node that starts again behind a proxy keeps its port.
  const httpPort = Number(options.env?.HTTP_PORT ?? (await freePort()));
  const metricsPort = await freePort();
  const env: Record<string, string> = {
    ...options.deployment,
    ASSAY_ENV: 'test',
    DATABASE_URL: options.databaseUrl,
    // Tests make databases, so their login is a superuser; restricted-login.test.ts tests the logins of production.
    ALLOW_POWERFUL_LOGIN: 'true',
    REDIS_PREFIX: `test-${randomBytes(5).toString('hex')}`,
    DATA_DIR: dataDir,
    HTTP_PORT: String(httpPort),
    METRICS_PORT: String(metricsPort),
    HTTP_PROCESSES: String(options.processes ?? 1),
    POSTGRES_POOL_MAX: '3',
    // Test runs share their cores; tests of shedding set their own delay.
    SHED_DELAY_FACTOR: '100',
    // Waits for PostgreSQL are longer on a busy machine; tests of frozen engines set their own.
    POSTGRES_WAIT_FACTOR: bySize('30', '1'),
    // A busy machine must not make the service count without Redis; a test that stops Redis starts its own.
    ...(options.env?.REDIS_URL === undefined && { REDIS_TIMEOUT_MS: bySize('5000', '50') }),
    ...options.env,
  };
  const logFile = join(dataDir, 'service.log');
  const out = openSync(logFile, 'a');
  const child = spawn(process.execPath, [MAIN, 'api'], {
    env: { ...INHERITED_ENV, ...env },
    stdio: ['ignore', out, out],
  });
  const url = `http://127.0.0.1:${httpPort}`;
  await waitUntilReady(child, url, logFile, options.waitReady ?? true);
  const pid = child.pid ?? 0;
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    dataDir,
    env,
    logFile,
    pid,
    listenerPids: () => childrenOf(pid, 'listener'),
    replicatorPid: () => childrenOf(pid, 'replicator')[0],
    admin: (...args) => admin(env, args),
    stop: async () => {
      await stopChild(child);
      // A Redis that the test has stopped has no keys to remove.
      await removeKeys(env.REDIS_PREFIX ?? '', env.REDIS_URL).catch(() => undefined);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function admin<T>(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [MAIN, 'admin', ...args, '--json'], {
    env: { ...INHERITED_ENV, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as T;
}

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  logFile: string,
  ready: boolean,
): Promise<void> {
  let exited = false;
  child.once('exit', () => {
    exited = true;
  });
  try {
    await eventually('the service is ready', READY_WITHIN_MS, async () => {
      if (exited) throw new Error('the service ended while starting');
      try {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
        return ready ? response.ok : true;
      } catch {
        return false;
      }
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${String(error)}\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await gone;
  clearTimeout(kill);
}

function childrenOf(parent: number, command: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return ppid === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(command);
      } catch {
        return false;
      }
    });
}

export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
