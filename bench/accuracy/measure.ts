import { type Indicator, parseIndicator } from '../../server/src/domain/indicator/index.ts';
import { MODEL_VERSION } from '../../server/src/domain/scoring/index.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { HeldOut, type Recall, recallOfAll } from './held-out.ts';
import { type Judge, openJudge, type Sample } from './judge-corpus.ts';
import { isAtLeast, type LevelCounts, noLevels } from './level-counts.ts';
import { type NegativeName, type NegativeSet, Negatives } from './negatives.ts';
import { platformRoots } from './platform-roots.ts';
import { Scorecard, type SourceScore } from './scorecard.ts';
import { type WalkedReplica, walkCorpus } from './walk-corpus.ts';

/** The hour of the data set: the first one after its newest day. Ages are then what they were when it was collected. */
export const JUDGED_AT_MS = Date.parse('2026-08-23T00:00:00Z');

/** Flagged at `medium` by category, and how many of them are known to be good. */
export type Precision = { flagged: number; good: number; anyList: number; anyListGood: number };

export type Accuracy = {
  readonly model: string;
  readonly judgedAt: string;
  readonly keys: number;
  /** Indicators with at least one accusation of their own. */
  readonly accused: number;
  readonly sums: { readonly judged: number; readonly exact: number };
  readonly negatives: Readonly<Record<NegativeName, NegativeSet>>;
  readonly recall: {
    readonly all: Recall;
    readonly lineages: readonly (Recall & { readonly lineage: string })[];
    readonly categories: readonly (Recall & { readonly category: string })[];
  };
  readonly precision: Readonly<Record<string, Precision>>;
  readonly levels: Readonly<Record<string, LevelCounts>>;
  readonly sources: readonly SourceScore[];
  readonly timings: { readonly p50Us: number; readonly p99Us: number; readonly walkSeconds: number };
};

export type MeasureOptions = {
  readonly replica: WalkedReplica;
  /** A file with every listed URL, a line each. */
  readonly urlsPath: string;
  /** By how much an import moved all dates; 0 when it kept them. */
  readonly movedMs?: number;
  readonly monotonic: () => number;
};

const TIMED = 100_000;
/** About 100,000 of 4.25 million: every kind is among the timed ones. */
const TIMED_EVERY = 43;

/** One walk over the corpus, every measure taken on the way; then the platforms, then the clock. */
export async function measureAccuracy(options: MeasureOptions): Promise<Accuracy> {
  const { replica, urlsPath, movedMs = 0, monotonic } = options;
  const judge = openJudge(replica, JUDGED_AT_MS + movedMs);
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
    timings: { ...timeAssess(judge, timed, monotonic), walkSeconds },
  };
}

/** By the strongest accusation; under "any list" what one list names is flagged. */
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

/** Lookup and judgement of one indicator, in an order that no cache likes. */
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
