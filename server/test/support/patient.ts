import { REQUEST_LIMITS } from '#platform/postgres.ts';

/** Fifty times the limits of a request: cores that other machines share may stand still for seconds. */
export const PATIENT = {
  acquireTimeoutMs: 50 * REQUEST_LIMITS.acquireTimeoutMs,
  statementTimeoutMs: 50 * REQUEST_LIMITS.statementTimeoutMs,
  lockTimeoutMs: 50 * REQUEST_LIMITS.lockTimeoutMs,
  queryTimeoutMs: 50 * REQUEST_LIMITS.queryTimeoutMs,
};
