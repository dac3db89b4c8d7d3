import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of people's accounts. */
export const ACCOUNT_PROOFS: readonly Proof[] = [
  {
    name: 'accounts-timing',
    shows:
      'The time of an answer does not tell whether an address has an account: 20,000 interleaved samples each of sign-in, registration and forgotten passwords (Welch t).',
    promises: ['3.K'],
    run: large('accounts-timing'),
  },
];
