import { badRequest } from '#platform/errors.ts';
import { type CostInput, KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { type Asked, readKeywords, SearchBody, SearchQuery, SearchReply } from './contract.ts';
import { type SearchDeps, searchLookalikes } from './search-lookalikes.ts';

/** A search costs one check on both hosts, for keys and sessions; bad input costs no check (O82). */
const POLICY: Policy = {
  ...KEYED,
  class: 'C',
  meter: 'checks',
  costNote: '1; 0 for keywords that cannot be read, and for the same search within 24 hours',
  cost: (input) => (askedIn(input).ok ? 1 : 0),
  receipts: (input) => {
    const asked = askedIn(input);
    return asked.ok ? { opens: `search ${asked.domain.value}` } : {};
  },
};

const askedIn = ({ query, body }: CostInput): Asked => readKeywords(query as never, body as never);

export const searchRoutes = (deps: SearchDeps): readonly Route[] => [
  search(deps, { ...POLICY, surface: 'api' }, 'domain:'),
  search(deps, { ...POLICY, surface: 'web' }, ''),
];

const search = (deps: SearchDeps, policy: Policy, hitPrefix: string): Route =>
  route({
    method: 'POST',
    path: '/search',
    summary: 'Which listed domains imitate this brand?',
    description:
      'Names that threat sources list now and that pass for the brand: one slip of the keyboard away (`typosquat`), with letters that look the same (`homoglyph`), under another suffix (`tld`), with words around it (`combosquat`), or as a subdomain of an unrelated name (`subdomain`). The most dangerous come first, and the searched name itself before all when it is listed (`exact`). No hit says only that no list names such a domain. A brand of three to five letters is found alone or with a common keyword, one of two letters alone. `keywords` may also be sent in a JSON or form body; the query string wins. Costs one check; the same search again within 24 hours costs nothing. 503 until the names have been made searchable for the first time.',
    tags: ['search'],
    policy,
    query: SearchQuery,
    body: SearchBody,
    accepts: ['application/json', 'application/x-www-form-urlencoded'],
    reply: SearchReply,
    handle: async ({ query, body, principal }) => {
      const asked = readKeywords(query, body);
      if (!asked.ok) throw badRequest(asked.reason, [{ path: 'keywords', message: asked.reason }]);
      const found = await searchLookalikes(deps, asked, principal.organizationId);
      return { ...found, hits: found.results.map(({ value }) => hitPrefix + value) };
    },
  });
