import { callerOf, demandRecentProof, hasSecondFactor } from '#capabilities/access/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { FactorRoutesDeps } from './open-factor-routes.ts';

/**
 * Refuses a change of factors without a proof of the last ten minutes, and where a factor is set, in a session that never
 * showed one. A key pair or an identity provider of an organization opens a session for a person, but their sign-in belongs
 * to the person: such a session could give itself a passkey and outlive the key.
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
