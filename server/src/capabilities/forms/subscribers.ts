import { digestOf, type Letters } from '#capabilities/letters/index.ts';
import type { Clock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import type { Postgres } from '#platform/postgres.ts';
import type { Secrets } from '#platform/secrets.ts';
import { DAY_MS, HOUR_MS } from '#platform/time-units.ts';
import { confirmSubscriber, deleteSubscriber, lockSubscriber, requestSubscription } from './store.ts';

/** How long the link of an email can confirm. An address that did not confirm is erased then. */
export const CONFIRM_WITHIN_MS = 7 * DAY_MS;
/** An address gets one email an hour, however often it is entered. */
const REPEAT_AFTER_MS = HOUR_MS;
const LINK = 'forms:confirm-subscription';
const ADDRESS = 'forms:subscriber-address';

/**
 * What requests may do with subscribers of the newsletter. The role of requests has no rights on their table, so a request gets these
 * functions and never the connection behind them (foundation rule 2).
 */
export type Subscribers = {
  /** Sends the email with the link; nothing for an address that confirmed, or got one within the hour. */
  readonly ask: (address: string) => Promise<void>;
  /** False for a link that is no longer valid. A second confirmation changes nothing. */
  readonly confirm: (id: string) => Promise<boolean>;
  readonly remove: (addressDigest: Uint8Array) => Promise<void>;
};

export type SubscribersDeps = {
  /** Works across accounts: subscribers have none. */
  readonly system: Postgres;
  readonly clock: Clock;
  readonly letters: Letters;
  readonly secrets: Secrets;
  readonly publicWebUrl: string;
};

export const openSubscribers = (deps: SubscribersDeps): Subscribers => ({
  ask: (address) => ask(deps, address),
  confirm: (id) => confirm(deps, id),
  remove: async (addressDigest) => {
    await deps.system.transaction((tx) => deleteSubscriber(tx, addressDigest));
  },
});

async function ask(
  { system, clock, letters, secrets, publicWebUrl }: SubscribersDeps,
  address: string,
): Promise<void> {
  const nowMs = clock.now();
  const id = newId('nws', nowMs);
  await system.transaction(async (tx) => {
    const isAsked = await requestSubscription(tx, {
      id,
      addressDigest: digestOf(address),
      sealedAddress: secrets.seal(Buffer.from(address), ADDRESS),
      nowMs,
      repeatAfterMs: REPEAT_AFTER_MS,
    });
    if (!isAsked) return;
    const token = secrets.seal(Buffer.from(id), LINK).toString('base64url');
    const link = `${publicWebUrl.replace(/\/$/, '')}/api/newsletter/confirm?token=${token}`;
    await letters.enqueueLetter(tx, { to: address, kind: 'confirm-subscription', facts: { link } });
  });
}

async function confirm({ system, clock, letters, secrets }: SubscribersDeps, id: string): Promise<boolean> {
  const nowMs = clock.now();
  return system.transaction(async (tx) => {
    const subscriber = await lockSubscriber(tx, id, nowMs - CONFIRM_WITHIN_MS);
    if (subscriber === undefined) return false;
    if (subscriber.confirmedAtMs !== null) return true;
    await confirmSubscriber(tx, id, nowMs);
    const to = openSubscriber(secrets, subscriber.sealedAddress);
    if (to !== null) await letters.enqueueLetter(tx, { to, kind: 'subscription-confirmed', facts: {} });
    return true;
  });
}

/** The id in the token of a link; null for one that we did not make. */
export const openConfirmToken = (secrets: Secrets, token: string): string | null => {
  const id = /^[\w-]+$/.test(token) ? secrets.open(Buffer.from(token, 'base64url'), LINK) : null;
  return id?.toString() ?? null;
};

export const openSubscriber = (secrets: Secrets, sealedAddress: Uint8Array): string | null =>
  secrets.open(sealedAddress, ADDRESS)?.toString() ?? null;
