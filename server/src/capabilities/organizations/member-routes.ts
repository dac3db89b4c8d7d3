import { z } from 'zod';
import { type Route, route } from '#platform/http/route.ts';
import { Member, MemberBody, MemberList, MemberParams, TransferBody } from './contract.ts';
import { demandProof } from './demand-person.ts';
import { MEMBERS_MAX } from './invite-member.ts';
import {
  actingOf,
  OF_MANAGER,
  OF_MEMBER,
  OF_OWNER,
  ORGANIZATION_GONE,
  type OrganizationRoutesDeps,
  TAGS,
} from './policies.ts';
import { type MemberRow, selectMembers } from './store.ts';

const PROOF = 'Needs a proof of the last ten minutes (POST /api/auth/confirm).';

export const memberRoutes = (deps: OrganizationRoutesDeps): readonly Route[] => [
  ...ofOthers(deps),
  ...ofOneself(deps),
];

const ofOthers = (deps: OrganizationRoutesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/organization/members',
    summary: 'Who belongs to the organization, owners first.',
    tags: TAGS,
    policy: OF_MEMBER,
    reply: MemberList,
    handle: async ({ principal }) => {
      const { accountId, userId } = principal;
      const rows = await deps.postgres.withAccount(accountId, (tx) =>
        selectMembers(tx, accountId, MEMBERS_MAX),
      );
      return { members: rows.map((row) => toMember(row, userId)) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/organization/members/:userId',
    summary: 'Give a member another role.',
    description: `Only owners make and change owners; 409 where the last owner would go. ${PROOF}`,
    tags: TAGS,
    policy: OF_MANAGER,
    params: MemberParams,
    body: MemberBody,
    otherStatuses: { 409: 'The organization would have no owner.' },
    reply: Member,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      const row = await deps.organizations.setRole(actingOf(call), call.params.userId, call.body.role);
      return toMember(row, call.principal.userId);
    },
  }),
  route({
    method: 'DELETE',
    path: '/organization/members/:userId',
    summary: 'Remove a member. Their keys and sessions of the organization end within a second.',
    description: `Invitations they sent end too. Only owners remove owners; 409 for the last one. ${PROOF}`,
    tags: TAGS,
    policy: OF_MANAGER,
    params: MemberParams,
    otherStatuses: { 409: 'The organization would have no owner.' },
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      await deps.organizations.removeMember(actingOf(call), call.params.userId);
      if (call.params.userId === call.principal.userId)
        call.reply.header('set-cookie', [...deps.session.signIn.cookie.clear]);
      return undefined;
    },
  }),
];

const ofOneself = (deps: OrganizationRoutesDeps): readonly Route[] => [
  route({
    method: 'POST',
    path: '/organization/leave',
    summary: 'Leave the organization. Your keys and sessions of it end.',
    description: `409 for the last owner. ${PROOF}`,
    tags: TAGS,
    policy: OF_MEMBER,
    otherStatuses: { ...ORGANIZATION_GONE, 409: 'The organization would have no owner.' },
    reply: z.undefined(),
    status: 204,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      await deps.organizations.leave(actingOf(call));
      call.reply.header('set-cookie', [...deps.session.signIn.cookie.clear]);
      return undefined;
    },
  }),
  route({
    method: 'POST',
    path: '/organization/transfer',
    summary: 'Hand the organization over to a member. You stay as an administrator.',
    description: PROOF,
    tags: TAGS,
    policy: OF_OWNER,
    body: TransferBody,
    otherStatuses: { 409: 'The organization would have no owner.' },
    reply: z.undefined(),
    status: 204,
    mayBeAbsent: true,
    handle: async (call) => {
      demandProof(deps.clock, call.principal);
      await deps.organizations.transfer(actingOf(call), call.body.userId);
      return undefined;
    },
  }),
];

const toMember = ({ userId, email, role, origin, joinedAt }: MemberRow, caller: string): Member => ({
  userId,
  email,
  role,
  origin,
  joinedAt: joinedAt.toISOString(),
  isYou: userId === caller,
});
