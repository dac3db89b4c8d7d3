import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../server/src/platform/replica/exclusive.ts';
import { StartError } from './start-error.ts';

/** The mark of a start that uses the data folder. The kernel releases it when that process ends in any way. */
export type Claim = { readonly note: (url: string) => void; readonly release: () => void };

export function claimDataFolder(dataDir: string): Claim {
  const file = join(dataDir, 'start.json');
  const lock = lockOf(dataDir);
  if (lock === null) {
    const { pid, url } = readRunning(file);
    throw new StartError(
      `Assay already runs from ${dataDir}${url === null ? ' and is still starting' : `: ${url}`}${pid === null ? '' : ` (process ${pid})`}. Stop it with Ctrl-C in its terminal${pid === null ? '' : `, or with: kill ${pid}`}. To run a second one: DATA_DIR=./data-2 DATABASE_URL=postgres://…/assay_2 REDIS_PREFIX=assay-2 HTTP_PORT=8090 METRICS_PORT=9474 npm start`,
    );
  }
  const note = (url: string | null) =>
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, url })}\n`, { mode: 0o600 });
  note(null);
  return { note, release: lock.release };
}

function lockOf(dataDir: string): ReturnType<typeof tryLock> {
  try {
    return tryLock(join(dataDir, 'start.lock'));
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${(error as Error).message}). Make it writable for this user, or name another one: DATA_DIR=/path npm start`,
    );
  }
}

function readRunning(file: string): { readonly pid: number | null; readonly url: string | null } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { pid: number; url: string | null };
  } catch {
    return { pid: null, url: null };
  }
}
