import { KEYED } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { analyzeUsage, type UsageDeps } from './analyze-usage.ts';
import { AnalyticsQuery, UsageAnalytics } from './contract.ts';

export const usageRoutes = (deps: UsageDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/user/analytics',
    summary: 'What your account asked and was answered, day by day.',
    description:
      'Counts every answered request of the keys and sessions of your account, refusals included, once they are identified. A request is counted within ten seconds of its end. Counts are kept for 400 days.',
    tags: ['Account'],
    policy: KEYED,
    query: AnalyticsQuery,
    reply: UsageAnalytics,
    handle: ({ principal, query }) => analyzeUsage(deps, principal, query.days),
  }),
];
