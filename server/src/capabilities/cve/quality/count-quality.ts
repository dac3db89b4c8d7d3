import type { JobContext } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';
import { readQuality } from './read-quality.ts';
import { type CountedQuality, hasNewLoads, readCounted, storeCounted } from './store.ts';

/** Counts again after a load. Counting reads every record of every source, so only the worker does it. */
export async function countQuality(
  { transaction }: Pick<JobContext, 'transaction'>,
  nowMs: number,
): Promise<boolean> {
  return transaction(async (tx) => {
    if (!(await hasNewLoads(tx))) return false;
    await storeCounted(tx, await readQuality(tx), nowMs);
    return true;
  });
}

export const readCountedQuality = (db: Db): Promise<CountedQuality | null> => readCounted(db);
