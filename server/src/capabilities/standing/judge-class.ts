import { accuses, type Listing, mayBeShared } from '#capabilities/corpus/index.ts';
import type { JudgeInput } from '#capabilities/judging/index.ts';
import {
  type CaseStanding,
  type CorpusFacts,
  hourOf,
  isActive,
  isThreat,
  type RiskLevel,
  standCase,
} from '#domain/scoring/index.ts';
import { sha256Of } from '#platform/sha256.ts';
import { listedFactsOf } from './class-facts.ts';
import { type Membership, membershipOf } from './list-rules.ts';

/** The judgement for one audience. */
export type Judged = Membership & {
  readonly level: RiskLevel;
  readonly score: number;
  readonly summary: string;
};

/** A class judged twice: `all` by everything known, `shared` only by data that may be redistributed (O36). */
export type ClassStanding = {
  readonly word: string;
  readonly all: Judged;
  readonly shared: Judged;
  /** Why a guard keeps the members from a shared list; null: none does. */
  readonly withheldReason: string | null;
  readonly listed: Listed;
};

/** The current listings of a class. If they stay equal while the level changes, the cause is age. */
export type Listed = {
  /** Numbers of the sources that accuse the members now, in order. */
  readonly sources: readonly number[];
  /** Sixteen hexadecimal digits over all listings that stand now. */
  readonly digest: string;
};

const DIGEST_HEX = 16;

export const listedOf = (
  input: Pick<JudgeInput, 'subject' | 'listings' | 'context' | 'weights'>,
): Listed => ({
  sources: input.listings
    .filter((listing) => isThreat(listing) && isActive(listing))
    .map(({ source }) => source.number)
    .sort((a, b) => a - b),
  digest: sha256Of(listedFactsOf(input)).slice(0, DIGEST_HEX),
});

/**
 * Evidence is monotone: fewer accusations never raise a score, so `shared` never says more than `all`. Signals are trained
 * on every list, also on those that may not be passed on, so they count in `all` only.
 */
export function judgeClass(input: JudgeInput, corpus: CorpusFacts): ClassStanding {
  const { subject } = input;
  const nowH = hourOf(input.nowMs / 1_000);
  const all = standCase({ ...input, corpus, nowH });
  const open = openInputOf(input);
  const shared = open === input ? all : standCase({ ...open, corpus, nowH });
  const exported = exportedInputOf(input);
  const ofExported = exported === input ? all : standCase({ ...exported, corpus, nowH });
  const ofAll = judgedOf(all, membershipOf(subject, exported.listings, ofExported));
  const ofShared = judgedOf(shared, membershipOf(subject, open.listings, shared));
  const isWithheld = (ofAll.withheld | ofShared.withheld) !== 0;
  return {
    word: all.word,
    all: ofAll,
    shared: ofShared,
    withheldReason: isWithheld ? (shared.takenAway() ?? all.takenAway()) : null,
    listed: listedOf(input),
  };
}

/** The input without data that may not be redistributed (O36); the same object if there is nothing to leave out. */
export function openInputOf(input: JudgeInput): JudgeInput {
  const { listings, registry, asn } = input;
  const open = listings.filter(mayLeave);
  const isAsnOpen = registry.sources.some(
    ({ id, redistributable }) => id === asn?.sourceId && redistributable,
  );
  if (open.length === listings.length && (asn === null || isAsnOpen) && input.signals == null) return input;
  return { ...input, listings: open, asn: isAsnOpen ? asn : null, signals: null };
}

/** The input without lists that their operator keeps out of every export (O81); the same object if there is none. */
export function exportedInputOf(input: JudgeInput): JudgeInput {
  const listings = input.listings.filter(({ source }) => source.exported !== false || !accuses(source));
  return listings.length === input.listings.length ? input : { ...input, listings };
}

/** Lists that guard or describe may stay in: they only take points away, and their entries are never published. */
const mayLeave = ({ source }: Listing): boolean => mayBeShared(source) || !accuses(source);

const judgedOf = ({ level, scored, summary }: CaseStanding, membership: Membership): Judged => ({
  ...membership,
  level,
  score: scored.score,
  summary,
});
