import { randomUUID } from 'node:crypto';
import { stixTime } from '#domain/stix/index.ts';
import { notFound } from '#platform/errors.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Call, type Route, route } from '#platform/http/route.ts';
import { listCollections } from './collections.ts';
import * as contract from './contract.ts';
import { findCount } from './count-store.ts';
import { negotiate, STIX_TYPE, TAXII_FAILURE, TAXII_TYPE } from './media-types.ts';
import { collectionOf, serveManifest, serveObjects, type TaxiiDeps } from './serve-page.ts';

const TAGS = ['taxii'];
const PREFIXES = ['/taxii', '/taxii2'] as const;
/** Discovery needs only a key; the collections below it need a plan (C11). */
const ROOT: Policy = { ...KEYED, class: 'B' };
const COLLECTIONS: Policy = { ...ROOT, plan: 'PRO' };
const MEDIA_TYPES = [STIX_TYPE];
const FORM = { produces: STIX_TYPE, alsoProduces: [TAXII_TYPE], failure: TAXII_FAILURE, tags: TAGS } as const;
const PAGE_HEADERS = {
  'X-TAXII-Has-More': 'Whether the walk goes on.',
  'X-TAXII-Next': 'The token of the next page; absent on the last one.',
  'X-TAXII-Date-Added-First': 'Date added of the first indicator, or how far an empty page went.',
  'X-TAXII-Date-Added-Last': 'The same of the last indicator.',
  Vary: 'Accept.',
} as const;
const PAGES =
  'Ascending by date added where Accept names application/taxii+json, newest created first otherwise (TAXII_ORDER). A page examines at most 8,000 objects, so it may be short or empty while X-TAXII-Has-More is true. Each token continues its own walk with the filters of the first page.';

export const taxiiRoutes = (deps: TaxiiDeps): readonly Route[] =>
  PREFIXES.flatMap((prefix) => [
    ...rootRoutes(prefix),
    ...collectionRoutes(prefix, deps),
    ...objectRoutes(prefix, deps),
  ]);

const rootRoutes = (prefix: string): readonly Route[] => [
  route({
    ...FORM,
    method: 'GET',
    path: prefix,
    summary: 'TAXII discovery: where the API root is.',
    policy: ROOT,
    reply: contract.Discovery,
    handle: (call) => {
      negotiate(call.request, call.reply);
      const root = `${addressOf(call, prefix)}/api-root`;
      return {
        title: 'Assay TAXII 2.1',
        api_roots: [root],
        description: 'Indicators as STIX 2.1: shared collections, and those of your organization.',
        default: root,
      };
    },
  }),
  route({
    ...FORM,
    method: 'GET',
    path: `${prefix}/api-root`,
    summary: 'The TAXII API root and its collections.',
    policy: ROOT,
    reply: contract.ApiRoot,
    handle: ({ request, reply, principal }) => {
      negotiate(request, reply);
      return {
        collections: [...listCollections(principal.organizationId !== null)],
        title: 'Assay',
        description: 'Read-only. Collections need a PRO or ENTERPRISE plan.',
        versions: [TAXII_TYPE],
        max_content_length: 0,
      };
    },
  }),
];

/** The prefix as the caller used it, because the web host serves the same routes below /api. */
const addressOf = ({ request }: Pick<Call, 'request'>, prefix: string): string =>
  request.exchange?.mounted.surface === 'web' ? `/api${prefix}` : prefix;

const describe = ({ id, title }: { readonly id: string; readonly title: string }) => ({
  id,
  title,
  alias: id,
  can_read: true,
  can_write: false,
  media_types: MEDIA_TYPES,
});

const collectionRoutes = (prefix: string, deps: TaxiiDeps): readonly Route[] => [
  route({
    ...FORM,
    method: 'GET',
    path: `${prefix}/api-root/collections`,
    summary: 'The TAXII collections.',
    description:
      'Those of your organization are listed for its members. Each has a twin with the suffix `-observables`, which is not listed.',
    policy: COLLECTIONS,
    reply: contract.CollectionList,
    handle: ({ request, reply, principal }) => {
      negotiate(request, reply);
      return { collections: listCollections(principal.organizationId !== null).map(describe) };
    },
  }),
  route({
    ...FORM,
    method: 'GET',
    path: `${prefix}/api-root/collections/:collectionId`,
    summary: 'A TAXII collection, and how many indicators it has by score.',
    policy: COLLECTIONS,
    params: contract.CollectionParams,
    reply: contract.CollectionReply,
    handle: (call) => describeCollection(deps, call),
  }),
];

async function describeCollection(
  { postgres }: TaxiiDeps,
  { request, reply, params, principal }: Call<undefined, typeof contract.CollectionParams>,
): Promise<contract.CollectionReply> {
  const collection = collectionOf(params.collectionId, principal);
  const count =
    collection.owner === 'shared' && !collection.isTwin
      ? await findCount(postgres.db, collection.base)
      : null;
  negotiate(request, reply);
  return {
    ...describe(collection),
    ...(count !== null && {
      x_svc_score_histogram: contract.histogramOf(count.histogram),
      x_svc_total: count.total,
      x_svc_computed_at: stixTime(count.computedAtMs),
    }),
  };
}

const objectRoutes = (prefix: string, deps: TaxiiDeps): readonly Route[] => {
  const collection = `${prefix}/api-root/collections/:collectionId`;
  const page = { ...FORM, method: 'GET', policy: COLLECTIONS, params: contract.CollectionParams } as const;
  return [
    route({
      ...page,
      path: `${collection}/objects`,
      summary: 'A page of a TAXII collection as a STIX bundle.',
      description: PAGES,
      query: contract.PageQuery,
      reply: contract.ObjectsReply,
      replyHeaders: PAGE_HEADERS,
      handle: (call) => serveObjects(deps, call),
    }),
    route({
      ...page,
      path: `${collection}/manifest`,
      summary: 'The same page, with id and dates of each object alone.',
      description: PAGES,
      query: contract.PageQuery,
      reply: contract.ManifestReply,
      replyHeaders: PAGE_HEADERS,
      handle: (call) => serveManifest(deps, call),
    }),
    identityRoute(deps, `${collection}/objects/:objectId`),
    versionsRoute(deps, `${collection}/objects/:objectId/versions`),
  ];
};

const BY_ID = { ...FORM, method: 'GET', policy: COLLECTIONS, params: contract.ObjectParams } as const;

const identityRoute = (deps: TaxiiDeps, path: string): Route =>
  route({
    ...BY_ID,
    path,
    summary: 'The identity of this service; indicators cannot be looked up by id.',
    reply: contract.ObjectsReply,
    handle: async ({ request, reply, params, principal }) => {
      const object = await identityNamed(deps, params, principal);
      negotiate(request, reply);
      return { type: 'bundle' as const, id: `bundle--${randomUUID()}`, objects: [object], more: false };
    },
  });

const versionsRoute = (deps: TaxiiDeps, path: string): Route =>
  route({
    ...BY_ID,
    path,
    summary: 'The versions of the identity, which has one.',
    reply: contract.VersionsReply,
    handle: async ({ request, reply, params, principal }) => {
      const object = await identityNamed(deps, params, principal);
      negotiate(request, reply);
      return { more: false, versions: [object.modified] };
    },
  });

async function identityNamed(
  deps: TaxiiDeps,
  { collectionId, objectId }: { readonly collectionId: string; readonly objectId: string },
  principal: Call['principal'],
) {
  collectionOf(collectionId, principal);
  const { object } = await deps.identity();
  if (objectId !== object.id) throw notFound('Object', objectId);
  return object;
}
