import type { ContactSummary } from '#capabilities/contacts/index.ts';
import type { BulkRow } from './contract.ts';

export type ContactShape = {
  readonly entity: string;
  readonly type: 'email' | 'phone';
  readonly withEvidence: boolean;
};

/** Same verdict as the route of the contact gives (O57). Unlike a hash, an unlisted contact keeps its score (O51). */
export const presentContactRow = (
  { entity, type, withEvidence }: ContactShape,
  { malicious, riskScore, evidence, sources, categories, attributes }: ContactSummary,
): BulkRow => ({
  entity,
  type,
  isMalicious: malicious,
  confidence: evidence.confidence?.score,
  sources,
  categories: [...categories],
  riskScore: riskScore.score,
  riskLevel: riskScore.level,
  word: riskScore.word,
  recommendedAction: evidence.recommendedAction,
  analystStatus: evidence.analystStatus,
  observedAt: evidence.observedAt,
  evidence: withEvidence ? evidence : null,
  infrastructure: attributes.length === 0 ? undefined : { attributes: [...attributes] },
  error: null,
});
