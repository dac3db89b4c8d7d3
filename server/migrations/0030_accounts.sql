-- Why: people register, sign in with a password and claim instant keys (decisions 3.2). The name of an organization
-- identifies nothing any more (O44). A session says how it was opened and when its user last proved who they are. An
-- audit entry can name a failed sign-in: an anonymous actor, and a few redacted words beside the hashes.
-- A person's password, tokens and requests belong to a user and not to an account, and callers never read them: only the
-- system role does, through named functions (foundation rule 2), so the new tables have no policy for assay_app.
-- Size: a row of 200 bytes for each user with a password; registrations, tokens and requests live hours to days, some
-- thousand rows. Lock: columns are added without a rewrite; the check of audit_entry is validated by one scan beside
-- readers and writers; the index on names is built on some thousand rows, milliseconds. The release before runs on this
-- schema, except for its command `org create`.
alter table organization drop constraint organization_name_key;
create index organization_name on organization (name);

-- Null: the address was not proven by its owner (an operator may still vouch for it).
alter table app_user add column email_verified_at timestamptz;
-- Set while an instant key has not been claimed: the person who asked for the key has not proven the address.
alter table app_user add column unclaimed_since timestamptz;

alter table session add column method text not null default 'key'
  check (method in ('key', 'password', 'passkey', 'sso'));
alter table session add column factors text[] not null default '{}' check (cardinality(factors) <= 8);
-- Null: when the session was opened.
alter table session add column proved_at timestamptz;

alter table audit_entry add column detail jsonb not null default '{}'
  check (jsonb_typeof(detail) = 'object' and length(detail::text) <= 500);
alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry add constraint audit_entry_actor_kind_check
  check (actor_kind in ('key', 'session', 'operator', 'system', 'anonymous')) not valid;
alter table audit_entry validate constraint audit_entry_actor_kind_check;

create domain password_phc as text check (length(value) between 60 and 200 and value like '$argon2id$%');

-- The parameters are part of the text, so that they can change and old hashes are still read (docs/decisions/0018).
create table user_password (
  user_id text primary key references app_user (id),
  phc password_phc not null,
  changed_at timestamptz not null
);

-- What a caller without an account asked for. The answer to the caller never depends on whether the address is known:
-- a job reads the row, looks the address up, writes the letter or the audit entry, and deletes the row.
create table account_request (
  id text primary key check (id ~ '^arq_'),
  kind text not null check (kind in ('register', 'resend', 'forgot', 'sign-in-failed')),
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  phc password_phc,
  ip text not null default '' check (length(ip) <= 45),
  request_id text not null default '' check (length(request_id) <= 100),
  created_at timestamptz not null,
  check ((kind = 'register') = (phc is not null))
);
create index account_request_created on account_request (created_at);

-- A password and an address that is not proven yet. There is no user before the address is proven.
create table registration (
  id text primary key check (id ~ '^reg_'),
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  phc password_phc not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registration_email on registration (email, created_at);
create index registration_expires on registration (expires_at);

-- 256 random bits need no pepper: SHA-256 alone cannot be undone. Using a token deletes its row.
create table account_token (
  token_hash bytea primary key check (length(token_hash) = 32),
  kind text not null check (kind in ('reset', 'claim')),
  user_id text not null references app_user (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_token_user on account_token (user_id);
create index account_token_expires on account_token (expires_at);

do $$
declare
  people text;
begin
  foreach people in array array['user_password', 'account_request', 'registration', 'account_token'] loop
    execute format('alter table %I enable row level security', people);
    execute format('alter table %I force row level security', people);
    execute format('create policy system on %I to assay_system using (true) with check (true)', people);
    execute format('grant select, insert, update, delete on %I to assay_system', people);
  end loop;
end
$$;
