import type { Proof } from './proof.ts';
import { engines, large } from './vitest-runs.ts';

/** Proofs of the breached passwords, the mail scan and the gate. */
export const SCAN_PROOFS: readonly Proof[] = [
  {
    name: 'passwords-killed',
    shows:
      'A load of breached passwords that is killed 20 times ends in the same file, and a reader beside 60 swaps sees one list or the other.',
    promises: ['3.P'],
    run: engines('faults/passwords-kill'),
  },
  {
    name: 'passwords-real',
    shows:
      'The real password lists load to the same buckets from files and from 1,048,576 range files; every entry is found, none of 1,000,000 random hashes is, and no padded range is told apart by its length.',
    promises: ['3.P'],
    run: large('passwords-real'),
  },
  {
    name: 'passwords-dense',
    shows:
      'Fifty million made-up hashes at the density of the published list: bytes, memory and time of a load, and of a thousand million.',
    promises: [],
    run: large('passwords-dense'),
  },
  {
    name: 'mail-real',
    shows:
      'Mail scan on 115 real phishing messages, 60 honest old ones and 104 honest ones of today with the real lists: who is warned, who is not, and what makes a message malicious or clean.',
    promises: [],
    run: large('mail-real'),
  },
  {
    name: 'mail-bombs',
    shows:
      'Forty messages that are made to cost time or memory are answered within their limits beside other scans.',
    promises: [],
    run: large('mail-bombs'),
  },
  {
    name: 'mail-fuzzed',
    shows: 'Half an hour of changed messages breaks neither the reader nor the judge of mail.',
    promises: [],
    run: { kind: 'program', file: 'server/test/fuzz/fuzz-mail.ts', args: ['--seconds', '1800'] },
  },
];
