import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually, freePort } from './eventually.ts';

export type PostgresServer = {
  readonly url: (database: string) => string;
  /** Where its data lies. */
  readonly dir: string;
  /** Stops every process of the server where it stands; connections stay open and silent. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly stop: () => Promise<void>;
};

export type PostgresServerOptions = {
  /** Its disk: a file system in memory of this size, which only root may mount. */
  readonly diskMegabytes?: number;
};

/** A PostgreSQL of the test's own, so that it may be stopped, frozen or filled. Runs as user postgres when we are root. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const versions = readdirSync('/usr/lib/postgresql').sort();
  const bin = join('/usr/lib/postgresql', versions.at(-1) ?? '', 'bin');
  const dir = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  const { diskMegabytes } = options;
  if (diskMegabytes !== undefined)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'tmpfs', dir]);
  const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asPostgres.length > 0) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
    );
    chownSync(dir, uid ?? 0, gid ?? 0);
  }
  const data = join(dir, 'data');
  const call = (program: string, args: string[]): [string, string[]] => {
    const [first = program, ...rest] = [...asPostgres, join(bin, program), ...args];
    return [first, rest];
  };
  execFileSync(...call('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8']), {
    stdio: 'ignore',
  });
  const port = await freePort();
  const settings = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${dir}`,
    '-c',
    'fsync=off',
  ];
  const child = spawn(...call('postgres', ['-D', data, '-p', String(port), ...settings]), {
    stdio: 'ignore',
  });
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await eventually('PostgreSQL accepts connections', 30_000, () => accepts(url('postgres')));
  const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const signalAll = (signal: NodeJS.Signals) => {
    // runuser stops itself when its child is stopped, and would wait for us to wake it.
    const wrapper = signal === 'SIGCONT' && child.pid !== undefined ? [child.pid] : [];
    for (const pid of [postmaster, ...backendsOf(postmaster), ...wrapper]) {
      try {
        process.kill(pid, signal);
      } catch {
        // A backend may have left between the listing and the signal.
      }
    }
  };
  return {
    url,
    dir,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    stop: async () => {
      signalAll('SIGCONT');
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(postmaster, 'SIGINT');
      await gone;
      if (diskMegabytes !== undefined) execFileSync('umount', ['-l', dir]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
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
