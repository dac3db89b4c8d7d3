import { insertSuppression, openUnsubscription, type Unsubscription } from '#capabilities/letters/index.ts';
import { badRequest } from '#platform/errors.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { FormReply } from './contract.ts';
import type { FormsDeps } from './forms-deps.ts';

/** 400 for a token that we did not make. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Unsubscription {
  const read = openUnsubscription(secrets, token);
  if (read === null)
    throw badRequest('This link cannot be read. Use the whole link of a letter, or write to the sender.');
  return read;
}

/** Ends letters of the topic in the token. A second time changes nothing and is answered the same. */
export async function unsubscribe(
  {
    clock,
    postgres,
    secrets,
    subscribers,
  }: Pick<FormsDeps, 'clock' | 'postgres' | 'secrets' | 'subscribers'>,
  token: string,
): Promise<FormReply> {
  const wish = readUnsubscribeToken(secrets, token);
  // The newsletter needs no suppression: without the subscriber's row, a new subscription must be confirmed again.
  if (wish.topic === 'newsletter') await subscribers.remove(wish.addressDigest);
  else await postgres.transaction((tx) => insertSuppression(tx, wish, clock.now()));
  return { message: 'You get no more letters of this kind.' };
}
