import { accuses, type Listing } from '#capabilities/corpus/index.ts';
import type { JudgeInput } from '#capabilities/judging/index.ts';
import {
  type CaseStanding,
  type CorpusFacts,
  hourOf,
  type RiskLevel,
  standCase,
} from '#domain/scoring/index.ts';
import { type Membership, membershipOf } from './list-rules.ts';

/** What one audience may be told. */
export type Judged = Membership & {
  readonly level: RiskLevel;
  readonly score: number;
  readonly summary: string;
};

/** The judgement on everything that is known, and on what may be passed on alone (O36). */
export type ClassStanding = {
  readonly word: string;
  readonly all: Judged;
  readonly shared: Judged;
  /** Why a guard keeps it from a list. */
  readonly withheldReason: string | null;
};

/**
 * Evidence is monotone: fewer accusations never raise a score, so `shared` never says more than `all`. Signals are trained
 * on every list, also on those that may not be passed on, so they count in `all` only.
 */
export function judgeClass(input: JudgeInput, corpus: CorpusFacts): ClassStanding {
  const { subject, listings, registry } = input;
  const nowH = hourOf(input.nowMs / 1_000);
  const all = standCase({ ...input, corpus, nowH });
  const open = listings.filter(mayLeave);
  const { asn } = input;
  const isAsnOpen = registry.sources.some(
    ({ id, redistributable }) => id === asn?.sourceId && redistributable,
  );
  const isSame = open.length === listings.length && (asn === null || isAsnOpen) && input.signals == null;
  const shared = isSame
    ? all
    : standCase({ ...input, listings: open, asn: isAsnOpen ? asn : null, signals: null, corpus, nowH });
  const ofAll = judgedOf(all, membershipOf(subject, listings, all));
  const ofShared = judgedOf(shared, membershipOf(subject, open, shared));
  const isWithheld = (ofAll.withheld | ofShared.withheld) !== 0;
  return {
    word: all.word,
    all: ofAll,
    shared: ofShared,
    withheldReason: isWithheld ? (shared.takenAway() ?? all.takenAway()) : null,
  };
}

/** Lists that guard or describe are never passed on; they only take points away. */
const mayLeave = ({ source }: Listing): boolean => source.redistributable || !accuses(source);

const judgedOf = ({ level, scored, summary }: CaseStanding, membership: Membership): Judged => ({
  ...membership,
  level,
  score: scored.score,
  summary,
});
