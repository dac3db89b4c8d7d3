import { isKnownCategory } from './categories.ts';
import { reliabilityLevelOf } from './data-trust.ts';
import type { SourceFacts } from './facts.ts';
import type { Findings } from './findings.ts';
import { reasonsOf } from './reasons.ts';
import type { RecommendedAction, Verdict } from './verdict.ts';

type Evidence = Verdict['evidence'];

const WARNINGS_MAX = 12;

/** The verdict in the form of G10, which explains it to an analyst. */
export function evidenceOf(
  findings: Findings,
  { confidence, trust }: Pick<Verdict, 'confidence' | 'trust'>,
  recommendedAction: RecommendedAction,
): Evidence {
  const { scored, active, level } = findings;
  return {
    verdict: level === 'inconclusive' ? 'unknown' : level,
    score: scored.score,
    confidence: { score: confidence.score, level: confidence.level },
    reasons: reasonsOf(findings),
    contradictorySignals: trust.providerAgreement.contradictorySignals,
    sourceSummary: {
      count: active.length,
      weightedStrength: trust.sourceAgreement.weightedStrength,
      highReliabilityCount: active.filter(({ source }) => reliabilityLevelOf(source.reliability) === 'high')
        .length,
      noiseWarnings: noiseWarningsOf(findings),
    },
    freshness: trust.freshness,
    dataAgeHours: trust.dataAgeHours,
    recommendedAction,
    analystStatus: 'new',
  };
}

function noiseWarningsOf({ active }: Findings): readonly string[] {
  return active.flatMap(({ source }) => warningsOf(source)).slice(0, WARNINGS_MAX);
}

function warningsOf({ name, aggregate, fpRisk, category }: SourceFacts): readonly string[] {
  const warnings: string[] = [];
  if (aggregate) warnings.push(`${name} is made of other lists.`);
  if (fpRisk === 'high') warnings.push(`${name} is known to list harmless values too.`);
  // An unknown category counts as abuse, the weakest accusation (ruling 2); the warning makes that visible.
  if (!isKnownCategory(category)) warnings.push(`${name} accuses of "${category}", which counts as abuse.`);
  return warnings;
}
