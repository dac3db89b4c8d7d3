-- Why: letters to people (verify an address, reset a password, an invitation), written in the transaction of the fact they
-- tell about and sent by the worker, so that none is lost while the mail server is away (O46); what people asked not to get;
-- and what visitors send with the public forms (decisions 3.16).
-- Size: one row per letter for 30 days after its end, some 300 bytes (a waiting one up to 6 KB); one row of 60 bytes per
-- suppression; form entries at most 12 KB each, kept FORMS_KEPT_DAYS; subscribers some 400 bytes each.
-- Lock: none, the tables are new.

create table letter (
  id text primary key check (id ~ '^ltr_'),
  -- The account the letter is about; null where there is none yet.
  account_id account_ref,
  kind text not null check (length(kind) between 1 and 40),
  -- SHA-256 of the address in lower case: for suppressions, and to find a person's letters without keeping the address.
  address_digest bytea not null check (length(address_digest) = 32),
  -- Address and facts, sealed under SECRET_KEY because links have tokens. Erased when the letter is sent or given up.
  sealed bytea check (octet_length(sealed) <= 16384),
  -- A second letter with the same key of the same account is not written.
  key text check (length(key) between 1 and 200),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'expired', 'suppressed')),
  -- Rises by one with each try; the number that a try must still find to record its end.
  attempts integer not null default 0,
  -- What the mail server said last.
  reason text check (length(reason) <= 300),
  created_at timestamptz not null,
  next_at timestamptz not null,
  finished_at timestamptz,
  check ((state = 'waiting') = (sealed is not null)),
  check ((state = 'waiting') = (finished_at is null))
);
create unique index letter_key on letter (coalesce(account_id::text, ''), key) where key is not null;
create index letter_waiting on letter (next_at) where state = 'waiting';
create index letter_finished on letter (finished_at) where finished_at is not null;
create index letter_address on letter (address_digest, created_at desc);
create index letter_account on letter (account_id) where account_id is not null;
alter table letter enable row level security;
alter table letter force row level security;
create policy tenant on letter for insert to assay_app
  with check (account_id is null or account_id = current_setting('assay.account', true));
create policy system on letter to assay_system using (true) with check (true);
-- Requests write letters and never read them: a token in a letter is for its recipient alone.
grant insert on letter to assay_app;
grant select, insert, update, delete on letter to assay_system;

create table letter_suppression (
  address_digest bytea not null check (length(address_digest) = 32),
  topic text not null check (length(topic) between 1 and 40),
  created_at timestamptz not null,
  primary key (address_digest, topic)
);
grant insert on letter_suppression to assay_app;
grant select, insert, update, delete on letter_suppression to assay_system;

create table form_entry (
  id text primary key check (id ~ '^frm_'),
  form text not null check (form in ('contact', 'feedback', 'license')),
  -- Null where the visitor gave no address.
  address_digest bytea check (length(address_digest) = 32),
  fields jsonb not null check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536),
  created_at timestamptz not null
);
create index form_entry_created on form_entry (created_at desc, id desc);
create index form_entry_address on form_entry (address_digest) where address_digest is not null;
grant insert on form_entry to assay_app;
grant select, insert, update, delete on form_entry to assay_system;

create table newsletter_subscriber (
  -- One row per address; a new request of an address that did not confirm gets a new id, which ends its older link.
  id text primary key check (id ~ '^nws_'),
  address_digest bytea not null unique check (length(address_digest) = 32),
  -- The address, sealed under SECRET_KEY: requests may find a row by its digest and read no address.
  sealed_address bytea not null check (octet_length(sealed_address) <= 1024),
  requested_at timestamptz not null,
  confirmed_at timestamptz
);
create index newsletter_subscriber_waiting on newsletter_subscriber (requested_at) where confirmed_at is null;
grant select, insert, update, delete on newsletter_subscriber to assay_app, assay_system;
