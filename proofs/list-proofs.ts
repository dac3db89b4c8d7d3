import type { Proof } from './proof.ts';
import { engines, large } from './vitest-runs.ts';

/** Proofs of the imports of threat lists and of the blocklists that are built from them. */
export const LIST_PROOFS: readonly Proof[] = [
  {
    name: 'lists-killed',
    shows: 'Imports that are killed at many points go on, count nothing twice and never show half a list.',
    promises: ['F1', 'F4'],
    run: engines('faults/feed-kill'),
  },
  {
    name: 'lists-atomic',
    shows: 'A reader beside repeated swaps of a list sees the old or the new one, never a mixture.',
    promises: ['F1'],
    run: engines('faults/feed-atomic'),
  },
  {
    name: 'lists-disk-full',
    shows: 'A full disk ends a run with a sentence, and the last good list stays.',
    promises: ['F2'],
    run: engines('faults/feed-disk-full'),
  },
  {
    name: 'lists-bad-downloads',
    shows: 'A bad download never replaces a good list, and the un-listable is never listed.',
    promises: ['F2', 'F3', '3.F'],
    run: engines('faults/feed-downloads'),
  },
  {
    name: 'lists-hostile-files',
    shows:
      'A file that is made to cost work ends its own run; other lists load and the worker keeps its lease.',
    promises: ['3.F', 'W3'],
    run: engines('faults/feed-hostile-files'),
  },
  {
    name: 'lists-act',
    shows:
      'The full lists of the real data set, loaded by nft, ipset, iptables, named, unbound, dnsmasq, rbldnsd, HAProxy and Squid: 1,000 listed values blocked by each, 1,000 others let through.',
    promises: [],
    run: large('lists-act'),
  },
  {
    name: 'own-list',
    shows:
      'An operator imports 150 addresses of command servers with grade A and 40 phishing domains: each is answered with block or review, is a line that nft loads and a TAXII indicator, and so it is 7, 30 and 60 days later with nothing imported again.',
    promises: [],
    run: large('own-list'),
  },
  {
    name: 'lists-pulled',
    shows:
      'Firewalls pull lists of real size 40 times a second for ten minutes with a rebuild inside; none fails.',
    promises: [],
    run: large('lists-pulled'),
  },
  {
    name: 'lists-alone',
    shows:
      'With PostgreSQL and Redis stopped, and days later from its disk, a node serves every list to its keys and the sample to others.',
    promises: [],
    run: engines('faults/lists-alone'),
  },
  {
    name: 'lists-differences',
    shows:
      'A difference applied to an older list is the newer one, for 1,000 pairs of versions of addresses and of names.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: ['server/src/capabilities/blocklists/difference.engine.test.ts'],
    },
  },
];
