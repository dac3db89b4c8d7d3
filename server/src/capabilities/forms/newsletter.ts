import { digestOf, readAddress } from '#capabilities/letters/index.ts';
import { badRequest, notConfigured } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Secrets } from '#platform/secrets.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import type { FormReply } from './contract.ts';
import type { FormsDeps } from './forms-deps.ts';
import { confirmSubscriber, lockSubscriber, requestSubscription } from './store.ts';

/** How long the link of a letter can confirm. An address that did not confirm is erased then. */
export const CONFIRM_WITHIN_MS = 7 * DAY_MS;
/** An address gets one letter an hour, however often it is entered. */
const REPEAT_AFTER_MS = HOUR_MS;
const LINK = 'forms:confirm-subscription';
const ADDRESS = 'forms:subscriber-address';

const ASKED = 'If this address is not subscribed yet, it gets a letter now. Open its link to confirm.';

/** The answer is the same for known and unknown addresses (decisions 3.16). */
export async function askForNewsletter(
  deps: FormsDeps,
  sent: { readonly email: string; readonly website?: string | undefined },
): Promise<FormReply> {
  const { clock, postgres, letters, secrets, config } = deps;
  if (!letters.canSendLetters)
    throw notConfigured(
      'This service cannot send email because SMTP_URL is not set, so it takes no subscriptions.',
    );
  const address = readAddress(sent.email);
  if ((sent.website ?? '') !== '' || address === null) return { message: ASKED };
  const nowMs = clock.now();
  const id = newId('nws', nowMs);
  await postgres.transaction(async (tx) => {
    const isAsked = await requestSubscription(tx, {
      id,
      addressDigest: digestOf(address),
      sealedAddress: secrets.seal(Buffer.from(address), ADDRESS),
      nowMs,
      repeatAfterMs: REPEAT_AFTER_MS,
    });
    if (!isAsked) return;
    const token = secrets.seal(Buffer.from(id), LINK).toString('base64url');
    const link = `${config.PUBLIC_WEB_URL.replace(/\/$/, '')}/api/newsletter/confirm?token=${token}`;
    await letters.enqueueLetter(tx, { to: address, kind: 'confirm-subscription', facts: { link } });
  });
  return { message: ASKED };
}

/** The id in the token of a link; 400 for one that we did not make. */
export function readConfirmToken(secrets: Secrets, token: string): string {
  const id = /^[\w-]+$/.test(token) ? secrets.open(Buffer.from(token, 'base64url'), LINK) : null;
  if (id === null) throw badLink();
  return id.toString();
}

export const openSubscriber = (secrets: Secrets, sealedAddress: Uint8Array): string | null =>
  secrets.open(sealedAddress, ADDRESS)?.toString() ?? null;

/** A second confirmation changes nothing and is answered the same. */
export async function confirmNewsletter(deps: FormsDeps, token: string): Promise<FormReply> {
  const { clock, postgres, letters, secrets } = deps;
  const id = readConfirmToken(secrets, token);
  const nowMs = clock.now();
  await postgres.transaction(async (tx) => {
    const subscriber = await lockSubscriber(tx, id, nowMs - CONFIRM_WITHIN_MS);
    if (subscriber === undefined) throw badLink();
    if (subscriber.confirmedAtMs !== null) return;
    await confirmSubscriber(tx, id, nowMs);
    const to = openSubscriber(secrets, subscriber.sealedAddress);
    if (to !== null) await letters.enqueueLetter(tx, { to, kind: 'subscription-confirmed', facts: {} });
  });
  return { message: 'Your subscription is confirmed.' };
}

const badLink = () =>
  badRequest('This link is not valid any more. Enter your address in the newsletter form again.');
