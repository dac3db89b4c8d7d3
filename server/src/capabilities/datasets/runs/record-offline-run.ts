import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import type { RunPhase } from '../contract.ts';
import * as store from './store.ts';

export type OfflineRun = {
  readonly sourceNumber: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** Time of the merge (`report.source.lastFetchAtS`), so that a rollback can return to it. */
  readonly mergedAtMs: number | null;
  readonly dataAtMs: number;
  readonly contentSha256: string;
  readonly counts: SnapshotCounts;
  readonly entries: number;
  readonly delta: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly rebaseMs: number;
  readonly phases?: readonly RunPhase[];
  /** Set when an operator overruled a gate; the history for later runs begins at such a run. */
  readonly overruled?: string | null;
};

/** Records a manual import as a good run, in the transaction that merged it. Returns the run's id. */
export async function recordOfflineRun(tx: Db, { overruled = null, ...run }: OfflineRun): Promise<string> {
  const id = newId('run', run.startedAtMs);
  await store.ensureState(tx, run.sourceNumber);
  const state = await store.readState(tx, run.sourceNumber);
  await store.insertRun(tx, { id, sourceNumber: run.sourceNumber, startedAtMs: run.startedAtMs });
  await store.finishRun(tx, {
    ...run,
    id,
    status: 'succeeded',
    reason: overruled,
    phases: run.phases ?? [],
    bytes: run.counts.bytes,
  });
  await store.saveGood(tx, {
    sourceNumber: run.sourceNumber,
    // The listed content is not the last download, so the next request must not be conditional (ETag, date).
    parts: [],
    contentSha256: run.contentSha256,
    // The publisher was not asked, so its minimum interval does not start here.
    checkedAtMs: state.checkedAtMs,
    nextRunAtMs: state.nextRunAtMs,
    rebaseMs: run.rebaseMs,
  });
  return id;
}
