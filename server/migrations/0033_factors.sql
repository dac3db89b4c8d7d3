-- Why: second factors of people (O47): passkeys, codes of an authenticator app (TOTP) and recovery codes, and organizations
-- that demand one. They belong to a user and not to an account, and only the system role reads them, through named functions
-- (foundation rule 2), so the new tables have no policy for assay_app.
-- Size: some 300 bytes for a passkey, 100 for an authenticator app, 1 KB for ten recovery codes of a user; challenges and
-- tickets live five minutes and are deleted hourly. Lock: the column is added without a rewrite; the tables are new.
-- The release before runs on this schema; it asks for no factor.
alter table organization add column demands_factor boolean not null default false;

create table passkey (
  id text primary key check (id ~ '^psk_'),
  user_id text not null references app_user (id),
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE.
  public_key bytea not null check (length(public_key) between 1 and 4096),
  -- How often the authenticator has signed; 0 where it does not count.
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null default '{}' check (cardinality(transports) <= 8),
  label text not null check (length(label) between 1 and 100),
  -- Copied to other devices of the person by the maker of the authenticator.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_user on passkey (user_id, created_at);

create table totp_factor (
  user_id text primary key references app_user (id),
  -- Under SECRET_KEY: a code can only be checked with the secret itself.
  sealed bytea not null check (octet_length(sealed) between 1 and 200),
  created_at timestamptz not null,
  -- Null until a first code was shown; until then it is no factor.
  confirmed_at timestamptz,
  -- The 30 seconds of the last code that was accepted: neither it nor an earlier one is accepted again.
  last_step bigint not null default 0,
  -- Wrong codes since the last factor that was right.
  failures integer not null default 0 check (failures >= 0)
);

-- 78 random bits need no pepper: SHA-256 alone cannot be undone. Using a code deletes its row.
create table recovery_code (
  user_id text not null references app_user (id),
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);

-- Challenges for authenticators, and tickets of people whose password was right. Using one deletes its row.
create table factor_token (
  token_hash bytea primary key check (length(token_hash) = 32),
  kind text not null check (kind in ('register', 'assert', 'ticket')),
  -- A challenge to sign in is given out before it is known to whom.
  user_id text references app_user (id) check ((user_id is null) = (kind = 'assert')),
  -- Factors tried with a ticket.
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index factor_token_user on factor_token (user_id) where user_id is not null;
create index factor_token_expires on factor_token (expires_at);

do $$
declare
  factors text;
begin
  foreach factors in array array['passkey', 'totp_factor', 'recovery_code', 'factor_token'] loop
    execute format('alter table %I enable row level security', factors);
    execute format('alter table %I force row level security', factors);
    execute format('create policy system on %I to assay_system using (true) with check (true)', factors);
    execute format('grant select, insert, update, delete on %I to assay_system', factors);
  end loop;
end
$$;
