import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of webhooks, to real TLS receivers on loopback. */
export const WEBHOOK_PROOFS: readonly Proof[] = [
  {
    name: 'webhook-consent',
    shows:
      'Of 5,000 events for a host that has not agreed none is sent, and 50 webhooks of an account to one host send one request at a time.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: ['server/src/capabilities/webhooks/verification.engine.test.ts'],
    },
  },
  {
    name: 'webhooks-killed',
    shows:
      '10,000 events to receivers that fail 30 % of their requests, while senders are killed every 2 s: none is missing or overtaken, doubles have the same id, and what a killed sender held is sent again within 30 s.',
    promises: ['W1'],
    run: large('webhooks-killed'),
  },
  {
    name: 'webhooks-black-holes',
    shows:
      '100 receivers that accept and never answer: the 99th percentile of 50 others stays under 2 s, from the event to its arrival.',
    promises: ['W1'],
    run: large('webhooks-black-holes'),
  },
  {
    name: 'webhooks-slow',
    shows:
      '600 receivers that answer 200 after 14 s hold at most 200 of the 500 places: the 99th percentile of 20 others stays under 2 s, and every slow one is served.',
    promises: ['W1'],
    run: large('webhooks-slow'),
  },
  {
    name: 'webhooks-outage',
    shows:
      'A receiver that is down for 6 hours, 3 days and 6 days, by the moved clock: attempts come at the published times, it is disabled at 120 h with a letter, and everything arrives in order, after 6 days by a replay.',
    promises: ['W1'],
    run: large('webhooks-outage'),
  },
  {
    name: 'webhooks-receivers',
    shows:
      '25 bad receivers (100 MB, a byte a second, redirects, floods of headers, bombs) cost no other receiver its events, and the sender no memory.',
    promises: ['W1', '3.S'],
    run: large('webhooks-receivers'),
  },
];
