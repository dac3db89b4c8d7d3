import {
  type CorpusAnswer,
  type CorpusReplica,
  type Listing,
  openCorpus,
  type Source,
} from '../../server/src/capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '../../server/src/capabilities/enrichment/index.ts';
import {
  type Assessment,
  asnListings,
  assess,
  type Moment,
  unwrapped,
} from '../../server/src/capabilities/judging/assess.ts';
import { createVerdictMemo } from '../../server/src/capabilities/judging/verdict-memo.ts';
import type { Indicator } from '../../server/src/domain/indicator/index.ts';
import { isActive, isThreat, MODEL, type Verdict } from '../../server/src/domain/scoring/index.ts';
import { contradictsItself } from './contradicts-itself.ts';

/** One indicator, gathered and judged by the code that answers `GET /check`. */
export type Sample = {
  readonly indicator: Indicator;
  readonly answer: CorpusAnswer;
  readonly assessment: Assessment;
  readonly threats: readonly Listing[];
  /** Those of `threats` whose list contains exactly this indicator. */
  readonly own: readonly Listing[];
};

export type Judge = {
  readonly sample: (indicator: Indicator) => Sample;
  readonly without: (sample: Sample, isLeftOut: (source: Source) => boolean) => Assessment;
  readonly sums: SumCheck;
};

/** Counts verdicts whose points add up to the score and whose fields agree. A cached verdict is checked only once. */
export type SumCheck = { judged: number; exact: number; consistent: number; faintMalicious: number };

const NONE: readonly Listing[] = [];

/** `given`: what a node knows besides its corpus, such as networks and signals. */
export function openJudge(replica: CorpusReplica, nowMs: number, given: Partial<Moment> = {}): Judge {
  const corpus = openCorpus(replica);
  const memo = createVerdictMemo();
  // A separate cache, so that held-out verdicts do not evict the real ones.
  const heldOut = createVerdictMemo();
  const asnListing = asnListings(corpus);
  const sums: SumCheck = { judged: 0, exact: 0, consistent: 0, faintMalicious: 0 };
  const known = new WeakMap<object, Looked>();
  const judge = (
    of: typeof memo,
    indicator: Indicator,
    answer: CorpusAnswer,
    carrier: Moment['carrier'] = null,
  ): Assessment => {
    const assessment = assess(of, indicator, {
      nowMs,
      answer,
      book: EMPTY_BOOK,
      asnListing,
      carrier,
      ...given,
    });
    const { verdict } = assessment;
    const looked = known.get(verdict) ?? lookAt(verdict);
    known.set(verdict, looked);
    sums.judged += 1;
    if (looked.isExact) sums.exact += 1;
    if (looked.isConsistent) sums.consistent += 1;
    if (verdict.malicious && verdict.riskScore.score < MODEL.levels.medium) sums.faintMalicious += 1;
    return assessment;
  };
  return {
    sums,
    sample: (asked) => {
      const { inner: indicator, carrier } = unwrapped(asked);
      const answer = corpus.lookup(indicator);
      const assessment = judge(memo, indicator, answer, carrier);
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

type Looked = { readonly isExact: boolean; readonly isConsistent: boolean };
const lookAt = (verdict: Verdict): Looked => ({
  isExact:
    verdict.riskScore.factors.reduce((sum, { contribution }) => sum + contribution, 0) ===
    verdict.riskScore.score,
  isConsistent: !contradictsItself(verdict),
});

/** Listings of a URL's host also have the match type `exact`, but are not of the URL itself. */
const isOwn = ({ matchType, matched }: Listing, { value }: Indicator): boolean =>
  matchType === 'exact' && matched === value;
