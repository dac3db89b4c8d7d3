import { ServiceError } from '#platform/errors.ts';
import { lendConnection } from '#platform/postgres.ts';
import type { DatasetDeps } from '../contract.ts';
import { nameConnection, tryLockDataset, unlockAll } from './store.ts';

/**
 * Allows one run of a source at a time, for workers and operators alike. The lock belongs to a connection, so that a
 * process that dies releases it, and a worker declared dead loses it with its connections. Null: another process holds
 * it.
 */
export const holdDataset = <T extends object>(
  { system }: Pick<DatasetDeps, 'system'>,
  sourceId: string,
  work: () => Promise<T>,
  workerId?: string,
): Promise<T | null> =>
  lendConnection(
    system,
    async ({ client }) => {
      try {
        if (workerId !== undefined) await nameConnection(client, workerId);
        return (await tryLockDataset(client, sourceId)) ? await work() : null;
      } finally {
        // Closing the connection releases the lock only a little later, and the next run would be skipped meanwhile.
        await unlockAll(client).catch(() => undefined);
      }
    },
    // Closed instead of pooled: it would carry the worker's name to its next user.
    { isClosed: true },
  );

/** As `holdDataset`, for an operator: a run that is under way throws a Conflict that says to try again. */
export async function holdIdleDataset<T extends object>(
  deps: Pick<DatasetDeps, 'system'>,
  sourceId: string,
  work: () => Promise<T>,
): Promise<T> {
  const result = await holdDataset(deps, sourceId, work);
  if (result === null)
    throw new ServiceError('Conflict', `A run of '${sourceId}' is going on; try again when it is over.`);
  return result;
}
