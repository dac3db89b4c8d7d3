import type { Proof } from './proof.ts';
import { engines, large } from './vitest-runs.ts';

/** Proofs of people's accounts, and of what an account pays for and stores. */
export const ACCOUNT_PROOFS: readonly Proof[] = [
  {
    name: 'invitation-relay',
    shows:
      'A fresh FREE account that asks for 1,000 invitations to strangers, in organizations with baited names, reaches ten of them, with no link of its own, over a real mail server.',
    promises: [],
    run: engines('contract/attack-invitation-relay'),
  },
  {
    name: 'accounts-timing',
    shows:
      'The time of an answer does not tell whether an address has an account: 20,000 interleaved samples each of sign-in, registration and forgotten passwords (Welch t).',
    promises: ['3.K'],
    run: large('accounts-timing'),
  },
  {
    name: 'accounts-storm',
    shows:
      '100 sign-ins a second for a minute at one process, half of them wrong, beside checks: limits refuse exactly by rule, memory is bounded, and the 99th percentile of a check at most doubles.',
    promises: ['A7', '3.K'],
    run: large('accounts-storm'),
  },
  {
    name: 'sign-in-attacked',
    shows:
      '100 wrong sign-ins a second from 400 networks, each within its limits: 200 of 200 known devices sign in at the first free thread, and at least 95 of 100 new devices do. 10,000 wrong passwords from 200 networks: the owner confirms, signs in, resets and revokes a key.',
    promises: ['3.K'],
    run: large('sign-in-attacked'),
  },
  {
    name: 'accounts-killed',
    shows:
      'Of 5,000 acknowledged registrations, proofs of addresses, invitations, role changes, keys and factors none is lost or done twice while the API, the worker and PostgreSQL are killed in 7 rounds.',
    promises: ['D1', 'D2', 'D3'],
    run: large('accounts-killed'),
  },
  {
    name: 'letters-outage',
    shows:
      'A mail server that refuses, hangs and breaks for an hour, while letters are written and workers are killed: none is lost, and those that are doubled have the same Message-ID.',
    promises: ['D1'],
    run: large('letters-outage'),
  },
  {
    name: 'verdicts-paid',
    shows: 'A FREE caller asks every route about 80 values each and gets no verdict that no check paid for.',
    promises: ['5.5'],
    run: engines('contract/attack-quota-bypass', 'integration/meter-receipts'),
  },
  {
    name: 'disk-kept',
    shows:
      'An unproven key sends 250 reports of 253 kB and stores no byte; every other account stops at the bytes of its plan.',
    promises: ['5.5', 'D3'],
    run: engines('contract/storage'),
  },
];
