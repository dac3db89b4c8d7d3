-- Why: what an account asked and was answered, by day (decisions 3.17); which shares of a month it was told of; and how far
-- it is with its first steps. Lock: none, the tables are new.
-- Size: request_count one row for each key, day, route and status class, and one for each level of its verdicts: some 10
-- rows of 150 bytes a day and active key, kept 400 days; 1,000 active keys are 4 million rows, 600 MB. quota_notice at
-- most four rows an account and month. onboarding one row an account.

create table request_count (
  account_id account_ref not null,
  day date not null,
  -- The key of the call, or the user whose session it was.
  caller_id text not null check (caller_id ~ '^(key|usr)_' and length(caller_id) <= 64),
  route text not null check (length(route) between 1 and 200),
  status_class smallint not null check (status_class between 1 and 5),
  -- '' counts requests. A level counts verdicts: one request may answer with many.
  verdict text not null check (verdict in ('', 'safe', 'low', 'medium', 'high', 'critical', 'inconclusive')),
  counted bigint not null check (counted > 0),
  primary key (account_id, day, caller_id, route, status_class, verdict)
);
create index request_count_day on request_count (day);

-- The last batch of each process. A batch that is sent again, because its answer was lost, adds nothing.
create table request_count_writer (
  id text primary key check (length(id) <= 64),
  batch bigint not null,
  written_at timestamptz not null default now()
);
grant select, insert, update, delete on request_count_writer to assay_system;

create table quota_notice (
  account_id account_ref not null,
  period text not null check (period ~ '^\d{6}$'),
  meter text not null check (meter in ('checks', 'scans')),
  share smallint not null check (share in (80, 100)),
  used bigint not null,
  allowed bigint not null,
  noticed_at timestamptz not null,
  primary key (account_id, period, meter, share)
);

create table onboarding (
  account_id account_ref primary key,
  -- Steps that were seen done: one whose evidence is deleted later stays done.
  done text[] not null default '{}' check (cardinality(done) <= 20),
  completed_at timestamptz
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['request_count', 'quota_notice', 'onboarding'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
    execute format('grant select on %I to assay_app', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_system', tenant_table);
  end loop;
end $$;
grant insert, update on onboarding to assay_app;
