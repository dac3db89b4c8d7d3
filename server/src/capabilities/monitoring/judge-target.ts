import { createContactSummaries } from '#capabilities/contacts/index.ts';
import { accuses, type Corpus, type Listing } from '#capabilities/corpus/index.ts';
import type { NetworkBook } from '#capabilities/enrichment/index.ts';
import {
  type Assessment,
  assess,
  createMoments,
  createVerdictMemo,
  type MissCache,
} from '#capabilities/judging/index.ts';
import type { OwnWord } from '#capabilities/org-indicators/index.ts';
import type { Signals } from '#capabilities/signals/index.ts';
import { listedOf } from '#capabilities/standing/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { Stood } from '#domain/monitoring/index.ts';
import { isActive, type MatchType } from '#domain/scoring/index.ts';
import type { WeightBook } from '#domain/weights/index.ts';
import type { Clock } from '#platform/clock.ts';
import { sha256Of } from '#platform/sha256.ts';

export type JudgeSources = {
  readonly corpus: Corpus;
  readonly enrichment: { readonly book: () => NetworkBook };
  readonly signals: Pick<Signals, 'book'>;
  /** Absent: the weights that come with the release. */
  readonly weights?: { readonly book: () => WeightBook };
  readonly clock: Clock;
};

/** A source that accuses a watched value now, and the listing by which it does. */
export type Accusation = {
  readonly number: number;
  readonly name: string;
  readonly matchType: MatchType;
  readonly matched: string;
};

/** The state of a watched value: what a check of it would answer now. */
export type Judged = Stood & {
  readonly score: number;
  /** The word of its verdict, as a check shows it (O59). */
  readonly word: string;
  readonly confidence: number;
  /** Numbers of the sources that accuse it, in order. */
  readonly sources: readonly number[];
  readonly labels: readonly string[];
  readonly categories: readonly string[];
  readonly accusations: readonly Accusation[];
  /** The state of the corpus that it was judged on. */
  readonly seq: number;
};

export type Judge = (indicator: Indicator, nowMs: number, own?: OwnWord | null) => Judged;

/** No cache of misses: it serves unknown file hashes only, and hashes cannot be watched. */
const NO_MISSES: MissCache = { find: () => undefined, add: () => undefined };
const DIGEST_HEX = 16;

/** A judge caches verdicts of the current hour, so each process makes one and keeps it. */
export function createJudge(sources: JudgeSources): Judge {
  const memo = createVerdictMemo();
  const momentOf = createMoments({ ...sources, misses: NO_MISSES });
  const contacts = createContactSummaries(sources);
  const assessAt = (indicator: Indicator, nowMs: number, own: OwnWord | null): Assessment => {
    const { inner, moment } = momentOf(indicator, nowMs);
    return assess(memo, inner, own === null ? moment : { ...moment, own });
  };
  return (indicator, nowMs, own = null) => {
    const seq = sources.corpus.seq();
    const assessed = assessAt(indicator, nowMs, own);
    // E-mail addresses are judged by the rules of contacts, so that monitoring and /check/email give the same verdict.
    if (indicator.kind === 'email') {
      const domain = assessAt(indicator.domain, nowMs, own);
      const summary = contacts.email((each) => assessAt(each, nowMs, own), indicator);
      const { level, score, word } = summary.riskScore;
      const stands = standsOf([...assessed.listings, ...domain.listings], assessed, own);
      return {
        ...stands,
        level,
        score,
        word,
        isMalicious: summary.malicious,
        confidence: confidenceOf(assessed),
        seq,
      };
    }
    const { level, score, word } = assessed.verdict.riskScore;
    const stands = standsOf(assessed.listings, assessed, own);
    const isMalicious = assessed.verdict.malicious;
    return { ...stands, level, score, word, isMalicious, confidence: confidenceOf(assessed), seq };
  };
}

const confidenceOf = ({ verdict }: Assessment): number => Math.round(verdict.confidence.score);

function standsOf(
  listings: readonly Listing[],
  { context, subject }: Pick<Assessment, 'context' | 'subject'>,
  own: OwnWord | null,
): Pick<Judged, 'listed' | 'sources' | 'labels' | 'categories' | 'accusations'> {
  // The source number of an organization's own entry differs between processes; `listed` gets its content instead.
  const ofLists = listings.filter(({ source }) => source.type !== 'organization');
  const kind = subject.kind === 'cidr' ? 'ip' : subject.kind;
  const { digest, sources } = listedOf({
    subject: { kind, value: subject.value },
    listings: ofLists,
    context,
  });
  const match = own?.match ?? null;
  const accusing = listings.filter((listing) => accuses(listing.source) && isActive(listing));
  return {
    listed: match === null ? digest : sha256Of(`${digest} ${ownText(match)}`).slice(0, DIGEST_HEX),
    sources: [...new Set(sources)],
    labels: context.labels,
    categories: [...new Set(accusing.map(({ source }) => source.category))].sort(),
    accusations: onceBySource(accusing),
  };
}

/** One accusation per source. A source may list an e-mail address and its domain: that of the address comes first. */
function onceBySource(listings: readonly Listing[]): readonly Accusation[] {
  const found = new Map<number, Accusation>();
  for (const { source, matchType, matched } of listings)
    if (!found.has(source.number))
      found.set(source.number, { number: source.number, name: source.name, matchType, matched });
  return [...found.values()];
}

const ownText = ({ disposition, category, matched, matchType }: NonNullable<OwnWord['match']>): string =>
  JSON.stringify([disposition, category, matched, matchType]);
