import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { createBodiesInTransit } from './bodies-in-transit.ts';
import { assertBounded } from './bounded.ts';
import { checkFailure } from './check-reply.ts';
import { clientErrorHandler } from './client-error.ts';
import { answerLeft, guardConnections } from './connection-guard.ts';
import { allowHeader, createCors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { dropFalseForwarding, plainHttpRefusal, proxyTrust } from './forwarded.ts';
import type { Gates } from './gates.ts';
import { createInFlight } from './in-flight.ts';
import { jsonProblem } from './json-shape.ts';
import { type MountDeps, mount, refundIfDue } from './mount.ts';
import { failuresBelow, UNROUTED } from './mounted-route.ts';
import { type ObserveDeps, observe } from './observe.ts';
import { DEFAULT_BODY_VALUES_MAX } from './policy.ts';
import type { Readiness } from './readiness.ts';
import { asServiceError, logFailure, renderError } from './render-error.ts';
import { requestIds } from './request-id.ts';
import { requestLines } from './request-log.ts';
import { reportBodies, reportInFlight } from './request-metrics.ts';
import type { Route } from './route.ts';
import { createShedder, type Shedder } from './shedding.ts';
import { createEventStreams, type EventStreams } from './sse.ts';
import { demandStrictTransport } from './strict-transport.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

/** Limits of reliability 5.11; the framework's defaults have no timeouts and accept everything (reliability finding 5). */
export type HttpLimits = {
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Longer than the 60 s of load balancers, so that the balancer closes first and never reuses a closed connection. */
  readonly keepAliveTimeoutMs: number;
  readonly connectionCheckMs: number;
  readonly connectionsMax: number;
  readonly headerBytesMax: number;
  readonly paramCharsMax: number;
  /** An answer of which the peer takes nothing for this long is given up with its connection. */
  readonly writeStalledMaxMs: number;
};
export const HTTP_LIMITS: HttpLimits = {
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 75_000,
  connectionCheckMs: 1_000,
  connectionsMax: 20_000,
  headerBytesMax: 16 * 1024,
  paramCharsMax: 256,
  writeStalledMaxMs: 20_000,
};

export type HttpServerOptions = {
  readonly config: Pick<
    Config,
    'ASSAY_ENV' | 'LOG_LEVEL' | 'PUBLIC_WEB_URL' | 'REQUIRE_HTTPS' | 'TRUSTED_PROXIES'
  >;
  readonly log: Log;
  readonly clock: Clock;
  readonly gates: Gates;
  readonly routes: readonly Route[];
  readonly readiness: Readiness;
  readonly limits?: Partial<HttpLimits>;
  readonly shedder?: Shedder;
  readonly countOf?: NonNullable<ObserveDeps['countOf']>;
  /** Paths that answer 404 to every method although a route with a parameter would match them. */
  readonly absent?: readonly string[];
  /** True: without an accepted credential an existing address looks like one that does not exist, in every method. */
  readonly isHidden?: boolean;
};

const UNROUTED_BODY_MAX = 4_096;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** The answer at an unknown address, and at any address that a hidden listener does not show to the caller. */
export const NOT_HERE = new ServiceError(
  'Not Found',
  'There is nothing at this address. The routes are listed at /openapi.json.',
);

/** Builds the whole application; it does not listen until `listen` is called. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { config, log, clock, gates, routes, readiness } = options;
  assertBounded(routes);
  const newRequestId = requestIds(clock);
  const trusts = proxyTrust(config.TRUSTED_PROXIES);
  const app = bareServer(options, newRequestId, trusts);
  if (config.REQUIRE_HTTPS) demandStrictTransport(app.server);
  const shedder = options.shedder ?? createShedder();
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const inFlight = createInFlight(clock, expire, limits.writeStalledMaxMs);
  const bodies = createBodiesInTransit(giveUpBody);
  const streams = createEventStreams({ clock, onOpen: (request) => release(request) });
  const screen = screenOf(config, trusts);
  app.decorateRequest('exchange', null);
  app.decorate('eventStreams', streams);
  addBodyParsers(app, routes, clock);
  const { countOf = null } = options;
  const lineOf = requestLines(log, clock, config.LOG_LEVEL);
  const observed = { clock, inFlight, bodies, lineOf, countOf };
  const observeMiss = observe('ANY', UNROUTED, observed);
  const failureAt = failuresBelow(routes);
  const missing = (request: FastifyRequest) =>
    options.isHidden === true ? NOT_HERE : noSuchAddress(app, request);
  const miss = (request: FastifyRequest, reply: FastifyReply): void => {
    observeMiss(request, reply, () => undefined);
    renderError(screen?.(request) ?? missing(request), request, reply, failureAt(request.url));
  };
  mountAbsent(app, options.absent ?? [], (request, reply) => {
    observeMiss(request, reply, () => undefined);
    renderError(screen?.(request) ?? NOT_HERE, request, reply);
  });
  app.setNotFoundHandler(miss);
  app.setErrorHandler((error, request, reply) =>
    // The body of an unknown address can fail to parse before the address is found to be unknown.
    request.is404 && request.exchange === null
      ? miss(request, reply)
      : fail(options, error, request, reply, handOver),
  );
  mount(app, routes, {
    ...observed,
    log,
    gates,
    readiness,
    shedder,
    bodies,
    bodyTimeMaxMs: limits.requestTimeoutMs,
    cors: createCors(config.PUBLIC_WEB_URL),
    screen,
    checksReplies: config.ASSAY_ENV === 'test',
    answersPreflights: options.isHidden !== true,
  });
  const report = setInterval(() => {
    reportInFlight(inFlight.total());
    reportBodies(bodies.size());
    const refused = shedder.takeRefusals();
    if (refused !== null) log.warn({ refused }, 'requests were refused under load');
  }, 1_000);
  report.unref();
  app.addHook('preClose', async () => streams.endAll());
  app.addHook('onClose', async () => {
    clearInterval(report);
    shedder.stop();
    inFlight.stop();
    streams.stop();
  });
  return app;

  /** The answer to a failed request was handed over; its body, if it is still on its way, is no longer waited for. */
  function handOver(exchange: Exchange): void {
    bodies.leave(exchange);
    exchange.slot?.release();
    if (exchange.reply.raw.writableEnded) inFlight.handOver(exchange);
  }

  /** An event stream stays open for hours: it no longer counts as work in progress, and it has no deadline. */
  function release(request: FastifyRequest): void {
    const { exchange } = request;
    if (exchange === null) return;
    exchange.settled = true;
    exchange.streaming = true;
    exchange.deadlineAtMs = Number.POSITIVE_INFINITY;
    inFlight.close(exchange);
  }
}

/** Refusals by the transport itself; null where no proxy is trusted and there is nothing to judge. */
function screenOf(
  config: HttpServerOptions['config'],
  trusts: (address: string) => boolean,
): MountDeps['screen'] {
  if (config.TRUSTED_PROXIES.length === 0) return null;
  return (request) => {
    dropFalseForwarding(request);
    return config.REQUIRE_HTTPS ? plainHttpRefusal(request, trusts) : null;
  };
}

/** Answers before a body is read, as at every unknown address. */
function mountAbsent(
  app: FastifyInstance,
  urls: readonly string[],
  answer: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  for (const url of urls)
    app.route({ method: [...METHODS, 'OPTIONS'], url, onRequest: answer, handler: () => undefined });
}

function bareServer(
  options: HttpServerOptions,
  newRequestId: () => string,
  trusts: (address: string) => boolean,
): FastifyInstance {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const app = Fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: options.config.TRUSTED_PROXIES.length === 0 ? false : trusts,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.paramCharsMax },
    serverFactory: (handle) => listener(limits, guardConnections(handle, newRequestId)),
    // Requests that arrive during shutdown are answered with `Connection: close`; refusing them would lose them (R1).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(options.log, newRequestId),
    bodyLimit: UNROUTED_BODY_MAX,
    frameworkErrors: (error, request, reply) => {
      options.log.info({ requestId: request.id, code: error.code }, 'request refused by the router');
      reply.raw.once('close', () => answerLeft(request.raw.socket));
      renderError(asServiceError(error), request as FastifyRequest, reply as FastifyReply);
    },
  }) as FastifyInstance;
  // `Expect: 100-continue` waits for the gates (mount.ts) instead of being accepted at once.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  return app;
}

function listener(limits: HttpLimits, handle: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.connectionCheckMs,
      maxHeaderSize: limits.headerBytesMax,
    },
    handle,
  );
  server.maxConnections = limits.connectionsMax;
  return server;
}

/** A body that is too slow, or that has to make room for a new one. Its connection ends, because the rest may follow. */
function giveUpBody(
  exchange: Exchange,
  error = new ServiceError('Request Timeout', 'The body did not arrive in time.'),
): void {
  const { reply } = exchange;
  // The limits of bodies are those of the transport, and the same on every route.
  exchange.screened = true;
  exchange.cancel(error);
  if (exchange.settled || reply.sent) return;
  exchange.settled = true;
  reply.header('connection', 'close').send(error);
}

function expire(exchange: Exchange): void {
  if (exchange.bodyFrom !== null) {
    giveUpBody(exchange);
    return;
  }
  const { reply, mounted } = exchange;
  const error = unavailable('This took too long and was stopped. Try again.', 1);
  exchange.cancel(error);
  if (exchange.settled || reply.sent) return;
  exchange.settled = true;
  if (reply.raw.headersSent) reply.raw.destroy(new Error(`${mounted.template} passed its deadline.`));
  else reply.send(error);
}

/** Turns every failure into an answer; an identified caller still gets the limit headers (foundation rule 8). */
function fail(
  options: HttpServerOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  handOver: (exchange: Exchange) => void,
): undefined | Promise<undefined> {
  const { log, gates, readiness } = options;
  const { exchange } = request;
  const finish = (cause: unknown): undefined => {
    const error = failureOf(options, exchange, cause);
    if (exchange?.shed !== true) logFailure(log, error, request);
    if (exchange !== null) {
      exchange.settled = true;
      refundIfDue(exchange, gates, error.status);
    }
    if (readiness.draining) reply.header('connection', 'close');
    renderError(error, request, reply);
    if (exchange !== null) handOver(exchange);
  };
  if (exchange === null || exchange.admitted || exchange.principal === null) return finish(thrown);
  // A body that could not be read never reached `admit`, so the burst is charged here, as for any other bad request.
  exchange.admitted = true;
  const { policy } = exchange.mounted;
  if (policy.meter === 'none' && policy.auth === 'public') return finish(thrown);
  const { principal } = exchange;
  return Promise.resolve()
    .then(() => gates.admit(request, reply, policy, principal, 0))
    .then(
      () => finish(thrown),
      (refusal: unknown) => finish(refusal),
    );
}

/** In tests a failure has to have a status that the description of its route names. */
function failureOf({ config }: HttpServerOptions, exchange: Exchange | null, cause: unknown): ServiceError {
  const error = asServiceError(cause);
  if (config.ASSAY_ENV !== 'test' || exchange === null || exchange.screened) return error;
  return checkFailure(exchange.mounted.route, error);
}

/** A known address with another method answers 405 with its methods; an unknown address answers 404 (contract 7). */
function noSuchAddress(app: FastifyInstance, request: FastifyRequest): ServiceError {
  const [path = '/'] = request.url.split('?', 1);
  const allowed = METHODS.filter((method) => isRouted(app, method, path));
  if (allowed.length === 0) return NOT_HERE;
  return new ServiceError('Method Not Allowed', `This address answers ${allowed.join(', ')}.`, {
    headers: { allow: allowHeader(allowed) },
  });
}

function isRouted(app: FastifyInstance, method: (typeof METHODS)[number], url: string): boolean {
  try {
    return app.findRoute({ method, url }) !== null;
  } catch {
    return false;
  }
}

function addBodyParsers(app: FastifyInstance, routes: readonly Route[], clock: Clock): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // A route with an intake parses the bytes in a thread (byte-body.ts).
    if (request.exchange?.mounted.route.intake !== undefined) return done(null, bytes);
    const body = (bytes as Buffer).toString('utf8');
    if (request.exchange !== null) request.exchange.bodyAtMs = clock.monotonic();
    // Some clients name a type and send no body (DELETE); the schema decides whether that is enough.
    if (body.length === 0) return done(null, undefined);
    const valuesMax = request.exchange?.mounted.policy.bodyValuesMax ?? DEFAULT_BODY_VALUES_MAX;
    const problem = jsonProblem(body, valuesMax);
    if (problem !== null) return done(problem);
    void parseJson(request, body, done);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  const declared = new Set(routes.flatMap((route) => route.accepts ?? []));
  for (const type of declared)
    if (!app.hasContentTypeParser(type))
      app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
