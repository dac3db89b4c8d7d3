import { timingSafeEqual } from 'node:crypto';
import { badRequest } from '#platform/errors.ts';
import type { Webhook } from './contract.ts';
import { endpointOf, lockedEndpointOf, note } from './keep-endpoints.ts';
import { presentWebhook } from './present.ts';
import { deleteVerifications, findChallenge, setVerified } from './verification-store.ts';
import type { Acting, WebhooksDeps } from './webhooks-deps.ts';

/** For receivers that cannot answer with a body of their own: a person reads the challenge there and passes it on. */
export async function verifyWebhook(
  { postgres, clock }: WebhooksDeps,
  by: Acting,
  id: string,
  given: string,
): Promise<{ readonly webhook: Webhook }> {
  const { accountId } = by.principal;
  const nowMs = clock.now();
  return postgres.withAccount(accountId, async (tx) => {
    const row = await lockedEndpointOf(tx, accountId, id);
    if (!row.verified) {
      const challenge = await findChallenge(tx, id, nowMs);
      if (challenge === undefined)
        throw badRequest(
          'The challenge of this webhook has expired. POST /user/webhooks/{id}/test sends a new one.',
        );
      if (!isSame(challenge, given))
        throw badRequest(
          'This is not the challenge that was sent last. Read `data.challenge` of the newest webhook.verification at the receiver.',
        );
      await setVerified(tx, { id, challenge }, nowMs);
      await deleteVerifications(tx, id);
      await note(tx, by, 'webhook.verify', id, null, null, nowMs);
    }
    return { webhook: presentWebhook(await endpointOf(tx, accountId, id)) };
  });
}

function isSame(challenge: string, given: string): boolean {
  const [a, b] = [Buffer.from(challenge), Buffer.from(given.trim())];
  return a.length === b.length && timingSafeEqual(a, b);
}
