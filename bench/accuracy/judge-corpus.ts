import { type Assessment, asnListings, assess } from '../../server/src/capabilities/check/assess.ts';
import { createVerdictMemo } from '../../server/src/capabilities/check/verdict-memo.ts';
import {
  type CorpusAnswer,
  type CorpusReplica,
  type Listing,
  openCorpus,
  type Source,
} from '../../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import type { Indicator } from '../../server/src/domain/indicator/index.ts';
import { isActive, isThreat } from '../../server/src/domain/scoring/index.ts';

/** One indicator, gathered and judged by the code that answers `GET /check`. */
export type Sample = {
  readonly indicator: Indicator;
  readonly answer: CorpusAnswer;
  readonly assessment: Assessment;
  readonly threats: readonly Listing[];
  /** Those of them whose list contains exactly this entry. */
  readonly own: readonly Listing[];
};

export type Judge = {
  readonly sample: (indicator: Indicator) => Sample;
  readonly without: (sample: Sample, isLeftOut: (source: Source) => boolean) => Assessment;
  readonly sums: SumCheck;
};

/** Every verdict must be the sum of its factors. Verdicts are shared, so each is summed once. */
export type SumCheck = { judged: number; exact: number };

const NONE: readonly Listing[] = [];

export function openJudge(replica: CorpusReplica, nowMs: number): Judge {
  const corpus = openCorpus(replica);
  const memo = createVerdictMemo();
  // A memo of its own, so that held-out verdicts do not evict the real ones.
  const heldOut = createVerdictMemo();
  const asnListing = asnListings(corpus);
  const sums: SumCheck = { judged: 0, exact: 0 };
  const known = new WeakMap<object, boolean>();
  const judge = (of: typeof memo, indicator: Indicator, answer: CorpusAnswer): Assessment => {
    const assessment = assess(of, indicator, { nowMs, answer, book: EMPTY_BOOK, asnListing });
    const { riskScore } = assessment.verdict;
    let isExact = known.get(riskScore);
    if (isExact === undefined) {
      isExact =
        riskScore.factors.reduce((sum, { contribution }) => sum + contribution, 0) === riskScore.score;
      known.set(riskScore, isExact);
    }
    sums.judged += 1;
    if (isExact) sums.exact += 1;
    return assessment;
  };
  return {
    sums,
    sample: (indicator) => {
      const answer = corpus.lookup(indicator);
      const assessment = judge(memo, indicator, answer);
      const threats = assessment.listings.filter((listing) => isThreat(listing) && isActive(listing));
      const own = threats.length === 0 ? NONE : threats.filter((listing) => isOwn(listing, indicator));
      return { indicator, answer, assessment, threats, own };
    },
    without: ({ indicator, answer }, isLeftOut) => {
      const listings = answer.listings.filter(({ source }) => !isLeftOut(source));
      return judge(heldOut, indicator, { ...answer, listings });
    },
  };
}

/** For a URL, its host's listings are exact as well but not its own. */
const isOwn = ({ matchType, matched }: Listing, { value }: Indicator): boolean =>
  matchType === 'exact' && matched === value;
