import { randomBytes } from 'node:crypto';
import { tooMany } from '#capabilities/access/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { insertDeliveries } from './delivery-store.ts';
import type { EndpointRow } from './store.ts';
import { deleteVerifications, hasVerifiedHost, putChallenge } from './verification-store.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';
import { bodyOf } from './write-deliveries.ts';

/** The event that asks a receiver for its consent. No webhook asks for it by name, and it is not one of those that `*` stands for. */
export const VERIFICATION = 'webhook.verification';
/** Pauses before the next attempts, so five in all: a receiver may be deployed after its webhook is created. */
export const VERIFICATION_RETRY_MS: readonly number[] = [30_000, 300_000, HOUR_MS / 2, 2 * HOUR_MS];
const CHALLENGE_BYTES = 24;
const VALID_MS = DAY_MS;
const MESSAGE =
  'To receive events, answer 2xx with a JSON body whose field challenge has this challenge, or pass it to POST /user/webhooks/{id}/verify.';

/** The host whose consent counts, in one spelling; a port or a path of it needs no further one. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');

/** Counts what unverified hosts are sent, because such a host may be anybody's. */
export async function spendVerification({ guard, verificationsPerHour }: WebhooksDeps, accountId: string) {
  const spent = await guard.spend(accountId, 'webhook verifications', { perHour: verificationsPerHour });
  if (!spent.granted) throw tooMany(spent, 'This account asked too many new hosts for their consent');
}

/** Whether a URL leads to a host that answered a challenge of this account. */
export const isHostKnown = (
  { postgres }: Pick<WebhooksDeps, 'postgres'>,
  accountId: string,
  url: string,
): Promise<boolean> => postgres.withAccount(accountId, (tx) => hasVerifiedHost(tx, accountId, hostOf(url)));

/** Part of a transaction that holds the endpoint: a new challenge, and the delivery that carries it. Returns its id. */
export async function askForVerification(
  tx: Db,
  { id, accountId }: Pick<EndpointRow, 'id' | 'accountId'>,
  nowMs: number,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  await putChallenge(tx, id, challenge, nowMs + VALID_MS);
  await deleteVerifications(tx, id);
  const event = {
    name: VERIFICATION,
    occurredAt: new Date(nowMs).toISOString(),
    data: { webhookId: id, challenge, message: MESSAGE },
  };
  const deliveryId = newId('dlv', nowMs);
  const row = { id: deliveryId, accountId, endpointId: id, event: VERIFICATION, sequence: null };
  await insertDeliveries(tx, [{ ...row, body: bodyOf(event, null), status: 'once' }], nowMs);
  return deliveryId;
}

/**
 * The challenge in an answer: a JSON body with the field `challenge`, or a body that is nothing else. A service that only repeats what
 * it gets has it deeper inside, and has consented to nothing.
 */
export function challengeIn(text: string): string | null {
  const plain = text.trim();
  if (/^[\w-]{16,100}$/.test(plain)) return plain;
  try {
    const value: unknown = JSON.parse(plain);
    const challenge = (value as { challenge?: unknown } | null)?.challenge;
    const isRepeated = (value as { type?: unknown } | null)?.type === VERIFICATION;
    return typeof challenge === 'string' && !isRepeated ? challenge : null;
  } catch {
    return null;
  }
}
