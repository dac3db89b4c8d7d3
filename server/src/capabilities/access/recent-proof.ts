import type { Clock } from '#platform/clock.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Principal } from '#platform/http/principal.ts';
import { callerOf } from './caller.ts';

/** How long a proof counts as recent (O47). */
export const RECENT_PROOF_MS = 10 * 60_000;

/**
 * Refuses a session whose user proved who they are more than ten minutes ago, so that a stolen or forgotten session cannot
 * make keys, end other sessions or delete anything. A session of a key pair is left alone: what it makes ends with its key.
 */
export function demandRecentProof(clock: Pick<Clock, 'now'>, principal: Principal): void {
  const proof = callerOf(principal)?.proof;
  if (proof === undefined || proof.method === 'key') return;
  if (clock.now() - proof.provedAtMs <= RECENT_PROOF_MS) return;
  if (proof.method === 'sso')
    throw new ServiceError(
      'Forbidden',
      'This needs a proof of the last ten minutes that it is you. Sign in through your organization again (GET /api/auth/sso/start with fresh=true) and try again.',
      { body: { confirmationRequired: true, organizationId: principal.accountId } },
    );
  throw new ServiceError(
    'Forbidden',
    'This needs a proof of the last ten minutes that it is you. Confirm it with your password, a code or a passkey (POST /api/auth/confirm) and try again.',
    { body: { confirmationRequired: true } },
  );
}
