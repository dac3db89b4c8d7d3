import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { ServiceError, unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { assertBounded } from './bounded.ts';
import { clientErrorHandler } from './client-error.ts';
import { allowHeader, createCors } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { dropFalseForwarding, plainHttpRefusal, proxyTrust } from './forwarded.ts';
import type { Gates } from './gates.ts';
import { createInFlight } from './in-flight.ts';
import { mount, refundIfDue } from './mount.ts';
import { UNROUTED } from './mounted-route.ts';
import { observe } from './observe.ts';
import type { Readiness } from './readiness.ts';
import { asServiceError, logFailure, renderError } from './render-error.ts';
import { requestIds } from './request-id.ts';
import { requestLines } from './request-log.ts';
import { reportInFlight } from './request-metrics.ts';
import type { Route } from './route.ts';
import { createShedder, type Shedder } from './shedding.ts';
import { createEventStreams, type EventStreams } from './sse.ts';

declare module 'fastify' {
  interface FastifyInstance {
    eventStreams: EventStreams;
  }
}

/** Reliability 5.11: the framework's own defaults wait for ever and accept everything (finding 5). */
export type HttpLimits = {
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Longer than a load balancer's 60 s, so that the side that reuses the connection is never surprised. */
  readonly keepAliveTimeoutMs: number;
  readonly connectionCheckMs: number;
  readonly connectionsMax: number;
  readonly headerBytesMax: number;
  readonly paramCharsMax: number;
};
export const HTTP_LIMITS: HttpLimits = {
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  keepAliveTimeoutMs: 75_000,
  connectionCheckMs: 1_000,
  connectionsMax: 20_000,
  headerBytesMax: 16 * 1024,
  paramCharsMax: 256,
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
};

const UNROUTED_BODY_MAX = 4_096;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The whole application as a value. It listens nowhere until somebody asks it to. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { config, log, clock, gates, routes, readiness } = options;
  assertBounded(routes);
  const newRequestId = requestIds(clock);
  const trusts = proxyTrust(config.TRUSTED_PROXIES);
  const app = bareServer(options, newRequestId, trusts);
  const shedder = options.shedder ?? createShedder();
  const inFlight = createInFlight(clock, expire);
  const streams = createEventStreams({ clock, onOpen: (request) => release(request) });
  const screen =
    config.TRUSTED_PROXIES.length === 0
      ? null
      : (request: FastifyRequest): ServiceError | null => {
          dropFalseForwarding(request);
          return config.REQUIRE_HTTPS ? plainHttpRefusal(request, trusts) : null;
        };
  app.decorateRequest('exchange', null);
  app.decorate('eventStreams', streams);
  addBodyParsers(app, routes);
  const observed = { clock, inFlight, lineOf: requestLines(log, clock, config.LOG_LEVEL) };
  const observeMiss = observe('ANY', UNROUTED, observed);
  const miss = (request: FastifyRequest, reply: FastifyReply): void => {
    observeMiss(request, reply, () => undefined);
    renderError(screen?.(request) ?? noSuchAddress(app, request), request, reply);
  };
  app.setNotFoundHandler(miss);
  app.setErrorHandler((error, request, reply) =>
    // A body sent to no route fails before it is found out that there is none.
    request.is404 && request.exchange === null ? miss(request, reply) : fail(options, error, request, reply),
  );
  mount(app, routes, {
    ...observed,
    log,
    gates,
    readiness,
    shedder,
    cors: createCors(config.PUBLIC_WEB_URL),
    screen,
    checksReplies: config.ASSAY_ENV === 'test',
  });
  const report = setInterval(() => reportInFlight(inFlight.total()), 1_000);
  report.unref();
  app.addHook('preClose', async () => streams.endAll());
  app.addHook('onClose', async () => {
    clearInterval(report);
    shedder.stop();
    inFlight.stop();
    streams.stop();
  });
  return app;

  /** A stream is open for hours by design: it no longer counts as work, and no deadline ends it. */
  function release(request: FastifyRequest): void {
    const { exchange } = request;
    if (exchange === null) return;
    exchange.settled = true;
    exchange.streaming = true;
    exchange.deadlineAtMs = Number.POSITIVE_INFINITY;
    inFlight.close(exchange);
  }
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
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.connectionCheckMs,
      maxHeaderSize: limits.headerBytesMax,
    },
    // What reaches us while we close is answered with `Connection: close`; refusing it would lose it (R1).
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(options.log, newRequestId),
    // Of a body that belongs to no route.
    bodyLimit: UNROUTED_BODY_MAX,
    frameworkErrors: (error, request, reply) => {
      options.log.info({ requestId: request.id, code: error.code }, 'request refused by the router');
      renderError(asServiceError(error), request as FastifyRequest, reply as FastifyReply);
    },
  }) as FastifyInstance;
  app.server.maxConnections = limits.connectionsMax;
  // `Expect: 100-continue` waits for the gates (mount.ts) instead of being waved through.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  return app;
}

function expire(exchange: Exchange): void {
  const { reply, mounted } = exchange;
  const error = unavailable('This took too long and was stopped. Try again.', 1);
  exchange.cancel(error);
  if (exchange.settled || reply.sent) return;
  exchange.settled = true;
  if (reply.raw.headersSent) reply.raw.destroy(new Error(`${mounted.template} passed its deadline.`));
  else reply.send(error);
}

/** One place where a failure becomes an answer; an identified caller still gets the limit headers (rule 8). */
function fail(
  options: HttpServerOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): undefined | Promise<undefined> {
  const { log, gates, readiness } = options;
  const { exchange } = request;
  const finish = (cause: unknown): undefined => {
    const error = asServiceError(cause);
    logFailure(log, error, request);
    if (exchange !== null) {
      exchange.settled = true;
      refundIfDue(exchange, gates, error.status);
    }
    if (readiness.draining) reply.header('connection', 'close');
    renderError(error, request, reply);
  };
  if (exchange === null || exchange.admitted || exchange.principal === null) return finish(thrown);
  // A body that could not be read never reached `admit`: it costs the burst like any other bad request.
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

/** Contract 7: an address that exists under another method says which (405), anything else is 404. */
function noSuchAddress(app: FastifyInstance, request: FastifyRequest): ServiceError {
  const [path = '/'] = request.url.split('?', 1);
  const allowed = METHODS.filter((method) => isRouted(app, method, path));
  if (allowed.length === 0)
    return new ServiceError(
      'Not Found',
      'There is nothing at this address. The routes are listed at /openapi.json.',
    );
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

/** JSON, forms where a route declares one, and bytes for any other declared type; nothing else is read. */
function addBodyParsers(app: FastifyInstance, routes: readonly Route[]): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients name a type and send nothing (DELETE): the schema decides whether that is enough.
    if (body.length === 0) return done(null, undefined);
    void parseJson(request, body as string, done);
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
