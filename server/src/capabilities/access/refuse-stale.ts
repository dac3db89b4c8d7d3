import { type ServiceError, unavailable } from '#platform/errors.ts';
import { refusals } from './refusal-counter.ts';

/**
 * After this long without contact to PostgreSQL a key that is missing in the replica is not answered with 401, because
 * it may be newer than the replica.
 */
export const UNKNOWN_STALE_MAX_MS = 5_000;
const RETRY_AFTER_S = 5;

export function refuseStale(message: string): ServiceError {
  refusals.inc({ reason: 'stale' });
  return unavailable(message, RETRY_AFTER_S);
}
