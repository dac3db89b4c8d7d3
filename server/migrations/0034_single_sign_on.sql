-- Why: organizations sign their members in through their own identity provider (decisions 3.2, O45). A connection holds the
-- settings; an identity ties a subject of an issuer to a person in one organization; a token carries a finished sign-in from the
-- callback to the session; a used state is remembered until its cookie has ended, so that no callback works twice.
-- Size: one connection of some 500 bytes for each organization, 150 bytes for each identity; tokens live a minute, states ten, both
-- are deleted hourly. Lock: the tables are new; nothing else is touched. The release before runs on this schema.
create table sso_connection (
  account_id account_ref primary key references organization (id),
  email_domain text not null check (email_domain = lower(email_domain) and length(email_domain) between 3 and 253),
  issuer_url text not null check (length(issuer_url) between 9 and 2048),
  client_id text not null check (length(client_id) between 1 and 255),
  -- Under SECRET_KEY; null for a public client, which has PKCE alone.
  sealed_secret bytea check (octet_length(sealed_secret) between 1 and 2048),
  enforce_sso boolean not null,
  enabled boolean not null check (not enabled or proven_at is not null),
  -- What the TXT record of the domain has to say; another for each domain.
  proof_token text not null check (length(proof_token) = 43),
  -- Null: the domain is only claimed, and other organizations may claim it too.
  proven_at timestamptz,
  -- The record was not found since then, although it was once.
  proof_lost_at timestamptz,
  -- The last sign-in with these settings.
  succeeded_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Of all who claim a domain, one has proven it.
create unique index sso_connection_domain on sso_connection (email_domain) where proven_at is not null;

create table sso_identity (
  account_id account_ref not null references organization (id),
  issuer text not null check (length(issuer) between 9 and 2048),
  subject text not null check (length(subject) between 1 and 255),
  user_id text not null references app_user (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (account_id, issuer, subject)
);
create index sso_identity_user on sso_identity (user_id);

-- 256 random bits need no pepper: SHA-256 alone cannot be undone. Using a token deletes its row.
create table sso_token (
  token_hash bytea primary key check (length(token_hash) = 32),
  -- Of a value in the cookie of the browser that made the sign-in.
  browser_hash bytea not null check (length(browser_hash) = 32),
  account_id account_ref not null references organization (id),
  user_id text not null references app_user (id),
  factors text[] not null check (cardinality(factors) between 1 and 8),
  proved_at timestamptz not null,
  expires_at timestamptz not null
);
create index sso_token_account on sso_token (account_id);
create index sso_token_user on sso_token (user_id);
create index sso_token_expires on sso_token (expires_at);

create table sso_used_state (
  state_hash bytea primary key check (length(state_hash) = 32),
  expires_at timestamptz not null
);
create index sso_used_state_expires on sso_used_state (expires_at);

do $$
declare
  sso text;
begin
  foreach sso in array array['sso_connection', 'sso_identity', 'sso_token', 'sso_used_state'] loop
    execute format('alter table %I enable row level security', sso);
    execute format('alter table %I force row level security', sso);
    execute format('create policy system on %I to assay_system using (true) with check (true)', sso);
    execute format('grant select, insert, update, delete on %I to assay_system', sso);
  end loop;
end
$$;
