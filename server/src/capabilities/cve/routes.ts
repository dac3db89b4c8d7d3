import { parseCveId } from '#domain/cve/index.ts';
import type { Clock } from '#platform/clock.ts';
import { badRequest, notFound, ServiceError } from '#platform/errors.ts';
import { LOADED_HEADERS, marked, markNotLoaded } from '#platform/http/not-loaded.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type PreparedBody, preparedBody, type Route, route } from '#platform/http/route.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
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
  type FoundNames,
  listProducts,
  listRecent,
  listTopProducts,
  listVendors,
  searchCves,
} from './search/search-cves.ts';
import { areCvesLoaded } from './search/store.ts';
import { cveStatisticsRoutes } from './statistics/routes.ts';

export type CveDeps = {
  readonly clock: Clock;
  readonly postgres: Postgres;
  readonly facts: CveFacts;
};

const TAGS = ['CVE'];
/** Each call counts like a check (contract 4.8). */
const POLICY: Policy = { ...KEYED, meter: 'checks', class: 'C', costNote: '1; 0 while no CVE is loaded' };
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
    mayBeAbsent: true,
    reply: CveReply,
    replyHeaders: LOADED_HEADERS,
    handle: async (call): Promise<CveReply | PreparedBody> => {
      const { query } = call;
      if (query.id !== undefined) return sendCve(call, postgres.db, query.id);
      const isLoaded = await areCvesLoaded(postgres.db);
      if (!isLoaded) markNotLoaded(call);
      if (query.recent !== true)
        return isLoaded
          ? { loaded: true, ...(await searchCves(postgres.db, query)) }
          : { cves: [], nextCursor: null, ...NOT_LOADED };
      if (!isLoaded) return { count: null, days: RECENT_DAYS, cves: [], ...NOT_LOADED };
      const { limit, severity } = query;
      const cves = await listRecent(postgres.db, { limit, severity, days: RECENT_DAYS }, clock.now());
      return { count: cves.length, days: RECENT_DAYS, cves, loaded: true };
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
    replyHeaders: LOADED_HEADERS,
    handle: (call) => listOf(call, postgres.db, () => listRecent(postgres.db, call.query, clock.now())),
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
    handle: async (call) => {
      const { params } = call;
      const id = parseCveId(params.id);
      if (id !== null) return sendCve(call, postgres.db, id);
      // `/dashboard` is a page for operators on another host, so here it is 404 and not an unreadable id.
      if (params.id === 'dashboard') throw notFound('Page', params.id);
      throw badRequest('Send an id such as CVE-2021-44228.', [
        { path: 'id', message: 'Send an id such as CVE-2021-44228.' },
      ]);
    },
  }),
];

type Answering = Pick<Call, 'reply' | 'giveBack'>;

/** How an operator loads vulnerabilities, for answers without them. */
const LOAD_CVES =
  'No CVE data is loaded on this service, so nothing was looked up or counted. The worker loads it when FEEDS_ENABLED is true; from files: npm run admin -- cve import-manifest FOLDER';
const NOT_LOADED = { loaded: false, message: LOAD_CVES } as const;

/** The list, or an empty one that says in its header that nothing is loaded: an array has no field for it. */
async function listOf<T>(call: Answering, db: Db, list: () => Promise<T[]>): Promise<T[]> {
  if (await areCvesLoaded(db)) return list();
  markNotLoaded(call);
  return [];
}

/** 404 for an unknown CVE. Where none is loaded the 404 says so and costs nothing. */
async function sendCve(call: Answering, db: Db, id: string): Promise<PreparedBody> {
  const text = await describeCve(db, id);
  if (text === null) {
    if (await areCvesLoaded(db)) throw notFound('CVE', id);
    markNotLoaded(call);
    throw new ServiceError('Not Found', LOAD_CVES);
  }
  call.reply.type('application/json; charset=utf-8');
  return preparedBody(text);
}

const namesOf = async (db: Db, list: () => Promise<FoundNames>): Promise<Names> =>
  (await areCvesLoaded(db)) ? { ...(await list()), loaded: true } : { items: [], total: null, ...NOT_LOADED };

const nameRoutes = ({ clock, postgres }: CveDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/cve/vendors',
    summary: 'Vendors that CVEs name, the most named first.',
    tags: TAGS,
    policy: POLICY,
    query: NamesQuery,
    reply: Names,
    replyHeaders: LOADED_HEADERS,
    handle: (call) =>
      marked(
        call,
        namesOf(postgres.db, () => listVendors(postgres.db, call.query)),
      ),
  }),
  route({
    method: 'GET',
    path: '/cve/products',
    summary: 'Products that CVEs name, the most named first.',
    tags: TAGS,
    policy: POLICY,
    query: ProductsQuery,
    reply: Names,
    replyHeaders: LOADED_HEADERS,
    handle: (call) =>
      marked(
        call,
        namesOf(postgres.db, () => listProducts(postgres.db, call.query)),
      ),
  }),
  route({
    method: 'GET',
    path: '/cve/stats/top-products',
    summary: 'The products with the most CVEs of the last days.',
    tags: TAGS,
    policy: POLICY,
    query: TopProductsQuery,
    reply: TopProducts,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => listOf(call, postgres.db, () => listTopProducts(postgres.db, call.query, clock.now())),
  }),
];
