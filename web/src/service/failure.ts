import { AssayError, NetworkFailure, RateLimited, TimedOut, Unauthorized, Unavailable } from '@assay/sdk';

/** A failure in words for the reader: what happened, what to do, and the request id to quote. */
export type Failure = {
  readonly kind: 'offline' | 'limited' | 'signed-out' | 'busy' | 'refused';
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | null;
  /** The earliest time at which a retry can succeed; null where waiting does not help. */
  readonly retryAtMs: number | null;
};

export function describeFailure(error: unknown, nowMs: number): Failure {
  if (error instanceof RateLimited)
    return failure('limited', 'The limit is used up for now', error.message, error, nowMs);
  if (error instanceof Unauthorized)
    return failure('signed-out', 'This needs a sign-in', error.message, error, nowMs);
  if (error instanceof NetworkFailure || error instanceof TimedOut)
    return failure(
      'offline',
      'The service did not answer',
      'What is on the page was kept. Try again when the connection is back.',
      error,
      nowMs,
    );
  if (error instanceof Unavailable)
    return failure('busy', 'The service cannot answer this right now', error.message, error, nowMs);
  if (error instanceof AssayError)
    return failure('refused', 'The service refused this', error.message, error, nowMs);
  return {
    kind: 'refused',
    title: 'This page made a mistake',
    detail: error instanceof Error ? error.message : String(error),
    requestId: null,
    retryAtMs: null,
  };
}

const failure = (
  kind: Failure['kind'],
  title: string,
  detail: string,
  error: AssayError,
  nowMs: number,
): Failure => ({
  kind,
  title,
  detail,
  requestId: error.requestId,
  retryAtMs: error.retryAfterMs === null ? null : nowMs + error.retryAfterMs,
});
