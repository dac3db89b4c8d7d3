import { z } from 'zod';
import { Email, Token } from '#capabilities/accounts/index.ts';
import {
  holdsAddress,
  MEMBER_ORIGINS,
  MEMBER_ROLES,
  NAME_HOLDS_ADDRESS,
} from '#domain/organizations/index.ts';
import { ONE_LINE } from '#domain/text/one-line.ts';
import { INVITATIONS_MAX, MEMBERS_MAX } from './invite-member.ts';
import { ORGANIZATIONS_MAX } from './organizations.ts';

const NAME_CHARS_MAX = 100;
const AUDIT_PAGE_MAX = 100;
const AUDIT_PAGE_DEFAULT = 50;
const NO_INVISIBLE = 'A name has no line breaks and no invisible characters.';
const timestamp = z.iso.datetime();

/** Emails to strangers show the name: no invisible characters, no line breaks, no address to follow. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARS_MAX)
  .regex(ONE_LINE, { error: NO_INVISIBLE, abort: true })
  .refine((text) => !/\p{C}/u.test(text), NO_INVISIBLE)
  .refine((text) => !holdsAddress(text), NAME_HOLDS_ADDRESS)
  .describe(
    'Not unique, and identifies nothing. Without domains, IP addresses, URLs and email addresses, because invitations show it.',
  )
  .meta({ examples: ['Example Inc.'] });

const id = (prefix: string, what: string, example: string) =>
  z
    .string()
    .max(64)
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,60}$`), `Send ${what} such as ${prefix}_01J….`)
    .meta({ examples: [example] });
const UserId = id('usr', 'the id of a user', 'usr_01M7KJEQVBSG58B439NJX31901');
const OrganizationId = id('org', 'the id of an organization', 'org_01M7KJEQVBSG58B439NJX31902');

export const OrganizationBody = z.object({ name: Name }).meta({ id: 'OrganizationBody' });
export const RestoreBody = z.object({ organizationId: OrganizationId }).meta({ id: 'RestoreBody' });
export const MemberParams = z.object({ userId: UserId });
export const MemberBody = z.object({ role: z.enum(MEMBER_ROLES) }).meta({ id: 'MemberBody' });
export const TransferBody = z.object({ userId: UserId }).meta({ id: 'TransferBody' });
export const InvitationParams = z.object({
  id: id('inv', 'the id of an invitation', 'inv_01M7KJJ2X0S3CDYQZF4MSFBVG5'),
});
export const InvitationBody = z
  .object({
    email: Email,
    role: z.enum(['ADMIN', 'MEMBER', 'VIEWER']).describe('Owners are made of members, not invited.'),
  })
  .meta({ id: 'InvitationBody' });
export const AcceptBody = z.object({ token: Token }).meta({ id: 'AcceptBody' });
export const AuditQuery = z.object({
  before: id('aud', '`next` of the page before,', 'aud_01M7KJJ2X0S3CDYQZF4MSFBVG5')
    .optional()
    .describe('`next` of the page before.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(AUDIT_PAGE_MAX)
    .default(AUDIT_PAGE_DEFAULT)
    .describe('Rows of a page.'),
});

const Role = z.enum(MEMBER_ROLES);

const ListedOrganization = z
  .object({
    id: z.string(),
    name: z.string(),
    role: Role,
    createdAt: timestamp,
    deletedAt: timestamp.nullable().describe('Shown to owners, who can restore it.'),
    restorableUntil: timestamp.nullable(),
  })
  .meta({ id: 'ListedOrganization' });
export type ListedOrganization = z.infer<typeof ListedOrganization>;

export const OrganizationList = z
  .object({ organizations: z.array(ListedOrganization).max(ORGANIZATIONS_MAX) })
  .meta({ id: 'OrganizationList' });

export const Organization = z
  .object({
    id: z.string(),
    name: z.string(),
    plan: z.string(),
    role: Role.describe('Yours.'),
    members: z.int().min(0),
    createdAt: timestamp,
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

export const Deletion = z
  .object({
    id: z.string(),
    deletedAt: timestamp,
    restorableUntil: timestamp.describe('Erased then.'),
  })
  .meta({ id: 'Deletion' });
export type Deletion = z.infer<typeof Deletion>;

export const Member = z
  .object({
    userId: z.string(),
    email: z.string(),
    role: Role,
    origin: z.enum(MEMBER_ORIGINS).describe('Where the membership comes from.'),
    joinedAt: timestamp,
    isYou: z.boolean(),
  })
  .meta({ id: 'OrganizationMember' });
export type Member = z.infer<typeof Member>;
export const MemberList = z
  .object({ members: z.array(Member).max(MEMBERS_MAX) })
  .meta({ id: 'OrganizationMembers' });

export const Invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: Role,
    invitedBy: z.string().nullable().describe('A user id; null for an operator.'),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;
export const InvitationList = z
  .object({ invitations: z.array(Invitation).max(INVITATIONS_MAX) })
  .meta({ id: 'InvitationList' });

export const JoinedOrganization = z
  .object({ id: z.string(), name: z.string(), role: Role })
  .meta({ id: 'JoinedOrganization' });

export const Restored = z.object({ id: z.string(), name: z.string() }).meta({ id: 'Restored' });

const AuditRecord = z
  .object({
    id: z.string(),
    at: timestamp,
    actor: z.object({
      kind: z.enum(['key', 'session', 'operator', 'system', 'anonymous']),
      id: z.string().describe('The key, session or client address.'),
    }),
    action: z.string().describe('Noun, then verb: `membership.put`.'),
    target: z.string(),
    detail: z.record(z.string().max(100), z.string().max(500)).describe('`by` is the user who did it.'),
    address: z.string().describe('The client address; empty where there was none.'),
    requestId: z.string(),
  })
  .meta({ id: 'AuditRecord' });

export const AuditPage = z
  .object({
    entries: z.array(AuditRecord).max(AUDIT_PAGE_MAX),
    next: z.string().nullable().describe('`before` of the next page; null on the last one.'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;
