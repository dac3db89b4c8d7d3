import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of what is known beside indicators, and of what is exported: claims of ransomware groups, the address database. */
export const INTELLIGENCE_PROOFS: readonly Proof[] = [
  {
    name: 'ransomware-real',
    shows:
      'The real files of four trackers: 10,483 posts become claims with every merge listed, 200 near-twins stay apart, a load that is killed eight times ends in the same claims, 107 days after the newest claim no answer concludes anything, and no answer of any route has an onion name, a leak link or markup.',
    promises: ['F4'],
    run: large('ransomware-real'),
  },
  {
    name: 'mmdb-real',
    shows:
      'The address database of the real data set: built in 90 seconds; mmdb-lib, mmdblookup and both readers of Python find for 100,000 addresses what the rules say of each alone, and for the operator itself every score is that of a check.',
    promises: [],
    run: large('mmdb-real'),
  },
];
