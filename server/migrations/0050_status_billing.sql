-- Why: the public status page (what operators say, and what a canary measured every minute), and what the payment provider
-- told about accounts.
-- Size: a few notices; 1,440 results a day and probe, kept for 25 hours; one row a day and probe, kept for 31 days; one customer
-- per paying account (200 bytes); events of the provider for 30 days (100 bytes each). Lock: none, the tables are new.

create table status_notice (
  id text collate "C" primary key check (id ~ '^ntc_'),
  severity text not null check (severity in ('info', 'maintenance', 'incident')),
  title text not null check (length(title) between 1 and 200),
  body text not null check (length(body) <= 2000),
  starts_at timestamptz not null,
  -- Null: until an operator ends it.
  ends_at timestamptz,
  created_by text not null check (length(created_by) between 1 and 40),
  created_at timestamptz not null,
  check (ends_at is null or ends_at >= starts_at)
);
create index status_notice_starts on status_notice (starts_at desc, id desc);

create table canary_result (
  probe text not null check (length(probe) between 1 and 40),
  minute timestamptz not null,
  passed boolean not null,
  -- Null where the probe did not pass.
  ms real check (ms >= 0),
  primary key (probe, minute),
  check (passed = (ms is not null))
);
create index canary_result_minute on canary_result (minute);

create table canary_day (
  probe text not null check (length(probe) between 1 and 40),
  day date not null,
  runs integer not null check (runs >= 0),
  passed integer not null check (passed between 0 and runs),
  primary key (probe, day)
);

-- Who of the payment provider's customers is which account.
create table billing_customer (
  account_id account_ref primary key,
  customer_id text not null unique check (length(customer_id) between 1 and 255),
  subscription_id text check (length(subscription_id) between 1 and 255),
  period_end timestamptz,
  -- The provider's time of the newest event that was applied: events may arrive in any order.
  told_at timestamptz not null
);
alter table billing_customer enable row level security;
alter table billing_customer force row level security;
create policy tenant on billing_customer for select to assay_app
  using (account_id = current_setting('assay.account', true));
create policy system on billing_customer to assay_system using (true) with check (true);

-- Every event once: the provider delivers at least once.
create table billing_event (
  id text primary key check (length(id) between 1 and 255),
  type text not null check (length(type) between 1 and 100),
  outcome text not null check (length(outcome) between 1 and 200),
  received_at timestamptz not null
);
create index billing_event_received on billing_event (received_at);

grant select on status_notice, canary_result, canary_day, billing_customer to assay_app;
grant select, insert, update, delete on status_notice, canary_result, canary_day, billing_customer, billing_event
  to assay_system;
