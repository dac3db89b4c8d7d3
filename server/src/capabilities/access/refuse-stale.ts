import { type ServiceError, unavailable } from '#platform/errors.ts';
import { refusals } from './refusal-counter.ts';

/**
 * A key that the replica does not have may be newer than the replica, so after this long without contact the
 * answer is not 401.
 */
export const UNKNOWN_STALE_MAX_MS = 5_000;
const RETRY_AFTER_S = 5;

export function refuseStale(message: string): ServiceError {
  refusals.inc({ reason: 'stale' });
  return unavailable(message, RETRY_AFTER_S);
}
