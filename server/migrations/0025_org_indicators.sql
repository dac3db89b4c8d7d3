-- Why: the indicators that an organization reports, blocks or allows for itself (contract 2.9 and 4.5, decisions 3.18).
-- They count in the organization's own checks and nowhere else (O14), so they are replicated per organization.
-- Size: PRO adds at most 200 a day, ENTERPRISE 100,000; an organization keeps at most a million, of some 300 bytes each
-- with its period. Lock: none, the tables are new.

-- One row per organization: the lock of its writers, the daily count, and what a node has to know before it reads entries.
create table org_indicator_state (
  account_id account_ref primary key check (account_id ^@ 'org_'),
  -- Rises by one with each write that changes something; part of the snapshotId of the organization's checks.
  revision bigint not null default 0,
  kept integer not null default 0 check (kept >= 0),
  -- The UTC day that `used` counts.
  day date not null,
  used integer not null default 0 check (used >= 0),
  -- Prefix lengths of the ranges ever reported: a check reads one entry for each of them.
  bits4 smallint[] not null default '{}',
  bits6 smallint[] not null default '{}'
);
create unique index org_indicator_state_bytes on org_indicator_state (decode(account_id::text, 'escape'));

create table org_indicator (
  id text primary key check (id ~ '^ind_'),
  account_id account_ref not null check (account_id ^@ 'org_'),
  entity_type text not null check (entity_type in ('ip', 'domain', 'hash')),
  -- Lists are sorted by bytes, whatever the collation of the database.
  value text collate "C" not null check (length(value) <= 254),
  -- The organization, a zero byte and the key of the indicator: the key of the entry in every replica.
  entry_key bytea not null check (length(entry_key) between 4 and 320),
  disposition text not null check (disposition in ('block', 'allow')),
  category text not null check (length(category) between 1 and 40),
  comment text check (length(comment) <= 500),
  reason text check (length(reason) <= 500),
  ends_at timestamptz,
  status text not null check (status in ('approved', 'revoked')),
  submitted_by text not null references app_user (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revoked_at timestamptz,
  -- How often it was restored: a restored value is a new object in TAXII (O12).
  restores integer not null default 0,
  check ((status = 'revoked') = (revoked_at is not null))
);
-- The uniqueness of contract 2.9, and the order of the lists.
create unique index org_indicator_value on org_indicator (account_id, entity_type, value);
create index org_indicator_newest on org_indicator (account_id, created_at desc, id desc);
create index org_indicator_user on org_indicator (submitted_by);
create unique index org_indicator_entry_key on org_indicator (entry_key) where status = 'approved';

-- What was in force when, so that a past check can be repeated (scoring ruling 12).
create table org_indicator_period (
  number bigint generated always as identity primary key,
  account_id account_ref not null,
  indicator_id text not null references org_indicator (id),
  entry_key bytea not null,
  started_at timestamptz not null,
  -- When it was revoked or changed; null while it is in force.
  ended_at timestamptz,
  disposition text not null,
  category text not null,
  reason text,
  ends_at timestamptz
);
create index org_indicator_period_key on org_indicator_period (entry_key, started_at);
create unique index org_indicator_period_open on org_indicator_period (indicator_id) where ended_at is null;
create index org_indicator_period_indicator on org_indicator_period (indicator_id);
create index org_indicator_period_ended on org_indicator_period (ended_at) where ended_at is not null;

create table org_indicator_revision (
  account_id account_ref not null,
  revision bigint not null,
  at timestamptz not null,
  primary key (account_id, revision)
);
create index org_indicator_revision_at on org_indicator_revision (at);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array
    array['org_indicator_state', 'org_indicator', 'org_indicator_period', 'org_indicator_revision']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
    execute format('grant select, insert, update on %I to assay_app', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_system', tenant_table);
  end loop;
end $$;

create view org_state_entry with (security_invoker = true) as
select decode(account_id::text, 'escape') as key,
       convert_to(jsonb_build_object('revision', revision, 'bits4', to_jsonb(bits4), 'bits6', to_jsonb(bits6))::text,
                  'UTF8') as value
  from org_indicator_state;

create view org_indicator_entry with (security_invoker = true) as
select i.entry_key as key,
       convert_to(jsonb_build_object(
         'id', i.id,
         'disposition', i.disposition,
         'category', i.category,
         'reason', i.reason,
         'sinceMs', (extract(epoch from p.started_at) * 1000)::bigint,
         'endsAtMs', (extract(epoch from i.ends_at) * 1000)::bigint)::text, 'UTF8') as value
  from org_indicator i
  join org_indicator_period p on p.indicator_id = i.id and p.ended_at is null
 where i.status = 'approved';

grant select on org_state_entry, org_indicator_entry to assay_app, assay_system;
