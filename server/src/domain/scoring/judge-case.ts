import { activeCategoriesOf, classificationOf } from './classification.ts';
import { confidenceOf } from './confidence.ts';
import { contradictionsOf } from './contradictions.ts';
import { dataTrustOf } from './data-trust.ts';
import { evidenceOf } from './evidence.ts';
import type { Case } from './facts.ts';
import { findingsOf } from './findings.ts';
import { actionsOf } from './recommended-action.ts';
import { reputationOf } from './reputation.ts';
import { riskOf } from './risk.ts';
import { techniquesOf } from './techniques.ts';
import type { Verdict } from './verdict.ts';

export function judgeCase(of: Case): Verdict {
  const findings = findingsOf(of);
  const contradictions = contradictionsOf(findings);
  const reputation = reputationOf(findings);
  // Only a listing by a scanner sets `malicious`; other lists never do, however many (G13).
  const malicious = reputation.malicious > 0;
  const confidence = confidenceOf(findings);
  const trust = dataTrustOf(findings, reputation, contradictions);
  const actions = actionsOf(findings, contradictions, malicious);
  return Object.freeze({
    malicious,
    blocklistHits: findings.active.length,
    reputation,
    riskScore: riskOf(findings),
    confidence,
    classification: classificationOf(findings, confidence.score),
    techniques: techniquesOf(findings),
    trust,
    evidence: evidenceOf(findings, { confidence, trust }, actions.evidence),
    rowAction: actions.row,
    categories: activeCategoriesOf(findings),
  });
}
