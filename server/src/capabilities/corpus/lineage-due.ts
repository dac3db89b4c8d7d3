import { enqueue } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';

/** The job of source-trust that finds out which sources copy each other. */
export const LINEAGE_JOB = 'feeds.lineage';

/** A change of a fifth of a list can make it a copy of another one; below a thousand entries it changes few verdicts. */
const SHARE_MIN = 0.2;
const ENTRIES_MIN = 1_000;

export const isLargeMerge = (merge: {
  readonly source: { readonly entries: number };
  readonly added: number;
  readonly removed: number;
}): boolean => {
  const moved = merge.added + merge.removed;
  return moved >= ENTRIES_MIN && moved > SHARE_MIN * merge.source.entries;
};

/** In the transaction of the merge, so that copies never count as independent for longer than a job takes. */
export const enqueueLineage = (tx: Db): Promise<string> =>
  enqueue(tx, LINEAGE_JOB, {}, { key: LINEAGE_JOB, maxAttempts: 3 });
