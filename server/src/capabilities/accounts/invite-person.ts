import { type Actor, createUser, recordAudit } from '#capabilities/access/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import { insertToken, selectPerson } from './store.ts';
import { LINK_LIFE_MS, linkTo, newToken, tokenHash } from './tokens.ts';

/**
 * A link with which a person sets a password, for operators to hand over: it works without mail. The operator vouches for
 * the address. The link of an unclaimed instant key claims it.
 */
export async function invitePerson(
  deps: { readonly postgres: Postgres; readonly clock: Clock; readonly publicWebUrl: string },
  actor: Actor,
  email: string,
): Promise<{ readonly userId: string; readonly link: string; readonly expiresAtMs: number }> {
  const userId = await createUser(deps, actor, email);
  const token = newToken();
  const nowMs = deps.clock.now();
  const expiresAtMs = nowMs + LINK_LIFE_MS.invite;
  return deps.postgres.transaction(async (tx) => {
    const isUnclaimed = (await selectPerson(tx, userId))?.isUnclaimed === true;
    const kind = isUnclaimed ? 'claim' : 'reset';
    await insertToken(tx, { tokenHash: tokenHash(token), kind, userId }, nowMs, expiresAtMs);
    await recordAudit(tx, {
      accountId: userId,
      actor,
      action: 'user.invite',
      target: userId,
      before: null,
      after: null,
      nowMs,
    });
    return { userId, link: linkTo(deps.publicWebUrl, kind, token), expiresAtMs };
  });
}
