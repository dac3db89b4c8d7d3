import { callerOf, demandRecentProof, hasSecondFactor } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { FactorRoutesDeps } from './open-factor-routes.ts';

/**
 * Allows a change of factors only in a session of a password or passkey, with a proof of the last ten minutes, in which
 * any factor of the person was shown. A session that an organization's key pair or identity provider opened is refused:
 * it could add a passkey of its own and so outlive the key.
 */
export async function demandChangeProof(
  { clock, factors }: Pick<FactorRoutesDeps, 'clock' | 'factors'>,
  principal: Principal,
): Promise<void> {
  const proof = callerOf(principal)?.proof;
  if (proof === undefined || (proof.method !== 'password' && proof.method !== 'passkey'))
    throw new ServiceError(
      'Forbidden',
      'Second factors are changed in a session that a password or a passkey opened. Sign in with one of them.',
    );
  demandRecentProof(clock, principal);
  if (hasSecondFactor(proof)) return;
  const factorNeeded = await factors.needed(principal.userId);
  if (factorNeeded.length > 0)
    throw new ServiceError(
      'Forbidden',
      'You have a second factor, and this session has not shown it. Show it (POST /api/auth/confirm, or sign in again) and try again.',
      { body: { confirmationRequired: true, factorNeeded } },
    );
}
