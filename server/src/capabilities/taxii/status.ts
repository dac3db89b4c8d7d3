import type { Db } from '#platform/postgres.ts';
import { countObjects } from './count-store.ts';
import { readState } from './object-store.ts';

/** What operators see of the shared collections. */
export async function taxiiStatus(db: Db) {
  const { syncedAt, rebuiltAt, rebuildMs } = await readState(db);
  return { collections: await countObjects(db), syncedAt, rebuiltAt, rebuildMs };
}
