import type { BulkCheckReply, BulkRow } from '@assay/sdk';

/** The actions of the service's ladder, so that a fixture row with another level also gets the matching action. */
const ACTIONS: Readonly<Record<string, BulkRow['recommendedAction']>> = {
  critical: 'block',
  high: 'block',
  medium: 'review',
  low: 'monitor',
  safe: 'allow',
};

export const rowOf = (entity: string, changes: Partial<BulkRow> = {}): BulkRow => ({
  entity,
  type: 'domain',
  isMalicious: false,
  confidence: 20,
  sources: 0,
  categories: [],
  riskScore: 0,
  riskLevel: 'inconclusive',
  word: 'Not listed',
  recommendedAction: ACTIONS[changes.riskLevel ?? ''] ?? 'unverified',
  analystStatus: 'new',
  observedAt: '2026-11-15T16:00:00.000Z',
  evidence: null,
  error: null,
  ...changes,
});

export const replyTo = (entities: readonly string[]): BulkCheckReply => ({
  success: true,
  total: entities.length,
  processed: entities.length,
  results: entities.map((entity) => rowOf(entity)),
  processingTimeMs: 1,
});
