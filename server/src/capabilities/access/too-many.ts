import { retryTime } from '#domain/text/retry-time.ts';
import { ServiceError } from '#platform/errors.ts';
import { ANONYMOUS_PLAN } from './caller.ts';

/** The 429 of callers without a plan (decisions 1.5). `reason` is a sentence without its full stop. */
export function tooMany(
  {
    limit,
    resetMs,
    retryAfterMs,
  }: { readonly limit: number; readonly resetMs: number; readonly retryAfterMs: number },
  reason: string,
): ServiceError {
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return new ServiceError(
    'Rate Limited',
    `${reason}. Try again ${retryTime({ waitMs: retryAfterMs, resetMs })}.`,
    {
      headers: {
        'Retry-After': String(retryAfter),
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(resetMs),
      },
      body: {
        plan: ANONYMOUS_PLAN,
        retryAfter,
        rateLimit: { limit, remaining: 0, resetAt: new Date(resetMs).toISOString() },
      },
    },
  );
}
