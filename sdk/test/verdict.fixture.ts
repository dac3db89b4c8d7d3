import type { BulkRow, CheckResult } from '../src/generated/schemas.ts';
import type { StreamState } from '../src/verdict.ts';

export type Said = {
  readonly malicious?: boolean;
  readonly level?: string | undefined;
  readonly word?: string | undefined;
  readonly verdict?: string | undefined;
  readonly action?: string | undefined;
  readonly lookupStatus?: string | undefined;
  readonly attributes?: readonly string[] | undefined;
  readonly classes?: readonly string[] | undefined;
  readonly knownGood?: true | undefined;
  readonly hits?: number | undefined;
  /** The categories of its sources. */
  readonly categories?: readonly string[] | undefined;
};

export const checkOf = (said: Said): CheckResult =>
  ({
    malicious: said.malicious ?? false,
    blocklistHits: said.hits ?? 0,
    ...(said.level !== undefined && { riskScore: { score: 0, level: said.level, word: said.word } }),
    evidence:
      said.verdict === undefined
        ? null
        : { verdict: said.verdict, recommendedAction: said.action ?? 'review' },
    lookupStatus: said.lookupStatus,
    ...(said.attributes !== undefined && { infrastructure: { attributes: said.attributes, sources: [] } }),
    sources: [
      ...(said.classes ?? []).map((threatClass) => ({ threatClass })),
      ...(said.categories ?? []).map((category) => ({ threatClass: 'threat', category })),
    ],
    knownGood: said.knownGood,
    apiVersion: 'v2',
    enrichmentLevel: 'standard',
  }) as unknown as CheckResult;

export const rowOf = (said: Said, error: string | null = null): BulkRow =>
  ({
    entity: 'x',
    type: 'domain',
    isMalicious: said.malicious ?? false,
    sources: said.hits ?? 0,
    categories: [],
    riskLevel: said.level,
    word: said.word,
    recommendedAction: said.action,
    evidence: said.verdict === undefined ? null : { verdict: said.verdict, recommendedAction: said.action },
    ...(said.attributes !== undefined && { infrastructure: { attributes: said.attributes } }),
    lookupStatus: said.lookupStatus,
    error,
  }) as unknown as BulkRow;

export const streamOf = (said: Said, verdictIn: 'first' | 'insights'): StreamState => {
  const { riskScore, evidence, ...reputation } = checkOf(said);
  const judged = { riskScore, evidence };
  return verdictIn === 'first'
    ? { reputation: { ...reputation, verdict: judged } }
    : { reputation, insights: judged };
};
