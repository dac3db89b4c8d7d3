import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { type CheckDeps, createCheck } from './check-indicator.ts';
import { CheckQuery, CheckResult, ReputationQuery, ReputationResult } from './contract.ts';

/** Decisions 1.4: any key or session; the burst and one check of the month. */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'A' };

export const checkRoutes = (deps: CheckDeps): readonly Route[] => {
  const { check, reputation } = createCheck(deps);
  return [
    route({
      method: 'GET',
      path: '/check',
      summary: 'Is this IP address, domain, URL or file hash malicious?',
      description:
        'Answers from local data. `basic` says who lists it; `standard` adds the score, its parts, and how far to trust it. `full` is answered at `standard` until live lookups are there; `enrichmentLevel` names the level applied. WHOIS, certificates, vulnerabilities, DNS and community intelligence are not looked up yet: `dataTrust.completeness.missing` names them.',
      tags: ['check'],
      policy: {
        ...POLICY,
        // Trap 9: asking nothing costs the burst only.
        costNote: '1; 0 without a target',
        cost: ({ query }) => ((query as CheckQuery).indicator === null ? 0 : 1),
        // A moment that cannot be answered is found out only when it is looked for, and costs nothing either.
        refundOn: [400],
      },
      query: CheckQuery,
      reply: CheckResult,
      handle: ({ query }) => check(query),
    }),
    route({
      method: 'GET',
      path: '/check/reputation',
      summary: 'How many scanner-type sources call this IP address or domain malicious?',
      description: 'Four zeros: none of them answered, which is not "harmless".',
      tags: ['check'],
      policy: POLICY,
      query: ReputationQuery,
      reply: ReputationResult,
      handle: ({ query }) => reputation(query.indicator),
    }),
  ];
};
