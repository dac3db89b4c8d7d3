import type { MemberRole } from '#domain/organizations/index.ts';
import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

export type InvitationRow = {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};
const COLUMNS = sql`id, email, role, invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"`;

/** Serializes invitations of the service, so that its budget of a day holds; taken after the locks of persons and organizations. */
export async function lockInvitations(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.invitations', 0))`.execute(tx);
}

/** One invitation for each address: a new one ends the link of the one before. */
export async function putInvitation(
  tx: Db,
  row: {
    readonly id: string;
    readonly accountId: string;
    readonly email: string;
    readonly role: MemberRole;
    readonly tokenHash: Buffer;
    readonly invitedBy: string | null;
  },
  nowMs: number,
  expiresAtMs: number,
): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    insert into invitation (id, account_id, email, role, token_hash, invited_by, created_at, expires_at)
    values (${row.id}, ${row.accountId}, ${row.email}, ${row.role}, ${row.tokenHash}, ${row.invitedBy},
            ${timestampOf(nowMs)}, ${timestampOf(expiresAtMs)})
    on conflict (account_id, email) do update set role = excluded.role, token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Invitations that can still be accepted, newest first. */
export async function selectInvitations(
  tx: Db,
  accountId: string,
  nowMs: number,
  limit: number,
): Promise<readonly InvitationRow[]> {
  const { rows } = await sql<InvitationRow>`
    select ${COLUMNS} from invitation
     where account_id = ${accountId} and expires_at > ${timestampOf(nowMs)}
     order by created_at desc, id desc limit ${limit}`.execute(tx);
  return rows;
}

export async function countInvitations(tx: Db, accountId: string, nowMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from invitation
     where account_id = ${accountId} and expires_at > ${timestampOf(nowMs)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findInvitation(
  tx: Db,
  tokenHash: Buffer,
  nowMs: number,
): Promise<{ readonly accountId: string; readonly email: string } | undefined> {
  const { rows } = await sql<{ accountId: string; email: string }>`
    select account_id as "accountId", email from invitation
     where token_hash = ${tokenHash} and expires_at > ${timestampOf(nowMs)}`.execute(tx);
  return rows[0];
}

/** Deletes an invitation and gives its role: of several concurrent uses of a token only one gets the row. */
export async function takeInvitation(
  tx: Db,
  tokenHash: Buffer,
  nowMs: number,
): Promise<{ readonly id: string; readonly role: MemberRole } | undefined> {
  const { rows } = await sql<{ id: string; role: MemberRole }>`
    delete from invitation where token_hash = ${tokenHash} and expires_at > ${timestampOf(nowMs)}
    returning id, role`.execute(tx);
  return rows[0];
}

export async function deleteInvitation(
  tx: Db,
  accountId: string,
  id: string,
): Promise<{ readonly role: MemberRole } | undefined> {
  const { rows } = await sql<{ role: MemberRole }>`
    delete from invitation where id = ${id} and account_id = ${accountId} returning role`.execute(tx);
  return rows[0];
}

/** Deletes the open invitations of a person who may not invite any more. */
export async function deleteInvitationsBy(tx: Db, accountId: string, userId: string): Promise<void> {
  await sql`delete from invitation where account_id = ${accountId} and invited_by = ${userId}`.execute(tx);
}

export async function deleteEndedInvitations(tx: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from invitation where expires_at <= ${timestampOf(nowMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
