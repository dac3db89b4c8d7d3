import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually, freePort } from './eventually.ts';

export type PostgresServer = {
  readonly url: (database: string) => string;
  readonly dir: string;
  /** Suspends every process of the server; connections stay open and silent. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Ends every process of the server with SIGKILL, as a crash of the machine would, and waits until they are gone. */
  readonly kill: () => Promise<void>;
  /** Starts it again over the same files; it recovers from its log first. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type PostgresServerOptions = {
  /** Puts its files on a file system in memory of this size, which only root may mount. */
  readonly diskMegabytes?: number;
  /** The folder of its files, which the caller removes. Default: a new one, removed with the server. */
  readonly dir?: string;
  /** Asks every login for a password; this is the superuser's. Default: no login needs one. */
  readonly password?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Writes reach the disk before a commit is acknowledged. Default: they do not, which is faster. */
  readonly isDurable?: boolean;
};

/**
 * A separate PostgreSQL that a test may stop, freeze or fill. Runs as user postgres when the test runs as
 * root.
 */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const versions = readdirSync('/usr/lib/postgresql').sort();
  const bin = join('/usr/lib/postgresql', versions.at(-1) ?? '', 'bin');
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  const { diskMegabytes, password } = options;
  if (diskMegabytes !== undefined)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', dir]);
  const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asPostgres.length > 0) ownByPostgres(dir);
  const data = join(dir, 'data');
  const call = (program: string, args: string[]): [string, string[]] => {
    const [first = program, ...rest] = [...asPostgres, join(bin, program), ...args];
    return [first, rest];
  };
  if (!existsSync(data)) execFileSync(...call('initdb', initArguments(dir, options)), { stdio: 'ignore' });
  const port = options.port ?? (await freePort());
  const settings = [
    `listen_addresses=127.0.0.1`,
    `unix_socket_directories=${dir}`,
    `fsync=${options.isDurable === true ? 'on' : 'off'}`,
  ].flatMap((setting) => ['-c', setting]);
  const credentials = password === undefined ? 'postgres' : `postgres:${password}`;
  const url = (database: string) => `postgres://${credentials}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess;
  let postmaster = 0;
  const start = async () => {
    child = spawn(...call('postgres', ['-D', data, '-p', String(port), ...settings]), { stdio: 'ignore' });
    await eventually('PostgreSQL accepts connections', 30_000, () => accepts(url('postgres')));
    postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  };
  const signalAll = (signal: NodeJS.Signals) => {
    // runuser suspends itself with its child, so it needs SIGCONT too.
    const wrapper = signal === 'SIGCONT' && child.pid !== undefined ? [child.pid] : [];
    for (const pid of [postmaster, ...backendsOf(postmaster), ...wrapper]) {
      try {
        process.kill(pid, signal);
      } catch {
        // A backend may have exited between the listing and the signal.
      }
    }
  };
  const ended = async (signal: () => void) => {
    // A test that failed after a kill leaves no server to stop.
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    signal();
    await gone;
  };
  await start();
  return {
    url,
    dir,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    kill: async () => {
      const backends = backendsOf(postmaster);
      await ended(() => signalAll('SIGKILL'));
      await eventually('the backends are gone', 10_000, () =>
        backends.every((pid) => !existsSync(`/proc/${pid}`)),
      );
      rmSync(join(data, 'postmaster.pid'), { force: true });
    },
    restart: start,
    stop: async () => {
      signalAll('SIGCONT');
      await ended(() => process.kill(postmaster, 'SIGINT'));
      if (diskMegabytes !== undefined) execFileSync('umount', ['-l', dir]);
      if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

function initArguments(dir: string, { password }: PostgresServerOptions): string[] {
  const file = join(dir, 'superuser-password');
  const login = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', file];
  if (password !== undefined) writeFileSync(file, password, { mode: 0o644 });
  const text = ['-E', 'UTF8', '--locale', 'C.UTF-8'];
  return ['-D', join(dir, 'data'), ...login, '-U', 'postgres', '--no-sync', ...text];
}

function ownByPostgres(dir: string): void {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  chownSync(dir, uid ?? 0, gid ?? 0);
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function backendsOf(postmaster: number): number[] {
  return readdirSync('/proc')
    .filter((name) => {
      if (!/^\d+$/.test(name)) return false;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster;
      } catch {
        return false;
      }
    })
    .map(Number);
}
