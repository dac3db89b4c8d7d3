import { parseCveId } from '#domain/cve/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound } from '#platform/errors.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type PreparedBody, preparedBody, type Route, route } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import {
  Cve,
  CveParams,
  CveQuery,
  CveReply,
  Names,
  NamesQuery,
  ProductsQuery,
  RecentQuery,
  RecentReply,
  TopProducts,
  TopProductsQuery,
} from './contract.ts';
import type { CveFacts } from './facts.ts';
import {
  describeCve,
  listProducts,
  listRecent,
  listTopProducts,
  listVendors,
  searchCves,
} from './search/search-cves.ts';
import { cveStatisticsRoutes } from './statistics/routes.ts';

export type CveDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly facts: CveFacts;
};

const TAGS = ['CVE'];
/** Each call counts like a check (contract 4.8). */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'C' };
const RECENT_DAYS = 7;

export const cveRoutes = (deps: CveDeps): readonly Route[] => [
  ...cveStatisticsRoutes(deps),
  ...recordRoutes(deps),
  ...nameRoutes(deps),
];

const recordRoutes = ({ clock, postgres }: CveDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/cve',
    summary: 'One CVE by its id, the CVEs of the last week, or those that fit a search.',
    description:
      'With `id` the record of /cve/{id}. With `recent=true` an object of the last seven days. Otherwise a search, which is beyond the contract: all given filters have to fit, the newest published come first, and `nextCursor` leads to the next page.',
    tags: TAGS,
    policy: POLICY,
    query: CveQuery,
    reply: CveReply,
    handle: async ({ query, reply }): Promise<CveReply | PreparedBody> => {
      if (query.id !== undefined) return sendCve(reply, await describeCve(postgres.db, query.id));
      if (query.recent !== true) return searchCves(postgres.db, query);
      const { limit, severity } = query;
      const cves = await listRecent(postgres.db, { limit, severity, days: RECENT_DAYS }, clock.now());
      return { count: cves.length, days: RECENT_DAYS, cves };
    },
  }),
  route({
    method: 'GET',
    path: '/cve/recent',
    summary: 'The newest CVEs.',
    tags: TAGS,
    policy: POLICY,
    query: RecentQuery,
    reply: RecentReply,
    handle: ({ query }) => listRecent(postgres.db, query, clock.now()),
  }),
  route({
    method: 'GET',
    path: '/cve/:id',
    summary: 'All that is known about one CVE, and which source said it.',
    description:
      'The id in any case. A rejected CVE is answered with `state: "REJECTED"`; no list, count or match has it.',
    tags: TAGS,
    policy: POLICY,
    params: CveParams,
    reply: Cve,
    handle: async ({ params, reply }) => {
      const id = parseCveId(params.id);
      if (id !== null) return sendCve(reply, await describeCve(postgres.db, id));
      // `/dashboard` is a page for operators on another host, so here it is 404 and not an unreadable id.
      if (params.id === 'dashboard') throw notFound('Page', params.id);
      throw badRequest('Send an id such as CVE-2021-44228.', [
        { path: 'id', message: 'Send an id such as CVE-2021-44228.' },
      ]);
    },
  }),
];

function sendCve(reply: Call['reply'], text: string): PreparedBody {
  reply.type('application/json; charset=utf-8');
  return preparedBody(text);
}

const nameRoutes = ({ clock, postgres }: CveDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/cve/vendors',
    summary: 'Vendors that CVEs name, the most named first.',
    tags: TAGS,
    policy: POLICY,
    query: NamesQuery,
    reply: Names,
    handle: ({ query }) => listVendors(postgres.db, query),
  }),
  route({
    method: 'GET',
    path: '/cve/products',
    summary: 'Products that CVEs name, the most named first.',
    tags: TAGS,
    policy: POLICY,
    query: ProductsQuery,
    reply: Names,
    handle: ({ query }) => listProducts(postgres.db, query),
  }),
  route({
    method: 'GET',
    path: '/cve/stats/top-products',
    summary: 'The products with the most CVEs of the last days.',
    tags: TAGS,
    policy: POLICY,
    query: TopProductsQuery,
    reply: TopProducts,
    handle: ({ query }) => listTopProducts(postgres.db, query, clock.now()),
  }),
];
