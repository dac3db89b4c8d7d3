import { readAddress } from '#capabilities/letters/index.ts';
import { badRequest, notConfigured } from '#platform/errors.ts';
import type { Secrets } from '#platform/secrets.ts';
import type { FormReply } from './contract.ts';
import type { FormsDeps } from './forms-deps.ts';
import { openConfirmToken } from './subscribers.ts';

const ASKED = 'If this address is not subscribed yet, it gets a letter now. Open its link to confirm.';

/** The answer is the same for known and unknown addresses (decisions 3.16). */
export async function askForNewsletter(
  { letters, subscribers }: Pick<FormsDeps, 'letters' | 'subscribers'>,
  sent: { readonly email: string; readonly website?: string | undefined },
): Promise<FormReply> {
  if (!letters.canSendLetters)
    throw notConfigured(
      'This service cannot send email because SMTP_URL is not set, so it takes no subscriptions.',
    );
  const address = readAddress(sent.email);
  if ((sent.website ?? '') === '' && address !== null) await subscribers.ask(address);
  return { message: ASKED };
}

/** The id in the token of a link; 400 for one that we did not make. */
export function readConfirmToken(secrets: Secrets, token: string): string {
  const id = openConfirmToken(secrets, token);
  if (id === null) throw badLink();
  return id;
}

/** A second confirmation changes nothing and is answered the same. */
export async function confirmNewsletter(
  { secrets, subscribers }: Pick<FormsDeps, 'secrets' | 'subscribers'>,
  token: string,
): Promise<FormReply> {
  if (!(await subscribers.confirm(readConfirmToken(secrets, token)))) throw badLink();
  return { message: 'Your subscription is confirmed.' };
}

const badLink = () =>
  badRequest('This link is not valid any more. Enter your address in the newsletter form again.');
