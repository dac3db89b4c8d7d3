-- Why: webhooks (decisions 3.12). An endpoint is an address of an account with the lane of what is sent to it; a delivery is
-- one event for one endpoint. Size: at most 50 endpoints an account, 100,000 in all, some 500 bytes each; deliveries are kept
-- for 7 days, some 900 bytes each with their indexes: 10 M a day are 63 GB. Lock: none, every table is new.

-- The number of a sending process; it holds an advisory lock of this number while it lives.
create sequence webhook_sender as integer;
grant usage on sequence webhook_sender to assay_system;

create table webhook_endpoint (
  id text collate "C" primary key check (id ~ '^whk_'),
  account_id account_ref not null,
  url text not null check (length(url) <= 2048),
  description text check (length(description) <= 200),
  -- Names of events, or '*'.
  events text[] not null check (cardinality(events) between 1 and 32),
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('paused', 'failing', 'gone')),
  -- Sealed. The older one signs too until its time is over.
  secret bytea not null,
  older_secret bytea,
  older_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_delivery_at timestamptz,
  last_status smallint,
  -- Failed attempts since the last success, and since when.
  failure_count integer not null default 0,
  failing_since timestamptz,
  -- The number of the next delivery.
  next_sequence bigint not null default 1,
  -- When the first waiting delivery of the lane may be sent; while it is being sent, when its lease ends. Null: none waits.
  lane_at timestamptz,
  -- How many pauses of the retry schedule the lane has used since its last success.
  lane_step smallint not null default 0,
  -- Grows with every write that adds waiting deliveries, so that an emptied lane is not closed over a new one.
  lane_wakes bigint not null default 0,
  -- The number of the process that sends the first delivery now.
  claimed_by integer,
  check (enabled = (disabled_reason is null)),
  check (enabled or lane_at is null)
);
create index webhook_endpoint_account on webhook_endpoint (account_id, id);
-- Lanes of endpoints that answer come first.
create index webhook_endpoint_lane on webhook_endpoint ((lane_step > 0), lane_at) where lane_at is not null;
create index webhook_endpoint_claimed on webhook_endpoint (claimed_by) where claimed_by is not null;
create index webhook_endpoint_failing on webhook_endpoint (failing_since) where failing_since is not null;

create table webhook_delivery (
  -- Ids begin with their time, so that they sort and are forgotten by it.
  id text collate "C" primary key check (id ~ '^dlv_'),
  account_id account_ref not null,
  endpoint_id text collate "C" not null references webhook_endpoint (id) on delete cascade,
  event text not null check (length(event) <= 64),
  -- The order of its lane, without gaps; null for a test, which is no event.
  sequence bigint,
  -- What is sent, the same bytes in every attempt.
  body text not null check (length(body) <= 1048576),
  -- pending: waits in its lane; parked: refused alone, on a schedule of its own; once: sent once by request;
  -- skipped: its endpoint was disabled.
  status text not null check (status in ('pending', 'parked', 'once', 'delivered', 'failed', 'skipped')),
  out_of_order boolean not null default false,
  -- Counts claims; a sender whose number is older cannot record its result.
  attempts integer not null default 0,
  refusals smallint not null default 0,
  -- Of a parked one: pauses used, and when it is sent next.
  step smallint not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  last_attempt_at timestamptz,
  delivered_at timestamptz,
  response_status smallint,
  response_body text check (length(response_body) <= 1024),
  error text check (length(error) <= 300),
  duration_ms integer,
  check ((next_at is not null) = (status in ('parked', 'once')))
);
create index webhook_delivery_lane on webhook_delivery (endpoint_id, sequence) where status = 'pending';
create index webhook_delivery_aside on webhook_delivery (next_at) where next_at is not null;
create index webhook_delivery_list on webhook_delivery (endpoint_id, id);
create index webhook_delivery_account on webhook_delivery (account_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['webhook_endpoint', 'webhook_delivery']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_app', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_system', tenant_table);
  end loop;
end $$;
