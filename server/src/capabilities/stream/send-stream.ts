import { duration } from '#domain/text/duration.ts';
import { plural } from '#domain/text/plural.ts';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Call } from '#platform/http/route.ts';
import { mark } from '#platform/http/sse.ts';
import { within } from '#platform/within.ts';
import type { Filter } from './filter.ts';
import type { Opening, Streams } from './open-streams.ts';
import { catchUp, type Start, startAfter } from './resume.ts';
import { LEASE_MS, type Lease } from './stream-leases.ts';

export type StreamDeps = {
  readonly streams: Streams;
  /** How many streams the caller's plan may hold open at once. */
  readonly limitOf: (principal: Principal) => number;
  readonly confirm: Opening['confirm'];
};

type StreamCall = Pick<Call, 'principal' | 'request' | 'reply'> & { readonly query: Filter };

const READY_WITHIN_MS = 3_000;
const RETRY_AFTER_S = 5;

/**
 * Opens a stream for the caller. Everything that can refuse it happens before the first byte, so that refusals keep their
 * status (decisions 3.13).
 */
export async function sendStream(deps: StreamDeps, call: StreamCall): Promise<void> {
  const { request, reply, principal } = call;
  const { eventStreams } = request.server;
  if (request.method === 'HEAD') {
    eventStreams.open(request, reply);
    return;
  }
  const { hub, log, leases, openings } = deps.streams;
  const lease = await leases.take(principal.accountId, deps.limitOf(principal));
  if (lease === null) throw tooMany(principal, deps.limitOf(principal));
  const start = await prepare(deps.streams, call).catch((error: unknown) => giveUp(leases, lease, error));
  let isLive = false;
  const stream = eventStreams.open(request, reply, () =>
    isLive && hub.lastId >= start.afterId ? String(hub.lastId) : null,
  );
  stream.onClose(() => leases.release(lease));
  openings.add({ stream, request, principal, confirm: deps.confirm });
  // Sends the starting id: without it, a reader that disconnects before its first event could not resume.
  if (start.gap === null) stream.write(mark(String(start.afterId)));
  const reader = { accountId: principal.accountId, filter: call.query, stream };
  await catchUp(hub, log, reader, start);
  isLive = true;
}

async function prepare({ hub, log }: Streams, { request }: StreamCall): Promise<Start> {
  const begun = hub.ready().then(
    () => true,
    () => false,
  );
  const isReady = await within(begun, READY_WITHIN_MS, false);
  if (!isReady) throw unavailable('New events cannot be read right now. Try again shortly.', RETRY_AFTER_S);
  const sent = request.headers['last-event-id'];
  try {
    return await startAfter(hub, log, Array.isArray(sent) ? sent[0] : sent);
  } catch (error) {
    throw unavailable(
      'The events you missed cannot be read right now. Try again shortly.',
      RETRY_AFTER_S,
      error,
    );
  }
}

function giveUp(leases: Streams['leases'], lease: Lease, error: unknown): never {
  leases.release(lease);
  throw error;
}

function tooMany({ plan }: Principal, limit: number): ServiceError {
  const retryAfter = LEASE_MS / 1_000;
  return new ServiceError(
    'Rate Limited',
    `Your plan ${plan} allows ${plural(limit, 'open stream')} at a time. Close one and try again; a stream whose connection broke is closed after ${duration(LEASE_MS)}.`,
    {
      headers: { 'Retry-After': String(retryAfter) },
      body: { plan, usage: { current: limit, limit }, retryAfter },
    },
  );
}
