import { type Actor, endPersonSessions, recordAudit } from '#capabilities/access/index.ts';
import { endTickets } from '#capabilities/factors/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { PeopleDeps } from './people-deps.ts';
import {
  deleteRegistrations,
  deleteTokensOf,
  markProven,
  putPassword,
  selectPerson,
  takeToken,
} from './store.ts';
import { tokenHash } from './tokens.ts';

/** Sets a new password with the token of a link, from a letter or from an operator. */
export async function setPassword(
  deps: PeopleDeps,
  token: string,
  phc: string,
  actor: Actor,
): Promise<string | null> {
  const nowMs = deps.clock.now();
  return deps.system.transaction(async (tx) => {
    const taken = await takeToken(tx, tokenHash(token), 'reset', nowMs);
    if (taken === undefined) return null;
    const email = await keepPassword(tx, { userId: taken.userId, phc, actor, nowMs });
    await deps.letters.enqueueLetter(tx, {
      to: email,
      kind: 'password-changed',
      facts: { when: new Date(nowMs).toISOString(), address: actor.ip === '' ? 'unknown' : actor.ip },
      accountId: taken.userId,
    });
    return taken.userId;
  });
}

/**
 * Part of a transaction: stores the password of a person whose address is proven now. Every other link that could open
 * the account ends, and so do all sessions. Returns the address.
 */
export async function keepPassword(
  tx: Db,
  {
    userId,
    phc,
    actor,
    nowMs,
  }: { readonly userId: string; readonly phc: string; readonly actor: Actor; readonly nowMs: number },
): Promise<string> {
  await putPassword(tx, userId, phc, nowMs);
  await markProven(tx, userId, nowMs);
  const person = await selectPerson(tx, userId);
  if (person === undefined) throw new Error('The person whose password was just kept is missing.');
  await deleteTokensOf(tx, userId);
  await endTickets(tx, userId);
  await deleteRegistrations(tx, person.email);
  await endPersonSessions(tx, userId, actor, nowMs);
  // Records no hash of the password, because the audit trail is kept for longer than the password.
  await recordAudit(tx, {
    accountId: userId,
    actor,
    action: 'password.set',
    target: userId,
    before: null,
    after: null,
    nowMs,
  });
  return person.email;
}
