-- Why: what the platform needs beside the job queue. A lease per worker, so that a dead worker's jobs move on
-- within 30 s instead of four hours (reliability W3) and a stopped one cannot commit when it wakes (foundation
-- rule 12); the outbox that feeds the event stream (rule 1); content-addressed files (rule 10).
-- Size: leases one row per worker; outbox one day of events, 100,000 to some millions; artifacts two versions per
-- name, megabytes to a few gigabytes in all. Lock: none, every table is new.

create sequence worker_epoch;

create table worker_lease (
  worker_id text primary key check (length(worker_id) between 1 and 63),
  -- Grows with every worker that ever started: a fencing number that outside systems can compare.
  epoch bigint not null default nextval('worker_epoch'),
  process text not null check (length(process) <= 255),
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
grant select, insert, update, delete on worker_lease to assay_system;
grant usage on sequence worker_epoch to assay_system;

-- The queue's own tables carry row-level security without a policy, which shuts everybody but their owner out. A
-- caller may add a job inside its transaction through this door and see nothing of anybody else's.
create function enqueue_job(
  job_name text, payload json, job_key text, queue_name text, run_at timestamptz, max_attempts int
) returns bigint
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select added.id
            from graphile_worker.add_job(
              identifier => job_name, payload => payload, queue_name => queue_name, run_at => run_at,
              max_attempts => max_attempts, job_key => job_key) as added);
end
$$;
revoke all on function enqueue_job(text, json, text, text, timestamptz, int) from public;
grant execute on function enqueue_job(text, json, text, text, timestamptz, int) to assay_app, assay_system;

-- A worker stopped inside a transaction keeps its locks: in the middle of a COPY not even a statement timeout ends
-- it. Whoever takes its work over ends its connections first; only those of an expired lease.
create function end_expired_workers(lease interval) returns text[]
  language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  with expired as (
    select w.worker_id from public.worker_lease w where w.seen_at < now() - lease
  ), ended as (
    select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.application_name in (select worker_id from expired)
  )
  select coalesce(array_agg(worker_id), '{}') from expired where (select count(*) from ended) >= 0
$$;
revoke all on function end_expired_workers(interval) from public;
grant execute on function end_expired_workers(interval) to assay_system;

create table event_outbox (
  -- Drawn when the event is written; says nothing about the order of commits.
  draft bigint generated always as identity primary key,
  -- Given by the relay once the event is visible, without gaps; what readers resume by.
  id bigint unique,
  type text not null check (length(type) between 1 and 128),
  account_id text check (length(account_id) <= 64),
  payload jsonb not null,
  occurred_at timestamptz not null default now()
);
create index event_outbox_unnumbered on event_outbox (draft) where id is null;
create index event_outbox_occurred_at on event_outbox (occurred_at);
alter table event_outbox enable row level security;
alter table event_outbox force row level security;
create policy tenant on event_outbox for insert to assay_app
  with check (account_id is null or account_id = current_setting('assay.account', true));
create policy system on event_outbox to assay_system using (true) with check (true);
grant insert on event_outbox to assay_app;
grant select, insert, update, delete on event_outbox to assay_system;

create table event_relay (
  only_row boolean primary key default true check (only_row),
  -- The highest id given, and the highest id handed to the stream.
  numbered_id bigint not null default 0,
  relayed_id bigint not null default 0 check (relayed_id <= numbered_id)
);
insert into event_relay default values;
grant select, update on event_relay to assay_system;

create table artifact (
  id bigint generated always as identity primary key,
  name text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,127}$'),
  sha256 text not null default '' check (sha256 = '' or sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null default 0,
  created_at timestamptz not null default now()
);
create index artifact_newest on artifact (name, id desc);
grant select on artifact to assay_app;
grant select, insert, update, delete on artifact to assay_system;

create table artifact_chunk (
  artifact_id bigint not null references artifact on delete cascade,
  ordinal int not null,
  data bytea not null,
  primary key (artifact_id, ordinal)
);
-- Most artifacts are compressed already; trying again costs more than it saves.
alter table artifact_chunk alter column data set storage external;
grant select on artifact_chunk to assay_app;
grant select, insert, delete on artifact_chunk to assay_system;
