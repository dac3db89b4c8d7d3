-- Why: what an account chose to keep of its checks (decisions 3.17). A check is never saved by itself (contract 2.1
-- rule 6). Lock: none, the table is new.
-- Size: at most 10,000 rows an account, of some 4 KB each at standard; 256 KiB is the most one may have.

create table report (
  id text primary key check (id ~ '^rpt_'),
  account_id account_ref not null,
  user_id text not null references app_user (id),
  entity_type text not null check (entity_type in ('ip', 'domain', 'url', 'hash', 'email')),
  entity_value text not null check (length(entity_value) <= 2048),
  verdict text not null check (length(verdict) <= 20),
  risk_score smallint check (risk_score between 0 and 100),
  risk_level text check (length(risk_level) <= 20),
  note text check (length(note) <= 5000),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  origin text not null check (origin in ('client', 'server')),
  -- Text, not jsonb: what was seen is kept as it was, in its order, and may hold what jsonb cannot (U+0000).
  result text not null check (octet_length(result) <= 262144),
  created_at timestamptz not null
);
create index report_account on report (account_id, created_at desc, id desc);
-- A URL may be longer than an index entry can be.
create index report_entity on report (account_id, entity_type, md5(entity_value), created_at desc);

alter table report enable row level security;
alter table report force row level security;
create policy tenant on report to assay_app using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on report to assay_system using (true) with check (true);

grant select, insert, delete on report to assay_app;
grant select, insert, update, delete on report to assay_system;
