import { execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installHelp } from '../../start/engines/install-help.ts';
import { examinePostgres, onServer, POSTGRES_VERSION_MIN } from '../../start/engines/postgres-server.ts';
import { findPostgresPrograms } from '../../start/engines/programs.ts';
import { anyFreePort } from '../../start/ports.ts';
import { DemoError } from '../cli-options.ts';
import { type Engine, endChild, findOrStart, markedEnvironment, untilAnswers } from './engine.ts';

export { databaseUrl } from '../../start/engines/postgres-server.ts';

const DEFAULT_SERVER = 'postgres://postgres:postgres@127.0.0.1:5432';
const START_WITHIN_MS = 20_000;
const STOP_GRACE_MS = 15_000;
const run = promisify(execFile);

export const openPostgres = (given: string | undefined, folder: string): Promise<Engine> =>
  findOrStart(
    { variable: 'DATABASE_URL', usual: DEFAULT_SERVER, problemOf, start: () => startPostgres(folder) },
    given,
  );

async function problemOf(server: string): Promise<string | null> {
  try {
    const { version, mayCreate } = await examinePostgres(server);
    if (version < POSTGRES_VERSION_MIN) return 'it is older than PostgreSQL 15.';
    return mayCreate ? null : 'its user may not create a database and roles.';
  } catch (error) {
    return `${error instanceof Error && error.message !== '' ? error.message : 'it does not answer'}.`;
  }
}

export const databaseExists = (server: string, name: string): Promise<boolean> =>
  onServer(server, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    return rowCount !== 0;
  });

export const dropDatabase = (server: string, name: string): Promise<unknown> =>
  onServer(server, (client) => client.query(`drop database if exists "${name}" with (force)`));

/** Invented data may be lost in a crash, so commits of this database do not wait for the disk. */
export const relaxDatabase = (server: string, name: string): Promise<unknown> =>
  onServer(server, (client) => client.query(`alter database "${name}" set synchronous_commit = off`));

async function startPostgres(folder: string): Promise<Engine> {
  const programs = findPostgresPrograms();
  if (programs === null) throw new DemoError(installHelp('PostgreSQL'));
  const user = unprivilegedUser();
  const home = join(folder, 'postgres');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (user !== null) chownSync(home, user.uid, user.gid);
  const data = join(home, 'data');
  const asUser = { cwd: home, ...user };
  if (!existsSync(join(data, 'PG_VERSION')))
    await run(
      join(programs, 'initdb'),
      ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync'],
      asUser,
    ).catch((error: unknown) => {
      const said = String((error as { stderr?: unknown }).stderr ?? error).trim();
      throw new DemoError(
        `PostgreSQL could not make a data folder in ${home}: ${said.split('\n').at(-1) ?? ''}${user === null ? '' : ' Set TMPDIR to a folder that the user postgres may enter.'}`,
      );
    });
  const port = await anyFreePort();
  const logFile = join(folder, 'postgres.log');
  const log = openSync(logFile, 'a');
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    // PostgreSQL has its own process group, so that Ctrl-C does not stop it before the service.
    { ...asUser, env: markedEnvironment(folder), stdio: ['ignore', log, log], detached: true },
  );
  const url = `postgres://postgres@127.0.0.1:${port}`;
  const answers = async () => (await problemOf(url)) === null;
  await untilAnswers(child, 'PostgreSQL', START_WITHIN_MS, answers, () => readFileSync(logFile, 'utf8'));
  return {
    url,
    isOwn: true,
    pid: child.pid ?? null,
    // SIGINT is PostgreSQL's fast shutdown.
    stop: () => endChild(child, 'SIGINT', STOP_GRACE_MS),
  };
}

/** PostgreSQL refuses to run as root; its package creates the user `postgres`. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(
        execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      ),
    );
    if (uid === undefined || gid === undefined) throw new Error('no such user');
    return { uid, gid };
  } catch {
    throw new DemoError(
      'PostgreSQL does not run as root and there is no user postgres. Run the demonstration as another user.',
    );
  }
}
