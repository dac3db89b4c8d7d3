import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { checkReply } from './check-reply.ts';
import type { createCors } from './cors.ts';
import { Exchange } from './exchange.ts';
import type { Charge, Gates } from './gates.ts';
import { addressesOf, type MountedRoute, type RouteConfig } from './mounted-route.ts';
import { completion, type ObserveDeps, observe } from './observe.ts';
import type { Principal } from './principal.ts';
import type { Readiness } from './readiness.ts';
import { asServiceError, logFailure } from './render-error.ts';
import type { Route } from './route.ts';
import type { Shedder } from './shedding.ts';
import { validatorOf } from './validate.ts';

/** A body has this long to arrive (reliability 5.11); the route's own deadline begins once it is here. */
const BODY_TIME_MAX_MS = 30_000;

export type MountDeps = ObserveDeps & {
  readonly log: Log;
  readonly gates: Gates;
  readonly readiness: Readiness;
  readonly shedder: Shedder;
  readonly cors: ReturnType<typeof createCors>;
  /** What the transport itself refuses: plain HTTP; also puts `request.ip` right. */
  readonly screen: ((request: FastifyRequest) => ServiceError | null) | null;
  readonly checksReplies: boolean;
};

/** Puts every route value at its address or addresses, with one fixed order of hooks (foundation rule 8). */
export function mount(app: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  const byAddress = Map.groupBy(routes.flatMap(addressesOf), (mounted) => mounted.template);
  for (const [url, here] of byAddress) {
    for (const mounted of here) mountOne(app, mounted, deps);
    const [first] = here;
    if (first !== undefined)
      app.options(url, { onRequest: observe('OPTIONS', first, deps) }, deps.cors.preflight(here));
  }
}

function mountOne(app: FastifyInstance, mounted: MountedRoute, deps: MountDeps): void {
  const { route, policy, surface } = mounted;
  const config: RouteConfig = { policy, surface, route };
  app.route({
    method: route.method,
    url: mounted.template,
    bodyLimit: policy.bodyMax,
    config,
    onRequest: arrival(mounted, deps),
    handler: admission(mounted, deps, work(mounted, deps)),
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** Before a byte of the body: transport rules, load, who is calling, and whether a scan is still to be had. */
function arrival(mounted: MountedRoute, deps: MountDeps): Hook {
  const { policy } = mounted;
  const readsBody = mounted.route.method !== 'GET';
  const names = mounted.headers.map(([name]) => name);
  const values = mounted.headers.map(([, value]) => value);
  const { clock, gates, inFlight, shedder, screen } = deps;
  const cors = deps.cors.forRoute(mounted);
  const finish = completion(mounted.route.method, mounted, deps);
  const identified = identification(mounted, gates);
  return (request, reply, done) => {
    const startedMs = clock.monotonic();
    const exchange = new Exchange(mounted, request, reply, startedMs);
    exchange.deadlineAtMs = startedMs + policy.deadlineMs + (readsBody ? BODY_TIME_MAX_MS : 0);
    request.exchange = exchange;
    for (let i = 0; i < names.length; i += 1) reply.header(names[i] ?? '', values[i]);
    reply.header('x-request-id', request.id);
    reply.raw.on('close', () => finish(exchange));
    inFlight.open(exchange);
    cors(request, reply);
    const refusal = screen?.(request) ?? null;
    if (refusal !== null) return done(refusal);
    if (policy.probe !== true) {
      const retryAfterS = shedder.refuse(policy.class, inFlight.count(policy.class));
      if (retryAfterS > 0) return done(unavailable('Too busy right now. Try again shortly.', retryAfterS));
    }
    const principal = gates.identify(request, policy);
    if (isPromise(principal)) principal.then((known) => identified(exchange, known, done), done);
    else identified(exchange, principal, done);
  };
}

/** What follows once the caller is known. Never throws: it may run where nobody would catch it. */
function identification(mounted: MountedRoute, gates: Gates) {
  const { policy } = mounted;
  const proceed = (exchange: Exchange, done: HookHandlerDoneFunction): void => {
    const { headers } = exchange.request;
    if (headers['content-type'] !== undefined && !accepts(mounted, headers['content-type'])) {
      done(unsupportedMediaType(mounted));
      return;
    }
    // The permission to send a large body comes after the decision to read it.
    if (headers.expect !== undefined) exchange.reply.raw.writeContinue();
    done();
  };
  return (exchange: Exchange, principal: Principal, done: HookHandlerDoneFunction): void => {
    exchange.principal = principal;
    if (policy.meter !== 'scans') {
      proceed(exchange, done);
      return;
    }
    // A refusal by the meter itself sets its own headers and costs nothing (reliability Q5).
    const refused = (error: unknown): void => {
      exchange.admitted = true;
      done(asError(error));
    };
    try {
      const early = gates.refuseEarly(exchange.request, exchange.reply, policy, principal);
      if (isPromise(early)) early.then(() => proceed(exchange, done), refused);
      else proceed(exchange, done);
    } catch (error) {
      refused(error);
    }
  };
}

/**
 * After validation, whatever it found: one charge, then the 400 if there is one, then the work. A handler and no hook:
 * running one more list of hooks costs every request half a microsecond.
 */
function admission(mounted: MountedRoute, deps: MountDeps, perform: (exchange: Exchange) => void) {
  const { route, policy } = mounted;
  const { clock, gates } = deps;
  const validate = validatorOf(route);
  const readsBody = route.method !== 'GET';
  const isMetered = policy.meter === 'checks' || policy.meter === 'scans';
  const isFree = policy.meter === 'none' && policy.auth === 'public';
  /** May run where nobody would catch: what is thrown becomes the answer. */
  const proceed = (exchange: Exchange, problem: ServiceError | null, spent: Charge | null): void => {
    exchange.charge = spent;
    try {
      if (problem === null) perform(exchange);
      else refuse(exchange, problem);
    } catch (error) {
      refuse(exchange, error);
    }
  };
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = exchangeOf(request);
    if (readsBody) exchange.deadlineAtMs = clock.monotonic() + policy.deadlineMs;
    const problem = validate(exchange);
    exchange.admitted = true;
    if (isFree) {
      proceed(exchange, problem, null);
      return;
    }
    const units = problem !== null || !isMetered ? 0 : (policy.cost?.(exchange) ?? 1);
    const charge = gates.admit(request, reply, policy, principalOf(exchange), units);
    if (isPromise(charge))
      charge.then(
        (spent) => proceed(exchange, problem, spent),
        (error: unknown) => refuse(exchange, error),
      );
    else proceed(exchange, problem, charge);
  };
}

/** Unless the deadline or the caller's leaving has answered already. */
function refuse({ settled, reply }: Exchange, error: unknown): void {
  if (!settled && !reply.sent) reply.send(asError(error));
}

function work(mounted: MountedRoute, deps: MountDeps) {
  const { route, policy } = mounted;
  const { gates, log, readiness, checksReplies } = deps;
  // The exchange is the call: it has every field of one, and a second object a request would only be garbage.
  const handle = route.handle as (call: Exchange) => unknown;
  const idempotent = policy.idempotent === true ? gates.idempotent : undefined;
  const status = route.status ?? 200;
  const needsBytes = route.produces !== undefined && /\bjson\b/.test(route.produces);
  const answer = (exchange: Exchange, value: unknown): void => {
    const { reply } = exchange;
    if (exchange.settled || reply.sent || value === reply) return;
    if (checksReplies && reply.statusCode < 300) checkReply(route, value);
    exchange.settled = true;
    if (readiness.draining) reply.header('connection', 'close');
    refundIfDue(exchange, gates, reply.statusCode);
    // Fastify would add a charset to a JSON media type of another name; bytes it leaves alone.
    reply.send(needsBytes && isPlainValue(value) ? Buffer.from(JSON.stringify(value)) : value);
  };
  return (exchange: Exchange): void => {
    const { request, reply } = exchange;
    if (exchange.settled) return;
    if (status !== 200) reply.code(status);
    const result =
      idempotent === undefined || request.headers['idempotency-key'] === undefined
        ? handle(exchange)
        : idempotent(request, reply, principalOf(exchange), async () => handle(exchange));
    if (!isPromise(result)) {
      answer(exchange, result);
      return;
    }
    result
      .then((value) => answer(exchange, value))
      .catch((error: unknown) => {
        if (!exchange.streaming) return refuse(exchange, error);
        // Nothing can be said to the reader any more; without this line nobody would hear of it.
        logFailure(log, asServiceError(error), request);
        reply.raw.destroy(asError(error));
      });
  };
}

/** A failure of ours gives the units back; so do the statuses the policy names. */
export function refundIfDue(exchange: Exchange, gates: Gates, status: number): void {
  const { charge } = exchange;
  if (charge === null) return;
  if (status < 500 && exchange.mounted.policy.refundOn?.includes(status) !== true) return;
  exchange.charge = null;
  gates.refund(charge, exchange.reply);
}

function accepts(mounted: MountedRoute, contentType: string): boolean {
  const end = contentType.indexOf(';');
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  return mounted.accepts.includes(type) || mounted.route.method === 'GET';
}

const unsupportedMediaType = (mounted: MountedRoute): ServiceError =>
  new ServiceError('Unsupported Media Type', `Send the body as ${mounted.accepts.join(' or ')}.`);

function exchangeOf(request: FastifyRequest): Exchange {
  if (request.exchange === null) throw new Error('A request reached a route without an exchange.');
  return request.exchange;
}

function principalOf(exchange: Exchange): Principal {
  if (exchange.principal === null) throw new Error('A request reached its handler without a principal.');
  return exchange.principal;
}

const isPlainValue = (value: unknown): boolean =>
  typeof value === 'object' && !Buffer.isBuffer(value) && !(value !== null && 'pipe' in value);
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
