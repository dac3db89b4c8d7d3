import {
  absenceDelists,
  analyzeCorpus,
  type CorpusWriteDeps,
  enqueueLineage,
  inMerge,
  isLargeMerge,
  type ListedRow,
  type MergeContent,
  type NamedKeys,
  OutOfStep,
  type Source,
} from '#capabilities/corpus/index.ts';
import type { SnapshotCounts } from '#capabilities/lists/index.ts';
import type { Log } from '#platform/log.ts';
import { type AdmitRules, REFUSALS } from './admit.ts';
import { batchesOf } from './batch-channel.ts';
import type { IngestOptions, IngestReport } from './contract.ts';
import { hasFirstSeen } from './extras-print.ts';
import { KnownValues } from './known-values.ts';
import {
  forgetKnown,
  type KnownFile,
  type KnownState,
  readKnown,
  touchKnown,
  writeKnown,
} from './known-values-file.ts';
import { readSnapshot, refuseBroken } from './read-snapshot.ts';
import { REPORT_TAG } from './report-links.ts';
import { indicatorOfKnown, SnapshotIntake } from './snapshot-intake.ts';

export type IngestDeps = CorpusWriteDeps & { readonly dataDir: string; readonly log: Log };

/**
 * Makes the files the content of a source: read, parse, normalise, compare, merge, all or nothing. A source that
 * delists by absence is compared with a file of its previous values (known-values-file.ts), so an unchanged line costs
 * one comparison. Window and delta sources are compared by PostgreSQL: a window's entries change with each appearance,
 * and a delta holds few known values.
 */
export async function ingestSnapshot(deps: IngestDeps, options: IngestOptions): Promise<IngestReport> {
  try {
    return await attemptSnapshot(deps, options);
  } catch (error) {
    if (!(error instanceof OutOfStep)) throw error;
    // Not expected, because a file of another state is not used. If it happens, the whole source is compared.
    deps.log.error({ err: error, sourceId: options.sourceId }, 'feeds.known_values.out_of_step');
    await forgetKnown(deps.dataDir, options.sourceId);
    return attemptSnapshot(deps, options);
  }
}

/** After a merge of this many listings the planner gets new statistics; autovacuum may be off. */
const ANALYZED_FROM = 100_000;

async function attemptSnapshot(deps: IngestDeps, options: IngestOptions): Promise<IngestReport> {
  const attempt = new Attempt(deps, options);
  const merged = await inMerge(
    deps,
    options.sourceId,
    async (merge) => {
      await merge.stage(await attempt.open(merge.source));
      attempt.judge(merge.source);
      const applied = await merge.apply(attempt.content());
      if (isLargeMerge(applied)) await enqueueLineage(merge.tx);
      await options.record?.(merge.tx, attempt.reportOf(applied));
      return applied;
    },
    options.settings,
  );
  const report = attempt.reportOf(merged);
  if (merged.added + merged.removed >= ANALYZED_FROM) await analyzeCorpus(deps.system.db);
  await attempt.keepKnown(merged.source, merged.added + merged.removed + merged.changed > 0);
  return report;
}

/** The admission rules as one text. A file of known values that was written under other rules is not used. */
const fingerprintOf = (rules: AdmitRules): string =>
  JSON.stringify([
    rules.threatClass,
    rules.guard,
    rules.canaries,
    rules.rebaseMs,
    rules.entityTypes,
    rules.isReport,
    Object.keys(REFUSALS),
  ]);

export const rulesOf = (source: Source, options: IngestOptions): AdmitRules => ({
  threatClass: source.threatClass,
  guard: source.guard,
  canaries: options.canaries,
  rebaseMs: options.rebaseMs ?? 0,
  latestMs: options.dataAtMs,
  ...(options.sightings === undefined ? {} : { sightings: options.sightings }),
  entityTypes: source.entityTypes,
  isReport: source.tags.includes(REPORT_TAG),
});

/** The publisher's own date, unless it is not trusted or lies in the future; shifted like every other date. */
export function dataDateOf(options: IngestOptions, declaredMs: number | null, nowMs: number): number {
  const isTrusted = options.trustDeclaredDate !== false && declaredMs !== null && declaredMs <= nowMs;
  return (isTrusted ? declaredMs : options.dataAtMs) + (options.rebaseMs ?? 0);
}

class Attempt {
  readonly #deps: IngestDeps;
  readonly #options: IngestOptions;
  readonly #startedMs: number;
  #readMs = 0;
  #bytes = 0;
  #known = new KnownValues();
  #file: KnownFile | null = null;
  #intake: SnapshotIntake | null = null;

  constructor(deps: IngestDeps, options: IngestOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#startedMs = deps.clock.monotonic();
  }

  /** The source is locked, so its known values stay valid until the commit. */
  async open(source: Source): Promise<AsyncIterable<readonly ListedRow[]>> {
    const rules = rulesOf(source, this.#options);
    const state = stateOf(source, rules);
    if (absenceDelists(source) && source.entries > 0) {
      const file = await readKnown(this.#deps.dataDir, state, this.#deps.clock.now());
      if (file?.columns.listed === source.entries) this.#file = file;
    }
    this.#known = new KnownValues(this.#file?.columns);
    const intake = new SnapshotIntake(this.#known, rules);
    this.#intake = intake;
    return batchesOf(async (push) => {
      const { bytes } = await readSnapshot(this.#options, intake, push);
      this.#bytes = bytes;
      this.#readMs = this.#deps.clock.monotonic() - this.#startedMs;
    });
  }

  #named(): NamedKeys {
    const gone = mapped(this.#known.gone(), indicatorOfKnown);
    const twins = mapped(this.#known.twins(), ({ text, print }) => ({
      indicator: indicatorOfKnown(text),
      hasFirstSeen: hasFirstSeen(print),
    }));
    return { gone, twins };
  }

  #read(): SnapshotIntake {
    if (this.#intake === null) throw new Error('Nothing was read yet.');
    return this.#intake;
  }

  counts(): SnapshotCounts {
    return this.#read().counts(this.#bytes);
  }

  judge(source: Source): void {
    const counts = this.counts();
    refuseBroken(counts);
    this.#options.judge(counts, source);
  }

  content(): MergeContent {
    const intake = this.#read();
    return {
      dataAtMs: dataDateOf(this.#options, intake.declaredDateMs, this.#deps.clock.now()),
      rejected: this.counts().rejected,
      allowEmpty: this.#options.allowEmpty === true,
      isReleased: this.#options.isReleased === true,
      described: this.#options.settings?.type === undefined ? { type: intake.typeOfRows() } : {},
      entriesLeftOut: intake.leftOut,
      named: this.#file === null ? null : this.#named(),
    };
  }

  reportOf(merged: Omit<IngestReport, 'counts' | 'dataAtMs' | 'timings'>): IngestReport {
    const totalMs = this.#deps.clock.monotonic() - this.#startedMs;
    const timings = { readMs: Math.round(this.#readMs), mergeMs: Math.round(totalMs - this.#readMs) };
    return { ...merged, counts: this.counts(), dataAtMs: Math.round(merged.source.dataAtS * 1_000), timings };
  }

  /** Runs after the commit. A failure here only costs the next run a full comparison. */
  async keepKnown(source: Source, isWritten: boolean): Promise<void> {
    const { dataDir, log, clock } = this.#deps;
    const state = stateOf(source, rulesOf(source, this.#options));
    try {
      if (!absenceDelists(source)) await forgetKnown(dataDir, source.id);
      else if (this.#file !== null && !isWritten) await touchKnown(dataDir, this.#file, state.mergedAtMs);
      else await writeKnown(dataDir, state, this.#known.after(), clock.now());
    } catch (error) {
      log.warn({ err: error, sourceId: source.id }, 'feeds.known_values.not_kept');
    }
  }
}

const stateOf = (source: Source, rules: AdmitRules): KnownState => ({
  sourceId: source.id,
  sourceNumber: source.number,
  version: source.version,
  mergedAtMs: Math.round(source.lastFetchAtS * 1_000),
  rules: fingerprintOf(rules),
});

function* mapped<A, B>(items: Iterable<A>, turn: (item: A) => B): Generator<B> {
  for (const item of items) yield turn(item);
}
