import type { JudgeInput } from '#capabilities/judging/index.ts';
import { exportedInputOf, openInputOf } from '#capabilities/standing/index.ts';
import {
  type CaseStanding,
  type CorpusFacts,
  hourOf,
  isAccusing,
  isActive,
  isThreat,
  judgeCase,
  MODEL,
  namesItself,
  type RiskLevel,
  scoreCategoryOf,
  standCase,
} from '#domain/scoring/index.ts';
import type { StixKind } from '#domain/stix/index.ts';
import { collectionsHolding } from './collections.ts';
import { lastHourOf } from './last-hour.ts';

/** What is exported of an indicator, or of every member of its class. */
export type Export = {
  readonly level: RiskLevel;
  readonly score: number;
  readonly confidence: number;
  /** Sources that add points. */
  readonly sources: number;
  /** Score categories of those sources, sorted. */
  readonly categories: readonly string[];
  /** Bits of collections; 0: it is not exported. */
  readonly collections: number;
  /** The first hour in which it is not exported, if no source says anything new. */
  readonly untilH: number;
  readonly computedH: number;
};

/** EXPORT_MIN_SCORE of O39: from this score on an indicator is in shared lists and collections. */
export const EXPORT_MIN_SCORE = MODEL.levels.medium;
/** An accusation that does not fade is exported with an end after a year, and judged again before that. */
const HOURS_MAX = 365 * 24;

export type ExportJudge = {
  readonly audience: 'public' | 'internal';
  readonly corpusFacts: (input: JudgeInput) => CorpusFacts;
};

/** Applies the rule of the shared lists (listed itself, at least 35 points) to every kind that has a collection. */
export function judgeExport(kind: StixKind, given: JudgeInput, judge: ExportJudge): Export {
  const input = judge.audience === 'public' ? openInputOf(given) : exportedInputOf(given);
  const corpus = judge.corpusFacts(input);
  const nowH = hourOf(input.nowMs / 1_000);
  const standing = standCase({ ...input, corpus, nowH });
  const base = { level: standing.level, score: standing.scored.score, computedH: nowH };
  if (!isNamed(input) || !isExported(standing))
    return { ...base, confidence: 0, sources: 0, categories: [], collections: 0, untilH: nowH };
  const { confidence } = judgeCase({ ...input, corpus, nowH });
  const counted = standing.scored.counted.filter(({ points, listing }) => points > 0 && isActive(listing));
  const categories = [
    ...new Set(counted.map(({ listing }) => scoreCategoryOf(listing.source.category))),
  ].sort();
  return {
    ...base,
    confidence: confidence.score,
    sources: counted.length,
    categories,
    collections: collectionsHolding(kind, categories),
    untilH:
      1 +
      lastHourOf((hour) => isExported(standCase({ ...input, corpus, nowH: hour })), {
        from: nowH,
        most: nowH + HOURS_MAX,
      }),
  };
}

const isNamed = ({ subject, listings }: JudgeInput): boolean =>
  listings.some((each) => isThreat(each) && isActive(each) && namesItself(each, subject));
const isExported = ({ level, scored }: CaseStanding): boolean =>
  isAccusing(level) && scored.score >= EXPORT_MIN_SCORE;

/** True when a quarter of the time to the end has passed, so that the end is judged again in good time. */
export const isUntilDue = (
  { untilH, computedH }: Pick<Export, 'untilH' | 'computedH'>,
  nowH: number,
): boolean => (nowH - computedH) * 4 >= untilH - computedH;
