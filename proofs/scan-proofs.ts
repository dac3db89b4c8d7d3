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
    name: 'mail-beside-checks',
    shows:
      'While a node reads mail of 10 MiB without a pause, its event loop is late by under 50 ms (99 in 100) and checks are answered.',
    promises: [],
    run: large('mail-beside-checks'),
  },
  {
    name: 'mail-under-load',
    shows:
      'Beside four busy loops for each core, mail with 1.3 MB and 5 MB of text and content of 1 MiB for the gate are answered at every try.',
    promises: ['A11'],
    run: large('mail-under-load'),
  },
  {
    name: 'mail-bridge',
    shows:
      'Real Postfix and rspamd ask the scan: 500 messages in each of five states of the service arrive exactly once with the right headers, none is lost when the bridge is killed eight times, and rspamd always answers.',
    promises: [],
    run: large('mail-bridge'),
  },
  {
    name: 'mail-fuzzed',
    shows: 'Half an hour of changed messages breaks neither the reader nor the judge of mail.',
    promises: [],
    run: { kind: 'program', file: 'server/test/fuzz/fuzz-mail.ts', args: ['--seconds', '1800'] },
  },
];
