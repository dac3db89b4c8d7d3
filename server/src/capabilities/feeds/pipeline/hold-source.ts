import type { IngestDeps } from '../ingest/ingest-snapshot.ts';
import { nameConnection, tryLockSource, unlockAll } from './store.ts';

export type HeldSource = { readonly release: () => Promise<void> };

/**
 * One run a source at a time, whoever asks: workers and operators. The lock belongs to a connection, so that a process
 * that dies gives it back, and a worker taken for dead loses it with its connections. Null: somebody else holds it.
 */
export async function holdSource(
  { system }: Pick<IngestDeps, 'system'>,
  sourceId: string,
  workerId?: string,
): Promise<HeldSource | null> {
  const client = await system.pool.connect();
  const ignore = () => undefined;
  client.on('error', ignore);
  const release = async () => {
    // Closing the connection alone gives the lock back a little later, and the next run would not get it (seen).
    await unlockAll(client).catch(ignore);
    // Not back into the pool: the name would go with it to whoever is next.
    client.release(true);
  };
  try {
    if (workerId !== undefined) await nameConnection(client, workerId);
    if (await tryLockSource(client, sourceId)) return { release };
    await release();
    return null;
  } catch (error) {
    await release();
    throw error;
  }
}
