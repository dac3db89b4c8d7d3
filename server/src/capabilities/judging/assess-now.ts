import type { Corpus, CorpusAnswer } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import type { OwnWords } from '#capabilities/org-indicators/index.ts';
import type { Signals } from '#capabilities/signals/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import { type Assessment, asnListings, assess, type Moment, unwrapped } from './assess.ts';
import type { MissCache } from './miss-cache.ts';
import type { ScannerWord } from './scanner-word.ts';
import { createVerdictMemo } from './verdict-memo.ts';

export type AssessorDeps = {
  readonly corpus: Corpus;
  readonly misses: MissCache;
  readonly clock: Clock;
  readonly enrichment: { readonly book: () => NetworkBook };
  /** Absent: no signals. */
  readonly signals?: Pick<Signals, 'book'>;
  /** The learned weights of lists of names. Absent: those that come with the release. */
  readonly weights?: { readonly book: () => WeightBook };
  /** Indicators that organizations report for their own callers. Absent: none. */
  readonly own?: OwnWords;
};

/**
 * Gathers and judges one indicator as of now, or as of the start of a batch. Needs no network; the caller
 * passes the answer of a scanner. The assessment belongs to callers of the named organization alone (O14); without one,
 * to everybody.
 */
export type Assessor = (
  indicator: Indicator,
  nowMs?: number,
  scanner?: ScannerWord | null,
  organizationId?: string | null,
) => Assessment;

/** The same assessor for callers of one organization; itself for callers without one. */
export const assessorFor = (assess: Assessor, organizationId: string | null | undefined): Assessor =>
  organizationId === null || organizationId === undefined
    ? assess
    : (indicator, nowMs, scanner) => assess(indicator, nowMs, scanner, organizationId);

/** An assessor caches verdicts of the current hour, so each process makes one and keeps it. */
export function createAssessor(deps: AssessorDeps): Assessor {
  const memo = createVerdictMemo();
  const momentOf = createMoments(deps);
  return (indicator, nowMs = deps.clock.now(), scanner = null, organizationId = null) => {
    const { inner, moment } = momentOf(indicator, nowMs, scanner, organizationId);
    return assess(memo, inner, moment);
  };
}

/** Reads what the judge needs: the indicator to judge, and everything that this node knows about it. */
export type Moments = (
  indicator: Indicator,
  nowMs: number,
  scanner?: ScannerWord | null,
  organizationId?: string | null,
) => { readonly inner: Indicator; readonly moment: Moment };

export function createMoments(deps: Omit<AssessorDeps, 'clock'>): Moments {
  const { corpus, enrichment } = deps;
  const asnListing = asnListings(corpus);
  return (indicator, nowMs, scanner = null, organizationId = null) => {
    const { inner, carrier } = unwrapped(indicator);
    const answer = gather(deps, inner);
    const own = organizationId === null ? null : (deps.own?.find(organizationId, inner, nowMs) ?? null);
    const moment = { nowMs, answer, book: enrichment.book(), asnListing, scanner, carrier, own };
    const signals = deps.signals?.book();
    const weights = deps.weights?.book();
    return {
      inner,
      moment: {
        ...moment,
        ...(signals !== undefined && { signals }),
        ...(weights !== undefined && { weights }),
      },
    };
  };
}

function gather(
  { corpus, misses }: Pick<AssessorDeps, 'corpus' | 'misses'>,
  indicator: Indicator,
): CorpusAnswer {
  if (indicator.kind !== 'hash') return corpus.lookup(indicator);
  const known = misses.find(indicator.value, corpus.seq());
  if (known !== undefined) return known;
  const answer = corpus.lookup(indicator);
  if (answer.listings.length === 0) misses.add(indicator.value, answer);
  return answer;
}
