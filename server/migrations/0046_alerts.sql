-- Why: alerts about what accounts watch (decisions 3.10, alerts). Counts and times are kept beside the alerts by triggers,
-- because counting a million alerts of one account takes a second, and a page shows the counts each time.
-- Size: 10 M open alerts of some 900 bytes with their indexes are 9 GB. Lock: none, the tables are new.

create table alert (
  id text collate "C" primary key check (id ~ '^alrt_'),
  account_id account_ref not null,
  type text not null check (length(type) <= 40),
  -- 0 info, 1 low, 2 medium, 3 high, 4 critical.
  severity smallint not null check (severity between 0 and 4),
  status text not null check (status in ('OPEN', 'ACKNOWLEDGED', 'RESOLVED')),
  entity_type text not null check (length(entity_type) <= 20),
  entity_value text not null check (length(entity_value) <= 2048),
  -- SHA-256 over type, entity and detail, 16 bytes: one alert for each while it is not resolved.
  fingerprint bytea not null check (length(fingerprint) = 16),
  title text not null check (length(title) <= 300),
  description text not null check (length(description) <= 2000),
  reason text not null check (length(reason) <= 1000),
  source text not null check (length(source) <= 40),
  confidence smallint not null check (confidence between 0 and 100),
  data jsonb not null,
  monitor_id text collate "C" check (length(monitor_id) <= 64),
  finding_id text collate "C" check (length(finding_id) <= 64),
  cve_id text collate "C" check (length(cve_id) <= 32),
  priority smallint check (priority between 1 and 3),
  occurrences integer not null default 1 check (occurrences >= 1),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  acknowledged_at timestamptz,
  resolved_at timestamptz,
  -- Since when it is not resolved, and how many seconds it was before: the time of a resolution that did not stand counts
  -- as open.
  open_since timestamptz not null,
  open_before_s bigint not null default 0 check (open_before_s >= 0),
  check ((status = 'RESOLVED') = (resolved_at is not null))
);
create unique index alert_once on alert (account_id, fingerprint) where status <> 'RESOLVED' and finding_id is null;
create unique index alert_finding on alert (account_id, finding_id) where finding_id is not null;
create index alert_active on alert (account_id, updated_at desc, id desc) where status <> 'RESOLVED';
create index alert_latest on alert (account_id, updated_at desc, id desc);
create index alert_status on alert (account_id, status, updated_at desc, id desc);
create index alert_severity on alert (account_id, severity, updated_at desc, id desc);
create index alert_type on alert (account_id, type, updated_at desc, id desc);
create index alert_oldest on alert (account_id, created_at) where status = 'OPEN';
create index alert_words on alert using gin ((entity_value || ' ' || title) gin_trgm_ops);

-- How many alerts of each kind an account has.
create table alert_count (
  account_id account_ref not null,
  status text not null,
  severity smallint not null,
  type text not null,
  entity_type text not null,
  count bigint not null,
  primary key (account_id, status, severity, type, entity_type)
);

-- What happened on a day. `what`: 0 detections and 1 alerts of the day they were raised, 2 acknowledged and 3 resolved of
-- the day that happened, by the time it took; 4 acknowledged or resolved and 5 resolved, of the day they were raised; 6 open
-- alerts of the day of their last activity, by its hour. A bucket of time is floor(50 * ln(1 + seconds)).
create table alert_day (
  account_id account_ref not null,
  day date not null,
  what smallint not null check (what between 0 and 6),
  bucket smallint not null,
  count bigint not null,
  primary key (account_id, what, day, bucket)
);

-- Alerts that wait for the letter of the hour.
create table alert_pending_letter (
  alert_id text collate "C" primary key references alert (id) on delete cascade,
  account_id account_ref not null
);
create index alert_pending_letter_account on alert_pending_letter (account_id, alert_id);

create function alert_bucket(seconds double precision) returns smallint language sql immutable parallel safe as $$
  select floor(50 * ln(1 + greatest(0, seconds)))::smallint
$$;

-- What one alert adds to the days of its account.
create function alert_days(
  status text, occurrences integer, created_at timestamptz, updated_at timestamptz, acknowledged_at timestamptz,
  resolved_at timestamptz, open_since timestamptz, open_before_s bigint
) returns table (day date, what smallint, bucket smallint, amount bigint)
language sql immutable parallel safe as $$
  select d.day, d.what::smallint, d.bucket::smallint, d.amount::bigint
    from (values
      (($3 at time zone 'UTC')::date, 0, 0, $2),
      (($3 at time zone 'UTC')::date, 1, 0, 1),
      (($5 at time zone 'UTC')::date, 2, alert_bucket(extract(epoch from $5 - $3)::float8), 1),
      (($6 at time zone 'UTC')::date, 3, alert_bucket($8 + extract(epoch from $6 - $7)::float8), 1),
      (case when $5 is not null or $6 is not null then ($3 at time zone 'UTC')::date end, 4, 0, 1),
      (case when $6 is not null then ($3 at time zone 'UTC')::date end, 5, 0, 1),
      (case when $1 = 'OPEN' then ($4 at time zone 'UTC')::date end, 6, extract(hour from $4 at time zone 'UTC')::int, 1)
    ) as d (day, what, bucket, amount)
   where d.day is not null
$$;

create function alert_added() returns trigger language plpgsql as $$
begin
  insert into alert_count as c (account_id, status, severity, type, entity_type, count)
  select account_id, status, severity, type, entity_type, count(*)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (account_id, status, severity, type, entity_type) do update set count = c.count + excluded.count;
  insert into alert_day as t (account_id, day, what, bucket, count)
  select a.account_id, d.day, d.what, d.bucket, sum(d.amount)
    from added a,
         alert_days(a.status, a.occurrences, a.created_at, a.updated_at, a.acknowledged_at, a.resolved_at, a.open_since,
                    a.open_before_s) d
   group by 1, 2, 3, 4 order by 1, 3, 2, 4
  on conflict (account_id, what, day, bucket) do update set count = t.count + excluded.count;
  return null;
end $$;
create function alert_changed() returns trigger language plpgsql as $$
begin
  insert into alert_count as c (account_id, status, severity, type, entity_type, count)
  select account_id, status, severity, type, entity_type, sum(sign)
    from (select account_id, status, severity, type, entity_type, 1 as sign from added
          union all
          select account_id, status, severity, type, entity_type, -1 from removed) as d
   group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
  on conflict (account_id, status, severity, type, entity_type) do update set count = c.count + excluded.count;
  insert into alert_day as t (account_id, day, what, bucket, count)
  select e.account_id, d.day, d.what, d.bucket, sum(e.sign * d.amount)
    from (select *, 1 as sign from added union all select *, -1 from removed) e,
         alert_days(e.status, e.occurrences, e.created_at, e.updated_at, e.acknowledged_at, e.resolved_at, e.open_since,
                    e.open_before_s) d
   group by 1, 2, 3, 4 having sum(e.sign * d.amount) <> 0 order by 1, 3, 2, 4
  on conflict (account_id, what, day, bucket) do update set count = t.count + excluded.count;
  return null;
end $$;
-- An account is erased with its counts; a deletion of single alerts is none of this service's acts.
create trigger alert_added after insert on alert referencing new table as added
  for each statement execute function alert_added();
create trigger alert_changed after update on alert referencing new table as added old table as removed
  for each statement execute function alert_changed();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['alert', 'alert_count', 'alert_day', 'alert_pending_letter']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
    execute format('grant select, insert, update on %I to assay_app', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_system', tenant_table);
  end loop;
end $$;
