-- Why: the change log that feeds every node's local replica (foundation rules 1 and 6). A row says that a key of a
-- collection changed; the replicator reads the current value through the collection's view, so a row is a key and
-- nothing else. Numbers are drawn under one advisory lock per dataset, held to commit: their order is commit order.
-- Size: about 90 bytes a row, seven days kept; 1 % of 3 M entries a day is 0.2 M rows, some 20 MB. Lock: none.
create sequence replica_seq as bigint;

create table replica_change (
  dataset text not null check (dataset ~ '^[a-z][a-z0-9-]{0,31}$'),
  seq bigint not null,
  collection text not null,
  key bytea not null check (length(key) between 1 and 1978),
  at timestamptz not null,
  primary key (dataset, seq, collection, key)
);

-- The highest number that was forgotten: a replica behind it must rebuild.
create table replica_trimmed (
  dataset text primary key,
  through_seq bigint not null
);

-- Which record a replica was built from: another database, even with the same numbers, means a rebuild.
create table replica_origin (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
insert into replica_origin default values;

-- Callers of the log may learn the newest number, not read the keys of others.
create function replica_newest_seq(wanted text) returns bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$ select coalesce(max(seq), 0) from replica_change where dataset = wanted $$;

revoke all on function replica_newest_seq(text) from public;
grant execute on function replica_newest_seq(text) to assay_app, assay_system;
grant insert on replica_change to assay_app;
grant select, insert, delete on replica_change to assay_system;
grant select, insert, update on replica_trimmed to assay_system;
grant select on replica_origin to assay_system;
grant usage on sequence replica_seq to assay_app, assay_system;
