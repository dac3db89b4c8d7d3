import { DEFAULT_BODY_MAX, DEFAULT_DEADLINE_MS } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { type CheckDeps, checkIndicator } from './check-indicator.ts';
import { CheckQuery, CheckResult, type EnrichmentLevel } from './contract.ts';

export const checkRoutes = (deps: CheckDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/check',
    summary: 'Is this IP address, domain, URL or file hash malicious?',
    description:
      'Answers from the local replica. `standard` and `full` are answered at `basic` until scoring is there; `enrichmentLevel` names the level applied.',
    tags: ['check'],
    policy: {
      surface: 'both',
      auth: 'keyOrSession',
      plan: 'any',
      meter: 'checks',
      // Trap 9: asking nothing costs the burst only.
      costNote: '1; 0 without a target',
      cost: ({ query }) => ((query as CheckQuery).indicator === null ? 0 : 1),
      bodyMax: DEFAULT_BODY_MAX,
      deadlineMs: DEFAULT_DEADLINE_MS,
      class: 'A',
      since: '1.0.0',
    },
    query: CheckQuery,
    reply: CheckResult,
    handle: ({ query }) =>
      query.indicator === null ? nothingAsked(query.enrichment) : checkIndicator(deps, query.indicator),
  }),
];

/** Contract 2.1 rule 5: no target is not an error. */
const nothingAsked = (enrichmentLevel: EnrichmentLevel): CheckResult => ({
  malicious: false,
  apiVersion: 'v2',
  enrichmentLevel,
});
