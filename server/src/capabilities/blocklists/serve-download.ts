import { createReadStream } from 'node:fs';
import { matches } from '#platform/http/conditional.ts';
import { type Call, NO_BODY, type PreparedBody, preparedBody } from '#platform/http/route.ts';
import { sendBytes } from '#platform/http/send-bytes.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Variant } from './bundle.ts';
import { type Download, readTag } from './choose-download.ts';
import { differenceText } from './difference.ts';
import { PLAIN_TEXT } from './formats/format.ts';
import { findFormat } from './formats/formats.ts';
import { kindOfList } from './list-names.ts';
import { type Lists, memoryKey } from './open-lists.ts';
import { renderingKey } from './prepare-renderings.ts';
import type { Renderings } from './renderings.ts';
import { findVersion, hasAllChanges, netChanges } from './store.ts';

export type ServeDeps = {
  readonly lists: Lists;
  /** Samples have a queue of their own: callers without a key must not delay the lists of firewalls. */
  readonly renderings: Readonly<Record<Variant, Renderings>>;
  readonly postgres: Pick<Postgres, 'db'>;
  readonly audience: 'public' | 'internal';
};

type Answering = Pick<Call, 'request' | 'reply'>;
/** Answers differ by caller, so a shared cache must not serve the answer of one caller to another (trap 25). */
const CACHE = 'private';
const VARY = 'X-API-KEY, Authorization, Cookie, Origin, Accept-Encoding';
const DIFFERENCE_MAX = 200_000;

export const isUnchangedFor = (header: string | undefined, { etag }: Download): boolean =>
  matches(header, etag);

export async function serveDownload(
  deps: ServeDeps,
  call: Answering,
  download: Download,
): Promise<PreparedBody> {
  const { request, reply } = call;
  const { open, variant, etag } = download;
  const modified = new Date(open.head[variant].modifiedAtMs).toUTCString();
  reply
    .header('cache-control', CACHE)
    .header('vary', VARY)
    .header('etag', etag)
    .header('last-modified', modified)
    .header('x-blocklist-variant', variant)
    .header('x-blocklist-audience', deps.audience);
  if (deps.lists.isStale(open.list)) reply.header('x-list-stale', 'true');
  if (isUnchangedFor(request.headers['if-none-match'], download)) {
    reply.code(304);
    return NO_BODY;
  }
  if (download.since !== null) return serveDifference(deps, call, download, download.since);
  if (download.rendering !== null) return serveRendering(deps, call, download, modified);
  return serveFile(call, download, modified);
}

function serveFile(
  call: Answering,
  { open, variant, encoding, etag }: Download,
  modified: string,
): PreparedBody {
  const { reply } = call;
  const part = open.head[variant][encoding];
  reply.header('content-type', PLAIN_TEXT).header('x-blocklist-entries', String(open.head[variant].lines));
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const kept = open.memory.get(memoryKey(variant, encoding));
  return sendBytes(call, part.bytes, { etag, modified }, ({ start, end }) =>
    kept === undefined
      ? createReadStream(open.path, { start: part.offset + start, end: part.offset + end })
      : kept.subarray(start, end + 1),
  );
}

async function serveRendering(
  deps: ServeDeps,
  call: Answering,
  { open, variant, rendering, encoding, etag }: Download,
  modified: string,
): Promise<PreparedBody> {
  const { head, list, path } = open;
  const order = { list, path, entries: head.entries, builtAtMs: head.builtAtMs, variant };
  const {
    format = 'text',
    minScore = 0,
    maxEntries = null,
    annotate = false,
    allowed = null,
  } = rendering ?? {};
  const { body, entries, left } = await deps.renderings[variant].get(renderingKey(open, etag), {
    ...order,
    format,
    minScore,
    maxEntries,
    annotate,
    allowed,
    encoding,
  });
  if (encoding !== 'identity') call.reply.header('content-encoding', encoding);
  call.reply
    .header('content-type', findFormat(format, kindOfList(list))?.mediaType ?? PLAIN_TEXT)
    .header('x-blocklist-entries', String(entries));
  if (left > 0) call.reply.header('x-blocklist-left-out', String(left));
  return sendBytes(call, body.length, { etag, modified }, ({ start, end }) => body.subarray(start, end + 1));
}

/**
 * Sends the changes from version `since` to the served version. The ETag is that of the whole list, so that a client
 * sends it as its next `since`. Only a difference has the header X-Blocklist-Since.
 */
async function serveDifference(
  deps: ServeDeps,
  call: Answering,
  download: Download,
  since: string,
): Promise<PreparedBody> {
  const { open, variant } = download;
  const difference = await findDifference(deps, download, since).catch(() => null);
  const modified = new Date(open.head[variant].modifiedAtMs).toUTCString();
  if (difference === null) return serveFile(call, { ...download, since: null }, modified);
  call.reply
    .header('content-type', PLAIN_TEXT)
    .header('x-blocklist-since', since.replace(/[^\x21-\x7e]/g, ''))
    .header('x-blocklist-entries', String(open.head[variant].lines));
  return preparedBody(differenceText(difference));
}

async function findDifference({ postgres: { db } }: ServeDeps, { open, variant }: Download, since: string) {
  const tag = readTag(since);
  if (tag === null || tag.variant !== variant) return null;
  const { list, head } = open;
  const to = await findVersion(db, list, variant, head[variant].identity.sha256, null);
  const from = to === null ? null : await findVersion(db, list, variant, tag.digits, to);
  if (to === null || from === null || !(await hasAllChanges(db, list, from, to))) return null;
  const changes = await netChanges(db, list, variant, { from, to, limit: DIFFERENCE_MAX });
  return changes.isCut ? null : changes;
}
