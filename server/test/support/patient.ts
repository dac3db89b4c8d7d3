import { REQUEST_LIMITS } from '#platform/postgres.ts';

/** Ten times the limits of a request: a busy machine may hold up any statement for a second. */
export const PATIENT = {
  acquireTimeoutMs: 10 * REQUEST_LIMITS.acquireTimeoutMs,
  statementTimeoutMs: 10 * REQUEST_LIMITS.statementTimeoutMs,
  lockTimeoutMs: 10 * REQUEST_LIMITS.lockTimeoutMs,
  queryTimeoutMs: 10 * REQUEST_LIMITS.queryTimeoutMs,
};
