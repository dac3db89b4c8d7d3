/** A connection of the owner of the tables, which no row-level rule holds back. */
type Owner = { readonly query: (text: string, values: unknown[]) => Promise<unknown> };

export async function fillSso(owner: Owner, accountId: string, userId: string, now: Date): Promise<void> {
  const write = (text: string, ...values: unknown[]) => owner.query(text, values);
  await write(
    `insert into sso_connection (account_id, email_domain, issuer_url, client_id, enforce_sso, enabled, proof_token, created_at, updated_at)
    values ($1, 'corp.example', 'https://idp.example', 'x', false, false, $2, $3, $3)`,
    accountId,
    'x'.repeat(43),
    now,
  );
  await write(
    `insert into sso_identity (account_id, issuer, subject, user_id, created_at, last_used_at)
    values ($1, 'https://idp.example', 's', $2, $3, $3)`,
    accountId,
    userId,
    now,
  );
  await write(
    `insert into sso_token (token_hash, browser_hash, account_id, user_id, factors, proved_at, expires_at)
    values (sha256($1), sha256($1), $2, $3, '{sso}', $4, $4)`,
    Buffer.from(`sso ${accountId}`),
    accountId,
    userId,
    now,
  );
}

export async function fillWatch(owner: Owner, accountId: string): Promise<void> {
  const write = (text: string, ...more: unknown[]) => owner.query(text, [accountId, ...more]);
  const key = accountId.slice(-6);
  await write(`insert into cve_watch_account (account_id) values ($1)`);
  await write(
    `insert into cve_watch_perimeter (id, account_id, name, kind, created_at, updated_at)
    values ($2, $1, 'x', 'manual', now(), now())`,
    `per_${key}`,
  );
  await write(
    `insert into cve_watch_component (id, account_id, perimeter_id, origin, match_key, vendor, product, direct, created_at)
    values ($2, $1, $3, '', decode(repeat('00', 16), 'hex'), 'x', 'x', true, now())`,
    `cmp_${key}`,
    `per_${key}`,
  );
  await write(
    `insert into cve_watch_finding (id, account_id, perimeter_id, component_id, cve_id, status, priority, is_confirmed,
                                    is_kev, created_at, updated_at)
    values ($2, $1, $3, $4, 'CVE-2025-1000', 'OPEN', 3, true, false, now(), now())`,
    `xfnd_${key}`,
    `per_${key}`,
    `cmp_${key}`,
  );
}
