import { activeCategoriesOf, classificationOf } from './classification.ts';
import { confidenceOf } from './confidence.ts';
import { contradictionsOf } from './contradictions.ts';
import { crossCorrelationOf } from './cross-correlation.ts';
import { dataTrustOf } from './data-trust.ts';
import { evidenceOf } from './evidence.ts';
import type { Case } from './facts.ts';
import { findingsOf } from './findings.ts';
import { rungOf } from './ladder.ts';
import { reputationOf } from './reputation.ts';
import { riskOf } from './risk.ts';
import { techniquesOf } from './techniques.ts';
import type { Verdict } from './verdict.ts';

export function judgeCase(of: Case): Verdict {
  const findings = findingsOf(of);
  const contradictions = contradictionsOf(findings);
  const reputation = reputationOf(findings);
  const confidence = confidenceOf(findings);
  const trust = dataTrustOf(findings, reputation, contradictions);
  const rung = rungOf(findings, contradictions);
  const riskScore = riskOf(findings, rung);
  return Object.freeze({
    malicious: findings.scored.isMalicious,
    blocklistHits: findings.active.length,
    reputation,
    riskScore,
    confidence,
    classification: classificationOf(findings, confidence.score),
    techniques: techniquesOf(findings),
    trust,
    evidence: evidenceOf(findings, { confidence, trust }, rung.action),
    crossCorrelation: crossCorrelationOf(findings, { riskScore, trust }),
    categories: activeCategoriesOf(findings),
  });
}
