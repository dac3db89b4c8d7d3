-- Why: who is calling. Users, organizations with their members, subscriptions, API key pairs, licence keys, dashboard
-- sessions, the audit trail and Idempotency-Keys. Every table is tenant-scoped (foundation rule 2): an account is a user
-- (`usr_…`) or an organization (`org_…`), and `assay.account` names the one a transaction works for.
-- Size: a large deployment has 100,000 accounts and as many keys (30 MB); idempotency rows live a day; the audit trail
-- grows by some 300 bytes per change. Lock: none, the tables are new.
create domain account_ref as text check (value ~ '^(usr|org)_[0-9A-Za-z]{1,32}$');

create table app_user (
  id text primary key check (id ~ '^usr_'),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  created_at timestamptz not null
);

create table organization (
  id text primary key check (id ~ '^org_'),
  name text not null unique check (length(name) between 1 and 100),
  created_at timestamptz not null
);

-- account_id is the organization.
create table membership (
  account_id account_ref not null references organization (id),
  user_id text not null references app_user (id),
  role text not null check (role in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')),
  created_at timestamptz not null,
  primary key (account_id, user_id)
);
create index membership_user on membership (user_id);

-- `limits` overrides figures of the plan, one by one (foundation rule 9). No row reads as an active FREE plan.
create table subscription (
  account_id account_ref primary key,
  plan text not null check (plan in ('FREE', 'BASIC', 'PRO', 'ENTERPRISE')),
  billing text check (billing in ('MONTHLY', 'YEARLY')),
  status text not null check (status in ('active', 'trialing', 'past_due', 'suspended', 'canceled')),
  limits jsonb not null default '{}' check (jsonb_typeof(limits) = 'object'),
  updated_at timestamptz not null
);

-- The secret is never here: only its HMAC under a pepper that is never here either (decisions 1.3).
create table api_key (
  id text primary key check (id ~ '^key_'),
  api_key text not null unique check (api_key ~ '^ak_[0-9A-Za-z]{24}$'),
  account_id account_ref not null,
  user_id text not null references app_user (id),
  secret_hmac bytea not null check (length(secret_hmac) = 32),
  pepper_version integer not null,
  previous_hmac bytea check (length(previous_hmac) = 32),
  previous_pepper_version integer,
  previous_valid_until timestamptz,
  label text not null default '' check (length(label) <= 100),
  allowed_cidrs text[] not null default '{}' check (cardinality(allowed_cidrs) <= 50),
  created_at timestamptz not null,
  rotated_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check ((previous_hmac is null) = (previous_valid_until is null)
     and (previous_hmac is null) = (previous_pepper_version is null)),
  check (previous_valid_until <= rotated_at + interval '24 hours')
);
create index api_key_account on api_key (account_id, created_at);
create index api_key_user on api_key (user_id);
-- The replica asks by bytes. The check above keeps api_key plain ASCII, so 'escape' copies it byte for byte, and unlike
-- convert_to() it is immutable and can be indexed.
create unique index api_key_bytes on api_key (decode(api_key, 'escape'));

-- 220 random bits need no pepper: SHA-256 alone cannot be undone.
create table licence_key (
  id text primary key check (id ~ '^lic_'),
  account_id account_ref not null,
  key_hash bytea not null unique check (length(key_hash) = 32),
  label text not null default '' check (length(label) <= 100),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index licence_key_account on licence_key (account_id, created_at);

create table session (
  id text primary key check (id ~ '^ses_'),
  token_hash bytea not null unique check (length(token_hash) = 32),
  account_id account_ref not null,
  user_id text not null references app_user (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ip text not null default '' check (length(ip) <= 45),
  user_agent text not null default '' check (length(user_agent) <= 256)
);
create index session_account on session (account_id);
create index session_user_id on session (user_id);
create index session_expires on session (expires_at);

-- Append-only: nobody is granted update or delete.
create table audit_entry (
  id text primary key check (id ~ '^aud_'),
  account_id account_ref not null,
  actor_kind text not null check (actor_kind in ('key', 'session', 'operator', 'system')),
  actor_id text not null,
  action text not null check (length(action) between 1 and 100),
  target text not null check (length(target) <= 200),
  before_hash bytea check (length(before_hash) = 32),
  after_hash bytea check (length(after_hash) = 32),
  ip text not null default '' check (length(ip) <= 45),
  request_id text not null default '' check (length(request_id) <= 100),
  at timestamptz not null
);
create index audit_entry_account on audit_entry (account_id, at);

-- `response` is sealed with SECRET_KEY: a reply may show a secret once, a table never.
create table idempotency_key (
  account_id account_ref not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (length(fingerprint) = 32),
  status integer check (status between 100 and 599),
  response bytea,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_created on idempotency_key (created_at);

do $$
declare
  scoped text;
begin
  foreach scoped in array array['membership', 'subscription', 'api_key', 'licence_key', 'session', 'audit_entry',
                                'idempotency_key'] loop
    execute format('create policy tenant on %I to assay_app using (account_id = current_setting(''assay.account'', true))
                    with check (account_id = current_setting(''assay.account'', true))', scoped);
  end loop;
  foreach scoped in array array['app_user', 'organization', 'membership', 'subscription', 'api_key', 'licence_key',
                                'session', 'audit_entry', 'idempotency_key'] loop
    execute format('alter table %I enable row level security', scoped);
    execute format('alter table %I force row level security', scoped);
    execute format('create policy system on %I to assay_system using (true) with check (true)', scoped);
  end loop;
end
$$;

-- An account sees its own people: the user it is, or the members of the organization it is.
create policy tenant on app_user to assay_app using (
  id = current_setting('assay.account', true)
  or exists (select 1 from membership m
              where m.user_id = app_user.id and m.account_id = current_setting('assay.account', true)));
create policy tenant on organization to assay_app using (id = current_setting('assay.account', true));
-- A session is found before its account is known: whoever names the hash of the token may read that one row.
create policy by_token on session for select to assay_app
  using (encode(token_hash, 'hex') = current_setting('assay.session', true));

grant select on app_user, organization, membership, subscription, licence_key to assay_app;
grant select, insert, update on api_key to assay_app;
grant select, insert, update, delete on session, idempotency_key to assay_app;
grant select, insert on audit_entry to assay_app, assay_system;
grant select, insert, update, delete on app_user, organization, membership, subscription, api_key, licence_key, session,
  idempotency_key to assay_system;

-- What travels to every node (foundation rule 6). A revoked key has no row, nor has the key of a former member.
create view access_key_entry with (security_invoker = true) as
select decode(k.api_key, 'escape') as key,
       convert_to(jsonb_build_object(
         'id', k.id,
         'account', k.account_id,
         'user', k.user_id,
         'organization', m.account_id,
         'role', m.role,
         'plan', coalesce(s.plan, 'FREE'),
         'billing', s.billing,
         'status', coalesce(s.status, 'active'),
         'limits', coalesce(s.limits, '{}'),
         'hmac', encode(k.secret_hmac, 'hex'),
         'pepper', k.pepper_version,
         'previousHmac', encode(k.previous_hmac, 'hex'),
         'previousPepper', k.previous_pepper_version,
         'previousUntilMs', (extract(epoch from k.previous_valid_until) * 1000)::bigint,
         'cidrs', to_jsonb(k.allowed_cidrs))::text, 'UTF8') as value
  from api_key k
  left join membership m on m.account_id = k.account_id and m.user_id = k.user_id
  left join subscription s on s.account_id = k.account_id
 where k.revoked_at is null and (k.account_id = k.user_id or m.user_id is not null);

create view access_licence_entry with (security_invoker = true) as
select l.key_hash as key,
       convert_to(jsonb_build_object(
         'id', l.id,
         'account', l.account_id,
         'expiresAtMs', (extract(epoch from l.expires_at) * 1000)::bigint)::text, 'UTF8') as value
  from licence_key l
 where l.revoked_at is null;

grant select on access_key_entry, access_licence_entry to assay_app, assay_system;
