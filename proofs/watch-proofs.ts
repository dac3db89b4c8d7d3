import type { Proof } from './proof.ts';
import { large } from './vitest-runs.ts';

/** Proofs of monitoring, alerts, and what is done about them. */
export const WATCH_PROOFS: readonly Proof[] = [
  {
    name: 'watch-histories',
    shows:
      'Alerts and states of what is watched equal those of checking every item after each step, after 2,000 random histories of ranges, parents, pages, mailboxes, guards, switched sources and ageing.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: ['server/src/capabilities/monitoring/histories.engine.test.ts'],
    },
  },
  {
    name: 'watch-baselines',
    shows:
      'The first checks of 100,000 watched values, half of them accused by lists, raise no alert and no event, nor do the checks of the next day; ten values that are listed afterwards raise ten alerts.',
    promises: [],
    run: large('watch-baselines'),
  },
  {
    name: 'watch-size',
    shows:
      'With 10 M watched items of 1,000 accounts, 30,000 changed keys are alerts within 10 s; matching keeps 0.4 of a bare index join.',
    promises: [],
    run: {
      kind: 'program',
      file: 'bench/watch.ts',
      args: [],
      goals: { 'watch-match': { atLeast: 0.4 }, 'watch.seconds': { atMost: 10 } },
    },
  },
  {
    name: 'alerts-size',
    shows:
      'With 1 M alerts in one account a page keeps 0.5 of the bare SELECT, and list and metrics have a p99 under 150 ms.',
    promises: [],
    run: {
      kind: 'program',
      file: 'bench/alerts.ts',
      args: [],
      goals: {
        'alerts-page': { atLeast: 0.5 },
        'alerts.list-p99-ms': { atMost: 150 },
        'alerts.metrics-p99-ms': { atMost: 150 },
      },
    },
  },
  {
    name: 'watch-writes-killed',
    shows:
      'Of 5,000 acknowledged writes to cases, evidence, watched items, alerts and webhooks none is lost or done twice while the API, the worker and PostgreSQL are killed in 8 rounds; every alert and event they call for is there and delivered once. A request that is sent 1,000 times under one Idempotency-Key over kills makes one row and is answered alike.',
    promises: ['D1', 'D3'],
    run: large('watch-writes-killed'),
  },
];
