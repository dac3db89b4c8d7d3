import { callerOf, demandRecentProof } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import { forbidden } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';

/**
 * Refuses a session that a key pair opened: what such a session makes ends with its key (reliability 3.K), and a member or an
 * invitation would stay.
 */
export function demandPerson(principal: Principal): void {
  const method = callerOf(principal)?.proof?.method;
  if (method === undefined || method === 'key')
    throw forbidden(
      'A session of an API key pair cannot do this. Sign in with your password; set one with POST /api/auth/forgot.',
    );
}

/** Also demands a proof of identity from the last ten minutes (O47). */
export function demandProof(clock: Pick<Clock, 'now'>, principal: Principal): void {
  demandPerson(principal);
  demandRecentProof(clock, principal);
}

/**
 * For what a person does outside of the organization of the session. The identity provider of one organization vouches for its own
 * members there and nowhere else.
 */
export function demandOwnSession(principal: Principal): void {
  demandPerson(principal);
  if (worksForOneAccount(principal))
    throw forbidden(
      'A session of single sign-on works for its organization alone. Sign in with your password.',
    );
}

export const worksForOneAccount = (principal: Principal): boolean => {
  const method = callerOf(principal)?.proof?.method;
  return method !== 'password' && method !== 'passkey';
};
