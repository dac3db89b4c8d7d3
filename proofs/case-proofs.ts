import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of cases, their evidence, and the action center. */
export const CASE_PROOFS: readonly Proof[] = [
  {
    name: 'evidence-tampered',
    shows:
      '50 writers add 10,000 pieces of evidence to 20 cases: every chain is whole. Of 200 edits as superuser (a byte, a row, the order, a cut end, a chain computed anew after its day, also with its seals and roots) 200 are named by their place.',
    promises: ['D1'],
    run: large('evidence-tampered'),
  },
  {
    name: 'overview-size',
    shows:
      'With 100,000 alerts, 50,000 findings and 10,000 cases in one account the overview of the action center, metrics, trends and the funnel of alerts, and the figures of threats have a p99 under 150 ms.',
    promises: [],
    run: {
      kind: 'program',
      file: 'bench/overview.ts',
      args: [],
      goals: {
        'overview.p99Ms': { atMost: 150 },
        'overview.metricsP99Ms': { atMost: 150 },
        'overview.trendsP99Ms': { atMost: 150 },
        'overview.funnelP99Ms': { atMost: 150 },
        'overview.threatsP99Ms': { atMost: 150 },
      },
    },
  },
];
