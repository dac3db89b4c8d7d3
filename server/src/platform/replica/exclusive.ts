import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One replicator for each data folder (foundation rule 3). Node has no file locks, so each lock is an empty SQLite
 * file held in an exclusive transaction. SQLite takes POSIX locks on it: the kernel releases them when the process
 * ends in any way (kill -9 included), they leave no stale state, and they work between containers that share a
 * volume. These files never hold data, and only SQLite may open them.
 */
export type Lock = { readonly release: () => void };

const SQLITE_BUSY = 5;

/** The exit code of a replicator that found another one running; a supervisor must not restart it. */
export const REPLICATOR_ALREADY_RUNS = 75;

export class ReplicatorRunsElsewhere extends Error {
  constructor(dataDir: string) {
    super(`Another replicator already keeps the replica in '${dataDir}'; this one is not needed and stops.`);
    this.name = 'ReplicatorRunsElsewhere';
  }
}

/** Null when another process still holds the lock after `waitMs`. */
export function tryLock(path: string, waitMs = 0): Lock | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isNew = !existsSync(path);
  const file = new DatabaseSync(path, { timeout: waitMs });
  // Changes the mode without opening the file: closing it again would release the locks of this process.
  if (isNew) restrict(path, 0o600);
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

/** `id` is new for each start, so that an attestation can be traced to one process. */
export type ReplicatorLock = Lock & { readonly id: string };

/**
 * A listener that looks whether a replicator runs holds the lock for a moment. Without this patience a replicator that
 * starts at that moment would end for good, and the node would stay without one.
 */
const FOLDER_WAIT_MS = 1_000;

/** Holds the folder until the process ends, or throws when another process holds it. */
export function lockFolder(dataDir: string): ReplicatorLock {
  const folder = tryLock(folderLock(dataDir), FOLDER_WAIT_MS);
  if (folder === null) throw new ReplicatorRunsElsewhere(dataDir);
  const id = randomBytes(8).toString('hex');
  const alive = tryLock(aliveLock(dataDir, id));
  if (alive === null) throw new Error('A lock with a random name is held by another process.');
  removeOldLocks(dataDir, id);
  closeToOthers(join(dataDir, 'replica'));
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

/** True while the process with this `id` is alive; its successor in the same folder has another id. */
export const isReplicatorAlive = (dataDir: string, id: string): boolean =>
  /^[0-9a-f]{16}$/.test(id) && isLocked(aliveLock(dataDir, id));

function removeOldLocks(dataDir: string, ownId: string): void {
  const folder = join(dataDir, 'replica', ALIVE);
  // We hold the folder lock, so the processes that left these files are gone.
  for (const name of readdirSync(folder))
    if (!name.startsWith(ownId)) rmSync(join(folder, name), { force: true });
}

/** Older releases made files that every user of the machine could read, and they hold the HMACs of API secrets. */
function closeToOthers(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
  restrict(folder, 0o700);
  for (const entry of paths)
    if (entry.isDirectory() || entry.isFile())
      restrict(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}

/**
 * A volume that belongs to another user keeps its modes, and a file may be removed meanwhile by a listener or a writer
 * that ends; the replica works all the same.
 */
function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 'EPERM' && code !== 'ENOENT') throw error;
  }
}
