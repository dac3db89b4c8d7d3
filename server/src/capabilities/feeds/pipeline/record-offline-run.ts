import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import type { SnapshotCounts } from '../ingest/contract.ts';
import type { RunPhase } from './contract.ts';
import * as store from './store.ts';

export type OfflineRun = {
  readonly sourceNumber: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** Moment of the merge (`report.source.lastFetchAtS`), so that a rollback can return to it. */
  readonly mergedAtMs: number | null;
  readonly dataAtMs: number;
  readonly contentSha256: string;
  readonly counts: SnapshotCounts;
  /** Distinct indicators of the snapshot. */
  readonly entries: number;
  readonly delta: { readonly added: number; readonly removed: number; readonly changed: number };
  readonly rebaseMs: number;
  readonly phases?: readonly RunPhase[];
  /** Said when an operator overruled a gate: such a run is where the next one's history begins. */
  readonly overruled?: string | null;
};

/** A list that was given by hand is a good run like any other, in the transaction that merged it. Returns the run's id. */
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
    // What was downloaded before is no longer what is listed: the next request is made without conditions.
    parts: [],
    contentSha256: run.contentSha256,
    // The publisher was not asked, so its minimum interval does not start here.
    checkedAtMs: state.checkedAtMs,
    nextRunAtMs: state.nextRunAtMs,
    rebaseMs: run.rebaseMs,
  });
  return id;
}
