import type { Proof } from './proof.ts';
import { engines, large } from './vitest-runs.ts';

/** Proofs of what an operator sets up around the service: a standby of PostgreSQL, several listeners, a proxy. */
export const OPERATION_PROOFS: readonly Proof[] = [
  {
    name: 'database-failover',
    shows:
      'The primary of two PostgreSQL servers is killed and its standby promoted under load: checks go on, writes are 503 and then work again, none that was acknowledged is missing, and nothing is restarted.',
    promises: ['A1', 'D1'],
    run: large('failover'),
  },
  {
    name: 'two-listeners',
    shows:
      'By default a killed listener is no outage, and metrics lose no series when a process stands still or every route was called.',
    promises: ['A1', 'R1'],
    run: large('two-listeners'),
  },
  {
    name: 'behind-proxies',
    shows:
      'The files of deploy for nginx, HAProxy and Caddy before the real programs: the largest body of every route passes, callers cannot name their address, streams are not held back, and each error of the proxy has the form of ours.',
    promises: ['A8'],
    run: engines('contract/proxy-limits', 'faults/behind-proxies'),
  },
];
