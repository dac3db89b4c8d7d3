-- Why: a webhook could send events to any public host without its consent. A new host now gets events only after it answered a
-- challenge; endpoints that exist are taken as verified. `host` lets one host be one lane of an account.
-- Size: 100,000 endpoints at most, 60 bytes more each. Lock: exclusive on webhook_endpoint while its rows are written once and an
-- index is built, some seconds (guess). The release before runs on this schema; endpoints that it makes meanwhile are unverified, and
-- their test sends the challenge.

alter table webhook_endpoint add column host text check (length(host) between 1 and 260);
alter table webhook_endpoint add column verified_at timestamptz;
-- What the receiver has to answer, until when; null once it has.
alter table webhook_endpoint add column challenge text check (length(challenge) between 16 and 100);
alter table webhook_endpoint add column challenge_until timestamptz;
alter table webhook_endpoint add constraint webhook_endpoint_challenge
  check ((challenge is null) = (challenge_until is null));

-- An owner that is no superuser changes rows of all accounts only while row-level security is not forced.
alter table webhook_endpoint no force row level security;
update webhook_endpoint
   set verified_at = created_at,
       host = rtrim(lower(substring(url from '^https://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)')), '.');
alter table webhook_endpoint force row level security;

create index webhook_endpoint_host on webhook_endpoint (account_id, host);
