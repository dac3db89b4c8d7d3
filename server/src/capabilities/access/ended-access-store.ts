import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of keys and sessions that end with a membership or an account. For the system role. */

export type EndedKey = { readonly id: string; readonly apiKey: string };

/** Revokes the keys that a user holds in an account. Keys made in sessions of a key belong to the same user. */
export async function revokeKeysOfMember(
  tx: Db,
  accountId: string,
  userId: string,
  nowMs: number,
): Promise<readonly EndedKey[]> {
  const { rows } = await sql<EndedKey>`
    update api_key set revoked_at = ${timestampOf(nowMs)}, previous_hmac = null, previous_pepper_version = null,
           previous_valid_until = null
     where account_id = ${accountId} and user_id = ${userId} and revoked_at is null
    returning id, api_key as "apiKey"`.execute(tx);
  return rows;
}

export async function deleteSessionsOfMember(
  tx: Db,
  accountId: string,
  userId: string,
): Promise<readonly { readonly id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    delete from session where account_id = ${accountId} and user_id = ${userId} returning id`.execute(tx);
  return rows;
}

export async function deleteSessionsOfAccount(tx: Db, accountId: string): Promise<number> {
  const { numAffectedRows } = await sql`delete from session where account_id = ${accountId}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export const licencesOfAccount = (accountId: string) =>
  sql<{ key: Buffer }>`select key_hash as key from licence_key
                        where account_id = ${accountId} and revoked_at is null`;
