-- Why: people make organizations, invite others, hand them over, leave and delete them (O48). A membership says where it comes
-- from, so that a directory can own it later (O47). A deleted account keeps its rows for a while, so that it can be restored, and
-- is erased then (G59): its keys and licences are in no replica meanwhile.
-- Size: an invitation is a row of 200 bytes for seven days. Lock: columns are added without a rewrite (the default of `origin` is
-- constant); the indexes are built on some thousand rows, milliseconds; the views are replaced at once. The release before runs on
-- this schema.
alter table membership add column origin text not null default 'manual'
  check (origin in ('manual', 'invitation', 'sso', 'directory'));
-- The name of the member in that directory.
alter table membership add column external_id text check (length(external_id) between 1 and 256);
create unique index membership_external on membership (account_id, external_id) where external_id is not null;

-- Null: an operator made it, or its maker's account is erased.
alter table organization add column created_by text references app_user (id);
alter table organization add column deleted_at timestamptz;
-- From then on it cannot be restored.
alter table organization add column erasing_at timestamptz;
create index organization_creator on organization (created_by) where created_by is not null;
create index organization_deleted on organization (deleted_at) where deleted_at is not null;

alter table app_user add column deleted_at timestamptz;
alter table app_user add column erasing_at timestamptz;
-- The row of an erased person stays without an address, because reports and indicators of organizations name it.
alter table app_user add column erased_at timestamptz;
-- A deleted person's address is free at once; a restored person gets it back.
alter table app_user add column email_before text check (length(email_before) between 3 and 254);
create index app_user_deleted on app_user (deleted_at) where deleted_at is not null and erased_at is null;

-- 256 random bits need no pepper: SHA-256 alone cannot be undone. Accepting deletes the row.
create table invitation (
  id text primary key check (id ~ '^inv_'),
  account_id account_ref not null references organization (id),
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('ADMIN', 'MEMBER', 'VIEWER')),
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- Null: an operator.
  invited_by text references app_user (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, email)
);
create index invitation_inviter on invitation (invited_by) where invited_by is not null;
create index invitation_expires on invitation (expires_at);
alter table invitation enable row level security;
alter table invitation force row level security;
create policy tenant on invitation for select to assay_app using (account_id = current_setting('assay.account', true));
create policy system on invitation to assay_system using (true) with check (true);
-- Requests list invitations and never read the hash of a token; writes go through the system role (foundation rule 2).
grant select (id, account_id, email, role, invited_by, created_at, expires_at) on invitation to assay_app;
grant select, insert, update, delete on invitation to assay_system;

-- What travels to every node (foundation rule 6): nothing of a deleted account.
create or replace view access_key_entry with (security_invoker = true) as
select decode(k.api_key, 'escape') as key,
       convert_to((jsonb_build_object(
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
         'cidrs', to_jsonb(k.allowed_cidrs))
         || case when k.can_sign_in then '{}'::jsonb else '{"canSignIn": false}'::jsonb end)::text, 'UTF8') as value
  from api_key k
  left join membership m on m.account_id = k.account_id and m.user_id = k.user_id
  left join subscription s on s.account_id = k.account_id
 where k.revoked_at is null and (k.account_id = k.user_id or m.user_id is not null)
   and not exists (select 1 from organization o where o.id = k.account_id and o.deleted_at is not null)
   and not exists (select 1 from app_user u where u.id = k.user_id and u.deleted_at is not null);

create or replace view access_licence_entry with (security_invoker = true) as
select l.key_hash as key,
       convert_to(jsonb_build_object(
         'id', l.id,
         'account', l.account_id,
         'expiresAtMs', (extract(epoch from l.expires_at) * 1000)::bigint)::text, 'UTF8') as value
  from licence_key l
 where l.revoked_at is null
   and not exists (select 1 from organization o where o.id = l.account_id and o.deleted_at is not null)
   and not exists (select 1 from app_user u where u.id = l.account_id and u.deleted_at is not null);
