import { isConflicting } from './confidence.ts';
import type { Findings } from './findings.ts';
import { MODEL } from './model.ts';
import type { CorrelationSignal, Verdict } from './verdict.ts';

type Known = Pick<Verdict, 'riskScore' | 'trust'>;

/** The severity shown for each level of agreement between origins. */
const SEVERITY = { none: 'low', weak: 'low', moderate: 'medium', strong: 'high' } as const;
const ORIGINS_MIN = 2;

/**
 * Signals on which the sources agree or contradict each other (G6). Both modifiers show points that score and
 * confidence contain already; adding them again would count a contradiction twice (G2).
 */
export function crossCorrelationOf(
  findings: Findings,
  { riskScore, trust }: Known,
): Verdict['crossCorrelation'] {
  const { providerAgreement } = trust;
  return {
    signals: [
      ...confirming(trust),
      ...providerAgreement.contradictorySignals.map((signal) => ({
        ...signal,
        effect: 'contradicts' as const,
      })),
    ],
    riskModifier: riskScore.factors.reduce(
      (sum, { weight, contribution }) => (weight === 0 ? sum + contribution : sum),
      0,
    ),
    confidenceModifier: isConflicting(findings) ? -MODEL.confidence.conflict : 0,
    summary: providerAgreement.summary,
  };
}

function confirming({ sourceAgreement }: Verdict['trust']): readonly CorrelationSignal[] {
  const { count, level, scannerDetections } = sourceAgreement;
  const severity = SEVERITY[level];
  const signals: CorrelationSignal[] = [];
  if (count >= ORIGINS_MIN)
    signals.push({
      type: 'independent_origins',
      severity,
      title: 'Independent origins agree',
      description: `${count} origins that do not copy each other accuse it.`,
      effect: 'confirms',
    });
  if (scannerDetections > 0 && count > scannerDetections)
    signals.push({
      type: 'scanner_and_lists',
      severity,
      title: 'A scanner confirms the lists',
      description: 'A scanner-type source and a list that is none accuse it.',
      effect: 'confirms',
    });
  return signals;
}
