/**
 * What the erasure of an account deletes, in this order: a row goes before the rows it refers to. A new table that names an account
 * or a person gets a line here or in KEPT; a test fails until it has one (G59).
 */
export const ERASED: readonly { readonly table: string; readonly column: string }[] = [
  { table: 'session', column: 'account_id' },
  { table: 'session', column: 'user_id' },
  { table: 'idempotency_key', column: 'account_id' },
  { table: 'account_token', column: 'user_id' },
  { table: 'user_password', column: 'user_id' },
  { table: 'invitation', column: 'account_id' },
  { table: 'invitation', column: 'invited_by' },
  { table: 'sso_token', column: 'account_id' },
  { table: 'sso_token', column: 'user_id' },
  { table: 'sso_identity', column: 'account_id' },
  { table: 'sso_identity', column: 'user_id' },
  { table: 'sso_connection', column: 'account_id' },
  { table: 'membership', column: 'account_id' },
  { table: 'membership', column: 'user_id' },
  { table: 'report', column: 'account_id' },
  { table: 'risk_brief', column: 'account_id' },
  { table: 'case_evidence', column: 'account_id' },
  { table: 'action_case', column: 'account_id' },
  { table: 'case_account', column: 'account_id' },
  { table: 'watch_item', column: 'account_id' },
  { table: 'watch_freed_place', column: 'account_id' },
  { table: 'watch_account', column: 'account_id' },
  { table: 'alert_pending_letter', column: 'account_id' },
  { table: 'alert', column: 'account_id' },
  { table: 'alert_count', column: 'account_id' },
  { table: 'alert_day', column: 'account_id' },
  { table: 'cve_watch_finding', column: 'account_id' },
  { table: 'cve_watch_component', column: 'account_id' },
  { table: 'cve_watch_perimeter', column: 'account_id' },
  { table: 'cve_watch_account', column: 'account_id' },
  { table: 'webhook_delivery', column: 'account_id' },
  { table: 'webhook_endpoint', column: 'account_id' },
  { table: 'source_submission', column: 'account_id' },
  { table: 'blocklist_pull', column: 'account_id' },
  { table: 'usage_ledger', column: 'account_id' },
  { table: 'event_outbox', column: 'account_id' },
  { table: 'letter', column: 'account_id' },
  { table: 'letter', column: 'sender_id' },
  { table: 'request_count', column: 'account_id' },
  { table: 'quota_notice', column: 'account_id' },
  { table: 'onboarding', column: 'account_id' },
  { table: 'passkey', column: 'user_id' },
  { table: 'totp_factor', column: 'user_id' },
  { table: 'recovery_code', column: 'user_id' },
  { table: 'factor_token', column: 'user_id' },
  { table: 'licence_key', column: 'account_id' },
  { table: 'billing_customer', column: 'account_id' },
  { table: 'subscription', column: 'account_id' },
  { table: 'api_key', column: 'account_id' },
  // Last: it counts what the deletions before it took away.
  { table: 'account_storage', column: 'account_id' },
];

/** Erased by `eraseIndicators`, which tells every replica. */
export const ERASED_WITH_INDICATORS: readonly string[] = [
  'org_indicator.account_id',
  'org_indicator_object.account_id',
  'org_indicator_period.account_id',
  'org_indicator_revision.account_id',
  'org_indicator_state.account_id',
];

/** What stays, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  'audit_entry.account_id': 'The audit trail holds ids and hashes, no address of a mailbox and no content.',
  'account_seal.account_id': 'Seals hold ids and hashes, and the public roots of their days need them.',
  'account_seal_path.account_id': 'The same.',
  'action_case.user_id': 'A case of an organization names an id without an address.',
  'case_seal.account_id': 'The same as of account_seal.',
  'api_key.user_id':
    'A key of an organization; it ended when the person left and names an id without an address.',
  'report.user_id': 'A report of an organization names an id without an address.',
  'org_indicator.submitted_by': 'An indicator of an organization names an id without an address.',
  'organization.created_by': 'The organization goes on and names an id without an address.',
};
