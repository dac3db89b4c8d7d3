import type { AsOfDeps } from '#capabilities/check/index.ts';
import type { Domain, Ip } from '#domain/indicator/index.ts';
import { type CostInput, KEYED } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Route, route } from '#platform/http/route.ts';
import { HistoryQuery, ReputationHistory } from './contract.ts';
import { tellHistory } from './tell-history.ts';

export type HistoryDeps = AsOfDeps & {
  readonly isWatched: (principal: Principal, indicator: Ip | Domain) => Promise<boolean>;
};

const indicatorOf = ({ query }: CostInput): Ip | Domain => (query as HistoryQuery).indicator;

export const historyRoutes = (deps: HistoryDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/threat-intel/history',
    summary: 'How an IP address or a domain was judged over the last days.',
    description:
      'Each day is judged again from what was listed then, by the rules and signals of today. The record reaches back 90 days at most; `retainedFrom` says how far. Lists date their entries, so that `spans` reach further back. Costs one check, unless your account checked the value in the last 30 days, watches it, or opened its history in the last 24 hours.',
    tags: ['threat-intel'],
    policy: {
      ...KEYED,
      meter: 'checks',
      costNote:
        '1; 0 for a value that the account checked in the last 30 days or watches, and again within 24 hours',
      receipts: (input) => {
        const { value } = indicatorOf(input);
        return { opens: `history ${value}`, freeIfChecked: value };
      },
      isFree: async (input) =>
        input.principal !== null && deps.isWatched(input.principal, indicatorOf(input)),
    },
    query: HistoryQuery,
    reply: ReputationHistory,
    handle: ({ query, principal }) => tellHistory(deps, query, principal?.organizationId ?? null),
  }),
];
