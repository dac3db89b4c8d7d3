-- Why: the address database is built from time to time and kept when a build fails; the file itself is an artifact.
-- Lock: none, the table is new. Size: one row.

create table mmdb_state (
  id boolean primary key default true check (id),
  -- The stamp of the standings that the newest file was made from.
  built_as text check (length(built_as) <= 200),
  -- Of the file without its metadata, which has the time of the build.
  content_sha256 text check (content_sha256 ~ '^[0-9a-f]{64}$'),
  addresses integer not null default 0,
  ranges integer not null default 0,
  records integer not null default 0,
  took_ms integer,
  built_at timestamptz,
  -- The last time that the file was known to be what it should be.
  checked_at timestamptz,
  failed_at timestamptz,
  failure text check (length(failure) <= 500),
  -- A build that lost half of the entries waits here until an operator releases its stamp.
  held_entries integer,
  held_as text check (length(held_as) <= 200),
  released_as text check (length(released_as) <= 200)
);
insert into mmdb_state default values;
grant select on mmdb_state to assay_app;
grant select, update on mmdb_state to assay_system;
