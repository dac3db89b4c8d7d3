import { hasSecondFactor, type OwnSignIn, recordAudit } from '#capabilities/access/index.ts';
import { selectOwners } from '#capabilities/organizations/index.ts';
import { ServiceError } from '#platform/errors.ts';
import type { SsoDeps } from './sso-deps.ts';
import { type Enforced, selectEnforced } from './store.ts';

const OWNERS_MAX = 1_000;

/**
 * Where an organization enforces single sign-on, people with addresses of its domain sign in through its provider alone. Its owners
 * may come in with a second factor, because the provider may be away or its settings wrong; every owner is told.
 */
export async function admitOwnSignIn(
  deps: Pick<SsoDeps, 'system' | 'clock' | 'letters'>,
  { userId, factors, actor, isNew }: OwnSignIn,
): Promise<void> {
  const enforced = await selectEnforced(deps.system.db, userId);
  if (enforced === undefined) return;
  if (enforced.role !== 'OWNER')
    throw required(enforced, 'Your organization requires single sign-on. Sign in with it.');
  if (factors === null) return;
  if (!hasSecondFactor({ factors }))
    throw required(
      enforced,
      'Your organization requires single sign-on. An owner may sign in without it only with a second factor, and you have none.',
    );
  if (isNew) await tellOwners(deps, enforced, userId, actor);
}

const required = ({ accountId }: Enforced, message: string): ServiceError =>
  new ServiceError('Forbidden', message, { body: { ssoRequired: true, organizationId: accountId } });

async function tellOwners(
  { system, clock, letters }: Pick<SsoDeps, 'system' | 'clock' | 'letters'>,
  { accountId, email }: Enforced,
  userId: string,
  actor: OwnSignIn['actor'],
): Promise<void> {
  const nowMs = clock.now();
  const facts = { who: email, when: new Date(nowMs).toISOString() };
  await system.transaction(async (tx) => {
    await recordAudit(tx, {
      accountId,
      actor,
      action: 'sso.break-glass',
      target: userId,
      before: null,
      after: null,
      detail: { by: userId },
      nowMs,
    });
    for (const owner of await selectOwners(tx, accountId, OWNERS_MAX))
      await letters.enqueueLetter(tx, { to: owner.email, kind: 'sso-break-glass', facts, accountId });
  });
}
