import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of second factors. For the system role alone; one statement per function. */

// People

export async function selectEmail(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`select email from app_user where id = ${userId}`.execute(db);
  return rows[0]?.email;
}

/** Changes of the factors of one person happen one after the other. */
export async function lockPerson(tx: Db, userId: string): Promise<void> {
  await sql`select 1 from app_user where id = ${userId} for update`.execute(tx);
}

export type FactorState = {
  readonly passkeys: number;
  readonly hasTotp: boolean;
  readonly recoveryCodes: number;
};

export async function selectState(db: Db, userId: string): Promise<FactorState> {
  const { rows } = await sql<FactorState>`
    select (select count(*)::int from passkey where user_id = ${userId}) as passkeys,
           exists (select 1 from totp_factor where user_id = ${userId} and confirmed_at is not null) as "hasTotp",
           (select count(*)::int from recovery_code where user_id = ${userId}) as "recoveryCodes"`.execute(
    db,
  );
  return rows[0] ?? { passkeys: 0, hasTotp: false, recoveryCodes: 0 };
}

// Passkeys

export type PasskeyRow = {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly transports: readonly string[];
  readonly label: string;
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

export async function selectPasskeys(db: Db, userId: string, limit: number): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`
    select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", transports, label,
           is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"
      from passkey where user_id = ${userId} order by created_at, id limit ${limit}`.execute(db);
  return rows;
}

export async function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const { rows } = await sql<PasskeyRow>`
    select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", transports, label,
           is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"
      from passkey where credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** False when the credential is already stored as a passkey. */
export async function insertPasskey(
  tx: Db,
  passkey: Omit<PasskeyRow, 'lastUsedAt' | 'createdAt'> & { readonly counter: number },
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into passkey (id, user_id, credential_id, public_key, counter, transports, label, is_synced, created_at)
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
            ${[...passkey.transports]}::text[], ${passkey.label}, ${passkey.isSynced}, ${timestampOf(nowMs)})
    on conflict (credential_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** False when the counter did not rise: another authenticator has the same key. */
export async function countPasskeyUse(tx: Db, id: string, counter: number, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update passkey set counter = ${counter}, last_used_at = ${timestampOf(nowMs)}
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deletePasskey(
  tx: Db,
  userId: string,
  id: string,
): Promise<{ readonly label: string } | undefined> {
  const { rows } = await sql<{ label: string }>`
    delete from passkey where id = ${id} and user_id = ${userId} returning label`.execute(tx);
  return rows[0];
}

export async function deletePasskeys(tx: Db, userId: string): Promise<void> {
  await sql`delete from passkey where user_id = ${userId}`.execute(tx);
}

// Codes of an authenticator app

export type TotpRow = {
  readonly sealed: Buffer;
  readonly isConfirmed: boolean;
  readonly createdAt: Date;
  readonly lastStep: number;
  readonly failures: number;
};

/** Stores an unconfirmed secret, in place of an earlier unconfirmed one; false when the person has a confirmed one. */
export async function putTotp(tx: Db, userId: string, sealed: Buffer, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into totp_factor (user_id, sealed, created_at) values (${userId}, ${sealed}, ${timestampOf(nowMs)})
    on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, failures = 0
     where totp_factor.confirmed_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Locked until the end of the transaction, so that two requests cannot use one code. */
export async function lockTotp(tx: Db, userId: string): Promise<TotpRow | undefined> {
  const { rows } = await sql<TotpRow>`
    select sealed, confirmed_at is not null as "isConfirmed", created_at as "createdAt", last_step::int as "lastStep", failures
      from totp_factor where user_id = ${userId} for update`.execute(tx);
  return rows[0];
}

export async function confirmTotp(tx: Db, userId: string, nowMs: number): Promise<void> {
  await sql`update totp_factor set confirmed_at = ${timestampOf(nowMs)} where user_id = ${userId}`.execute(
    tx,
  );
}

export async function useStep(tx: Db, userId: string, step: number): Promise<void> {
  await sql`update totp_factor set last_step = ${step} where user_id = ${userId}`.execute(tx);
}

export async function countWrongCode(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    update totp_factor set failures = failures + 1 where user_id = ${userId} returning failures`.execute(tx);
  return rows[0]?.failures ?? 0;
}

export async function forgetWrongCodes(tx: Db, userId: string): Promise<void> {
  await sql`update totp_factor set failures = 0 where user_id = ${userId} and failures > 0`.execute(tx);
}

/** Undefined: there was none. */
export async function deleteTotp(
  tx: Db,
  userId: string,
): Promise<{ readonly wasConfirmed: boolean } | undefined> {
  const { rows } = await sql<{ wasConfirmed: boolean }>`
    delete from totp_factor where user_id = ${userId}
    returning confirmed_at is not null as "wasConfirmed"`.execute(tx);
  return rows[0];
}

// Recovery codes

export async function insertRecoveryCodes(
  tx: Db,
  userId: string,
  hashes: readonly Buffer[],
  nowMs: number,
): Promise<void> {
  await sql`
    insert into recovery_code (user_id, code_hash, created_at)
    select ${userId}, code_hash, ${timestampOf(nowMs)} from unnest(${[...hashes]}::bytea[]) as code_hash`.execute(
    tx,
  );
}

/** Uses up a recovery code; true for exactly one of several simultaneous requests. */
export async function takeRecoveryCode(tx: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from recovery_code where user_id = ${userId} and code_hash = ${codeHash}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await sql`delete from recovery_code where user_id = ${userId}`.execute(tx);
}

// Challenges and tickets

export type TokenKind = 'register' | 'assert' | 'ticket';

export async function insertToken(
  tx: Db,
  token: { readonly tokenHash: Buffer; readonly kind: TokenKind; readonly userId: string | null },
  nowMs: number,
  expiresAtMs: number,
): Promise<void> {
  await sql`
    insert into factor_token (token_hash, kind, user_id, created_at, expires_at)
    values (${token.tokenHash}, ${token.kind}, ${token.userId}, ${timestampOf(nowMs)}, ${timestampOf(expiresAtMs)})`.execute(
    tx,
  );
}

/** Uses up a challenge; true for exactly one of several simultaneous requests. */
export async function takeChallenge(
  tx: Db,
  challenge: { readonly tokenHash: Buffer; readonly kind: TokenKind; readonly userId: string | null },
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from factor_token
     where token_hash = ${challenge.tokenHash} and kind = ${challenge.kind} and user_id is not distinct from ${challenge.userId}
       and expires_at > ${timestampOf(nowMs)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** The user of an open ticket that was not tried too often. The try counts, also when it fails. */
export async function tryTicket(
  tx: Db,
  tokenHash: Buffer,
  triesMax: number,
  nowMs: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    update factor_token set tries = tries + 1
     where token_hash = ${tokenHash} and kind = 'ticket' and tries < ${triesMax} and expires_at > ${timestampOf(nowMs)}
    returning user_id as "userId"`.execute(tx);
  return rows[0]?.userId;
}

/** Uses up a ticket; true for exactly one of several simultaneous requests. */
export async function takeTicket(tx: Db, tokenHash: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from factor_token where token_hash = ${tokenHash} and kind = 'ticket'`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteTokensOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from factor_token where user_id = ${userId}`.execute(tx);
}

export async function deleteEndedTokens(tx: Db, nowMs: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from factor_token where expires_at <= ${timestampOf(nowMs)}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
