-- Why: cases of an account with evidence that only grows, and the seals by which a third party can check it (decisions 3.9).
-- Size: a case has some 500 bytes and at most 600 pieces of evidence, 4 MiB together; 100 M pieces of 1 KB are 100 GB. A day
-- adds one seal for each account that did something and one row for each case that grew. Lock: audit_entry is locked for
-- writing while its partial index is built, some seconds for a million rows.

create table action_case (
  id text collate "C" primary key check (id ~ '^case_'),
  account_id account_ref not null,
  user_id text not null,
  title text not null check (length(title) between 1 and 200),
  description text check (length(description) <= 10000),
  status text not null check (status in ('OPEN', 'IN_PROGRESS', 'RESOLVED', 'CLOSED')),
  -- 1 LOW, 2 MEDIUM, 3 HIGH, 4 CRITICAL.
  priority smallint not null check (priority between 1 and 4),
  entity_type text check (entity_type in ('ip', 'domain', 'url', 'hash', 'email', 'phone', 'cve')),
  entity_value text check (length(entity_value) <= 2048),
  linked_alert_id text collate "C" check (length(linked_alert_id) <= 64),
  linked_cve_finding_id text collate "C" check (length(linked_cve_finding_id) <= 64),
  linked_report_id text collate "C" check (length(linked_report_id) <= 64),
  evidence_count integer not null default 0 check (evidence_count >= 0),
  evidence_bytes integer not null default 0 check (evidence_bytes >= 0),
  -- Hash of the last piece of evidence; SHA-256 of the id while there is none.
  head_hash bytea not null check (length(head_hash) = 32),
  -- How many pieces the newest seal covers.
  sealed_count integer not null default 0,
  -- Moves with every write: the ETag.
  version integer not null default 1,
  changed_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it was resolved or closed, while that stands.
  resolved_at timestamptz,
  check ((status in ('RESOLVED', 'CLOSED')) = (resolved_at is not null))
);
create index action_case_list on action_case (account_id, id desc);
create index action_case_open on action_case (account_id, priority desc, created_at, id)
  where status in ('OPEN', 'IN_PROGRESS');
create index action_case_resolved on action_case (account_id, resolved_at) where resolved_at is not null;
create index action_case_alert on action_case (account_id, linked_alert_id) where linked_alert_id is not null;
create index action_case_finding on action_case (account_id, linked_cve_finding_id)
  where linked_cve_finding_id is not null;
create index action_case_unsealed on action_case (account_id) where sealed_count < evidence_count;

create table case_evidence (
  id text collate "C" primary key check (id ~ '^cev_'),
  account_id account_ref not null,
  case_id text collate "C" not null references action_case (id),
  position integer not null check (position >= 1),
  kind text not null check (kind ~ '^[a-z][a-z0-9_.-]{0,63}$'),
  title text not null check (length(title) between 1 and 200),
  description text check (length(description) <= 10000),
  -- RFC 8785 text. Not jsonb, which would keep the value and not the bytes that were hashed.
  payload text not null check (length(payload) <= 65536),
  hash bytea not null check (length(hash) = 32),
  created_at timestamptz not null
);
create unique index case_evidence_position on case_evidence (case_id, position);
create index case_evidence_account on case_evidence (account_id);

-- The audit trail of an account as a chain: each seal has the hash of the one before, the digest of the entries it covers,
-- and the Merkle root of the heads of cases that grew. Rows hold ids and hashes only, and stay when an account is erased.
create table account_seal (
  account_id account_ref not null,
  day date not null,
  previous_hash bytea not null check (length(previous_hash) = 32),
  audit_entries integer not null,
  audit_hash bytea not null check (length(audit_hash) = 32),
  heads integer not null,
  heads_root bytea not null check (length(heads_root) = 32),
  hash bytea not null check (length(hash) = 32),
  primary key (account_id, day)
);
create index account_seal_day on account_seal (day, account_id collate "C");

create table case_seal (
  account_id account_ref not null,
  day date not null,
  case_id text collate "C" not null,
  length integer not null check (length >= 1),
  hash bytea not null check (length(hash) = 32),
  primary key (account_id, day, case_id)
);
create index case_seal_case on case_seal (case_id, day);

-- How the seal of an account leads to the root of its day, written with the root.
create table account_seal_path (
  account_id account_ref not null,
  day date not null,
  path jsonb not null,
  primary key (account_id, day)
);

-- One root a day over the seals of all accounts, which is public.
create table evidence_root (
  day date primary key,
  root bytea not null check (length(root) = 32),
  seals integer not null,
  created_at timestamptz not null
);

alter table audit_entry add column sealed_on date;
create index audit_entry_unsealed on audit_entry (account_id) where sealed_on is null;
grant update (sealed_on) on audit_entry to assay_system;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array
    array['action_case', 'case_evidence', 'account_seal', 'case_seal', 'account_seal_path']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
  end loop;
end $$;
-- Evidence and seals are added and never changed; only the erasure of an account deletes evidence.
grant select, insert, update on action_case to assay_app;
grant select, insert on case_evidence to assay_app;
grant select on account_seal, case_seal, account_seal_path, evidence_root to assay_app;
grant select, update, delete on action_case to assay_system;
grant select, delete on case_evidence to assay_system;
grant select, insert on account_seal, case_seal, account_seal_path, evidence_root to assay_system;
