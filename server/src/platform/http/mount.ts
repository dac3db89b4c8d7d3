import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { type BodiesInTransit, bodyTimeMs } from './bodies-in-transit.ts';
import { readBytes, takeSlot } from './byte-body.ts';
import { checkReply, checkStatus } from './check-reply.ts';
import type { createCors } from './cors.ts';
import { Exchange } from './exchange.ts';
import { networkOf } from './forwarded.ts';
import type { Charge, Gates } from './gates.ts';
import { answerHead, headRuleOf } from './head.ts';
import type { Intake } from './intake.ts';
import { addressesOf, type MountedRoute, type RouteConfig } from './mounted-route.ts';
import { completion, type ObserveDeps, observe } from './observe.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';
import { queryNotesOf } from './query-notes.ts';
import { readAgainOf } from './read-again.ts';
import type { Readiness } from './readiness.ts';
import { asServiceError, logFailure } from './render-error.ts';
import { ANSWERED, type Route } from './route.ts';
import type { Shedder } from './shedding.ts';
import { validatorOf } from './validate.ts';

export type MountDeps = ObserveDeps & {
  readonly log: Log;
  readonly gates: Gates;
  readonly readiness: Readiness;
  readonly shedder: Shedder;
  readonly bodies: BodiesInTransit;
  /** The most time that a body of any size may take. */
  readonly bodyTimeMaxMs: number;
  readonly cors: ReturnType<typeof createCors>;
  /** Refusals by the transport itself, such as plain HTTP; also corrects `request.ip`. */
  readonly screen: ((request: FastifyRequest) => ServiceError | null) | null;
  readonly checksReplies: boolean;
  /** False where OPTIONS is answered like any other unknown method. */
  readonly answersPreflights: boolean;
};

/** Mounts every route value at its addresses, with one fixed order of hooks (foundation rule 8). */
export function mount(app: FastifyInstance, routes: readonly Route[], deps: MountDeps): void {
  const byAddress = Map.groupBy(routes.flatMap(addressesOf), (mounted) => mounted.template);
  for (const [url, here] of byAddress) {
    for (const mounted of here) mountOne(app, mounted, deps);
    const [first] = here;
    if (first !== undefined && deps.answersPreflights)
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
    ...(deps.checksReplies && { onSend: statusCheck(route) }),
  });
}

/** Holds every answer of a route against the statuses of its description. Refusals by the transport are no part of it. */
const statusCheck =
  (route: Route) =>
  (
    { exchange }: FastifyRequest,
    { statusCode }: FastifyReply,
    _payload: unknown,
    done: HookHandlerDoneFunction,
  ): void => {
    try {
      if (exchange?.screened !== true) checkStatus(route, statusCode);
      done();
    } catch (error) {
      done(asError(error));
    }
  };

type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** Runs before the body is read: transport rules, load shedding, identification, and what is known to be spent. */
function arrival(mounted: MountedRoute, deps: MountDeps): Hook {
  const { policy } = mounted;
  const readsBody = mounted.route.method !== 'GET';
  const names = mounted.headers.map(([name]) => name);
  const values = mounted.headers.map(([, value]) => value);
  const { clock, gates, inFlight, screen } = deps;
  const cors = deps.cors.forRoute(mounted);
  const finish = completion(mounted.route.method, mounted, deps);
  const identified = identification(mounted, deps);
  const isShed = shedding(mounted, deps);
  return (request, reply, done) => {
    const startedMs = clock.monotonic();
    const exchange = new Exchange(mounted, request, reply, startedMs);
    exchange.deadlineAtMs = startedMs + policy.deadlineMs;
    request.exchange = exchange;
    for (let i = 0; i < names.length; i += 1) reply.header(names[i] ?? '', values[i]);
    reply.header('x-request-id', request.id);
    reply.raw.on('close', () => finish(exchange));
    inFlight.open(exchange);
    cors(request, reply);
    const refusal = screen?.(request) ?? null;
    if (refusal !== null) {
      exchange.screened = true;
      return done(refusal);
    }
    const awaitsBody = readsBody && hasBody(request);
    if (!awaitsBody) inFlight.begin(exchange);
    const shed = isShed(exchange);
    if (shed !== null) return done(shed);
    if (awaitsBody) awaitBody(exchange, deps);
    const principal = gates.identify(request, policy);
    if (isPromise(principal)) principal.then((known) => identified(exchange, known, done), done);
    else identified(exchange, principal, done);
  };
}

function shedding({ policy }: MountedRoute, { inFlight, shedder }: MountDeps) {
  return (exchange: Exchange): ServiceError | null => {
    if (policy.probe === true) return null;
    return tooBusy(exchange, shedder.refuse(policy.class, inFlight.count(policy.class), inFlight.total()));
  };
}

function tooBusy(exchange: Exchange, retryAfterS: number): ServiceError | null {
  if (retryAfterS === 0) return null;
  exchange.shed = true;
  return unavailable('Too busy right now. Try again shortly.', retryAfterS);
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Until its body is here a request counts as a body in transit, and not in its class (reliability A8). */
function awaitBody(exchange: Exchange, { bodies, bodyTimeMaxMs }: MountDeps): void {
  const { request, mounted } = exchange;
  const { bodyMax } = mounted.policy;
  const bytes = Math.min(bodyMax, Number(request.headers['content-length'] ?? bodyMax));
  exchange.deadlineAtMs = exchange.startedMs + bodyTimeMs(bytes, bodyTimeMaxMs);
  bodies.enter(exchange, networkOf(request.ip), bytes);
}

/** Runs once the caller is known. Never throws, because its caller does not catch. */
function identification(mounted: MountedRoute, { bodies, gates, shedder }: MountDeps) {
  const { policy } = mounted;
  const proceed = (exchange: Exchange, done: HookHandlerDoneFunction): void => {
    const { headers } = exchange.request;
    if (headers['content-type'] !== undefined && !accepts(mounted, headers['content-type'])) {
      done(unsupportedMediaType(mounted));
      return;
    }
    // A large body is only requested after the decision to read it.
    if (headers.expect !== undefined) exchange.reply.raw.writeContinue();
    done();
  };
  return (exchange: Exchange, principal: Principal, done: HookHandlerDoneFunction): void => {
    exchange.principal = principal;
    const { request, reply } = exchange;
    // A refusal by the meter sets its own headers and costs nothing (reliability Q5).
    const refused = (error: unknown): void => {
      exchange.admitted = true;
      done(asError(error));
    };
    try {
      if (exchange.bodyFrom !== null) {
        gates.refuseSpent?.(request, reply, policy, principal);
        const shed = tooBusy(exchange, shedder.refuseCaller(principal.id, policy.class));
        if (shed !== null) throw shed;
        const tooMany = bodies.countForAccount(exchange, principal.accountId);
        if (tooMany !== null) {
          exchange.screened = true;
          throw tooMany;
        }
      }
      const early =
        policy.meter === 'scans' ? gates.refuseEarly(request, reply, policy, principal) : undefined;
      if (isPromise(early)) early.then(() => proceed(exchange, done), refused);
      else proceed(exchange, done);
    } catch (error) {
      refused(error);
    }
  };
}

/**
 * Runs after the body is here: one charge, then the 400 if there is one, then the work. It is a handler and not a hook,
 * because one more hook list costs every request half a microsecond.
 */
function admission(mounted: MountedRoute, deps: MountDeps, perform: (exchange: Exchange) => void) {
  const { route, policy } = mounted;
  const { clock, gates } = deps;
  const validate = validatorOf(route);
  const noteQuery = queryNotesOf(route);
  const readsBody = route.method !== 'GET';
  const received = reception(mounted, deps);
  const isMetered = policy.meter === 'checks' || policy.meter === 'scans' || policy.meter === 'forms';
  const isFree = policy.meter === 'none' && policy.auth === 'public';
  const isGuarded = policy.meter === 'downloads';
  const head = headRuleOf(policy);
  /** Its caller does not catch, so an exception becomes the answer. */
  const proceed = (exchange: Exchange, problem: ServiceError | null, spent: Charge | null): void => {
    exchange.charge = spent;
    try {
      if (problem !== null) refuse(exchange, problem);
      else if (head.skipsWork(exchange)) answerHead(exchange);
      else perform(exchange);
    } catch (error) {
      refuse(exchange, error);
    }
  };
  const admit = (exchange: Exchange, problem: ServiceError | null): void => {
    const { request, reply } = exchange;
    exchange.admitted = true;
    if (isFree) {
      proceed(exchange, problem, null);
      return;
    }
    const isWithoutUnits = problem !== null || !isMetered || head.isFree(exchange);
    const units = isWithoutUnits && !isGuarded ? 0 : unitsOf(policy, exchange, problem);
    const charge = gates.admit(request, reply, policy, principalOf(exchange), units);
    if (isPromise(charge))
      charge.then(
        (spent) => proceed(exchange, problem, spent),
        (error: unknown) => refuse(exchange, error),
      );
    else proceed(exchange, problem, charge);
  };
  const { intake } = route;
  return (request: FastifyRequest): void => {
    const exchange = exchangeOf(request);
    if (readsBody && !received(exchange)) return;
    if (intake !== undefined) {
      admitBytes(exchange, intake, admit);
      return;
    }
    const problem = validate(exchange);
    noteQuery(exchange);
    if (exchange.bodyAtMs > 0)
      deps.shedder.noteWork(principalOf(exchange).id, clock.monotonic() - exchange.bodyAtMs);
    admit(exchange, problem);
  };
}

/**
 * The whole body is here: only now it takes a slot, so that a body on its way holds none (reliability A8). A caller who
 * left while the body was read pays nothing.
 */
function admitBytes(
  exchange: Exchange,
  intake: Intake,
  admit: (exchange: Exchange, problem: ServiceError | null) => void,
): void {
  const { raw } = exchange.reply;
  // A caller who has left emits no `close` event any more, which would release the slot.
  if (raw.destroyed || raw.closed) return;
  const busy = takeSlot(exchange, intake, principalOf(exchange));
  if (busy !== null) {
    refuse(exchange, busy);
    return;
  }
  readBytes(exchange)
    .then((problem) => {
      if (!exchange.settled) admit(exchange, problem);
    })
    .catch((error: unknown) => refuse(exchange, error));
}

/** A bad request for a download counts as one download, because no other limit applies to it. */
const unitsOf = ({ cost }: Policy, exchange: Exchange, problem: ServiceError | null): number =>
  problem === null ? (cost?.(exchange) ?? 1) : 1;

/** The body is here: the request enters its class, or is refused when the class has filled up meanwhile. */
function reception(mounted: MountedRoute, deps: MountDeps) {
  const { clock, inFlight, bodies } = deps;
  const isShed = shedding(mounted, deps);
  return (exchange: Exchange): boolean => {
    // Given up as too slow while its last bytes arrived: the answer is on its way.
    if (exchange.settled) return false;
    exchange.deadlineAtMs = clock.monotonic() + mounted.policy.deadlineMs;
    if (exchange.bodyFrom === null) return true;
    bodies.leave(exchange);
    inFlight.begin(exchange);
    const shed = isShed(exchange);
    if (shed === null) return true;
    exchange.admitted = true;
    refuse(exchange, shed);
    return false;
  };
}

/** Does nothing when the deadline or the caller's disconnect has settled the answer. */
function refuse({ settled, reply }: Exchange, error: unknown): void {
  if (!settled && !reply.sent) reply.send(asError(error));
}

function work(mounted: MountedRoute, deps: MountDeps) {
  const { route, policy } = mounted;
  const { gates, inFlight, log, readiness, checksReplies } = deps;
  // The exchange is passed as the call: it has the same fields, and a second object would only be garbage.
  const handle = route.handle as (call: Exchange) => unknown;
  const idempotent = policy.idempotent === true ? gates.idempotent : undefined;
  const admitStored = policy.stores === true ? gates.admitStored : undefined;
  // After the look for a kept reply: a repeat is answered although the account has filled up since.
  const perform = async (exchange: Exchange): Promise<unknown> => {
    await admitStored?.(exchange.request, principalOf(exchange));
    return handle(exchange);
  };
  const status = route.status ?? 200;
  const needsBytes = route.produces !== undefined && /\bjson\b/.test(route.produces);
  const write = route.write as ((value: unknown) => string) | undefined;
  const outcome = route.outcome as ((value: unknown) => string | null) | undefined;
  const bodyOf = (reply: Exchange['reply'], value: unknown): unknown => {
    if (write !== undefined) {
      reply.header('content-type', JSON_TYPE);
      return write(value);
    }
    // Fastify would add a charset to JSON media types other than application/json; it leaves bytes unchanged.
    return needsBytes ? Buffer.from(JSON.stringify(value)) : value;
  };
  const answer = (exchange: Exchange, value: unknown): void => {
    const { reply } = exchange;
    if (exchange.settled || reply.sent || value === ANSWERED) return;
    if (checksReplies && reply.statusCode < 300) checkReply(route, value);
    if (outcome !== undefined) exchange.outcome = outcome(value);
    exchange.settled = true;
    if (readiness.draining) reply.header('connection', 'close');
    refundIfDue(exchange, gates, reply.statusCode);
    reply.send(isPlainValue(value) ? bodyOf(reply, value) : value);
    // How fast the caller takes the answer is no work of ours; a stream stays in its class to its end.
    if (reply.raw.writableEnded) inFlight.handOver(exchange);
  };
  return (exchange: Exchange): void => {
    const { request, reply } = exchange;
    if (exchange.settled) return;
    if (status !== 200) reply.code(status);
    const isRepeatable = idempotent !== undefined && request.headers['idempotency-key'] !== undefined;
    const run = admitStored === undefined && !isRepeatable ? handle : perform;
    const result = isRepeatable
      ? idempotent(
          request,
          reply,
          principalOf(exchange),
          async () => run(exchange),
          readAgainOf(route, exchange),
        )
      : run(exchange);
    if (!isPromise(result)) {
      answer(exchange, result);
      return;
    }
    result
      .then((value) => answer(exchange, value))
      .catch((error: unknown) => {
        if (!exchange.streaming) return refuse(exchange, error);
        // The reader can no longer be told, so the log is the only trace of the failure.
        logFailure(log, asServiceError(error), request);
        reply.raw.destroy(asError(error));
      });
  };
}

/** Every 5xx gives the units back, and so do the statuses that the policy names and a handler that has nothing to answer with. */
export function refundIfDue(exchange: Exchange, gates: Gates, status: number): void {
  const { charge, isFree } = exchange;
  if (charge === null) return;
  if (status < 500 && !isFree && exchange.mounted.policy.refundOn?.includes(status) !== true) return;
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

const JSON_TYPE = 'application/json; charset=utf-8';
const isPlainValue = (value: unknown): boolean =>
  typeof value === 'object' && !Buffer.isBuffer(value) && !(value !== null && 'pipe' in value);
const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
