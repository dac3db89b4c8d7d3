-- Why: the eight shared lists are built from time to time and kept when a build fails; callers ask for what changed since
-- the file they have; and an account sees who pulled which list with its keys. Lock: none, the tables are new.
-- Size: blocklist eight rows; versions at most 1,008 a list (seven days of ten minutes); changes some 10,000 to 1,000,000
-- rows, kept seven days; pulls one row for each download with a key, kept 90 days.

create table blocklist (
  list text primary key check (length(list) <= 64),
  -- The stamp of the members that the newest file was made from.
  membership text check (length(membership) <= 200),
  lines integer not null default 0,
  sample_lines integer not null default 0,
  withheld integer not null default 0,
  modified_at timestamptz,
  built_at timestamptz,
  -- The last time that the file was known to be what it should be.
  checked_at timestamptz,
  failed_at timestamptz,
  failure text check (length(failure) <= 500),
  -- A build that lost half of the lines waits here until an operator releases its stamp.
  held_lines integer,
  held_membership text check (length(held_membership) <= 200),
  released_membership text check (length(released_membership) <= 200)
);
grant select on blocklist to assay_app;
grant select, insert, update on blocklist to assay_system;

create table blocklist_version (
  id bigint generated always as identity primary key,
  list text not null check (length(list) <= 64),
  full_sha256 text not null check (full_sha256 ~ '^[0-9a-f]{64}$'),
  sample_sha256 text not null check (sample_sha256 ~ '^[0-9a-f]{64}$'),
  -- No changes are kept for the first version, nor for one that changed more than a difference is worth.
  has_changes boolean not null,
  built_at timestamptz not null
);
create index blocklist_version_list on blocklist_version (list, id desc);
create index blocklist_version_age on blocklist_version (built_at);
grant select on blocklist_version to assay_app;
grant select, insert, delete on blocklist_version to assay_system;

create table blocklist_change (
  version_id bigint not null references blocklist_version on delete cascade,
  variant text not null check (variant in ('full', 'sample')),
  value text not null check (length(value) <= 253),
  is_added boolean not null,
  primary key (version_id, variant, value)
);
grant select on blocklist_change to assay_app;
grant select, insert, delete on blocklist_change to assay_system;

create table blocklist_pull (
  id bigint generated always as identity primary key,
  account_id account_ref not null,
  key_id text not null check (length(key_id) <= 64),
  list text not null check (length(list) <= 64),
  variant text not null check (variant in ('full', 'sample')),
  status smallint not null,
  bytes bigint not null,
  agent text check (length(agent) <= 200),
  pulled_at timestamptz not null
);
create index blocklist_pull_account on blocklist_pull (account_id, id desc);
create index blocklist_pull_age on blocklist_pull (pulled_at);

alter table blocklist_pull enable row level security;
alter table blocklist_pull force row level security;
create policy tenant on blocklist_pull to assay_app using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on blocklist_pull to assay_system using (true) with check (true);
grant select on blocklist_pull to assay_app;
grant select, insert, delete on blocklist_pull to assay_system;
