import { Aborted, type AssayError, NetworkFailure } from './errors.ts';

export type RetryRules = {
  /** How many times a call may be repeated. */
  readonly retries: number;
  /** The longest single wait; a longer one is the caller's to decide. */
  readonly patienceMs: number;
  /** True: carrying the request out twice is the same as once. */
  readonly isRepeatable: boolean;
  readonly hasIdempotencyKey: boolean;
};

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** On top of what the service asks for, so that its callers do not all come back at once. */
const SPREAD_MS = 250;
const AWAY = new Set([502, 503, 504]);

/** How long to wait before the next attempt; null when there is to be none. */
export function waitBeforeRetry(error: AssayError, attempt: number, rules: RetryRules): number | null {
  if (attempt >= rules.retries || !mayRepeat(error, rules)) return null;
  if (error.retryAfterMs === null)
    return Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt);
  return error.retryAfterMs > rules.patienceMs ? null : error.retryAfterMs + Math.random() * SPREAD_MS;
}

function mayRepeat(error: AssayError, { isRepeatable, hasIdempotencyKey }: RetryRules): boolean {
  // Refused before anything was done and without a charge (decisions 1.5), so any method may come again.
  if (error.status === 429) return true;
  // The first attempt with this key is still running; the same answer comes when it is done.
  if (error.status === 409) return hasIdempotencyKey && error.retryAfterMs !== null;
  return isRepeatable && (error instanceof NetworkFailure || AWAY.has(error.status));
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(abortedBy(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export const abortedBy = (signal: AbortSignal | undefined): Aborted =>
  new Aborted({ status: 0, error: 'Aborted', message: 'The caller ended the call.', cause: signal?.reason });
