import type { Proof } from './proof.ts';
import { engines, large } from './vitest-runs.ts';

/** Proofs of TAXII collections and the live stream. */
export const TRAVEL_PROOFS: readonly Proof[] = [
  {
    name: 'stream-delivered',
    shows:
      'A thousand readers of the stream get twenty events a second for a minute, each of them and 99 % within 50 ms of the commit; ten thousand idle ones add at most 200 MiB.',
    promises: ['A10'],
    run: large('stream'),
  },
  {
    name: 'stream-killed',
    shows:
      'Two hundred readers of the stream resume through ten kills of the API and get each of 20,000 events once; an emptied Redis leaves no hole, and what the log no longer has is told as a gap.',
    promises: ['W1'],
    run: engines('faults/stream-killed'),
  },
  {
    name: 'taxii-walks',
    shows:
      'Clients that walk and poll TAXII collections in any order, while lists change and the collections are rebuilt, see what did not change exactly once and lose nothing.',
    promises: ['D1', 'S2'],
    run: engines('integration/taxii-walks'),
  },
  {
    name: 'taxii-clients',
    shows:
      'The Python client of OASIS gets the same objects as a database query from every collection below both roots, in both orders, with and without filters (needs TAXII_CLIENT_DIR, a checkout of it).',
    promises: [],
    run: large('taxii-clients'),
  },
  {
    name: 'taxii-refetches',
    shows:
      'A week of refetches of 20,000 entries dates only those objects anew that changed or whose end moved by a quarter.',
    promises: [],
    run: engines('integration/taxii-refetches'),
  },
];
