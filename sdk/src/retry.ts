import { Aborted, type AssayError, NetworkFailure } from './errors.ts';

export type RetryRules = {
  readonly retries: number;
  /** The longest single wait; a longer one is thrown to the caller. */
  readonly patienceMs: number;
  /** True when carrying out the request twice has the effect of once. */
  readonly isRepeatable: boolean;
  readonly hasIdempotencyKey: boolean;
};

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** Random addition to Retry-After, so that callers do not return all at once. */
const SPREAD_MS = 250;
const AWAY = new Set([502, 503, 504]);

export function waitBeforeRetry(error: AssayError, attempt: number, rules: RetryRules): number | null {
  if (attempt >= rules.retries || !mayRepeat(error, rules)) return null;
  if (error.retryAfterMs === null)
    return Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** attempt);
  return error.retryAfterMs > rules.patienceMs ? null : error.retryAfterMs + Math.random() * SPREAD_MS;
}

function mayRepeat(error: AssayError, { isRepeatable, hasIdempotencyKey }: RetryRules): boolean {
  // A 429 was refused before any work and without a charge (decisions 1.5), so any method may be repeated.
  if (error.status === 429) return true;
  // The first attempt with this key is still running; its answer will be the same.
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
