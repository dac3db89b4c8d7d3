import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Assessment, Assessor } from '#capabilities/check/index.ts';
import type { SingleIndicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { BatchEntry } from './read-batch.ts';

export type BatchDeps = { readonly clock: Clock; readonly assess: Assessor };

export type RowMaker<T> = {
  readonly judged: (entity: string, indicator: SingleIndicator, assessment: Assessment) => T;
  readonly refused: (entity: string, type: 'phone' | 'unknown', reason: string) => T;
};

/**
 * Other requests wait at most this long. With cached verdicts 500 rows take less; after the turn of an hour
 * they do not.
 */
const SLICE_MS = 10;
const ATTEMPTS_MAX = 3;

/**
 * One row per entry, in order, all from one state of the corpus. The state changes only between turns of the
 * event loop: a batch that yielded and finds another state starts again, and the last attempt does not yield.
 */
export async function checkBatch<T>(
  deps: BatchDeps,
  entries: readonly BatchEntry[],
  make: RowMaker<T>,
): Promise<T[]> {
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
    const rows = await checkInSlices(deps, entries, make);
    if (rows !== null) return rows;
  }
  return entries.map((entry) => rowOf(entry, deps.assess, make));
}

async function checkInSlices<T>(
  { clock, assess }: BatchDeps,
  entries: readonly BatchEntry[],
  make: RowMaker<T>,
): Promise<T[] | null> {
  const rows: T[] = [];
  let state: string | null = null;
  let isChanged = false;
  const watched: Assessor = (indicator) => {
    const assessment = assess(indicator);
    state ??= assessment.snapshotId;
    isChanged ||= assessment.snapshotId !== state;
    return assessment;
  };
  let sliceEndMs = clock.monotonic() + SLICE_MS;
  for (const entry of entries) {
    if (clock.monotonic() > sliceEndMs) {
      await nextTurn();
      sliceEndMs = clock.monotonic() + SLICE_MS;
    }
    rows.push(rowOf(entry, watched, make));
    if (isChanged) return null;
  }
  return rows;
}

function rowOf<T>({ entity, target }: BatchEntry, assess: Assessor, make: RowMaker<T>): T {
  return target.ok
    ? make.judged(entity, target.indicator, assess(target.indicator))
    : make.refused(entity, target.type, target.reason);
}
