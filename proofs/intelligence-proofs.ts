import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of what is known beside indicators: claims of ransomware groups. */
export const INTELLIGENCE_PROOFS: readonly Proof[] = [
  {
    name: 'ransomware-real',
    shows:
      'The real files of four trackers: 10,483 posts become claims with every merge listed, 200 near-twins stay apart, a load that is killed eight times ends in the same claims, and no answer of any route has an onion name, a leak link or markup.',
    promises: ['F4'],
    run: large('ransomware-real'),
  },
];
