import type { AuditRecord, OrganizationMember } from '@assay/sdk';

export const ROLES = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  OWNER: 'Owner',
  ADMIN: 'Administrator',
  MEMBER: 'Member',
  VIEWER: 'Viewer',
};
export const ROLE_MAY: Readonly<Record<Role, string>> = {
  OWNER: 'may do everything, and make owners',
  ADMIN: 'invites, changes and removes members, but no owner',
  MEMBER: 'makes keys and saves reports',
  VIEWER: 'sees everything and changes nothing',
};

export const roleWord = (role: string): string => ROLE_WORDS[role as Role] ?? role;
export const isManager = (role: string | null): boolean => role === 'OWNER' || role === 'ADMIN';

/** Single sign-on is part of one plan, and managers alone read and change its settings. */
export const mayConnectProvider = (role: string | null, plan: string): boolean =>
  plan === 'ENTERPRISE' && isManager(role);

/** The roles that a person of this role may give. */
export const rolesGivenBy = (role: string | null): readonly Role[] =>
  role === 'OWNER' ? ROLES : ROLES.filter((each) => each !== 'OWNER');

/** Whether a person may change a member: administrators may not change owners, and no member may change themselves. */
export const mayChange = (own: string | null, member: Pick<OrganizationMember, 'role' | 'isYou'>): boolean =>
  isManager(own) && !member.isYou && (own === 'OWNER' || member.role !== 'OWNER');

export const isLastOwner = (members: readonly Pick<OrganizationMember, 'role' | 'isYou'>[]): boolean =>
  members.filter(({ role }) => role === 'OWNER').length === 1 &&
  members.some(({ role, isYou }) => isYou && role === 'OWNER');

const ORIGINS: Readonly<Record<string, string>> = {
  invitation: ', by invitation',
  sso: ', by single sign-on',
  directory: ', by the directory',
};
/** How a member joined, written after the date; empty for the founder and for members that the operator added. */
export const originWords = (origin: string): string => ORIGINS[origin] ?? '';

const ACTIONS: Readonly<Record<string, string>> = {
  'invitation.accept': 'An invitation was accepted',
  'invitation.create': 'A person was invited',
  'invitation.withdraw': 'An invitation was withdrawn',
  'key.create': 'A key was made',
  'key.revoke': 'A key was revoked',
  'key.rotate': 'A key was rotated',
  'membership.put': 'A member was added or got another role',
  'membership.remove': 'A member left or was removed',
  'organization.create': 'The organization was made',
  'organization.delete': 'The organization was deleted',
  'organization.factor': 'The demand for a second factor changed',
  'organization.rename': 'The organization got another name',
  'organization.restore': 'The organization was restored',
  'organization.transfer': 'The organization was handed over',
  'plan.set': 'The plan changed',
  'session.confirm': 'A person confirmed who they are',
  'session.create': 'A session was opened',
  'session.end': 'A session ended',
};
/** An action of the audit trail in words; one without words here is shown by its id. */
export const actionWords = (action: string): string => ACTIONS[action] ?? action;

type People = readonly Pick<OrganizationMember, 'userId' | 'email'>[];
const nameOf = (id: string, people: People): string =>
  people.find(({ userId }) => userId === id)?.email ?? id;

const ACTORS: Readonly<Record<string, string>> = {
  operator: 'The operator',
  system: 'The service',
  anonymous: 'A caller without a key',
};

/** Who did something: a person by e-mail address while they are a member, else by id. */
export function actorWords({ actor, detail }: Pick<AuditRecord, 'actor' | 'detail'>, people: People): string {
  const by = detail.by;
  if (by !== undefined) return nameOf(by, people);
  return ACTORS[actor.kind] ?? `${actor.kind === 'key' ? 'Key' : 'Session'} ${actor.id}`;
}

/** Whom or what an entry of the audit trail is about, and the rest of its detail. */
export function aboutWords(
  { target, detail }: Pick<AuditRecord, 'target' | 'detail'>,
  people: People,
): string {
  const rest = Object.entries(detail).filter(([name]) => name !== 'by');
  return [nameOf(target, people), ...rest.map(([name, value]) => `${name}: ${nameOf(value, people)}`)].join(
    ', ',
  );
}
