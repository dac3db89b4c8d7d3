import {
  clearLoad,
  finishBulkLoad,
  isCorpusEmpty,
  type ListedRow,
  type LoadedReport,
  type LoadSummary,
  listSources,
  loadedSources,
  loadSource,
  type Source,
} from '#capabilities/corpus/index.ts';
import { batchesOf } from './batch-channel.ts';
import type { IngestOptions, IngestReport, SnapshotCounts } from './contract.ts';
import { dataDateOf, type IngestDeps, rulesOf } from './ingest-snapshot.ts';
import { KnownValues } from './known-values.ts';
import { contentShaOfFiles, readSnapshot, refuseBroken } from './read-snapshot.ts';
import { SnapshotIntake } from './snapshot-intake.ts';

export type BulkReport = {
  readonly sources: readonly IngestReport[];
  /** Position in the change log: replicas before it rebuild. */
  readonly seq: number;
  /** Sorting into place and the commit. */
  readonly finishMs: number;
};

/** A first load: sources are added one by one, and nothing shows before `finish`. */
export type BulkLoad = {
  /** Reads the source, unless an interrupted load has it already with the same content. Throws as `judge` does. */
  readonly add: (options: IngestOptions) => Promise<SnapshotCounts>;
  readonly finish: () => Promise<BulkReport>;
};

/** What the load keeps of a source besides its rows. */
type Details = { readonly counts: SnapshotCounts; readonly readMs: number; readonly rules: string };

/** Null when the corpus has content: then sources are merged (`ingestSnapshot`). */
export async function openBulkLoad(deps: IngestDeps): Promise<BulkLoad | null> {
  const { db } = deps.system;
  const waiting = await loadedSources(db);
  if (!(await isCorpusEmpty(db))) {
    if (waiting.length > 0) await clearLoad(db);
    return null;
  }
  const sources = await listSources(db);
  const known = new Map<string, LoadSummary>();
  for (const { sourceNumber, contentSha256, report } of waiting) {
    const source = sources.find(({ number }) => number === sourceNumber);
    if (source !== undefined)
      known.set(source.id, { contentSha256, ...(report as Omit<LoadSummary, 'contentSha256'>) });
  }
  const added = new Map<string, IngestOptions>();
  return {
    add: async (options) => {
      const { counts } = detailsOf((await resumedOf(options, known)) ?? (await load(deps, options)));
      added.set(options.sourceId, options);
      return counts;
    },
    finish: () => finish(deps, added),
  };
}

const detailsOf = ({ details }: LoadSummary): Details => details as Details;

/** Everything but the bytes that decides what becomes of them. */
const rulesText = (options: IngestOptions): string =>
  JSON.stringify([
    options.files.map(({ format, family }) => [format, family]),
    options.dataAtMs,
    options.rebaseMs ?? 0,
    options.trustDeclaredDate !== false,
    options.canaries,
    options.settings ?? {},
  ]);

async function resumedOf(
  options: IngestOptions,
  known: ReadonlyMap<string, LoadSummary>,
): Promise<LoadSummary | null> {
  const summary = known.get(options.sourceId);
  if (summary === undefined || detailsOf(summary).rules !== rulesText(options)) return null;
  return (await contentShaOfFiles(options.files)) === summary.contentSha256 ? summary : null;
}

async function load(deps: IngestDeps, options: IngestOptions): Promise<LoadSummary> {
  const startedMs = deps.clock.monotonic();
  const known = new KnownValues();
  let read = { bytes: 0, sha256: '' };
  let intake: SnapshotIntake | null = null;
  const open = (source: Source) => {
    const reading = new SnapshotIntake(known, rulesOf(source, options));
    intake = reading;
    return batchesOf<ListedRow>(async (push) => {
      read = await readSnapshot(options, reading, push);
    });
  };
  const summarize = (source: Source): LoadSummary => {
    const reading = intake as SnapshotIntake;
    const counts = reading.counts(read.bytes);
    refuseBroken(counts);
    options.judge(counts, source);
    const details: Details = {
      counts,
      readMs: Math.round(deps.clock.monotonic() - startedMs),
      rules: rulesText(options),
    };
    return {
      contentSha256: read.sha256,
      dataAtMs: dataDateOf(options, reading.declaredDateMs, deps.clock.now()),
      accepted: counts.accepted,
      rejected: counts.rejected,
      entries: known.count,
      details,
    };
  };
  return loadSource(deps, {
    sourceId: options.sourceId,
    settings: options.settings ?? {},
    batches: open,
    summarize,
    allowEmpty: options.allowEmpty === true,
  });
}

async function finish(deps: IngestDeps, added: ReadonlyMap<string, IngestOptions>): Promise<BulkReport> {
  const startedMs = deps.clock.monotonic();
  const elapsedMs = () => Math.round(deps.clock.monotonic() - startedMs);
  const toReport = ({ summary, report }: LoadedReport): IngestReport => {
    const { counts, readMs } = detailsOf(summary);
    return { ...report, counts, dataAtMs: summary.dataAtMs, timings: { readMs, mergeMs: elapsedMs() } };
  };
  const loaded = await finishBulkLoad(deps, [...added.keys()], async (tx, each) =>
    added.get(each.report.source.id)?.record?.(tx, toReport(each)),
  );
  return {
    sources: loaded.map(toReport),
    seq: loaded[0]?.report.seq ?? 0,
    finishMs: elapsedMs(),
  };
}
