import type { Corpus, CorpusAnswer, IndicatorContext, Listing } from '#capabilities/corpus/index.ts';
import { createVerdictMemo, type VerdictMemo } from '#capabilities/judging/index.ts';
import {
  type ContactListing,
  contactVerdictOf,
  judgeContact,
  type VerdictOfContact,
} from '#domain/contact/index.ts';
import type { Crypto, Phone } from '#domain/indicator/index.ts';
import {
  type CorpusFacts,
  confidenceBaseOf,
  hourOf,
  isActive,
  isThreat,
  lineageOf,
  listingsAt,
  MODEL_VERSION,
  type Verdict,
} from '#domain/scoring/index.ts';
import type { Clock } from '#platform/clock.ts';

export type AssessedContact = {
  readonly listings: readonly Listing[];
  readonly judged: VerdictOfContact;
  /** Used for trust and confidence only; the score of a contact is in `judged`. */
  readonly verdict: Verdict;
  readonly corpus: CorpusFacts;
  readonly snapshotId: string;
  readonly nowMs: number;
};

/** Several spellings of one contact are looked up together, the usual one first. */
export type Spellings = readonly [Crypto | Phone, ...(Crypto | Phone)[]];
export type ContactAssessor = (spellings: Spellings, nowMs?: number) => AssessedContact;

/** The context of every wallet and telephone number: no guard applies to one, and no list describes one. */
const NO_CONTEXT: IndicatorContext = {
  guards: [],
  inheritedGuards: [],
  rankBucket: null,
  platform: null,
  isTenantSuffix: false,
  labels: [],
  tags: [],
  isReserved: false,
};

/** Judges wallets and telephone numbers from the replica alone. */
export function createContactAssessor(deps: {
  readonly corpus: Corpus;
  readonly clock: Clock;
}): ContactAssessor {
  const memo = createVerdictMemo();
  return ([subject, ...others], nowMs = deps.clock.now()) => {
    const answer = deps.corpus.lookup(subject);
    const more = others.flatMap((other) => deps.corpus.lookup(other).listings);
    return assessed(memo, subject, { ...answer, listings: [...answer.listings, ...more] }, nowMs);
  };
}

function assessed(
  memo: VerdictMemo,
  { kind, value }: Crypto | Phone,
  { seq, registry, listings: found }: CorpusAnswer,
  nowMs: number,
): AssessedContact {
  const listings = oncePerSource(listingsAt(found, hourOf(nowMs / 1_000))).filter(isActive);
  const verdict = memo.judge({
    subject: { kind, value },
    listings,
    context: NO_CONTEXT,
    asn: null,
    registry,
    nowMs,
  });
  const accusations = accusationsIn(listings);
  return {
    listings,
    judged: contactVerdictOf(judgeContact(accusations), {
      listed: accusations.length > 0 ? 'now' : 'never',
      contradictions: verdict.evidence.contradictorySignals,
    }),
    verdict,
    corpus: memo.corpusFacts(registry, kind, nowMs),
    snapshotId: `${seq}-${registry.version}-${MODEL_VERSION}`,
    nowMs,
  };
}

function oncePerSource(listings: readonly Listing[]): readonly Listing[] {
  const bySource = new Map<number, Listing>();
  for (const listing of listings)
    if (!bySource.has(listing.source.number)) bySource.set(listing.source.number, listing);
  return [...bySource.values()].sort((a, b) => a.source.number - b.source.number);
}

export const accusationsIn = (listings: readonly Listing[]): readonly ContactListing[] =>
  listings
    .filter((listing) => isThreat(listing) && isActive(listing))
    .map((listing) => ({
      sourceId: listing.source.id,
      confidence: confidenceOf(listing),
      lineage: lineageOf(listing.source),
    }));

/** The confidence of a listing is at most that of its source. */
export function confidenceOf({ source, confidence }: Listing): number {
  const ofSource = confidenceBaseOf(source);
  return confidence < 0 ? ofSource : Math.min(ofSource, confidence);
}
