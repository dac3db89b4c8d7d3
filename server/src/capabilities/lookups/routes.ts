import { KEYED, type Policy } from '#platform/http/policy.ts';
import { NO_BODY, type Route, route } from '#platform/http/route.ts';
import { askIntelOwl, probeIntelOwl } from './ask-intelowl.ts';
import {
  CertificatesQuery,
  CertificatesReply,
  IntelOwlQuery,
  IntelOwlReply,
  TenantQuery,
  TenantReply,
  VulnerabilitiesQuery,
  VulnerabilitiesReply,
  WhoisQuery,
  WhoisReply,
} from './contract.ts';
import {
  type LookupsDeps,
  lookUpCertificates,
  lookUpTenant,
  lookUpVulnerabilities,
  lookUpWhois,
} from './look-up.ts';

/**
 * A lookup costs the burst and one check of the month, and none where its source is not configured (decisions 1.4, O63). Under overload lookups are shed before
 * checks (reliability 5.5).
 */
const POLICY: Policy = {
  ...KEYED,
  meter: 'checks',
  class: 'D',
  costNote: '1; 0 where the source is not configured',
};
const TAGS = ['check'];
const NULL_MEANS =
  'Null: the source has no entry. Null with a `message`: the source could not be queried, or is not configured on this service, which costs nothing; neither says anything about the target. Answers within about five seconds.';

export const lookupsRoutes = (deps: LookupsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/check/whois',
    summary: 'Who registered this domain or IP address, and when?',
    description: `From the registry: RDAP, or WHOIS where a registry has no RDAP. A host name is looked up by its registered domain. ${NULL_MEANS}`,
    tags: TAGS,
    policy: POLICY,
    query: WhoisQuery,
    reply: WhoisReply,
    handle: (call) => lookUpWhois(deps, call.query.host, call),
  }),
  route({
    method: 'GET',
    path: '/check/certificates',
    summary: 'Which certificate does this domain or IP address use?',
    description: `The newest valid one: as the host shows it, where that is switched on, and from certificate transparency logs. One that is expired or not trusted is shown and said to be so. ${NULL_MEANS}`,
    tags: TAGS,
    policy: POLICY,
    query: CertificatesQuery,
    reply: CertificatesReply,
    handle: (call) => lookUpCertificates(deps, call.query.host, call),
  }),
  route({
    method: 'GET',
    path: '/check/vulnerabilities',
    summary: 'Which known vulnerabilities does this IP address show?',
    description: `From a search engine for open ports; the host itself is not touched. ${NULL_MEANS}`,
    tags: TAGS,
    policy: POLICY,
    query: VulnerabilitiesQuery,
    reply: VulnerabilitiesReply,
    handle: (call) => lookUpVulnerabilities(deps, call.query.ip, call),
  }),
  intelOwlRoute(deps),
  route({
    method: 'GET',
    path: '/check/tenant',
    summary: 'Does this domain belong to a Microsoft tenant?',
    description: `From what Microsoft publishes before sign-in; Microsoft learns the domain and nothing about the caller. ${NULL_MEANS}`,
    tags: TAGS,
    policy: POLICY,
    query: TenantQuery,
    reply: TenantReply,
    handle: (call) => lookUpTenant(deps, call.query.domain, call),
  }),
];

const intelOwlRoute = (deps: LookupsDeps): Route =>
  route({
    method: 'GET',
    path: '/check/intelowl',
    summary: "What does the operator's own IntelOwl say?",
    description:
      'Submitted, and given when it ends within about five seconds; else `status` is `accepted`: ask again. Remembered for an hour. HEAD asks whether IntelOwl can be reached (200, else 503) and costs no check. 503 when no IntelOwl is configured.',
    tags: TAGS,
    policy: {
      ...POLICY,
      costNote: '1',
      head: 'handled',
      refundOn: [404],
    },
    query: IntelOwlQuery,
    reply: IntelOwlReply,
    mayBeAbsent: true,
    handle: async ({ query, request, signal }) => {
      if (request.method !== 'HEAD') return askIntelOwl(deps, query, signal);
      await probeIntelOwl(deps, signal);
      return NO_BODY;
    },
  });
