import type { GateError } from '#capabilities/lists/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { saveQuarantine } from './quarantine-store.ts';
import { ensureState, finishRun, insertRun, readState, saveProblem } from './store.ts';

export type RefusedFiles = {
  readonly sourceNumber: number;
  readonly nowMs: number;
  readonly dataAtMs: number;
  readonly contentSha256: string;
  readonly rebaseMs: number;
  readonly gate: GateError;
};

/**
 * Records files that a gate refused with the refused downloads. The files themselves are not stored: the operator has
 * them, and an import that accepts the source reads them again.
 */
export async function recordRefusedFiles(tx: Db, refused: RefusedFiles): Promise<void> {
  const { sourceNumber, nowMs, dataAtMs, contentSha256, rebaseMs, gate } = refused;
  const runId = newId('run', nowMs);
  await ensureState(tx, sourceNumber);
  const state = await readState(tx, sourceNumber);
  await insertRun(tx, { id: runId, sourceNumber, startedAtMs: nowMs });
  await finishRun(tx, {
    id: runId,
    finishedAtMs: nowMs,
    status: 'quarantined',
    reason: gate.message,
    phases: [],
    bytes: gate.counts?.bytes ?? null,
    contentSha256,
    dataAtMs,
    counts: gate.counts,
    rebaseMs,
  });
  await saveQuarantine(tx, {
    sourceNumber,
    runId,
    sinceMs: nowMs,
    gate: gate.gate,
    reason: gate.message,
    artifacts: [],
    parts: [],
    contentSha256,
    dataAtMs,
  });
  await saveProblem(tx, {
    sourceNumber,
    problem: gate.message,
    failures: state.failures,
    checkedAtMs: state.checkedAtMs ?? nowMs,
    nextRunAtMs: state.nextRunAtMs ?? nowMs,
  });
}
