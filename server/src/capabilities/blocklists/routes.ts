import type { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { etagOf, isUnchanged } from '#platform/http/conditional.ts';
import { type CostInput, DEFAULT_BODY_MAX, KEYED, type Policy, PUBLIC_READ } from '#platform/http/policy.ts';
import type { Principal } from '#platform/http/principal.ts';
import { type Call, NO_BODY, type Route, route } from '#platform/http/route.ts';
import type { Postgres } from '#platform/postgres.ts';
import { chooseDownload, type Download, listOf } from './choose-download.ts';
import { BlocklistStats, DownloadParams, DownloadQuery, ListText, PullList, PullsQuery } from './contract.ts';
import { PLAIN_TEXT } from './formats/format.ts';
import { kindOfList, LIST_NAMES, type ListKind } from './list-names.ts';
import type { PullLog } from './pull-log.ts';
import { selectPulls } from './pull-store.ts';
import { refuseUnbuilt, type UnbuiltDeps } from './refuse-unbuilt.ts';
import { isUnchangedFor, type ServeDeps, serveDownload } from './serve-download.ts';
import { serveWithheld, type WithheldDeps } from './serve-withheld.ts';

export type BlocklistsDeps = ServeDeps &
  WithheldDeps & {
    readonly clock: Clock;
    readonly postgres: Pick<Postgres, 'db' | 'withAccount'>;
    readonly pulls: Pick<PullLog, 'note'>;
    /** Why a list is missing. */
    readonly publications: UnbuiltDeps['publications'];
    /** Values of this kind that the organization allows, which `apply=org` leaves out of a list. */
    readonly allowed: (organizationId: string, kind: ListKind) => Promise<readonly string[]>;
  };

const TAGS = ['blocklists'];
const STATS_CACHE = 'public, max-age=60';
/** A slow line may take minutes for a large list; a reader that takes nothing for 20 s is given up by the transport. */
const DOWNLOAD_DEADLINE_MS = 900_000;

export const blocklistsRoutes = (deps: BlocklistsDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/blocklist/stats',
    summary: 'How long each shared list is, and when it last changed.',
    description:
      '`withheld`, `audience` and `last_updated` are beyond the contract. Counts are of the full lists.',
    tags: TAGS,
    policy: PUBLIC_READ,
    conditional: true,
    reply: BlocklistStats,
    handle: (call) => {
      const stats = statsOf(deps);
      return isUnchanged(call, etagOf(JSON.stringify(stats)), STATS_CACHE) ? NO_BODY : stats;
    },
  }),
  route({
    method: 'GET',
    path: '/blocklist/download/:filename',
    summary: 'A shared list as a file.',
    description:
      'Without a key, with FREE and with a credential that is not accepted a tenth of the list, the same tenth every time; from BASIC on the full list. Never 401 or 403. Send the ETag of your file as If-None-Match: a 304 costs nothing. The guard is 600 files an hour for each address, 3,600 for each key. Parameters are extensions.',
    tags: TAGS,
    policy: downloadPolicy(deps),
    params: DownloadParams,
    query: DownloadQuery,
    conditional: true,
    ranges: true,
    reply: ListText,
    produces: PLAIN_TEXT,
    alsoProduces: ['text/csv'],
    replyHeaders: {
      'X-Blocklist-Variant': 'sample or full.',
      'X-Blocklist-Entries': 'Entries that a reader of the file counts.',
      'X-Blocklist-Audience': 'public: sources that may be passed on; internal: all sources.',
      'X-Blocklist-Left-Out': 'Entries that this format cannot say; absent when there are none.',
      'X-Blocklist-Since': 'The version that the + and - lines begin at; absent on a whole list.',
      'X-List-Stale':
        'true: the newest build failed or waits for an operator, and this is the last good one.',
    },
    handle: (call) => download(deps, call),
  }),
  route({
    method: 'GET',
    path: '/user/pulls',
    summary: 'Who pulled which list or TAXII collection with the keys of this account, newest first.',
    description: 'Written a few seconds behind the download and kept for 90 days.',
    tags: TAGS,
    policy: { ...KEYED, extension: true },
    query: PullsQuery,
    reply: PullList,
    handle: ({ principal, query }) => listPulls(deps, principal.accountId, query),
  }),
];

const downloadPolicy = (deps: BlocklistsDeps): Policy => ({
  surface: 'both',
  auth: 'lenient',
  plan: 'any',
  meter: 'downloads',
  cost: (input) => (isFree(deps, input) ? 0 : 1),
  costNote: '1 of 600 an hour for an address, of 3,600 for a key; a 304 nothing',
  bodyMax: DEFAULT_BODY_MAX,
  deadlineMs: DOWNLOAD_DEADLINE_MS,
  class: 'D',
  since: '1.0.0',
});

/** Free where the caller surely has the version already. Failing calls count, so that guessing names has a limit. */
function isFree(
  deps: BlocklistsDeps,
  { principal, params, query, request: { headers } }: CostInput,
): boolean {
  const header = headers['if-none-match'];
  if (principal === null || typeof header !== 'string') return false;
  const { view, apply } = query as DownloadQuery;
  if (view !== undefined || apply !== undefined) return false;
  try {
    const { filename } = params as { readonly filename: string };
    const encoding = headers['accept-encoding'];
    const accepts = typeof encoding === 'string' ? encoding : undefined;
    return isUnchangedFor(
      header,
      chooseDownload(deps.lists, principal, filename, query as DownloadQuery, accepts),
    );
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

async function download(
  deps: BlocklistsDeps,
  call: Call<typeof DownloadQuery, typeof DownloadParams>,
): Promise<Awaited<ReturnType<typeof serveDownload>>> {
  const { principal, params, query, request } = call;
  const encoding = request.headers['accept-encoding'];
  const accepts = typeof encoding === 'string' ? encoding : undefined;
  const allowed = query.apply === 'org' ? await allowedBy(deps, principal, params.filename) : null;
  // A list that was built a moment ago is not known here before the next look.
  const list = listOf(params.filename);
  if (deps.lists.find(list) === null) await deps.lists.refresh();
  if (deps.lists.find(list) === null) throw await refuseUnbuilt(deps, list);
  const chosen = chooseDownload(deps.lists, principal, params.filename, query, accepts, allowed);
  if (principal.kind === 'key') notePull(deps, call, chosen);
  return query.view === 'withheld' ? serveWithheld(deps, call, chosen) : serveDownload(deps, call, chosen);
}

/** Refuses callers without an organization: the plain list might block addresses that their organization allows. */
async function allowedBy(
  { allowed }: BlocklistsDeps,
  { kind, organizationId }: Principal,
  filename: string,
): Promise<readonly string[]> {
  if (kind === 'anonymous' || organizationId === null)
    throw badRequest('apply: org needs the key of a member of an organization. Nothing was left out.');
  return allowed(organizationId, kindOfList(listOf(filename)));
}

/** Records the download when the answer is sent, because only then its number of bytes is known. */
function notePull(
  { pulls, clock }: BlocklistsDeps,
  { principal, request, reply }: Pick<Call, 'principal' | 'request' | 'reply'>,
  { open, variant }: Download,
): void {
  const sentBefore = sentOn(request);
  reply.raw.once('close', () =>
    pulls.note({
      kind: 'blocklist',
      accountId: principal.accountId,
      keyId: principal.id,
      list: open.list,
      variant,
      status: reply.statusCode,
      bytes: Math.max(0, sentOn(request) - sentBefore),
      objects: null,
      more: null,
      agent: request.headers['user-agent'] ?? null,
      pulledAtMs: clock.now(),
    }),
  );
}

/** Bytes written on the connection so far; 0 for a request that a test injects without a connection. */
const sentOn = ({ raw }: Pick<Call['request'], 'raw'>): number => Number(raw.socket.bytesWritten) || 0;

function statsOf({ lists, audience }: BlocklistsDeps): BlocklistStats {
  const stats = LIST_NAMES.map((list) => {
    const head = lists.find(list)?.head.full;
    const lastUpdated = head === undefined ? null : new Date(head.modifiedAtMs).toISOString();
    const { withheld = 0, excluded = null } = lists.states().get(list) ?? {};
    return [
      list,
      { count: head?.lines ?? 0, lastUpdated, last_updated: lastUpdated, withheld, excluded, audience },
    ] as const;
  });
  return Object.fromEntries(stats) as BlocklistStats;
}

async function listPulls(
  { postgres }: BlocklistsDeps,
  accountId: string,
  { kind, before, limit }: z.output<typeof PullsQuery>,
): Promise<PullList> {
  const rows = await postgres.withAccount(accountId, (tx) =>
    selectPulls(tx, accountId, { kind: kind ?? null, before: before ?? null, limit: limit + 1 }),
  );
  const page = rows.slice(0, limit);
  return {
    pulls: page.map(
      ({ kind: of, keyId, label, list, variant, pulledAtMs, status, bytes, objects, more, agent }) => ({
        kind: of,
        key: { id: keyId, label },
        list,
        variant,
        at: new Date(pulledAtMs).toISOString(),
        status,
        bytes,
        objects,
        more,
        agent,
      }),
    ),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
