import type { Source } from '#capabilities/corpus/index.ts';
import { type FetchedDataset, type RunPhase, recordGood } from '#capabilities/datasets/index.ts';
import type { Clock } from '#platform/clock.ts';
import { emit } from '#platform/events.ts';
import type { Db } from '#platform/postgres.ts';
import type { IngestReport } from '../ingest/contract.ts';
import { SourceUpdated } from './contract.ts';

type MergeRecord = {
  readonly report: IngestReport;
  readonly reason: string | null;
  readonly nextRunAtMs: number | null;
  readonly fetched: Pick<FetchedDataset, 'parts' | 'sha256' | 'bytes'>;
};

type MergeRun = {
  readonly deps: { readonly clock: Clock };
  readonly id: string;
  readonly source: Source;
  readonly phases: readonly RunPhase[];
};

/** Records a merge as a good run and tells the subscribers what changed, in the transaction of the merge. */
export async function recordMerge(
  tx: Db,
  run: MergeRun,
  { report, reason, nextRunAtMs, fetched }: MergeRecord,
): Promise<void> {
  const { source, added, removed, changed } = report;
  const phases = [...run.phases, ...phasesOf(report)];
  await recordGood(
    tx,
    { deps: run.deps, id: run.id, number: source.number, phases },
    {
      parts: fetched.parts,
      sha256: fetched.sha256,
      bytes: fetched.bytes,
      dataAtMs: report.dataAtMs,
      mergedAtMs: Math.round(source.lastFetchAtS * 1_000),
      entries: added + changed + report.unchanged,
      counts: report.counts,
      delta: { added, removed, changed },
      reason,
      nextRunAtMs,
    },
  );
  if (added + removed + changed === 0) return;
  const firstLoad = run.source.lastFetchAtS === 0;
  const payload = { sourceId: source.id, version: source.version, added, removed, changed, firstLoad };
  const occurredAt = new Date(run.deps.clock.now());
  await emit(tx, { type: SourceUpdated, accountId: null, payload, occurredAt });
}

/** Reading, parsing and normalizing are one pass over the text; its time is shown under parse. */
const phasesOf = ({ timings, counts, ...report }: IngestReport): readonly RunPhase[] => [
  { id: 'parse', status: 'succeeded', durationMs: Math.round(timings.readMs), records: counts.lines },
  { id: 'normalize', status: 'succeeded', durationMs: 0, records: counts.accepted },
  {
    id: 'dedupe',
    status: 'succeeded',
    durationMs: Math.round(timings.mergeMs),
    records: report.added + report.changed + report.unchanged,
  },
];
