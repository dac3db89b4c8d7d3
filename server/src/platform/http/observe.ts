import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { BodiesInTransit } from './bodies-in-transit.ts';
import { answerLeft } from './connection-guard.ts';
import { Exchange } from './exchange.ts';
import type { InFlight } from './in-flight.ts';
import type { MountedRoute } from './mounted-route.ts';
import { CLIENT_GONE, type RequestLine } from './request-log.ts';
import { requestCounts } from './request-metrics.ts';

/** Told of every request that ended, beside the log and the metrics: whose it was, what it asked and what it was answered. */
export type ExchangeCount = (exchange: Exchange, status: number) => void;

export type ObserveDeps = {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly bodies: BodiesInTransit;
  readonly lineOf: (mounted: MountedRoute) => RequestLine;
  readonly countOf: ((method: string, mounted: MountedRoute) => ExchangeCount) | null;
};

export function completion(
  method: string,
  mounted: MountedRoute,
  deps: ObserveDeps,
): (exchange: Exchange) => void {
  const { clock, inFlight, bodies } = deps;
  const line = deps.lineOf(mounted);
  const count = requestCounts(method, mounted);
  const countExchange = deps.countOf?.(method, mounted) ?? null;
  return (exchange) => {
    const { request, reply, principal } = exchange;
    inFlight.close(exchange);
    bodies.leave(exchange);
    answerLeft(request.raw.socket);
    exchange.settled = true;
    const isGone = !reply.raw.writableEnded;
    if (isGone) exchange.cancel(new Error('The caller disconnected.'));
    const status = isGone ? CLIENT_GONE : reply.statusCode;
    const ms = clock.monotonic() - exchange.startedMs;
    count(status, principal?.plan ?? 'none', ms);
    if (countExchange !== null && principal !== null) countExchange(exchange, status);
    // Refusals under load are logged as a sum: a line each would be work that the load does not leave room for.
    if (!exchange.shed) line(exchange, status, ms);
  };
}

/** For requests without gates: preflights and unknown addresses. */
export function observe(method: string, mounted: MountedRoute, deps: ObserveDeps) {
  const finish = completion(method, mounted, deps);
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const exchange = new Exchange(mounted, request, reply, deps.clock.monotonic());
    request.exchange = exchange;
    reply.header('x-request-id', request.id);
    reply.raw.on('close', () => finish(exchange));
    deps.inFlight.open(exchange);
    done();
  };
}
