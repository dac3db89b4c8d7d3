import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readInstant } from '../instants.ts';
import { STIX_TYPE, TAXII_TYPE } from '../wire.ts';
import { type SmallObject, type SmallRecord, smallRecords } from './small-objects.ts';

/** A reply before it is sent; a fault may change it. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
};

/** The parts of a request that a fault may depend on. */
export type Asked = {
  /** The path below the API root without slashes at its ends, such as `collections/ID/objects`. */
  readonly path: string;
  readonly hasSlash: boolean;
  readonly query: URLSearchParams;
  readonly credential: string | undefined;
  /** Counts requests with the same URL, Accept header and credential, from 1. */
  readonly times: number;
};

/** A deliberate fault of the server: other objects, another choice of records, other pages or another reply. */
export type Fault = {
  readonly records?: (records: SmallRecord[]) => SmallRecord[];
  readonly choose?: (chosen: SmallRecord[], all: readonly SmallRecord[], asked: Asked) => SmallRecord[];
  /** Changes the offset in the `next` token, which is where the following page begins. */
  readonly nextOffset?: (offset: number, asked: Asked) => number;
  readonly pageSize?: (limit: number) => number;
  readonly reply?: (reply: Reply, asked: Asked) => void;
};

export type SmallServer = AsyncDisposable & { readonly url: string };

export const COLLECTION = 'f5f6a1a2-3b1c-4c7e-9b55-1f0f8f6d3c11';
export const USER = 'reader:secret';
const PAGE_MAX = 100;
const PAGE = 4;
const HEADERS = { 'content-type': TAXII_TYPE };

const collectionOf = (id: string) => ({
  id,
  title: 'Everything',
  can_read: true,
  can_write: false,
  media_types: [STIX_TYPE],
});

/** A small correct TAXII 2.1 server on loopback. `house` adds the extensions of our own TAXII server. */
export async function startSmallServer(fault: Fault = {}, house = false): Promise<SmallServer> {
  const records = fault.records?.(smallRecords()) ?? smallRecords();
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const address = `${request.url} ${request.headers.accept} ${request.headers.authorization}`;
    times.set(address, (times.get(address) ?? 0) + 1);
    const asked = askedOf(request, times.get(address) ?? 1);
    const reply = replyTo(asked, request.headers.accept ?? '', records, fault, house);
    fault.reply?.(reply, asked);
    send(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/taxii2/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function askedOf(request: IncomingMessage, times: number): Asked {
  const url = new URL(request.url ?? '/', 'http://small');
  const path = url.pathname.replace(/^\/taxii2\/?/, '').replace(/\/$/, '');
  return {
    path,
    hasSlash: url.pathname.endsWith('/'),
    query: url.searchParams,
    credential: request.headers.authorization,
    times,
  };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(JSON.stringify(body));
}

function failure(status: number, title: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...HEADERS, ...headers }, body: { title, http_status: String(status) } };
}

function replyTo(asked: Asked, accept: string, records: SmallRecord[], fault: Fault, house: boolean): Reply {
  const isTaxii = accept.includes('application/taxii+json');
  if (asked.credential !== `Basic ${Buffer.from(USER).toString('base64')}`)
    return failure(401, 'Who are you?', { 'www-authenticate': 'Basic' });
  if (!isTaxii && !house) return failure(406, 'Ask for TAXII.');
  const id = house ? 'everything' : COLLECTION;
  const { path } = asked;
  const ok = (body: Record<string, unknown>): Reply => ({ status: 200, headers: { ...HEADERS }, body });
  if (path === '') return ok({ title: 'Small', api_roots: ['/taxii2/root'], default: '/taxii2/root' });
  if (path === 'root')
    return ok({ title: 'Root', versions: [TAXII_TYPE], max_content_length: house ? 0 : 1_000 });
  if (path === 'root/collections') return ok({ collections: [collectionOf(id)] });
  const prefix = `root/collections/${id}`;
  if (path === prefix) return ok(collectionOf(id));
  if (path === `${prefix}/objects`) return page(asked, records, fault, house, isTaxii, 'objects');
  if (path === `${prefix}/manifest`) return page(asked, records, fault, house, isTaxii, 'manifest');
  const wanted = records.find(({ object }) => path.startsWith(`${prefix}/objects/${String(object.id)}`));
  if (wanted === undefined) return failure(404, 'There is no such thing.');
  return ok(path.endsWith('/versions') ? { versions: [versionOf(wanted)] } : { objects: [wanted.object] });
}

const versionOf = ({ object, dateAdded }: SmallRecord): string =>
  [object.modified, object.created].find((date) => typeof date === 'string') ?? dateAdded;
const manifestOf = (record: SmallRecord): SmallObject => ({
  id: record.object.id,
  date_added: record.dateAdded,
  version: versionOf(record),
  media_type: STIX_TYPE,
});

function matches({ query }: Asked, record: SmallRecord): boolean {
  const listed = (name: string): readonly string[] | undefined => query.get(`match[${name}]`)?.split(',');
  const [types, ids, specs, versions] = ['type', 'id', 'spec_version', 'version'].map(listed);
  return (
    (types?.includes(String(record.object.type)) ?? true) &&
    (ids?.includes(String(record.object.id)) ?? true) &&
    (specs?.includes(String(record.object.spec_version)) ?? true) &&
    (versions?.some((version) => version === 'last' || version === versionOf(record)) ?? true)
  );
}

/** The records that a query returns, before they are cut into pages. */
function chosenBy(asked: Asked, records: SmallRecord[], { choose }: Fault, isTaxii: boolean): SmallRecord[] {
  const after = readInstant(asked.query.get('added_after'))?.key ?? '';
  const later = records.filter(({ dateAdded }) => (readInstant(dateAdded)?.key ?? '') > after);
  const chosen = isTaxii ? later.filter((record) => matches(asked, record)) : later.toReversed();
  return choose?.(chosen, records, asked) ?? chosen;
}

function page(
  asked: Asked,
  all: SmallRecord[],
  fault: Fault,
  house: boolean,
  isTaxii: boolean,
  what: 'objects' | 'manifest',
): Reply {
  const { query } = asked;
  const [after, limit, token] = [
    query.get('added_after'),
    query.get('limit') ?? String(PAGE),
    query.get('next'),
  ];
  if (after !== null && readInstant(after) === null) return failure(400, 'Send a date.');
  if (!/^[1-9]\d*$/.test(limit)) return failure(400, 'Send a limit.');
  if (token !== null && !/^at-\d+$/.test(token)) return failure(400, 'Send a token of mine.');
  const leader = all.find(({ object }) => house && object.type === 'identity');
  const chosen = chosenBy(asked, all, fault, isTaxii).filter((record) => record !== leader);
  const leads = leader !== undefined && (!isTaxii || matches(asked, leader)) ? [leader] : [];
  const offset = Number(token?.slice(3) ?? 0);
  const size = fault.pageSize?.(Number(limit)) ?? Math.min(Number(limit), PAGE_MAX);
  const end = offset + Math.max(1, size - leads.length);
  const part = chosen.slice(offset, end);
  const more = end < chosen.length;
  const next = `at-${fault.nextOffset?.(end, asked) ?? end}`;
  const shown = [...leads, ...part].map((record) =>
    what === 'objects' ? record.object : manifestOf(record),
  );
  return {
    status: 200,
    headers: {
      ...HEADERS,
      ...(!isTaxii && { 'content-type': STIX_TYPE }),
      // An empty page repeats the `added_after` of the request, so that a client can poll on from it.
      'x-taxii-date-added-first': part[0]?.dateAdded ?? after ?? '2000-01-01T00:00:00.000000Z',
      'x-taxii-date-added-last': part.at(-1)?.dateAdded ?? after ?? '2000-01-01T00:00:00.000000Z',
    },
    body: {
      ...(house &&
        what === 'objects' && { type: 'bundle', id: 'bundle--00000000-0000-4000-8000-000000000099' }),
      more,
      ...(more && { next }),
      objects: shown,
    },
  };
}
