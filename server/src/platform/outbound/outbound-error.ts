export type OutboundReason =
  | 'invalid_url'
  | 'scheme'
  | 'port'
  | 'userinfo'
  | 'address'
  | 'dns'
  | 'connect'
  | 'proxy'
  | 'tls'
  | 'protocol'
  | 'redirect'
  | 'deadline'
  | 'aborted'
  | 'too_large'
  | 'encoding';

/** Why a request was not sent or its answer was refused. The message contains no address of ours. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

/** The driver wraps the errors of the connector and the body, so the reason may be several causes deep. */
export function asOutboundError(
  error: unknown,
  notUnderstood = 'The answer was not valid HTTP.',
): OutboundError {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
    if (at instanceof OutboundError) return at;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundError('too_large', 'The response headers are too large.', error);
  // The library refuses a chain of more than 100 KiB by its announced length.
  if (code === 'ERR_SSL_EXCESSIVE_MESSAGE_SIZE')
    return new OutboundError('too_large', 'The certificates are too large.', error);
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|ERR_SSL)/.test(code))
    return new OutboundError('tls', 'The TLS handshake failed.', error);
  if (/^(ECONN|EHOST|ENET|ETIMEDOUT|EPIPE|EADDR|UND_ERR_SOCKET|UND_ERR_CONNECT)/.test(code))
    return new OutboundError('connect', 'The connection failed.', error);
  return new OutboundError('protocol', notUnderstood, error);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Codes of the resolver for a name that does not exist and for one without an address. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA']);

/** True when a name server answered that there is no such name, or no address of it. */
export const isMissingName = (failure: unknown): boolean => MISSING.has(codeOf(failure));

/** True for a host of which nothing could be learned, so that a later try may succeed. */
export const isUnresolvedForNow = ({ reason, cause }: OutboundError): boolean =>
  reason === 'deadline' || (reason === 'dns' && cause !== undefined && !isMissingName(cause));
