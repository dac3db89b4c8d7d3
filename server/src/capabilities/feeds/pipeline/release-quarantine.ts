import type { CatalogueRow } from '#capabilities/catalogue/index.ts';
import { findSource, type Source } from '#capabilities/corpus/index.ts';
import {
  findQuarantine,
  finishRun,
  holdIdleDataset,
  insertDecision,
  insertRun,
  nextRunMs,
  openQuarantined,
  type RunOutcome,
} from '#capabilities/datasets/index.ts';
import { notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { IngestReport } from '../ingest/contract.ts';
import { ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { findFetchRow } from '../submissions/find-fetch-row.ts';
import type { PipelineDeps } from './contract.ts';
import { recordMerge } from './record-merge.ts';

export type ReleaseOptions = {
  readonly by?: string;
  readonly onProgress?: (lines: number) => void;
  readonly signal?: AbortSignal;
};

/** Merges a download that an operator approved without the gates; values that can never be listed stay out. */
export async function releaseQuarantine(
  deps: PipelineDeps,
  sourceId: string,
  { by = 'an operator', ...options }: ReleaseOptions = {},
): Promise<RunOutcome<IngestReport>> {
  const row = await findFetchRow(deps, sourceId);
  const source = await findSource(deps.system.db, sourceId);
  if (row === undefined || source === undefined) throw notFound('Source', sourceId);
  return holdIdleDataset(deps, sourceId, () => releaseHeld(deps, { row, source, by }, options));
}

async function releaseHeld(
  deps: PipelineDeps,
  { row, source, by }: { readonly row: CatalogueRow; readonly source: Source; readonly by: string },
  options: Omit<ReleaseOptions, 'by'>,
): Promise<RunOutcome<IngestReport>> {
  const { system, clock } = deps;
  const sourceId = source.id;
  const id = newId('run', clock.now());
  const run = { deps, id, source, phases: [] };
  try {
    const waiting = await findQuarantine(deps, sourceId);
    if (!waiting.isReleasable)
      throw new ServiceError('Conflict', `This download cannot be released: ${waiting.reason}`);
    const paths = await openQuarantined(deps, waiting);
    await insertRun(system.db, { id, sourceNumber: source.number, startedAtMs: clock.now() });
    const reason = `Released by ${by} although: ${waiting.reason}`;
    const fetched = { parts: waiting.parts, sha256: waiting.contentSha256 ?? '', bytes: 0 };
    const report = await ingestSnapshot(deps, {
      sourceId,
      files: paths.map((path) => ({ path, format: row.format })),
      dataAtMs: waiting.dataAtMs ?? clock.now(),
      judge: () => undefined,
      canaries: row.canaries !== 'off',
      allowEmpty: true,
      isReleased: true,
      record: async (tx, merged) => {
        await insertDecision(tx, { ...waiting, action: 'release', by, nowMs: clock.now() });
        await recordMerge(tx, run, {
          report: merged,
          reason,
          nextRunAtMs: nextRunMs(row, clock.now(), Math.random()),
          fetched,
        });
      },
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    return { sourceId, runId: id, status: 'succeeded', reason, report };
  } catch (error) {
    const reason = `The release failed: ${(error as Error).message}`;
    await finishRun(system.db, { id, finishedAtMs: clock.now(), status: 'failed', reason, phases: [] });
    throw error;
  }
}
