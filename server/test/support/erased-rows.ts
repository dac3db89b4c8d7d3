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

/** A case with a piece of evidence, a seal of it, and a brief. */
export async function fillCases(owner: Owner, accountId: string, userId: string): Promise<void> {
  const write = (text: string, ...more: unknown[]) => owner.query(text, [accountId, ...more]);
  const key = accountId.slice(-6);
  await write(
    `insert into action_case (id, account_id, user_id, title, status, priority, head_hash, changed_by, created_at, updated_at)
    values ($2, $1, $3, 'x', 'OPEN', 2, sha256('x'), $3, now(), now())`,
    `case_${key}`,
    userId,
  );
  await write(`insert into case_account (account_id, cases, evidence_bytes) values ($1, 1, 2)`);
  await write(
    `insert into case_evidence (id, account_id, case_id, position, kind, title, payload, hash, created_at)
    values ($2, $1, $3, 1, 'note', 'x', '{}', sha256('x'), now())`,
    `cev_${key}`,
    `case_${key}`,
  );
  await write(
    `insert into risk_brief (id, account_id, period_start, generated_at, body) values ($2, $1, '2026-11-16', now(), '{}')`,
    `brf_${key}`,
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

export async function fillWebhooks(owner: Owner, accountId: string): Promise<void> {
  const key = accountId.slice(-6);
  await owner.query(
    `insert into webhook_endpoint (id, account_id, url, events, enabled, secret, created_at, updated_at)
    values ($2, $1, 'https://hooks.example.com/', '{*}', true, '\\x00', now(), now())`,
    [accountId, `whk_${key}`],
  );
  await owner.query(
    `insert into webhook_delivery (id, account_id, endpoint_id, event, sequence, body, status, created_at)
    values ($2, $1, $3, 'alert.created', 1, '{}', 'pending', now())`,
    [accountId, `dlv_${key}`, `whk_${key}`],
  );
}

export async function fillBilling(owner: Owner, accountId: string): Promise<void> {
  await owner.query(
    `insert into billing_customer (account_id, customer_id, told_at) values ($1, $2, now())`,
    [accountId, `cus_${accountId}`],
  );
}

export async function fillMonitoring(owner: Owner, accountId: string): Promise<void> {
  const write = (text: string, ...more: unknown[]) => owner.query(text, [accountId, ...more]);
  const key = accountId.slice(-6);
  await write(`insert into watch_account (account_id, items) values ($1, 1)`);
  await write(
    `insert into watch_freed_place (account_id, target_key, freed_at) values ($1, decode('0102', 'hex'), now())`,
  );
  await owner.query(
    `insert into watch_target (key, entity_type, value, place, next_check_at, created_at)
    values ($1, 'domain', $2, $1, now(), now()) on conflict do nothing`,
    [Buffer.from(`\u0005${key}.example`, 'latin1'), `${key}.example`],
  );
  await write(
    `insert into watch_item (id, account_id, target_key, notify, created_at) values ($2, $1, $3, true, now())`,
    `mon_${key}`,
    Buffer.from(`\u0005${key}.example`, 'latin1'),
  );
  // The triggers of the table write the counts of alerts.
  await write(
    `insert into alert (id, account_id, type, severity, status, entity_type, entity_value, fingerprint, title, description,
                        reason, source, confidence, data, created_at, updated_at, open_since)
    values ($2, $1, 'lookalike.found', 3, 'OPEN', 'domain', 'x', decode(repeat('00', 16), 'hex'), 'x', 'x', 'x', 'monitoring',
            50, '{}', now(), now(), now())`,
    `alrt_${key}`,
  );
  await write(`insert into alert_pending_letter (alert_id, account_id) values ($2, $1)`, `alrt_${key}`);
}
