-- Why: the people who run the service act through routes on a listener of their own (ADMIN_PORT). A token names the person and
-- the addresses it works from; every act is a row, also one that concerns no account. Operators can pause topics of letters.
-- Size: some ten tokens; an act has some 300 bytes. Lock: none, the tables are new.

create table operator_token (
  id text collate "C" primary key check (id ~ '^opr_'),
  -- Stands in the audit trail of accounts, so it is a short name and no address of a mailbox.
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  -- 220 random bits need no pepper: SHA-256 alone cannot be undone.
  token_hash bytea not null unique check (length(token_hash) = 32),
  allowed_cidrs text[] not null check (cardinality(allowed_cidrs) between 1 and 50),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
-- A name belongs to one person as long as its token works.
create unique index operator_token_name on operator_token (name) where revoked_at is null;

-- Written before the act begins, so that no act is without a row. An act without an outcome was cut off by the end of its process.
create table operator_act (
  id text collate "C" primary key check (id ~ '^act_'),
  operator text not null check (length(operator) between 1 and 40),
  action text not null check (length(action) between 1 and 100),
  target text not null check (length(target) <= 200),
  -- What was asked for; never a secret.
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object' and octet_length(detail::text) <= 16384),
  ip text not null check (length(ip) <= 45),
  request_id text not null check (length(request_id) <= 100),
  at timestamptz not null,
  outcome text check (outcome in ('done', 'refused', 'failed')),
  reason text check (length(reason) <= 300),
  finished_at timestamptz,
  check ((outcome is null) = (finished_at is null))
);
create index operator_act_operator on operator_act (operator, id desc);

-- A row here pauses the letters of a topic; letters about security have no topic and always go out.
create table letter_pause (
  topic text primary key check (length(topic) between 1 and 40),
  paused_at timestamptz not null,
  paused_by text not null check (length(paused_by) between 1 and 40)
);

do $$
declare
  own_table text;
begin
  foreach own_table in array array['operator_token', 'operator_act', 'letter_pause'] loop
    execute format('alter table %I enable row level security', own_table);
    execute format('alter table %I force row level security', own_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', own_table);
  end loop;
end $$;
-- Requests of customers have no grant on any of them.
grant select, insert, update on operator_token to assay_system;
-- An act is never changed or deleted: only its outcome is added.
grant select, insert on operator_act to assay_system;
grant update (outcome, reason, finished_at) on operator_act to assay_system;
grant select, insert, delete on letter_pause to assay_system;
