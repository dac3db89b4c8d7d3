import type { GateError } from '#capabilities/lists/index.ts';
import { ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { DatasetDeps, RunOutcome } from '../contract.ts';
import { insertDecision } from '../runs/decision-store.ts';
import { recordGood } from '../runs/end-run.ts';
import { holdIdleDataset } from '../runs/hold-dataset.ts';
import { nextRunMs } from '../runs/pacing.ts';
import { findQuarantine, openQuarantined } from '../runs/quarantine.ts';
import { finishRun, insertRun } from '../runs/store.ts';
import type { DatasetDefinition, LoadReport } from './definition.ts';
import { registerDataset } from './run-definition.ts';
import { saveLoaded } from './store.ts';

export type ReleaseGiven = {
  /** The operator, as the record of the decision names them. */
  readonly by: string;
  readonly onProgress?: (records: number) => void;
  readonly signal?: AbortSignal;
};

/** Loads a quarantined download that an operator approved; gates that no operator may overrule still refuse it. */
export const releaseDataset = (
  deps: DatasetDeps,
  definition: DatasetDefinition,
  given: ReleaseGiven,
): Promise<RunOutcome<LoadReport>> =>
  holdIdleDataset(deps, definition.id, async () => {
    const { clock, system } = deps;
    const waiting = await findQuarantine(deps, definition.id);
    if (!waiting.isReleasable)
      throw new ServiceError('Conflict', `This download cannot be released: ${waiting.reason}`);
    const { number, cursor } = await registerDataset(deps, definition);
    const paths = await openQuarantined(deps, waiting);
    const id = newId('run', clock.now());
    await insertRun(system.db, { id, sourceNumber: number, startedAtMs: clock.now() });
    const reason = `Released by ${given.by} although: ${waiting.reason}`;
    const dataAtMs = waiting.dataAtMs ?? clock.now();
    try {
      const report = await definition.load(deps, {
        datasetId: definition.id,
        number,
        paths,
        sha256: waiting.contentSha256 ?? '',
        dataAtMs,
        cursor,
        ...(waiting.cursor === null ? {} : { nextCursor: waiting.cursor }),
        judge: () => undefined,
        overrule: ({ isReleasable }: GateError) => isReleasable,
        record: async (tx, loaded) => {
          const atMs = loaded.dataAtMs ?? dataAtMs;
          await saveLoaded(tx, { number, entries: loaded.entries, dataAtMs: atMs, cursor: loaded.cursor });
          await insertDecision(tx, { ...waiting, action: 'release', by: given.by, nowMs: clock.now() });
          await recordGood(
            tx,
            { id, number, deps, phases: [] },
            {
              ...loaded,
              parts: waiting.parts,
              sha256: waiting.contentSha256 ?? '',
              bytes: loaded.counts.bytes,
              dataAtMs: atMs,
              reason,
              nextRunAtMs: nextRunMs(definition, clock.now(), Math.random()),
            },
          );
        },
        ...(given.onProgress === undefined ? {} : { onProgress: given.onProgress }),
        ...(given.signal === undefined ? {} : { signal: given.signal }),
      });
      return { sourceId: definition.id, runId: id, status: 'succeeded', reason, report };
    } catch (error) {
      const failure = `The release failed: ${(error as Error).message}`;
      await finishRun(system.db, {
        id,
        finishedAtMs: clock.now(),
        status: 'failed',
        reason: failure,
        phases: [],
      });
      throw error;
    }
  });
