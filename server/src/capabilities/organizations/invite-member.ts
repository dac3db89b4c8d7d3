import { endMemberAccess, logKeys } from '#capabilities/access/index.ts';
import { linkTo, newToken, tokenHash } from '#capabilities/accounts/index.ts';
import { MANAGERS, type MemberRole } from '#domain/organizations/index.ts';
import { badRequest, forbidden, notFound, ServiceError } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { DAY_MS } from '#platform/time-units.ts';
import { type Acting, type ActingPerson, lockAs, note, type OrganizationsDeps } from './acting.ts';
import { demandBudget, namedIn, readInviting } from './invitation-limits.ts';
import {
  countInvitations,
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  lockInvitations,
  putInvitation,
  takeInvitation,
} from './invitation-store.ts';
import {
  countMembers,
  findUserByEmail,
  insertMember,
  lockOrganization,
  lockPerson,
  selectMember,
} from './store.ts';

export const INVITATION_LIFE_MS = 7 * DAY_MS;
/** The most open invitations of an organization. */
export const INVITATIONS_MAX = 200;
export const MEMBERS_MAX = 1_000;

export type Invited = { readonly invitation: InvitationRow; readonly link: string };

/** Throws where the caller could not invite anyone now, before the attempt is counted against a mailbox. */
export const demandInvitations = (deps: OrganizationsDeps, by: Acting): Promise<void> =>
  deps.system.transaction(async (tx) => {
    const { organization } = await lockAs(tx, by, MANAGERS);
    const nowMs = deps.clock.now();
    if (by.userId === null) return;
    const caller = { userId: by.userId, nowMs, perDay: deps.invitationsPerDay };
    await demandBudget(tx, await readInviting(tx, organization), caller);
  });

/** Sends the same letter whether the address has an account or not. `link` is returned for operators without mail. */
export async function inviteMember(
  deps: OrganizationsDeps,
  by: Acting,
  { email, role }: { readonly email: string; readonly role: MemberRole },
): Promise<Invited> {
  const nowMs = deps.clock.now();
  const token = newToken();
  const link = linkTo(deps.publicWebUrl, 'invitation', token);
  return deps.system.transaction(async (tx) => {
    const { organization, name } = await lockAs(tx, by, MANAGERS);
    const { accountId } = by;
    const known = await findUserByEmail(tx, email);
    if (known !== undefined && (await selectMember(tx, accountId, known)) !== undefined)
      throw new ServiceError('Conflict', 'This person belongs to the organization already.');
    if ((await countInvitations(tx, accountId, nowMs)) >= INVITATIONS_MAX)
      throw new ServiceError(
        'Conflict',
        `An organization has at most ${INVITATIONS_MAX} open invitations. Withdraw one that is not needed any more.`,
      );
    if (by.userId !== null) {
      await lockInvitations(tx);
      const caller = { userId: by.userId, nowMs, perDay: deps.invitationsPerDay };
      await demandBudget(tx, await readInviting(tx, organization), caller);
    }
    const row = { accountId, email, role, tokenHash: tokenHash(token), invitedBy: by.userId };
    const invitation = await putInvitation(
      tx,
      { ...row, id: newId('inv', nowMs) },
      nowMs,
      nowMs + INVITATION_LIFE_MS,
    );
    if (invitation === undefined) throw new Error('The invitation that was just written is missing.');
    const states = { before: null, after: { email, role } };
    await note(tx, by, 'invitation.create', invitation.id, states, nowMs, { role });
    const facts = { ...(await namedIn(tx, organization, nowMs)), inviter: name, role, link };
    const sender = by.userId === null ? {} : { senderId: by.userId };
    await deps.letters.enqueueLetter(tx, { to: email, kind: 'invitation', facts, accountId, ...sender });
    return { invitation, link };
  });
}

export async function withdrawInvitation(deps: OrganizationsDeps, by: Acting, id: string): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.system.transaction(async (tx) => {
    await lockAs(tx, by, MANAGERS);
    const gone = await deleteInvitation(tx, by.accountId, id);
    if (gone === undefined) throw notFound('Invitation', id);
    await note(tx, by, 'invitation.withdraw', id, { before: gone, after: null }, nowMs);
  });
}

export type Joined = { readonly id: string; readonly name: string; readonly role: MemberRole };

/** The caller joins. An invitation works once, and only for the address that it was sent to. */
export async function acceptInvitation(
  deps: OrganizationsDeps,
  { userId, actor }: ActingPerson,
  token: string,
): Promise<Joined> {
  const nowMs = deps.clock.now();
  const hash = tokenHash(token);
  return deps.system.transaction(async (tx) => {
    const person = await lockPerson(tx, userId);
    if (person === undefined)
      throw new ServiceError('Unauthorized', 'This session has ended. Sign in again.');
    const found = await findInvitation(tx, hash, nowMs);
    if (found === undefined) throw invitationEnded();
    if (found.email !== person.email)
      throw forbidden(
        'This invitation was sent to another address. Sign in with the account of that address.',
      );
    if (!person.isProven)
      throw forbidden('Prove your address first: set a password with POST /api/auth/forgot.');
    const { accountId } = found;
    const organization = await lockOrganization(tx, accountId);
    const taken = await takeInvitation(tx, hash, nowMs);
    if (organization === undefined || organization.deletedAt !== null || taken === undefined)
      throw invitationEnded();
    if ((await selectMember(tx, accountId, userId)) !== undefined)
      throw new ServiceError('Conflict', 'You belong to this organization already.');
    if ((await countMembers(tx, accountId)).members >= MEMBERS_MAX)
      throw new ServiceError('Conflict', `This organization has ${MEMBERS_MAX} members, which is the most.`);
    // A key or session that was being made while this person left the organization earlier must not come back to life.
    const ended = await endMemberAccess(tx, { accountId, userId }, actor, nowMs);
    const { role } = taken;
    await insertMember(tx, { accountId, userId, role, origin: 'invitation' }, nowMs);
    const by = { accountId, userId, actor };
    await note(tx, by, 'invitation.accept', taken.id, { before: null, after: { role } }, nowMs, { role });
    await note(tx, by, 'membership.put', userId, { before: null, after: role }, nowMs, { role });
    await logKeys(tx, ended);
    return { id: accountId, name: organization.name, role };
  });
}

const invitationEnded = (): ServiceError =>
  badRequest('This invitation was used or withdrawn, has expired or is not whole. Ask for a new one.');
