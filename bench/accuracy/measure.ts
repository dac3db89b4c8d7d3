import type { Moment } from '../../server/src/capabilities/judging/assess.ts';
import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { MODEL_VERSION } from '../../server/src/domain/scoring/index.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { type C2Order, measureC2Order } from './c2-order.ts';
import { HeldOut, type Recall, recallOfAll } from './held-out.ts';
import { type Judge, openJudge, type Sample, type SumCheck } from './judge-corpus.ts';
import { isAtLeast, type LevelCounts, noLevels } from './level-counts.ts';
import { type NegativeName, type NegativeSet, Negatives } from './negatives.ts';
import { platformRoots } from './platform-roots.ts';
import { Scorecard, type SourceScore } from './scorecard.ts';
import { measureVisits, type Visits } from './visits.ts';
import { type WalkedReplica, walkCorpus } from './walk-corpus.ts';

/** The first hour after the newest day of the data set, so that ages are as they were when it was collected. */
export const JUDGED_AT_MS = Date.parse('2026-08-23T00:00:00Z');

export type Precision = { flagged: number; good: number; anyList: number; anyListGood: number };

export type Accuracy = {
  readonly model: string;
  readonly judgedAt: string;
  readonly keys: number;
  readonly accused: number;
  readonly sums: Readonly<SumCheck>;
  readonly negatives: Readonly<Record<NegativeName, NegativeSet>>;
  readonly recall: {
    readonly all: Recall;
    readonly lineages: readonly (Recall & { readonly lineage: string })[];
    readonly categories: readonly (Recall & { readonly category: string })[];
  };
  readonly precision: Readonly<Record<string, Precision>>;
  readonly levels: Readonly<Record<string, LevelCounts>>;
  readonly sources: readonly SourceScore[];
  readonly visits: Visits;
  readonly c2Order: C2Order;
  readonly timings: { readonly p50Us: number; readonly p99Us: number; readonly walkSeconds: number };
};

export type MeasureOptions = {
  readonly replica: WalkedReplica;
  readonly urlsPath: string;
  /** Folder of the data set, for what is evaluated beside the corpus: visited hosts, routed networks, histories. */
  readonly data: string;
  /** What a node has besides its corpus: networks, signals. */
  readonly given?: Partial<Moment>;
  /** Milliseconds by which the import moved all dates; 0 when it kept them. */
  readonly movedMs?: number;
  readonly monotonic: () => number;
};

const TIMED = 100_000;
/** Every 43rd of 4.25 million indicators is a candidate for timing: about 100,000, so that every kind is timed. */
const TIMED_EVERY = 43;

/**
 * Walks the corpus once and takes every measure on the way; then judges the platform roots and times single lookups.
 */
export async function measureAccuracy(options: MeasureOptions): Promise<Accuracy> {
  const { replica, urlsPath, data, given = {}, movedMs = 0, monotonic } = options;
  const judge = openJudge(replica, JUDGED_AT_MS + movedMs, given);
  const [negatives, heldOut, scorecard] = [new Negatives(judge), new HeldOut(judge), new Scorecard()];
  const levels: Record<string, LevelCounts> = {};
  const precision: Record<string, Precision> = {};
  const timed: Indicator[] = [];
  let [accused, walked] = [0, 0];
  const startMs = monotonic();
  const keys = await walkCorpus(replica, urlsPath, (indicator) => {
    walked += 1;
    if (walked % TIMED_EVERY === 0) timed.push(indicator);
    const sample = judge.sample(indicator);
    const isGood = negatives.add(sample);
    if (sample.own.length === 0) return;
    accused += 1;
    heldOut.add(sample);
    scorecard.add(sample);
    levels[indicator.kind] ??= noLevels();
    (levels[indicator.kind] as LevelCounts)[sample.assessment.verdict.riskScore.level] += 1;
    addPrecision(precision, sample, isGood);
  });
  for (const root of platformRoots()) {
    const parsed = parseIndicator(root);
    if (parsed.ok) negatives.addPlatformRoot(judge.sample(parsed.indicator));
  }
  const walkSeconds = (monotonic() - startMs) / 1_000;
  const lineages = heldOut.lineages();
  const visits = await measureVisits(judge, data);
  // Judged without signals: listings around an address would change its score for reasons other than its own date.
  const c2Order = await measureC2Order(openJudge(replica, JUDGED_AT_MS + movedMs), data);
  return {
    model: MODEL_VERSION,
    judgedAt: new Date(JUDGED_AT_MS).toISOString(),
    keys,
    accused,
    sums: { ...judge.sums },
    negatives: negatives.settle(),
    recall: { all: recallOfAll(lineages), lineages, categories: heldOut.categories() },
    precision,
    levels,
    sources: scorecard.scores(),
    visits,
    c2Order,
    timings: { ...timeAssess(judge, timed, monotonic), walkSeconds },
  };
}

/** Counts flagged entries by the category of the strongest accusation. `anyList` flags whatever one list names. */
function addPrecision(precision: Record<string, Precision>, { assessment }: Sample, isGood: boolean): void {
  const { categories, riskScore } = assessment.verdict;
  const category = categories[0] ?? 'none';
  precision[category] ??= { flagged: 0, good: 0, anyList: 0, anyListGood: 0 };
  const of = precision[category];
  of.anyList += 1;
  if (isGood) of.anyListGood += 1;
  if (!isAtLeast(riskScore.level, 'medium')) return;
  of.flagged += 1;
  if (isGood) of.good += 1;
}

/** Times lookup and judgement of one indicator, in random order so that caches do not help. */
function timeAssess(
  judge: Judge,
  indicators: Indicator[],
  monotonic: () => number,
): { p50Us: number; p99Us: number } {
  const next = randomNumbers(11);
  const tookMs = Array.from({ length: TIMED }, () => {
    const indicator = indicators[next() % indicators.length] as Indicator;
    const startMs = monotonic();
    judge.sample(indicator);
    return monotonic() - startMs;
  }).sort((a, b) => a - b);
  const at = (share: number): number => Number(((tookMs[Math.floor(TIMED * share)] ?? 0) * 1_000).toFixed(1));
  return { p50Us: at(0.5), p99Us: at(0.99) };
}
