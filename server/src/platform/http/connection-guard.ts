import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { counter } from '#platform/metrics.ts';

/**
 * Requests that may wait for their answers on one connection. Browsers send one at a time; Node parses every request of a
 * packet before it can pause the socket, so without a limit one packet is hundreds of requests.
 */
export const WAITING_MAX = 32;

const refused = counter({
  name: 'http_pipelined_refused_total',
  help: 'Connections that were closed because too many of their requests waited for answers.',
});

const WAITING = Symbol('requests that wait for their answers');
type CountedSocket = Socket & { [WAITING]?: number };

/** Refuses, before the router, a request with two Host headers and a connection on which too many requests wait. */
export function guardConnections(handle: RequestListener, newRequestId: () => string): RequestListener {
  return (request, response) => {
    const socket: CountedSocket = request.socket;
    const waiting = (socket[WAITING] ?? 0) + 1;
    socket[WAITING] = waiting;
    if (waiting <= WAITING_MAX) {
      if (hasOneHost(request)) handle(request, response);
      else refuse(response, 400, 'Bad Request', 'The request has more than one Host header.', newRequestId());
      return;
    }
    // The rest of the packet is parsed all the same; its requests get no answer, because the connection ends.
    if (waiting > WAITING_MAX + 1) return;
    refused.inc();
    socket.pause();
    refuse(
      response,
      503,
      'Service unavailable',
      `${WAITING_MAX} requests of this connection wait for their answers, which is the most there may be. Read them first, or open another connection.`,
      newRequestId(),
    );
  };
}

/** Called when the answer has left or the connection has closed. */
export function answerLeft(socket: Socket): void {
  const counted: CountedSocket = socket;
  const waiting = counted[WAITING];
  if (waiting !== undefined) counted[WAITING] = waiting - 1;
}

/** Two Host headers let a proxy and the service disagree about the address (RFC 9112 3.2). Node keeps the first. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name !== undefined && name.length === 4 && name.toLowerCase() === 'host') seen += 1;
  }
  return seen <= 1;
}

function refuse(
  response: ServerResponse,
  status: number,
  error: string,
  message: string,
  requestId: string,
): void {
  const body = JSON.stringify({
    error,
    message,
    requestId,
    ...(status === 400 && { details: [{ path: 'request', message }] }),
    ...(status === 503 && { retryAfter: 1 }),
  });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    connection: 'close',
    ...(status === 503 && { 'retry-after': '1' }),
  });
  response.end(body);
}
