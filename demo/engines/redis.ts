import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installHelp } from '../../start/engines/install-help.ts';
import { findRedisProgram } from '../../start/engines/programs.ts';
import { askRedis, REDIS_VERSION_MIN, redisVersion } from '../../start/engines/redis-server.ts';
import { anyFreePort } from '../../start/ports.ts';
import { DemoError } from '../cli-options.ts';
import { type Engine, endChild, findOrStart, markedEnvironment, untilAnswers } from './engine.ts';

const DEFAULT_SERVER = 'redis://127.0.0.1:6379';
const START_WITHIN_MS = 10_000;
const STOP_GRACE_MS = 5_000;
const SCAN_COUNT = '1000';

export const openRedis = (given: string | undefined, folder: string): Promise<Engine> =>
  findOrStart(
    { variable: 'REDIS_URL', usual: DEFAULT_SERVER, problemOf, start: () => startRedis(folder) },
    given,
  );

async function problemOf(url: string): Promise<string | null> {
  try {
    return (await redisVersion(url)) < REDIS_VERSION_MIN ? 'it is older than Redis 7.' : null;
  } catch (error) {
    return `${error instanceof Error && error.message !== '' ? error.message : 'it does not answer'}.`;
  }
}

export async function removeKeys(url: string, prefix: string): Promise<void> {
  for await (const keys of keysOf(url, prefix)) if (keys.length > 0) await askRedis(url, ['UNLINK', ...keys]);
}

export async function countKeys(url: string, prefix: string): Promise<number> {
  let count = 0;
  for await (const keys of keysOf(url, prefix)) count += keys.length;
  return count;
}

async function* keysOf(url: string, prefix: string): AsyncGenerator<readonly string[]> {
  let cursor = '0';
  do {
    const page = await askRedis(url, ['SCAN', cursor, 'MATCH', `${prefix}:*`, 'COUNT', SCAN_COUNT]);
    const [next, keys] = page as [string, string[]];
    yield keys;
    cursor = next;
  } while (cursor !== '0');
}

async function startRedis(folder: string): Promise<Engine> {
  const program = findRedisProgram();
  if (program === null) throw new DemoError(installHelp('Redis'));
  const home = join(folder, 'redis');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const port = await anyFreePort();
  const logFile = join(folder, 'redis.log');
  const log = openSync(logFile, 'a');
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', home],
    { env: markedEnvironment(folder), stdio: ['ignore', log, log], detached: true },
  );
  const url = `redis://127.0.0.1:${port}`;
  const answers = async () => (await problemOf(url)) === null;
  await untilAnswers(child, 'Redis', START_WITHIN_MS, answers, () => readFileSync(logFile, 'utf8'));
  return {
    url,
    isOwn: true,
    pid: child.pid ?? null,
    stop: () => endChild(child, 'SIGTERM', STOP_GRACE_MS),
  };
}
