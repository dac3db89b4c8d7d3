import { type Actor, logKeys, recordAudit } from '#capabilities/access/index.ts';
import { newToken, tokenHash } from '#capabilities/accounts/index.ts';
import {
  admitMember,
  findUserByEmail,
  lockOrganization,
  lockPerson,
  selectMember,
} from '#capabilities/organizations/index.ts';
import type { JudgedIdentity } from '#domain/sso/index.ts';
import { newId } from '#platform/ids.ts';
import type { Db } from '#platform/postgres.ts';
import {
  deleteIdentitiesOf,
  findIdentity,
  hasIdentity,
  type IdentityKey,
  insertPerson,
  insertToken,
  putIdentity,
} from './identity-store.ts';
import type { SsoDeps } from './sso-deps.ts';
import { type ConnectionRow, markSucceeded, selectLive } from './store.ts';

/** How long the token of a finished sign-in opens a session (decisions 3.2). */
export const TOKEN_LIFE_MS = 60_000;

export type VouchedFor = {
  readonly connection: ConnectionRow;
  readonly issuer: string;
  readonly identity: JudgedIdentity;
  /** The person whose own session started the sign-in to tie the identity to them; null: a plain sign-in. */
  readonly linkUserId: string | null;
  readonly actor: Actor;
};

export type Completed = { readonly token: string; readonly browser: string; readonly expiresAtMs: number };

class Refused extends Error {}

/** Gives the token that opens the session in the same browser, or the reason why the person is refused. */
export async function completeSignIn(deps: SsoDeps, vouched: VouchedFor): Promise<Completed | string> {
  const { system, clock } = deps;
  const nowMs = clock.now();
  const { connection, identity, actor } = vouched;
  const { accountId } = connection;
  try {
    return await system.transaction(async (tx) => {
      const userId = await personOf(tx, vouched, nowMs);
      const ended = await admit(tx, vouched, userId, nowMs);
      const [token, browser] = [newToken(), newToken()];
      const expiresAtMs = nowMs + TOKEN_LIFE_MS;
      const provedAtMs = Math.min(identity.authenticatedAtMs ?? nowMs, nowMs);
      const factors = identity.hasSecondFactor ? ['sso', 'mfa'] : ['sso'];
      await insertToken(
        tx,
        {
          tokenHash: tokenHash(token),
          browserHash: tokenHash(browser),
          accountId,
          userId,
          factors,
          provedAtMs,
        },
        expiresAtMs,
      );
      await markSucceeded(tx, accountId, nowMs);
      await recordAudit(tx, {
        accountId,
        actor,
        action: 'sso.sign-in',
        target: userId,
        before: null,
        after: null,
        detail: { factors: factors.join(' ') },
        nowMs,
      });
      await logKeys(tx, ended);
      return { token, browser, expiresAtMs };
    });
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** Finds or makes the person; locks the person and then the organization, in the same order as every change. */
async function personOf(tx: Db, vouched: VouchedFor, nowMs: number): Promise<string> {
  const { connection, issuer, identity } = vouched;
  const { accountId } = connection;
  const linked = await findIdentity(tx, { accountId, issuer, subject: identity.subject });
  const userId =
    linked ?? (await findUserByEmail(tx, identity.email)) ?? (await newPerson(tx, identity.email, nowMs));
  if ((await lockPerson(tx, userId)) === undefined) throw new Refused('the person has deleted their account');
  if ((await lockOrganization(tx, accountId)) === undefined) throw new Refused('the organization is deleted');
  const current = await selectLive(tx, accountId);
  if (current?.updatedAt.getTime() !== connection.updatedAt.getTime())
    throw new Refused('the settings were changed meanwhile');
  return userId;
}

async function newPerson(tx: Db, email: string, nowMs: number): Promise<string> {
  const id = newId('usr', nowMs);
  if (await insertPerson(tx, id, email, nowMs)) return id;
  const known = await findUserByEmail(tx, email);
  if (known === undefined) throw new Refused('the address was taken meanwhile');
  return known;
}

/** Ties the identity to the person and makes them a member where they are none. Returns the apiKeys for `logKeys`. */
async function admit(tx: Db, vouched: VouchedFor, userId: string, nowMs: number): Promise<readonly string[]> {
  const { connection, issuer, identity, linkUserId, actor } = vouched;
  const { accountId } = connection;
  const key: IdentityKey = { accountId, issuer, subject: identity.subject };
  if (linkUserId !== null && linkUserId !== userId)
    throw new Refused('the identity belongs to another person than the session that asked for it');
  const isLinked = (await findIdentity(tx, key)) === userId;
  const member = await selectMember(tx, accountId, userId);
  if (isLinked && member === undefined) throw new Refused('the person was removed from the organization');
  // The provider has given the person's address to another subject, which is another person.
  if (!isLinked && member !== undefined && (await hasIdentity(tx, key, userId)))
    throw new Refused('the address belongs to another subject');
  // An administrator may choose the provider, and must not be able to sign in as an owner through it.
  if (!isLinked && member?.role === 'OWNER' && linkUserId !== userId)
    throw new Refused('an owner ties the identity in a session of their own first');
  if (member !== undefined) {
    await putIdentity(tx, key, userId, nowMs);
    return [];
  }
  await deleteIdentitiesOf(tx, accountId, userId);
  const ended = await admitMember(tx, { accountId, userId, externalId: identity.subject, actor }, nowMs);
  if (ended === null) throw new Refused('the organization has the most members that it may have');
  await putIdentity(tx, key, userId, nowMs);
  return ended;
}
