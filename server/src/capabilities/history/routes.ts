import type { AsOfDeps } from '#capabilities/check/index.ts';
import { KEYED } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { HistoryQuery, ReputationHistory } from './contract.ts';
import { tellHistory } from './tell-history.ts';

export const historyRoutes = (deps: AsOfDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/threat-intel/history',
    summary: 'How an IP address or a domain was judged over the last days.',
    description:
      'Each day is judged again from what was listed then, by the rules and signals of today. The record reaches back 90 days at most; `retainedFrom` says how far. Lists date their entries, so that `spans` reach further back.',
    tags: ['threat-intel'],
    policy: KEYED,
    query: HistoryQuery,
    reply: ReputationHistory,
    handle: ({ query, principal }) => tellHistory(deps, query, principal?.organizationId ?? null),
  }),
];
