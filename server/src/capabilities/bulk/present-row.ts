import { presentEvidence, presentService } from '#capabilities/check/index.ts';
import type { Assessment } from '#capabilities/judging/index.ts';
import type { SingleIndicator } from '#domain/indicator/index.ts';
import { chooseFamilies, isActive } from '#domain/scoring/index.ts';
import type { BulkRow } from './contract.ts';
import { originOf } from './present-origin.ts';

export type RowShape = {
  readonly entity: string;
  readonly type: SingleIndicator['kind'];
  readonly observedAt: string;
  readonly withEvidence: boolean;
};

export const presentRow = (shape: RowShape, assessment: Assessment): BulkRow =>
  Object.assign(presentVerdict(shape, assessment), originOf(assessment));

/** The part of a row that rows of one verdict share. */
export function presentVerdict(shape: RowShape, assessment: Assessment): BulkRow {
  const { type, withEvidence, observedAt } = shape;
  const { verdict, context } = assessment;
  const isKnown = type !== 'hash' || isSeen(assessment);
  const row = isKnown ? judgedRow(shape, assessment) : unknownHashRow(shape, assessment);
  if (withEvidence) row.evidence = presentEvidence(verdict, observedAt);
  if (context.labels.length + context.tags.length > 0)
    row.infrastructure = { attributes: context.labels as string[] };
  const service = presentService(assessment);
  if (service !== undefined) row.service = service;
  if (assessment.lookalike !== null) row.lookalike = assessment.lookalike;
  if (type === 'hash') row.lookupStatus = isKnown ? 'known' : 'unknown';
  const families = chooseFamilies(assessment.listings);
  if (families[0] !== undefined) {
    row.malwareFamily = families[0];
    row.malwareFamilies = families as string[];
  }
  return row;
}

const judgedRow = ({ entity, type, observedAt }: RowShape, assessment: Assessment): BulkRow => {
  const { verdict } = assessment;
  return {
    entity,
    type,
    isMalicious: verdict.malicious,
    confidence: verdict.confidence.score,
    // Equal to blocklistHits of /check: descriptive lists accuse of nothing, and a count with them would read
    // as accusations.
    sources: verdict.blocklistHits,
    categories: verdict.categories as string[],
    riskScore: verdict.riskScore.score,
    riskLevel: verdict.riskScore.level,
    word: verdict.riskScore.word,
    recommendedAction: verdict.evidence.recommendedAction,
    analystStatus: verdict.evidence.analystStatus,
    observedAt,
    evidence: null,
    error: null,
  };
};

/** No source has an entry for this file, so the row has no score and no confidence (trap 20). */
const unknownHashRow = ({ entity, observedAt }: RowShape, { verdict }: Assessment): BulkRow => ({
  entity,
  type: 'hash',
  isMalicious: false,
  sources: 0,
  categories: [],
  word: verdict.riskScore.word,
  recommendedAction: verdict.evidence.recommendedAction,
  analystStatus: verdict.evidence.analystStatus,
  observedAt,
  evidence: null,
  error: null,
});

/** A refused entity has a reason and no verdict, and does not affect the other rows (trap 21). */
export const refusedRow = (entity: string, type: 'phone' | 'unknown', reason: string): BulkRow => ({
  entity,
  type,
  isMalicious: false,
  sources: 0,
  categories: [],
  evidence: null,
  error: reason,
});

/** Equal to `lookupStatus` of /check: any list has the file now, accusing or not. */
export const isSeen = ({ listings }: Assessment): boolean => listings.some(isActive);
