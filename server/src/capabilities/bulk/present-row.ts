import { type Assessment, presentEvidence } from '#capabilities/check/index.ts';
import type { SingleIndicator } from '#domain/indicator/index.ts';
import { isActive } from '#domain/scoring/index.ts';
import type { BulkRow } from './contract.ts';

export type RowShape = {
  readonly entity: string;
  readonly type: SingleIndicator['kind'];
  readonly observedAt: string;
  readonly withEvidence: boolean;
};

/** Contract 2.7: what /check says of the same entity, in one row. */
export function presentRow(shape: RowShape, assessment: Assessment): BulkRow {
  const { type, withEvidence, observedAt } = shape;
  const { verdict, context } = assessment;
  const isKnown = type !== 'hash' || isSeen(assessment);
  const row = isKnown ? judgedRow(shape, assessment) : unknownHashRow(shape, assessment);
  if (withEvidence) row.evidence = presentEvidence(verdict, observedAt);
  if (context.labels.length + context.tags.length > 0)
    row.infrastructure = { attributes: context.labels as string[] };
  if (type === 'hash') row.lookupStatus = isKnown ? 'known' : 'unknown';
  return row;
}

const judgedRow = ({ entity, type, observedAt }: RowShape, assessment: Assessment): BulkRow => {
  const { verdict } = assessment;
  return {
    entity,
    type,
    isMalicious: verdict.malicious,
    confidence: verdict.confidence.score,
    // As blocklistHits of /check: what only describes it accuses of nothing, and a reader of a table would think it does.
    sources: verdict.blocklistHits,
    categories: verdict.categories as string[],
    riskScore: verdict.riskScore.score,
    riskLevel: verdict.riskScore.level,
    recommendedAction: verdict.rowAction,
    analystStatus: verdict.evidence.analystStatus,
    observedAt,
    evidence: null,
    error: null,
  };
};

/** Trap 20: nobody has seen this file, so there is no score to show and nothing to be confident of. */
const unknownHashRow = ({ entity, observedAt }: RowShape, { verdict }: Assessment): BulkRow => ({
  entity,
  type: 'hash',
  isMalicious: false,
  sources: 0,
  categories: [],
  recommendedAction: verdict.rowAction,
  analystStatus: verdict.evidence.analystStatus,
  observedAt,
  evidence: null,
  error: null,
});

/** Trap 21: what could not be judged has a reason and no verdict; the others are as if it were not there. */
export const refusedRow = (entity: string, type: 'phone' | 'unknown', reason: string): BulkRow => ({
  entity,
  type,
  isMalicious: false,
  sources: 0,
  categories: [],
  evidence: null,
  error: reason,
});

/** As `lookupStatus` of /check: some source lists the file now, accusing it or not. */
export const isSeen = ({ listings }: Assessment): boolean => listings.some(isActive);
