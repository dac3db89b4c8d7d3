import { enqueue } from '#platform/jobs.ts';
import type { Db } from '#platform/postgres.ts';

/** The job of source-trust that finds out which sources copy each other. */
export const LINEAGE_JOB = 'feeds.lineage';

/** Smaller merges wait for the nightly run: below a fifth no list becomes a copy, below 1,000 few verdicts change. */
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

/** Called in the transaction of the merge, so that a new copy counts as independent only until the job has run. */
export const enqueueLineage = (tx: Db): Promise<string> =>
  enqueue(tx, LINEAGE_JOB, {}, { key: LINEAGE_JOB, maxAttempts: 3 });
