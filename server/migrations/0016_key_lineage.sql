-- Why: a session that a key pair opened can make keys, and a thief of the pair could keep them after its revocation. Each
-- key now names the key whose session made it, so that both end together. A key may also be barred from signing in.
-- Size: some thousand keys. Lock: both columns are added without a rewrite; the index is built on those rows,
-- milliseconds; the view is replaced at once.
alter table api_key add column parent_id text references api_key (id);
alter table api_key add column can_sign_in boolean not null default true;
create index api_key_parent on api_key (parent_id);

-- `canSignIn` is present only where it is false: records of keys from before this file stay as they are on every node.
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
 where k.revoked_at is null and (k.account_id = k.user_id or m.user_id is not null);
