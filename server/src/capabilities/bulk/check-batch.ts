import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContactSummaries, ContactSummary } from '#capabilities/contacts/index.ts';
import type { Assessment, Assessor } from '#capabilities/judging/index.ts';
import type { Email, SingleIndicator } from '#domain/indicator/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { BatchEntry } from './read-batch.ts';

export type BatchDeps = {
  readonly clock: Clock;
  readonly assess: Assessor;
  readonly contacts: ContactSummaries;
  /** The one moment at which all rows of the batch are judged. */
  readonly nowMs: number;
};
type Judging = Pick<BatchDeps, 'assess' | 'contacts' | 'nowMs'>;

export type RowMaker<T> = {
  readonly judged: (entity: string, indicator: Exclude<SingleIndicator, Email>, assessment: Assessment) => T;
  readonly contact: (entity: string, type: 'email' | 'phone', summary: ContactSummary) => T;
  readonly refused: (entity: string, type: 'phone' | 'unknown', reason: string) => T;
};

/**
 * A batch yields to other requests after this time. 500 rows with cached verdicts take less; after the turn of an
 * hour, when verdicts are computed anew, they take more.
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
  return entries.map((entry) => rowOf(entry, deps, make));
}

async function checkInSlices<T>(
  deps: BatchDeps,
  entries: readonly BatchEntry[],
  make: RowMaker<T>,
): Promise<T[] | null> {
  const rows: T[] = [];
  const state = watchState();
  const watched: Judging = {
    ...deps,
    assess: (...asked) => state.seen(deps.assess(...asked)),
    contacts: { ...deps.contacts, phone: (...asked) => state.seenContact(deps.contacts.phone(...asked)) },
  };
  const { clock } = deps;
  let sliceEndMs = clock.monotonic() + SLICE_MS;
  for (const entry of entries) {
    if (clock.monotonic() > sliceEndMs) {
      await nextTurn();
      sliceEndMs = clock.monotonic() + SLICE_MS;
    }
    rows.push(rowOf(entry, watched, make));
    if (state.isChanged()) return null;
  }
  return rows;
}

/** Notices when two values were judged on different states; contacts carry the sequence of the corpus alone. */
function watchState() {
  let whole: string | null = null;
  let sequence: string | null = null;
  let isChanged = false;
  const seenContact = <S extends { readonly snapshotId: string }>(judged: S): S => {
    sequence ??= sequenceOf(whole ?? judged.snapshotId);
    isChanged ||= sequenceOf(judged.snapshotId) !== sequence;
    return judged;
  };
  const seen = (assessment: Assessment): Assessment => {
    const { snapshotId } = assessment;
    if (whole === null) isChanged ||= sequence !== null && sequenceOf(snapshotId) !== sequence;
    whole ??= snapshotId;
    isChanged ||= snapshotId !== whole;
    return assessment;
  };
  return { seen, seenContact, isChanged: () => isChanged };
}

const sequenceOf = (snapshotId: string): string => snapshotId.slice(0, snapshotId.indexOf('-'));

function rowOf<T>({ entity, target }: BatchEntry, judging: Judging, make: RowMaker<T>): T {
  if (!target.ok) return make.refused(entity, target.type, target.reason);
  const { assess, contacts, nowMs } = judging;
  if ('phone' in target)
    return make.contact(entity, 'phone', contacts.phone({ input: entity, reading: target.phone }, nowMs));
  const { indicator } = target;
  return indicator.kind === 'email'
    ? make.contact(entity, 'email', contacts.email(assess, indicator))
    : make.judged(entity, indicator, assess(indicator));
}
