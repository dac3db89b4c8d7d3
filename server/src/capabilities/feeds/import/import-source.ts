import { join } from 'node:path';
import {
  clearQuarantine,
  contentShaOf,
  holdDataset,
  NO_HISTORY,
  recordOfflineRun,
  recordRefusedFiles,
} from '#capabilities/datasets/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { GateError } from '#capabilities/lists/index.ts';
import { sha256OfFile } from '#platform/sha256.ts';
import type { BulkLoad, BulkReport } from '../ingest/bulk-load.ts';
import type { IngestOptions, IngestReport } from '../ingest/contract.ts';
import { ingestSnapshot } from '../ingest/ingest-snapshot.ts';
import { judgeSnapshot } from '../pipeline/gates.ts';
import type { ManifestOptions, OfflineDeps, SourceOutcome } from './contract.ts';
import type { PlannedFile, PlannedSource } from './plan-import.ts';
import type { Sightings } from './read-history.ts';
import type { OfflineState } from './store.ts';

export type ManifestRun = {
  readonly deps: OfflineDeps;
  readonly folder: string;
  readonly options: ManifestOptions;
  readonly rebaseMs: number;
  readonly states: ReadonlyMap<string, OfflineState>;
  /** The sightings of a source's recorded history; null: it has none. */
  readonly sightingsOf: (planned: PlannedSource) => Promise<Sightings | null>;
  /** Null: the corpus has content, so each source is compared with its listings. */
  readonly bulk: BulkLoad | null;
};

const HELD = 'An operator rolled this content back, so it is not taken again.';
const BUSY = 'A run of this source is going on; start the import again when it is over.';
const UNCHANGED = 'Imported before with the same content and the same dates.';

export async function importSource(
  run: ManifestRun,
  planned: PlannedSource,
  onProgress: (lines: number) => void,
): Promise<SourceOutcome> {
  const { row, files } = planned;
  const contentSha256 = contentShaOf(files.map(({ sha256 }) => sha256));
  const state = run.states.get(row.id);
  const stays = notRead(run, planned);
  if (state?.heldSha256 === contentSha256) return { ...stays, status: 'held', reason: HELD };
  const isKnown = state?.contentSha256 === contentSha256 && state.rebaseMs === run.rebaseMs;
  if (isKnown && run.options.reread !== true) return { ...stays, status: 'unchanged', reason: UNCHANGED };
  const damage = await damageOf(run.folder, files);
  if (damage !== null) return { ...stays, status: 'refused', reason: damage };
  try {
    return await take(run, planned, contentSha256, onProgress);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    await quarantine(run, planned, contentSha256, error);
    return { ...stays, status: 'quarantined', reason: error.message, counts: error.counts };
  }
}

const notRead = (run: ManifestRun, { row, files, dataAtMs, bytes }: PlannedSource) => ({
  id: row.id,
  threatClass: row.threatClass,
  dataAtMs: dataAtMs + run.rebaseMs,
  files: files.length,
  bytes,
  counts: null,
  entries: run.states.get(row.id)?.entries ?? 0,
  duplicates: 0,
  added: 0,
  removed: 0,
  changed: 0,
});

/** A missing or damaged part would look like delisted entries, so the whole source is refused. */
async function damageOf(folder: string, files: readonly PlannedFile[]): Promise<string | null> {
  for (const { path, sha256 } of files) {
    let found: string;
    try {
      found = (await sha256OfFile(join(folder, path))).sha256;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      return `'${path}' cannot be read (${code}); the listed content stays.`;
    }
    if (found !== sha256)
      return `'${path}' is not the file the manifest describes: its SHA-256 begins with ${found.slice(0, 8)}, not ${sha256.slice(0, 8)}. Fetch it again; the listed content stays.`;
  }
  return null;
}

async function take(
  run: ManifestRun,
  planned: PlannedSource,
  contentSha256: string,
  onProgress: (lines: number) => void,
): Promise<SourceOutcome> {
  const { deps, bulk } = run;
  const stays = notRead(run, planned);
  const sightings = await run.sightingsOf(planned);
  const ingest = {
    ...ingestOptions(run, planned, contentSha256, onProgress),
    ...(sightings === null ? {} : { sightings }),
  };
  // A first load needs no lock of the source: the corpus is empty, so no other run can be under way.
  if (bulk !== null) return { ...stays, status: 'imported', reason: null, counts: await bulk.add(ingest) };
  const report = await holdDataset(deps, planned.row.id, () => ingestSnapshot(deps, ingest));
  if (report === null) return { ...stays, status: 'refused', reason: BUSY };
  return { ...stays, status: 'imported', reason: null, ...taken(report) };
}

function ingestOptions(
  run: ManifestRun,
  { row, files, dataAtMs }: PlannedSource,
  contentSha256: string,
  onProgress: (lines: number) => void,
): IngestOptions {
  const { deps, folder, options, rebaseMs } = run;
  const startedAtMs = deps.clock.now();
  let overruled: string | null = null;
  return {
    sourceId: row.id,
    files: files.map(({ path, format, family }) => ({
      path: join(folder, path),
      format,
      ...(family === undefined ? {} : { family }),
    })),
    dataAtMs,
    trustDeclaredDate: false,
    rebaseMs,
    judge: (counts) => {
      overruled = judge(run, row, counts);
    },
    canaries: row.canaries !== 'off',
    allowEmpty: row.volume.min === 0,
    record: async (tx, { source, counts, added, removed, changed, unchanged, ...report }) => {
      await clearQuarantine(tx, source.number);
      await recordOfflineRun(tx, {
        sourceNumber: source.number,
        startedAtMs,
        finishedAtMs: deps.clock.now(),
        mergedAtMs: Math.round(source.lastFetchAtS * 1_000),
        dataAtMs: report.dataAtMs,
        contentSha256,
        counts,
        entries: added + changed + unchanged,
        delta: { added, removed, changed },
        rebaseMs,
        overruled,
      });
    },
    onProgress,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

/** Uses the limits of the row alone, because live runs say nothing about a data set of another day. */
function judge({ options }: ManifestRun, row: PlannedSource['row'], counts: SnapshotCounts): string | null {
  try {
    judgeSnapshot(row, NO_HISTORY, counts);
    return null;
  } catch (error) {
    const isAccepted = options.accept?.includes(row.id) === true;
    if (error instanceof GateError && error.isReleasable && isAccepted)
      return `Accepted by an operator although: ${error.message}`;
    throw error;
  }
}

const taken = ({ source, counts, duplicates, added, removed, changed }: IngestReport) => ({
  counts,
  entries: source.entries,
  duplicates,
  added,
  removed,
  changed,
});

/** Records a refused file. A repeated import of the same bytes with the same refusal writes nothing. */
async function quarantine(
  run: ManifestRun,
  { row, dataAtMs }: PlannedSource,
  contentSha256: string,
  gate: GateError,
): Promise<void> {
  const { deps, rebaseMs } = run;
  const state = run.states.get(row.id);
  if (state === undefined) throw new Error(`Source '${row.id}' was not registered.`);
  const isNews =
    state.lastStatus !== 'quarantined' ||
    state.lastSha256 !== contentSha256 ||
    state.lastReason !== gate.message;
  if (!isNews) return;
  const nowMs = deps.clock.now();
  await deps.system.transaction((tx) =>
    recordRefusedFiles(tx, {
      sourceNumber: state.number,
      nowMs,
      dataAtMs: dataAtMs + rebaseMs,
      contentSha256,
      rebaseMs,
      gate,
    }),
  );
}

/** Adds what a first load knows only at its end: how many entries each source has after duplicates are folded. */
export function withLoaded(
  outcomes: readonly SourceOutcome[],
  { sources }: BulkReport,
): readonly SourceOutcome[] {
  const loaded = new Map(sources.map((report) => [report.source.id, report]));
  return outcomes.map((outcome) => {
    const report = outcome.status === 'imported' ? loaded.get(outcome.id) : undefined;
    return report === undefined ? outcome : { ...outcome, ...taken(report) };
  });
}
