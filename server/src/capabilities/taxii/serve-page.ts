import { randomUUID } from 'node:crypto';
import type { Publications } from '#capabilities/publications/index.ts';
import { stixTimeOfMicros } from '#domain/stix/index.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound, unavailable } from '#platform/errors.ts';
import { type Call, type PreparedBody, preparedBody } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import { type Collection, findCollection } from './collections.ts';
import type { CollectionParams, ManifestRecord, PageQuery } from './contract.ts';
import { type Gathered, gatherPage, organizationOf, type PageObject } from './gather-page.ts';
import type { Identity } from './identity.ts';
import { isMatching, type Match, readMatch } from './match-objects.ts';
import { acceptsTaxii, negotiate, STIX_TYPE } from './media-types.ts';
import { newestDate } from './page-store.ts';
import { indicatorsOf, readWalk, type WalkAt } from './read-walk.ts';
import type { WalkTokens } from './walk-token.ts';

export type Pull = {
  readonly accountId: string;
  readonly keyId: string;
  readonly list: string;
  readonly status: number;
  readonly bytes: number;
  readonly objects: number;
  readonly more: boolean;
  readonly agent: string | null;
  readonly pulledAtMs: number;
};

export type TaxiiDeps = {
  readonly clock: Clock;
  readonly postgres: Pick<Postgres, 'db' | 'withAccount'>;
  readonly tokens: WalkTokens;
  readonly identity: () => Promise<Identity>;
  readonly order: 'accept' | 'newest';
  readonly notePull: (pull: Pull) => void;
  /** Whether the shared collections were published once, and why not. */
  readonly publications: Pick<Publications, 'isPublished' | 'whyMissing'>;
};

export type PageCall = Call<typeof PageQuery, typeof CollectionParams>;

/** The collection with this id. 404 if there is none; a collection of organizations refuses callers without one. */
export function collectionOf(id: string, principal: PageCall['principal']): Collection {
  const collection = findCollection(id);
  if (collection === undefined) throw notFound('Collection', id);
  if (collection.owner === 'organization') organizationOf(principal);
  return collection;
}

export async function serveObjects(deps: TaxiiDeps, call: PageCall): Promise<PreparedBody> {
  const page = await pageOf(deps, call, true);
  const { objects } = page;
  const texts = [page.identity?.json ?? '', 'text' in objects ? objects.text : textOf(objects)];
  const list = texts.filter((text) => text !== '').join(',');
  const next = page.next === null ? '' : `,"next":${JSON.stringify(page.next)}`;
  const body = `{"type":"bundle","id":"bundle--${randomUUID()}","objects":[${list}],"more":${page.more}${next}}`;
  return finish(deps, call, page, body);
}

const textOf = (objects: readonly PageObject[]): string => objects.map(({ json }) => json).join(',');

export async function serveManifest(deps: TaxiiDeps, call: PageCall): Promise<PreparedBody> {
  const page = await pageOf(deps, call, false);
  const objects = (page.objects as readonly PageObject[]).map(recordOf);
  const all = page.identity === null ? objects : [recordOf(page.identity), ...objects];
  const body = { more: page.more, ...(page.next !== null && { next: page.next }), objects: all };
  return finish(deps, call, page, JSON.stringify(body));
}

/** An object has one version only, so its version is the date it was added. */
const recordOf = ({ id, addedUs }: PageObject): ManifestRecord => ({
  id,
  date_added: stixTimeOfMicros(addedUs),
  version: stixTimeOfMicros(addedUs),
  media_type: STIX_TYPE,
});

type Page = Pick<Gathered, 'objects' | 'more' | 'firstUs' | 'lastUs'> & {
  readonly identity: PageObject | null;
  readonly next: string | null;
};

async function pageOf(deps: TaxiiDeps, call: PageCall, isBundle: boolean): Promise<Page> {
  const { params, query, principal, request } = call;
  const collection = collectionOf(params.collectionId, principal);
  if (collection.owner === 'shared') await refuseUnpublished(deps);
  const isTaxii = acceptsTaxii(request);
  const isFirst = query.next === undefined && collection.owner === 'shared';
  const startedUs = isFirst ? await newestDate(deps.postgres.db) : 0;
  const walk = readWalk(query, { tokens: deps.tokens, collection, isTaxii, order: deps.order, startedUs });
  const match = readMatch(walk.q);
  const identity = await deps.identity();
  const asked = {
    collection,
    principal,
    walk,
    match,
    limit: indicatorsOf(walk.l, principal.plan),
    asText: isBundle && match.isAbsent && walk.q.with === undefined && !collection.isTwin,
  };
  const gathered = canMatch(match, collection, walk)
    ? await gatherPage({ postgres: deps.postgres, nowMs: deps.clock.now(), identity }, asked)
    : NOTHING;
  const { last, lastDated, more } = gathered;
  const isEmpty = gathered.firstUs === null;
  // A page without indicators holds at most the identity, and TAXII wants a date all the same.
  const date = lastDated ?? walk.q.after ?? identity.deployedUs;
  return {
    ...dated(gathered, isEmpty ? date : null),
    objects: leftBy(match, gathered.objects),
    more,
    identity: identityFor(match, identity),
    next:
      more && last !== null
        ? deps.tokens.write({ v: 1, c: collection.id, o: walk.o, k: last, q: walk.q, l: walk.l, s: walk.s })
        : null,
  };
}

/** An empty collection would say that there are no threats. */
async function refuseUnpublished({ publications }: TaxiiDeps): Promise<void> {
  if (await publications.isPublished('taxii')) return;
  const { message, retryAfterS } = await publications.whyMissing('taxii');
  throw unavailable(`The shared collections are not published yet. ${message}`, retryAfterS);
}

const NOTHING: Gathered = {
  objects: [],
  last: null,
  lastDated: null,
  more: false,
  firstUs: null,
  lastUs: null,
};

/** The dates of a page; a page without indicators gives the date up to which the walk has come (O10). */
const dated = ({ firstUs, lastUs }: Gathered, date: number | null) => ({
  firstUs: firstUs ?? date,
  lastUs: lastUs ?? date,
});

function leftBy(match: Match, objects: Gathered['objects']): Gathered['objects'] {
  if ('text' in objects || match.isAbsent) return objects;
  return objects.filter((object) => isMatching(match, { ...object, versionUs: object.addedUs }));
}

const TWIN_TYPES = ['observed-data', 'ipv4-addr', 'ipv6-addr', 'domain-name', 'url', 'file'];

/** A walk in which nothing can match ends at once. */
function canMatch({ types, isSpec, versionsUs }: Match, { isTwin }: Collection, { q }: WalkAt): boolean {
  const shown = isTwin
    ? TWIN_TYPES
    : ['indicator', ...(q.with === undefined ? [] : ['malware', 'relationship'])];
  return isSpec && versionsUs?.length !== 0 && (types === null || shown.some((type) => types.has(type)));
}

function identityFor(match: Match, { object, deployedUs }: Identity): PageObject | null {
  const { type, id } = object;
  if (!isMatching(match, { type, id, versionUs: deployedUs })) return null;
  return { type, id, addedUs: deployedUs, json: JSON.stringify(object) };
}

/** Bytes, because Fastify adds a charset to the media type of a text. */
function finish(deps: TaxiiDeps, call: PageCall, page: Page, body: string): PreparedBody {
  const { request, reply, principal, params } = call;
  negotiate(request, reply);
  reply.header('x-taxii-has-more', String(page.more));
  if (page.next !== null) reply.header('x-taxii-next', page.next);
  if (page.firstUs !== null) reply.header('x-taxii-date-added-first', stixTimeOfMicros(page.firstUs));
  if (page.lastUs !== null) reply.header('x-taxii-date-added-last', stixTimeOfMicros(page.lastUs));
  const bytes = Buffer.from(body);
  if (principal.kind === 'key' && request.method === 'GET')
    deps.notePull({
      accountId: principal.accountId,
      keyId: principal.id,
      list: params.collectionId,
      status: 200,
      bytes: bytes.length,
      objects: 'text' in page.objects ? page.objects.count : page.objects.length,
      more: page.more,
      agent: request.headers['user-agent'] ?? null,
      pulledAtMs: deps.clock.now(),
    });
  return preparedBody(bytes);
}
