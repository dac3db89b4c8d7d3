import { ServiceError } from '#platform/errors.ts';
import { lendConnection } from '#platform/postgres.ts';
import type { IngestDeps } from '../ingest/ingest-snapshot.ts';
import { nameConnection, tryLockSource, unlockAll } from './store.ts';

/**
 * Allows one run of a source at a time, for workers and operators alike. The lock belongs to a connection, so that a
 * process that dies releases it, and a worker declared dead loses it with its connections. Null: another process holds
 * it.
 */
export const holdSource = <T extends object>(
  { system }: Pick<IngestDeps, 'system'>,
  sourceId: string,
  work: () => Promise<T>,
  workerId?: string,
): Promise<T | null> =>
  lendConnection(
    system,
    async ({ client }) => {
      try {
        if (workerId !== undefined) await nameConnection(client, workerId);
        return (await tryLockSource(client, sourceId)) ? await work() : null;
      } finally {
        // Closing the connection alone gives the lock back a little later, and the next run would not get it (seen).
        await unlockAll(client).catch(() => undefined);
      }
    },
    // In the pool it would carry the worker's name to its next user.
    { isClosed: true },
  );

/** The same for an operator, who is told to try again. */
export async function holdIdleSource<T extends object>(
  deps: Pick<IngestDeps, 'system'>,
  sourceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const result = await holdSource(deps, sourceId, work);
  if (result === null)
    throw new ServiceError('Conflict', `A run of '${sourceId}' is going on; try again when it is over.`);
  return result;
}
