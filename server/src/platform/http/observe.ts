import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import { Exchange } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import type { MountedRoute } from './mounted-route.ts';
import { CLIENT_GONE, type RequestLine } from './request-log.ts';
import { requestCounts } from './request-metrics.ts';

export type ObserveDeps = {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly lineOf: (mounted: MountedRoute) => RequestLine;
};

/** Runs once per exchange, however it ended: leaves the line, the count, and the place it took. */
export function completion(
  method: string,
  mounted: MountedRoute,
  deps: ObserveDeps,
): (exchange: Exchange) => void {
  const { clock, inFlight } = deps;
  const line = deps.lineOf(mounted);
  const count = requestCounts(method, mounted);
  return (exchange) => {
    const { reply, principal } = exchange;
    inFlight.close(exchange);
    exchange.settled = true;
    const isGone = !reply.raw.writableEnded;
    if (isGone) exchange.cancel(new Error('The caller went away.'));
    const status = isGone ? CLIENT_GONE : reply.statusCode;
    const ms = clock.monotonic() - exchange.startedMs;
    count(status, principal?.plan ?? 'none', ms);
    line(exchange, status, ms);
  };
}

/** For what has no gates: a preflight, or an address that is not ours. */
export function observe(method: string, mounted: MountedRoute, deps: ObserveDeps) {
  const finish = completion(method, mounted, deps);
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const exchange = new Exchange(mounted, request, reply, deps.clock.monotonic());
    request.exchange = exchange;
    reply.header('x-request-id', request.id);
    reply.raw.on('close', () => finish(exchange));
    done();
  };
}
