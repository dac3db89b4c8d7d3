import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, type ErrorDetail, ServiceError, unavailable } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import { isConflict, isPostgresAway, isReadOnlyRefusal } from '#platform/postgres.ts';
import { errorPage, isOpenedByPerson } from './error-page.ts';
import type { Failure } from './route.ts';

const NEUTRAL = 'Something went wrong on our side. Quote the request id when you ask about it.';
const MESSAGE_LOGGED_MAX = 1_024;
const POSTGRES_RETRY_AFTER_S = 5;
const CONFLICT_RETRY_AFTER_S = 1;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Errors of Fastify in the wording of decisions 1.2. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['Payload Too Large', 'The body is larger than this route accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['Unsupported Media Type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['Bad Request', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['Bad Request', 'The body is not as long as Content-Length says.'],
  FST_ERR_MAX_PARAM_LENGTH: ['Bad Request', 'A part of the address is too long to name anything.'],
  FST_ERR_BAD_URL: ['Bad Request', 'The address is not a valid URL.'],
};

/**
 * Turns every failure into a `ServiceError`. A PostgreSQL that is unreachable, accepts no writes or rolled the
 * transaction back becomes a 503 here for every route, so handlers, use cases and gates pass the driver's error on.
 */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isReadOnlyRefusal(error))
    return unavailable(
      `The database accepts no changes right now. Nothing was changed; try again in ${POSTGRES_RETRY_AFTER_S} seconds.`,
      POSTGRES_RETRY_AFTER_S,
      error,
    );
  if (isConflict(error))
    return unavailable(
      'Another request changed the same data at the same moment. Nothing was changed; try again.',
      CONFLICT_RETRY_AFTER_S,
      error,
    );
  if (isPostgresAway(error))
    return unavailable(
      'The database is not reachable right now. Nothing was changed; try again.',
      POSTGRES_RETRY_AFTER_S,
      error,
    );
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  if (known !== undefined) return new ServiceError(known[0], known[1], { cause: error });
  // The body's stream broke off; the caller caused that, even if it no longer reads the answer.
  if (statusCode === 400 || code === 'ECONNRESET')
    return new ServiceError('Bad Request', 'The request could not be read.', { cause: error });
  return new ServiceError('Internal Server Error', NEUTRAL, { cause: error });
}

/** The body of every error (contract 7, decisions 1.2). */
export function errorBody(error: ServiceError, requestId: string): Record<string, unknown> {
  const details = error.options.details ?? (error.status === 400 ? [detailOf(error.message)] : undefined);
  return {
    error: error.code,
    message: error.message,
    requestId,
    ...(details !== undefined && { details }),
    ...error.options.body,
  };
}

/** A refusal of one field begins with its name; `request` stands for a refusal of the request as a whole. */
const NAMED_FIELD = /^([A-Za-z_][\w.[\]-]{0,63}): (.+)$/s;

/** The entry of `details[]` for a 400 that was thrown as a sentence alone, because every 400 has one (decisions 1.2). */
function detailOf(message: string): ErrorDetail {
  const [, path = 'request', about = message] = NAMED_FIELD.exec(message) ?? [];
  return { path, message: about.charAt(0).toUpperCase() + about.slice(1) };
}

/** `failure` is the form of errors to use; callers pass it for a request that reached no route. */
export function renderError(
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure | undefined = request.exchange?.mounted.route.failure,
): void {
  // These headers of the prepared answer do not describe the error.
  reply.removeHeader('etag').removeHeader('last-modified').removeHeader('content-length');
  reply
    .code(error.status)
    .type(JSON_TYPE)
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store');
  if (error.options.headers !== undefined) reply.headers(error.options.headers);
  if (leavesBodyUnread(request)) reply.header('connection', 'close');
  if (failure !== undefined) sendFailure(failure, error, request, reply);
  else if (isOpenedByPerson(request)) sendPage(error, request, reply);
  else reply.send(errorBody(error, request.id));
}

function sendPage(error: ServiceError, request: FastifyRequest, reply: FastifyReply): void {
  const { html, csp } = errorPage(error, request.id);
  reply.type('text/html; charset=utf-8').header('content-security-policy', csp).send(html);
}

/** Bytes, because Fastify adds a charset to the media type of a text. */
function sendFailure(
  failure: Failure,
  error: ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { mediaType, vary, body } = failure.render(error, request);
  reply.header('content-type', mediaType);
  const had = String(reply.getHeader('vary') ?? '');
  if (vary !== undefined && !had.includes(vary)) reply.header('vary', had === '' ? vary : `${had}, ${vary}`);
  reply.send(Buffer.from(JSON.stringify({ ...errorBody(error, request.id), ...body })));
}

/**
 * A refused body of moderate size is read and discarded, so that the caller sees the answer and keeps the connection;
 * a larger or endless one is cut off.
 */
function leavesBodyUnread(request: FastifyRequest): boolean {
  if (request.raw.readableEnded || request.raw.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  const length = Number(request.headers['content-length'] ?? 0);
  return length > (request.exchange?.mounted.policy.bodyMax ?? 0);
}

/** Logs the cause without anything that could quote a caller: no detail, no parameters, no body. */
export function logFailure(log: Log, error: ServiceError, request: FastifyRequest): void {
  if (error.status < 500) return;
  const fields = {
    requestId: request.id,
    route: request.exchange?.mounted.template ?? null,
    ...error.options.internal,
    cause: describe(error.options.cause),
  };
  if (error.status === 500) log.error(fields, 'request failed');
  else log.warn(fields, error.message);
}

function describe(cause: unknown): Record<string, unknown> | null {
  if (cause === undefined || cause === null) return null;
  if (!(cause instanceof Error)) return { type: typeof cause };
  return {
    type: cause.name,
    code: (cause as { code?: unknown }).code,
    message: cause.message.slice(0, MESSAGE_LOGGED_MAX),
    stack: cause.stack?.slice(0, MESSAGE_LOGGED_MAX * 4),
  };
}
