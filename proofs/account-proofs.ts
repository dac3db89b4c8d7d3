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
  {
    name: 'letters-outage',
    shows:
      'A mail server that refuses, hangs and breaks for an hour, while letters are written and workers are killed: none is lost, and those that are doubled have the same Message-ID.',
    promises: ['D1'],
    run: large('letters-outage'),
  },
];
