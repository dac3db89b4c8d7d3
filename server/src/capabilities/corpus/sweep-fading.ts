import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/postgres.ts';
import { appendChanges } from '#platform/replica/change-log.ts';
import { CORPUS, LISTINGS } from './dataset.ts';
import { takeFaded } from './fading-store.ts';

const ROWS_PER_BATCH = 20_000;
const BATCHES_MAX = 1_000;

export type SweepDeps = {
  readonly clock: Clock;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
};

/** Removes fully faded entries in small transactions and logs their keys for the replicas; returns how many. */
export async function sweepFading({ clock, transaction, signal }: SweepDeps): Promise<number> {
  let swept = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    signal?.throwIfAborted();
    const taken = await transaction(async (tx) => {
      const keys = await takeFaded(tx, clock.now(), ROWS_PER_BATCH);
      if (keys.length > 0) await appendChanges(tx, CORPUS, LISTINGS, keys);
      return keys.length;
    });
    swept += taken;
    if (taken < ROWS_PER_BATCH) break;
  }
  return swept;
}
