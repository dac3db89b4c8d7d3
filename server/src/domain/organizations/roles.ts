export const MEMBER_ROLES = ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** How a member joined an organization. */
export const MEMBER_ORIGINS = ['manual', 'invitation', 'sso', 'directory'] as const;
export type MemberOrigin = (typeof MEMBER_ORIGINS)[number];

/** The roles that may change who belongs to an organization. */
export const MANAGERS: readonly MemberRole[] = ['OWNER', 'ADMIN'];
export const isManager = (role: MemberRole): boolean => MANAGERS.includes(role);

export type MemberChange = {
  /** The role of the caller, who asks for the change. */
  readonly by: MemberRole;
  readonly from: MemberRole;
  /** The new role; null: the member is removed. */
  readonly to: MemberRole | null;
  /** Number of owners before the change. */
  readonly owners: number;
};

/** Why a change of a member is refused; null where it is allowed. An organization always keeps an owner. */
export function refusalOf({
  by,
  from,
  to,
  owners,
}: MemberChange): 'no-manager' | 'owner' | 'last-owner' | null {
  if (!isManager(by)) return 'no-manager';
  if (by !== 'OWNER' && (from === 'OWNER' || to === 'OWNER')) return 'owner';
  return isLastOwner(from, to, owners) ? 'last-owner' : null;
}

/** Whether the change would leave the organization without an owner. */
export const isLastOwner = (from: MemberRole, to: MemberRole | null, owners: number): boolean =>
  from === 'OWNER' && to !== 'OWNER' && owners <= 1;
