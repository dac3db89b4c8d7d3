-- Why: what accounts watch, and how each watched value stood at its last check (decisions 3.10, monitoring).
-- Size: 10 M items of some 150 bytes with their indexes 3 GB; a value that many accounts watch is one target of some 200
-- bytes. Lock: the trigger locks replica_edition for a moment.

-- One row for each value that is watched, whichever accounts watch it: it is judged once for all of them.
create table watch_target (
  -- The key of the corpus: kind and payload, a digest for a URL.
  key bytea primary key check (length(key) between 2 and 300),
  entity_type text not null check (entity_type in ('ip', 'domain', 'url', 'email')),
  value text collate "C" not null check (length(value) between 1 and 2048),
  -- Where its host lies. Addresses sort by number, names by their labels from the right, so that everything a range or a
  -- parent domain bears on is one span of this column.
  place bytea not null check (length(place) between 2 and 300),
  -- How it stood at the last check; null before the first.
  level text check (level in ('safe', 'low', 'medium', 'high', 'critical', 'inconclusive')),
  score smallint check (score between 0 and 100),
  is_malicious boolean not null default false,
  -- Eight bytes over all listings that stand now: equal while no merge changed them.
  listed bytea check (length(listed) = 8),
  -- Numbers of the sources that accuse it, and what describes it.
  sources integer[] not null default '{}',
  labels text[] not null default '{}',
  -- The state of the corpus at that check: a worker whose replica is older leaves the row as it is.
  seq bigint not null default 0,
  -- What live lookups said, each as a digest and a text to show.
  facets jsonb not null default '{}',
  checked_at timestamptz,
  changed_at timestamptz,
  next_check_at timestamptz not null,
  created_at timestamptz not null,
  check ((level is null) = (listed is null) and (level is null) = (score is null))
);
-- With the key: a span is read from the index alone, which is three times as fast.
create index watch_target_place on watch_target (place) include (key);
create index watch_target_due on watch_target (next_check_at);

-- One row per account: the lock of its writers, and what its plan counts.
create table watch_account (
  account_id account_ref primary key,
  items integer not null default 0 check (items >= 0)
);

create table watch_item (
  id text collate "C" primary key check (id ~ '^mon_'),
  account_id account_ref not null,
  target_key bytea not null references watch_target (key),
  label text check (length(label) between 1 and 200),
  notify boolean not null,
  -- What the organization itself says of the value; null where it says nothing. Then the item stands by itself.
  own jsonb,
  own_level text check (own_level in ('safe', 'low', 'medium', 'high', 'critical', 'inconclusive')),
  own_score smallint check (own_score between 0 and 100),
  own_malicious boolean not null default false,
  own_listed bytea check (length(own_listed) = 8),
  own_changed_at timestamptz,
  created_at timestamptz not null,
  check ((own_level is null) = (own_listed is null))
);
create unique index watch_item_once on watch_item (account_id, target_key);
create index watch_item_target on watch_item (target_key);
create index watch_item_newest on watch_item (account_id, created_at desc, id desc);

-- Values that were added and that no worker has checked yet. The transaction of the caller writes a row, and the worker
-- deletes it with its check, so that no change between the two is missed.
create table watch_request (
  number bigint generated always as identity primary key,
  key bytea not null
);

-- Spellings under which names that imitate a watched name are found.
create table watch_spelling (
  form text collate "C" not null check (length(form) <= 100),
  target_key bytea not null references watch_target (key) on delete cascade,
  primary key (form, target_key)
);
create index watch_spelling_target on watch_spelling (target_key);

-- Names that were accused for the first time and are not compared with the watched names yet.
create table watch_new_name (
  number bigint generated always as identity primary key,
  name text collate "C" not null check (length(name) <= 254),
  at timestamptz not null
);

insert into corpus_follower (name) values ('monitoring');

-- A job for each merge, where anything is watched. It has no key: the key of a job is locked until the commit, and merges
-- would wait for each other. Jobs that find nothing left to do end at once.
create function watch_wake() returns trigger language plpgsql as $$
begin
  if exists (select 1 from added where dataset = 'corpus') and exists (select 1 from watch_target) then
    perform enqueue_job('monitoring.keep', '{}', null, 'monitoring.keep', null, 5);
  end if;
  return null;
end $$;
create trigger watch_wake after insert on replica_edition referencing new table as added
  for each statement execute function watch_wake();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['watch_account', 'watch_item']
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

-- A caller sees a target only while it watches it: what others watch is theirs.
alter table watch_target enable row level security;
alter table watch_target force row level security;
create policy seen_by_watchers on watch_target for select to assay_app
  using (exists (select 1 from watch_item i
                  where i.target_key = key and i.account_id = current_setting('assay.account', true)));
create policy added_by_watchers on watch_target for insert to assay_app with check (true);
create policy system on watch_target to assay_system using (true) with check (true);
grant select, insert on watch_target to assay_app;
grant select, insert, update, delete on watch_target to assay_system;
grant insert on watch_request to assay_app;
grant select, insert, update, delete on watch_request to assay_system;
grant select, insert, delete on watch_spelling to assay_system;
grant select, insert, update, delete on watch_new_name to assay_system;
