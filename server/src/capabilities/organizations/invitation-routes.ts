import { hash } from 'node:crypto';
import { z } from 'zod';
import { tooMany } from '#capabilities/access/index.ts';
import { mailboxOf } from '#capabilities/accounts/index.ts';
import { notConfigured } from '#platform/errors.ts';
import { type Route, route } from '#platform/http/route.ts';
import {
  AcceptBody,
  Invitation,
  InvitationBody,
  InvitationList,
  InvitationParams,
  JoinedOrganization,
} from './contract.ts';
import { demandOwnSession, demandPerson, demandProof } from './demand-person.ts';
import { type InvitationRow, selectInvitations } from './invitation-store.ts';
import { INVITATIONS_MAX } from './invite-member.ts';
import {
  actingOf,
  OF_MANAGER,
  OF_PERSON,
  ORGANIZATION_GONE,
  type OrganizationRoutesDeps,
  TAGS,
} from './policies.ts';

export const invitationRoutes = (deps: OrganizationRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/organization/invitations',
    summary: 'Invitations that were not accepted yet, newest first.',
    tags: TAGS,
    policy: OF_MANAGER,
    reply: InvitationList,
    handle: async ({ principal: { accountId } }) => {
      const rows = await deps.postgres.withAccount(accountId, (tx) =>
        selectInvitations(tx, accountId, deps.clock.now(), INVITATIONS_MAX),
      );
      return { invitations: rows.map(toInvitation) };
    },
  }),
  route({
    method: 'POST',
    path: '/organization/invitations',
    summary: 'Invite a person by letter.',
    description:
      'The link works once, for seven days, for the owner of that address. Another invitation of the same address ends the link before. Needs a proof of the last ten minutes (POST /api/auth/confirm). 409 where the service cannot send email.',
    tags: TAGS,
    policy: OF_MANAGER,
    body: InvitationBody,
    otherStatuses: {
      ...ORGANIZATION_GONE,
      409: 'The person is a member already, the limit of members or invitations is reached, or the service cannot send email.',
    },
    reply: Invitation,
    status: 201,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      refuseWithoutMail(deps);
      const email = mailboxOf(call.body.email);
      await deps.organizations.demandInvitations(actingOf(call));
      await spend(deps, call.principal.accountId, email);
      const { invitation } = await deps.organizations.invite(actingOf(call), { ...call.body, email });
      return toInvitation(invitation);
    },
  }),
  route({
    method: 'DELETE',
    path: '/organization/invitations/:id',
    summary: 'Withdraw an invitation. Its link stops working.',
    tags: TAGS,
    policy: OF_MANAGER,
    params: InvitationParams,
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      demandPerson(call.principal);
      await deps.organizations.withdraw(actingOf(call), call.params.id);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Join an organization with the token of an invitation.',
    description:
      'For a signed-in person whose proven address is the one that was invited; 403 for another person. Go on in the organization with POST /api/auth/switch.',
    tags: TAGS,
    policy: OF_PERSON,
    body: AcceptBody,
    otherStatuses: {
      ...ORGANIZATION_GONE,
      409: 'You are a member already, or the limit of members is reached.',
    },
    reply: JoinedOrganization,
    handle: (call) => {
      demandOwnSession(call.principal);
      return deps.organizations.accept(actingOf(call), call.body.token);
    },
  }),
];

function refuseWithoutMail({ canSendLetters }: Pick<OrganizationRoutesDeps, 'canSendLetters'>): void {
  if (!canSendLetters)
    throw notConfigured(
      'This service cannot send email because SMTP_URL is not set. Ask the operator for an invitation link (admin org invite).',
    );
}

/** No organization can flood mailboxes, and no mailbox is flooded by several. */
async function spend(
  { guard, config }: OrganizationRoutesDeps,
  accountId: string,
  email: string,
): Promise<void> {
  const own = await guard.spend(accountId, 'invitations', { perHour: config.INVITATIONS_PER_HOUR });
  if (!own.granted) throw tooMany(own, 'This organization has sent too many invitations');
  const mailbox = await guard.spend(hash('sha256', email, 'hex'), 'letters to mailbox', {
    perHour: config.LETTERS_MAILBOX_PER_HOUR,
  });
  if (!mailbox.granted) throw tooMany(mailbox, 'Too many emails requested for this address');
}

const toInvitation = ({ id, email, role, invitedBy, createdAt, expiresAt }: InvitationRow): Invitation => ({
  id,
  email,
  role,
  invitedBy,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});
