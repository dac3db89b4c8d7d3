-- Why: the meters count in Redis, which may lose them; this ledger is what a lost month starts again from (reliability
-- Q2). Each meter is two counters that only rise, granted and refunded, so that processes may write in any order and
-- the greater value of each is always right: a refund lowers `used` without any counter going down.
-- Size: two rows per active account and month, about 100 bytes each. Lock: none, the table is new.
create table usage_ledger (
  account_id text not null check (account_id ~ '^(usr|org)_'),
  meter text not null check (meter in ('checks', 'scans')),
  period text not null check (period ~ '^\d{6}$'),
  granted bigint not null check (granted >= 0),
  refunded bigint not null check (refunded >= 0),
  used bigint not null generated always as (greatest(granted - refunded, 0)) stored,
  updated_at timestamptz not null default now(),
  primary key (account_id, period, meter)
);

alter table usage_ledger enable row level security;
alter table usage_ledger force row level security;
create policy tenant on usage_ledger for all to assay_app
  using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on usage_ledger for all to assay_system using (true) with check (true);
-- A caller may read their own usage; only the system writes it.
grant select on usage_ledger to assay_app;
grant select, insert, update, delete on usage_ledger to assay_system;
