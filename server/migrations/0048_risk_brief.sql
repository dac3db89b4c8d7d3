-- Why: the weekly risk brief of each account that watches anything (decisions 3.14), and the order of the priority queue.
-- Size: one row of some 4 KB for each account and week, kept for 400 days; 60 bytes for each alert that is not resolved. Lock:
-- alert is locked for writing while the index is built, a second for a million alerts.
create index alert_queue on alert (account_id, severity desc, created_at, id) where status <> 'RESOLVED';

create table risk_brief (
  id text collate "C" primary key check (id ~ '^brf_'),
  account_id account_ref not null,
  period_start date not null,
  generated_at timestamptz not null,
  -- As it is answered: a brief is not computed again, because what it counts has moved on.
  body jsonb not null
);
create unique index risk_brief_period on risk_brief (account_id, period_start desc);
create index risk_brief_old on risk_brief (period_start);

alter table risk_brief enable row level security;
alter table risk_brief force row level security;
create policy tenant on risk_brief to assay_app using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on risk_brief to assay_system using (true) with check (true);
grant select on risk_brief to assay_app;
grant select, insert, delete on risk_brief to assay_system;
