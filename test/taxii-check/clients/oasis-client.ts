import { isTaxiiType } from '../check.ts';
import { slashed } from '../check-server.ts';
import { resourceOf } from '../walk-collection.ts';
import { type Answer, isObject } from '../wire.ts';
import {
  type ClientPattern,
  judgeQuiet,
  judgeWhole,
  lastDateIn,
  nextIn,
  objectsIn,
  type Poll,
  poll,
  type Session,
  urlWith,
} from './client-pattern.ts';

const SOURCE = 'oasis-open/cti-taxii-client, taxii2client/v21/__init__.py and common.py';

/** The OASIS Python client refuses an answer with another media type than it asked for. */
async function ask(session: Session, url: URL): Promise<Answer | null> {
  const answer = await session.ask(url);
  if (answer === null) return null;
  const type = answer.headers.get('content-type') ?? 'none';
  if (isTaxiiType(type)) return answer;
  session.fail(answer.request, `it refuses the Content-Type ${type}`);
  return null;
}

/** Asks for a resource and records a finding when it lacks properties without which the client throws. */
async function require(session: Session, url: URL, names: readonly string[]): Promise<Answer | null> {
  const answer = await ask(session, url);
  const missing = names.filter((name) => answer?.body?.[name] == null || answer.body[name] === '');
  if (answer === null || missing.length === 0) return answer;
  session.fail(answer.request, `it throws without ${missing.join(', ')}`);
  return null;
}

async function openRoot(session: Session): Promise<boolean> {
  const { target } = session.collection;
  const root = await require(session, target.root, ['title', 'versions', 'max_content_length']);
  const listing = root && (await ask(session, new URL('collections/', target.root)));
  if (listing === null) return false;
  const listed = Array.isArray(listing.body?.collections) ? listing.body.collections.filter(isObject) : [];
  const bad = listed.find((each) =>
    ['id', 'title', 'can_read', 'can_write'].some((name) => each[name] == null),
  );
  if (bad !== undefined)
    session.fail(listing.request, `it throws on the collection ${JSON.stringify(bad.id)}`);
  return bad === undefined;
}

async function openServer(session: Session): Promise<boolean> {
  const start = slashed(session.check.options.url);
  if (start.href === session.collection.target.root.href) return openRoot(session);
  const server = await require(session, start, ['title']);
  return server !== null && openRoot(session);
}

/** Replays the client's function `as_pages`: after the first page, the limit is the number of objects in that page. */
function asPages(
  session: Session,
  query: Readonly<Record<string, string>>,
  perRequest: number,
): Promise<Poll | null> {
  const url = urlWith(resourceOf(session.collection.target, 'objects'), query);
  let limit = perRequest;
  const limited = (next: string | null): URL =>
    urlWith(url, { limit: limit === 0 ? null : String(limit), next });
  let isFirst = true;
  return poll({ ...session, ask: (each) => ask(session, each) }, limited(null), (answer) => {
    const more = answer.body?.more === true;
    if (isFirst && more) limit = objectsIn(answer).length;
    isFirst = false;
    return more ? limited(nextIn(answer)) : null;
  });
}

/** MISP importers and most Python programs ask for discovery, the API root, the collection and then `as_pages`. */
export const misp: ClientPattern = {
  client: 'misp',
  title: 'OASIS Python client (taxii2client), as MISP importers use it',
  learnt: { from: 'source', where: SOURCE },
  replay: async (session) => {
    if (!(await openServer(session))) return;
    for (const perRequest of [0, session.check.options.limit]) {
      const found = await asPages(session, {}, perRequest);
      if (found !== null) judgeWhole(session, found);
    }
  },
};

/** Splunk is configured with an API root and a collection, and polls with `added_after` from its setting `earliest`. */
export const splunk: ClientPattern = {
  client: 'splunk',
  title: 'Splunk Enterprise Security, TAXII 2.1 intelligence feed',
  learnt: {
    from: 'documentation',
    where: `docs.splunk.com on ES threat intelligence; its public app splunk/ctis-taxii-splunk-app uses ${SOURCE}`,
  },
  replay: async (session) => {
    if (!(await openRoot(session))) return;
    const { check } = session;
    const first = await asPages(session, { added_after: '2000-01-01T00:00:00.000000Z' }, check.options.limit);
    if (first === null) return;
    judgeWhole(session, first);
    const date = lastDateIn(first.last);
    if (date === null || !first.complete) return;
    const second = await asPages(session, { added_after: date }, check.options.limit);
    if (second !== null) judgeQuiet(session, first, second);
  },
};

/**
 * The connector taxii2 of OpenCTI. It leaves `added_after` out of every page but the first, reads the version of STIX from
 * the first object, and asks for ever when `more` has no `next`.
 */
export const openctiConnector: ClientPattern = {
  client: 'opencti',
  title: 'OpenCTI, connector taxii2',
  learnt: {
    from: 'source',
    where: 'OpenCTI-Platform/connectors, external-import/taxii2/src/connector/client_taxii.py',
  },
  replay: async (session) => {
    if (!(await openServer(session))) return;
    const url = resourceOf(session.collection.target, 'objects');
    const limit = String(session.check.options.limit);
    const start = urlWith(url, { added_after: '2000-01-01T00:00:00.000000Z', limit });
    const found = await poll({ ...session, ask: (each) => ask(session, each) }, start, (answer) => {
      const [object] = objectsIn(answer);
      if (object !== undefined && object.spec_version !== '2.1')
        session.fail(
          answer.request,
          'the first object has no spec_version, so that it pages as in TAXII 2.0',
        );
      if (answer.body?.more !== true) return null;
      const next = nextIn(answer);
      return next === null ? answer.url : urlWith(url, { limit, next });
    });
    if (found !== null) judgeWhole(session, found);
  },
};
