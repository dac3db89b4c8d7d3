import { type Actor, recordAudit } from '#capabilities/access/index.ts';
import type { Letters } from '#capabilities/letters/index.ts';
import type { MemberRole } from '#domain/organizations/index.ts';
import type { Plan } from '#domain/plans/plans.ts';
import type { Clock } from '#platform/clock.ts';
import { forbidden, notFound } from '#platform/errors.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { lockOrganization, type OrganizationRow, selectMember } from './store.ts';

/** `system` works across accounts (foundation rule 2). */
export type OrganizationsDeps = {
  readonly system: Postgres;
  readonly clock: Clock;
  readonly letters: Letters;
  readonly publicWebUrl: string;
  readonly organizationsPerPerson: number;
  /** Invitations of the whole service in 24 hours. */
  readonly invitationsPerDay: number;
  /** Plan of organizations that people create. */
  readonly defaultPlan: Plan;
  readonly deletedKeptMs: number;
};

/** Who changes an organization. `userId` is null for an operator, who may do what an owner may. */
export type Acting = {
  readonly accountId: string;
  readonly userId: string | null;
  readonly actor: Actor;
};

/** A person who acts for themselves. */
export type ActingPerson = { readonly userId: string; readonly actor: Actor };

export type Standing = {
  readonly organization: OrganizationRow;
  readonly role: MemberRole;
  /** The e-mail address of the caller, or "The operator of this service". Letters show it. */
  readonly name: string;
};

/**
 * Locks the organization and reads the role that the caller has now: it may have changed since the session was read. Changes of one
 * organization run one after the other, so two owners cannot remove each other.
 */
export async function lockFor(tx: Db, { accountId, userId }: Acting): Promise<Standing> {
  const organization = await lockOrganization(tx, accountId);
  if (organization === undefined || organization.deletedAt !== null)
    throw notFound('Organization', accountId);
  if (userId === null) return { organization, role: 'OWNER', name: 'The operator of this service' };
  const member = await selectMember(tx, accountId, userId);
  if (member === undefined) throw forbidden('You do not belong to this organization any more.');
  return { organization, role: member.role, name: member.email };
}

export async function lockAs(tx: Db, by: Acting, roles: readonly MemberRole[]): Promise<Standing> {
  const standing = await lockFor(tx, by);
  if (!roles.includes(standing.role))
    throw forbidden(
      `This needs the role ${roles.join(' or ')}; yours is ${standing.role}. Ask an owner of the organization.`,
    );
  return standing;
}

/** Writes a line of the audit trail. It names the person, because the session has ended when the line is read. */
export const note = (
  tx: Db,
  by: Acting,
  action: string,
  target: string,
  states: { readonly before: unknown; readonly after: unknown },
  nowMs: number,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> =>
  recordAudit(tx, {
    accountId: by.accountId,
    actor: by.actor,
    action,
    target,
    ...states,
    detail: { ...detail, ...(by.userId !== null && { by: by.userId }) },
    nowMs,
  });
