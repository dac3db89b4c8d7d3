import { type Db, sql } from '#platform/postgres.ts';
import { timestampOf } from '#platform/sql-time.ts';

/** SQL of connections and sign-ins through them; identity-store.ts has the people. For the system role alone. */

export type ConnectionRow = {
  readonly accountId: string;
  readonly emailDomain: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly sealedSecret: Buffer | null;
  readonly enforceSso: boolean;
  readonly enabled: boolean;
  readonly proofToken: string;
  readonly provenAt: Date | null;
  readonly succeededAt: Date | null;
  readonly updatedAt: Date;
};
const COLUMNS = sql`c.account_id as "accountId", c.email_domain as "emailDomain", c.issuer_url as "issuerUrl",
  c.client_id as "clientId", c.sealed_secret as "sealedSecret", c.enforce_sso as "enforceSso", c.enabled,
  c.proof_token as "proofToken", c.proven_at as "provenAt", c.succeeded_at as "succeededAt", c.updated_at as "updatedAt"`;
/** True for connections in use: enabled and proven, of an organization that exists and has the ENTERPRISE plan. */
const LIVE = sql`c.enabled and c.proven_at is not null
  and exists (select 1 from organization o join subscription s on s.account_id = o.id
               where o.id = c.account_id and o.deleted_at is null and s.plan = 'ENTERPRISE')`;

// Connections

export async function selectConnection(db: Db, accountId: string): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    select ${COLUMNS} from sso_connection c where c.account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function selectLive(db: Db, accountId: string): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    select ${COLUMNS} from sso_connection c where c.account_id = ${accountId} and ${LIVE}`.execute(db);
  return rows[0];
}

export async function findByDomain(
  db: Db,
  emailDomain: string,
): Promise<{ readonly accountId: string } | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select c.account_id as "accountId" from sso_connection c
     where c.email_domain = ${emailDomain} and ${LIVE} limit 1`.execute(db);
  return rows[0];
}

/** The organization that has proven the domain. */
export async function findHolder(db: Db, emailDomain: string): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from sso_connection
     where email_domain = ${emailDomain} and proven_at is not null`.execute(db);
  return rows[0]?.accountId;
}

export type ConnectionChange = {
  readonly emailDomain: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly sealedSecret: Buffer | null;
  readonly enforceSso: boolean;
  readonly enabled: boolean;
  readonly proofToken: string;
  readonly provenAtMs: number | null;
  readonly succeededAtMs: number | null;
};

export async function putConnection(
  tx: Db,
  accountId: string,
  row: ConnectionChange,
  nowMs: number,
): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<ConnectionRow>`
    insert into sso_connection as c (account_id, email_domain, issuer_url, client_id, sealed_secret, enforce_sso, enabled,
                                     proof_token, proven_at, succeeded_at, created_at, updated_at)
    values (${accountId}, ${row.emailDomain}, ${row.issuerUrl}, ${row.clientId}, ${row.sealedSecret}, ${row.enforceSso},
            ${row.enabled}, ${row.proofToken}, ${timestampOf(row.provenAtMs)}, ${timestampOf(row.succeededAtMs)},
            ${timestampOf(nowMs)}, ${timestampOf(nowMs)})
    on conflict (account_id) do update
       set email_domain = excluded.email_domain, issuer_url = excluded.issuer_url, client_id = excluded.client_id,
           sealed_secret = excluded.sealed_secret, enforce_sso = excluded.enforce_sso, enabled = excluded.enabled,
           proof_token = excluded.proof_token, proven_at = excluded.proven_at, proof_lost_at = null,
           succeeded_at = excluded.succeeded_at, updated_at = greatest(excluded.updated_at, c.updated_at + interval '1 ms')
    returning ${COLUMNS}`.execute(tx);
  return rows[0];
}

/** Locks a domain, so that two organizations that prove it at the same time do so one after the other. */
export async function lockDomain(tx: Db, emailDomain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('assay.sso.' || ${emailDomain}::text, 0))`.execute(
    tx,
  );
}

export async function deleteConnection(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    delete from sso_connection where account_id = ${accountId} returning account_id as id`.execute(tx);
  return rows.length > 0;
}

export async function markSucceeded(tx: Db, accountId: string, nowMs: number): Promise<void> {
  await sql`
    update sso_connection set succeeded_at = ${timestampOf(nowMs)} where account_id = ${accountId}`.execute(
    tx,
  );
}

// Proofs of domains, for the daily job

export async function selectProven(
  db: Db,
  after: string,
  limit: number,
): Promise<readonly Pick<ConnectionRow, 'accountId' | 'emailDomain' | 'proofToken'>[]> {
  const { rows } = await sql<Pick<ConnectionRow, 'accountId' | 'emailDomain' | 'proofToken'>>`
    select account_id as "accountId", email_domain as "emailDomain", proof_token as "proofToken"
      from sso_connection where proven_at is not null and account_id > ${after}
     order by account_id limit ${limit}`.execute(db);
  return rows;
}

/** Notes whether the DNS record was there. True if it has been missing for so long that the proof ends. */
export async function noteProof(
  tx: Db,
  accountId: string,
  proof: { readonly token: string; readonly isShown: boolean; readonly keptMs: number },
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    update sso_connection
       set proof_lost_at = case when ${proof.isShown} then null else coalesce(proof_lost_at, ${timestampOf(nowMs)}) end
     where account_id = ${accountId} and proof_token = ${proof.token} and proven_at is not null
    returning coalesce(proof_lost_at <= ${timestampOf(nowMs - proof.keptMs)}, false) as ended`.execute(tx);
  return rows[0]?.ended === true;
}

export async function endProof(tx: Db, accountId: string, nowMs: number): Promise<void> {
  await sql`
    update sso_connection set proven_at = null, enabled = false, proof_lost_at = null, updated_at = ${timestampOf(nowMs)}
     where account_id = ${accountId}`.execute(tx);
}

// Enforcement

export type Enforced = { readonly accountId: string; readonly role: string | null; readonly email: string };

/** The organization that enforces single sign-on for the domain of this person's address, if there is one. */
export async function selectEnforced(db: Db, userId: string): Promise<Enforced | undefined> {
  const { rows } = await sql<Enforced>`
    select c.account_id as "accountId", m.role, u.email
      from app_user u
      join sso_connection c on c.email_domain = split_part(u.email, '@', 2) and c.enforce_sso and ${LIVE}
      left join membership m on m.account_id = c.account_id and m.user_id = u.id
     where u.id = ${userId} limit 1`.execute(db);
  return rows[0];
}

/** Whether an owner could sign in while the provider is away. */
export async function hasBreakGlassOwner(tx: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select 1 from membership m
       where m.account_id = ${accountId} and m.role = 'OWNER'
         and (exists (select 1 from passkey p where p.user_id = m.user_id)
              or (exists (select 1 from user_password p where p.user_id = m.user_id)
                  and exists (select 1 from totp_factor t where t.user_id = m.user_id and t.confirmed_at is not null)))
    ) as found`.execute(tx);
  return rows[0]?.found === true;
}

/** Ends the sessions of the organization that a password or a passkey opened, except those of owners and of other domains. */
export async function deleteOwnSessions(
  tx: Db,
  accountId: string,
  emailDomain: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from session s using app_user u, membership m
     where s.account_id = ${accountId} and s.method in ('password', 'passkey') and u.id = s.user_id
       and split_part(u.email, '@', 2) = ${emailDomain}
       and m.account_id = s.account_id and m.user_id = s.user_id and m.role <> 'OWNER'
    returning s.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Ends the sessions that the provider vouched for, except the one that asks. */
export async function deleteProviderSessions(
  tx: Db,
  accountId: string,
  exceptId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from session where account_id = ${accountId} and method = 'sso' and id <> ${exceptId}
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
