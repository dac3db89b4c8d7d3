import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Foundation rule 3: one replicator per data folder. Node has no file locks of its own, so each lock is an empty
 * SQLite file held in an exclusive transaction: SQLite takes POSIX locks on it, which the kernel releases when the
 * process ends in any way (kill -9 included), which have no stale state to judge, and which hold between containers
 * that share a volume. Nothing is ever stored in these files, and nothing but SQLite may open them.
 */
export type Lock = { readonly release: () => void };

const SQLITE_BUSY = 5;

/** Exit code of a replicator that found another one at work: a supervisor must not start it again. */
export const REPLICATOR_ALREADY_RUNS = 75;

export class ReplicatorRunsElsewhere extends Error {
  constructor(dataDir: string) {
    super(`Another replicator already keeps the replica in '${dataDir}'; this one is not needed and stops.`);
    this.name = 'ReplicatorRunsElsewhere';
  }
}

/** Null when somebody else holds it after `waitMs`. */
export function tryLock(path: string, waitMs = 0): Lock | null {
  mkdirSync(dirname(path), { recursive: true });
  const file = new DatabaseSync(path, { timeout: waitMs });
  try {
    file.exec('begin exclusive');
    return { release: () => (file.isOpen ? file.close() : undefined) };
  } catch (error) {
    file.close();
    if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = tryLock(path);
  lock?.release();
  return lock === null;
}

const folderLock = (dataDir: string) => join(dataDir, 'replica', 'replicator.lock');
const ALIVE = 'alive';
const aliveLock = (dataDir: string, id: string) => join(dataDir, 'replica', ALIVE, `${id}.lock`);

/** `id` is new for each start: what a replicator attested can be traced to the very process that did. */
export type ReplicatorLock = Lock & { readonly id: string };

/** Holds the folder until the process ends, or throws one clear sentence. */
export function lockFolder(dataDir: string): ReplicatorLock {
  const folder = tryLock(folderLock(dataDir));
  if (folder === null) throw new ReplicatorRunsElsewhere(dataDir);
  const id = randomBytes(8).toString('hex');
  const alive = tryLock(aliveLock(dataDir, id));
  if (alive === null) throw new Error('A lock with a random name is held by somebody else.');
  removeOldLocks(dataDir, id);
  return {
    id,
    release: () => {
      alive.release();
      rmSync(aliveLock(dataDir, id), { force: true });
      folder.release();
    },
  };
}

export const isReplicatorRunning = (dataDir: string): boolean => isLocked(folderLock(dataDir));

/** Is the process alive that called itself `id`? A successor in the same folder is somebody else. */
export const isReplicatorAlive = (dataDir: string, id: string): boolean =>
  /^[0-9a-f]{16}$/.test(id) && isLocked(aliveLock(dataDir, id));

function removeOldLocks(dataDir: string, ownId: string): void {
  const folder = join(dataDir, 'replica', ALIVE);
  // The folder lock is ours, so whoever left these is gone.
  for (const name of readdirSync(folder))
    if (!name.startsWith(ownId)) rmSync(join(folder, name), { force: true });
}
