import {
  clearLoad,
  finishBulkLoad,
  inLoad,
  isCorpusEmpty,
  type ListedRow,
  type LoadedReport,
  type LoadSummary,
  listSources,
  loadedSources,
} from '#capabilities/corpus/index.ts';
import { contentShaOfFiles } from '#capabilities/datasets/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import { expectPublications } from '#capabilities/publications/index.ts';
import { batchesOf } from './batch-channel.ts';
import type { IngestOptions, IngestReport } from './contract.ts';
import { dataDateOf, type IngestDeps, rulesOf } from './ingest-snapshot.ts';
import { KnownValues } from './known-values.ts';
import { readSnapshot, refuseBroken } from './read-snapshot.ts';
import { SnapshotIntake } from './snapshot-intake.ts';

export type BulkReport = {
  readonly sources: readonly IngestReport[];
  /** Position in the change log: replicas before it rebuild. */
  readonly seq: number;
  readonly finishMs: number;
};

/** A first load: sources are added one by one, and nothing is visible before `finish`. */
export type BulkLoad = {
  /** Reads the source, unless an interrupted load already has it with the same content. Throws as `judge` does. */
  readonly add: (options: IngestOptions) => Promise<SnapshotCounts>;
  readonly finish: () => Promise<BulkReport>;
};

type Details = { readonly counts: SnapshotCounts; readonly readMs: number; readonly rules: string };

/** Null when the corpus has content; sources are then merged (`ingestSnapshot`). */
export async function openBulkLoad(deps: IngestDeps): Promise<BulkLoad | null> {
  const { db } = deps.system;
  const waiting = await loadedSources(db);
  if (!(await isCorpusEmpty(db))) {
    if (waiting.length > 0) await clearLoad(db);
    return null;
  }
  await expectPublications(db);
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

/** Everything except the bytes that decides which rows a file gives. */
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
  const contentSha256 = await contentShaOfFiles(options.files.map(({ path }) => path));
  return contentSha256 === summary.contentSha256 ? summary : null;
}

function load(deps: IngestDeps, options: IngestOptions): Promise<LoadSummary> {
  const startedMs = deps.clock.monotonic();
  const known = new KnownValues();
  return inLoad(deps, options.sourceId, options.settings ?? {}, async (loading) => {
    const { source } = loading;
    const intake = new SnapshotIntake(known, rulesOf(source, options));
    let read = { bytes: 0, sha256: '' };
    await loading.copy(
      batchesOf<ListedRow>(async (push) => {
        read = await readSnapshot(options, intake, push);
      }),
    );
    const counts = intake.counts(read.bytes);
    refuseBroken(counts);
    options.judge(counts, source);
    const details: Details = {
      counts,
      readMs: Math.round(deps.clock.monotonic() - startedMs),
      rules: rulesText(options),
    };
    const summary: LoadSummary = {
      contentSha256: read.sha256,
      dataAtMs: dataDateOf(options, intake.declaredDateMs, deps.clock.now()),
      accepted: counts.accepted,
      rejected: counts.rejected,
      entries: known.count,
      details,
    };
    await loading.keep(summary, { allowEmpty: options.allowEmpty === true });
    return summary;
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
