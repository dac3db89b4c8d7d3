import type { MemberRole } from '#domain/organizations/index.ts';
import type { Acting, ActingPerson, OrganizationsDeps } from './acting.ts';
import { leaveOrganization, removeMember, setRole, transferOrganization } from './change-members.ts';
import { changeName, createOrganization } from './create-organization.ts';
import { type Deleted, deleteOrganization, restoreOrganization } from './delete-organization.ts';
import { deletePerson } from './delete-person.ts';
import {
  acceptInvitation,
  demandInvitations,
  type Invited,
  inviteMember,
  type Joined,
  withdrawInvitation,
} from './invite-member.ts';
import { type MemberRow, type OrganizationRow, selectOrganizationsOf } from './store.ts';

type Owning = Acting & { readonly userId: string };

/**
 * What the service does across accounts for organizations. Requests get these functions and never the connections behind them
 * (foundation rule 2). Each change is one transaction with its audit entry and its letters.
 */
export type Organizations = {
  readonly listOf: (userId: string) => Promise<readonly (OrganizationRow & { readonly role: MemberRole })[]>;
  readonly create: (by: ActingPerson, name: string) => Promise<OrganizationRow>;
  readonly rename: (by: Acting, name: string) => Promise<void>;
  readonly remove: (by: Acting) => Promise<Deleted>;
  readonly restore: (by: Acting) => Promise<{ readonly id: string; readonly name: string }>;
  readonly setRole: (by: Acting, userId: string, role: MemberRole) => Promise<MemberRow>;
  readonly removeMember: (by: Acting, userId: string) => Promise<void>;
  readonly leave: (by: Owning) => Promise<void>;
  readonly transfer: (by: Owning, userId: string) => Promise<void>;
  /** Throws where `invite` would refuse every address. */
  readonly demandInvitations: (by: Acting) => Promise<void>;
  readonly invite: (
    by: Acting,
    wanted: { readonly email: string; readonly role: MemberRole },
  ) => Promise<Invited>;
  readonly withdraw: (by: Acting, id: string) => Promise<void>;
  readonly accept: (by: ActingPerson, token: string) => Promise<Joined>;
  readonly deletePerson: (by: ActingPerson) => Promise<Deleted>;
};

/** The most organizations that are listed for a person, more than a person can make; operators may add more. */
export const ORGANIZATIONS_MAX = 200;

export const openOrganizations = (deps: OrganizationsDeps): Organizations => ({
  listOf: (userId) => selectOrganizationsOf(deps.system.db, userId, ORGANIZATIONS_MAX),
  create: (by, name) => createOrganization(deps, by, name),
  rename: (by, name) => changeName(deps, by, name),
  remove: (by) => deleteOrganization(deps, by),
  restore: (by) => restoreOrganization(deps, by),
  setRole: (by, userId, role) => setRole(deps, by, userId, role),
  removeMember: (by, userId) => removeMember(deps, by, userId),
  leave: (by) => leaveOrganization(deps, by),
  transfer: (by, userId) => transferOrganization(deps, by, userId),
  demandInvitations: (by) => demandInvitations(deps, by),
  invite: (by, wanted) => inviteMember(deps, by, wanted),
  withdraw: (by, id) => withdrawInvitation(deps, by, id),
  accept: (by, token) => acceptInvitation(deps, by, token),
  deletePerson: (by) => deletePerson(deps, by),
});
