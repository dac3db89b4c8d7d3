-- Why: what a listing of a name is worth is learned every night (scoring 3). A replay needs the version that was in force at any
-- moment of the last 90 days, and the next night needs what the last one remembered.
-- Size: learned_version at most two rows a night, about 180 rows, and a file of some 60 KB each in the artifact store; learned_run one
-- row a night of some 60 KB, kept for 8 days. Lock: none on existing tables.

create table learned_version (
  id bigint generated always as identity primary key,
  -- The day and the run, such as 2026-08-24.1. `shipped`: the table of the release, until the first run names it.
  version text not null check (version ~ '^(shipped|[0-9]{4}-[0-9]{2}-[0-9]{2}\.[0-9]{1,4})$'),
  -- The first digits of the SHA-256 of the table's text.
  digest text not null check (digest ~ '^[0-9a-f]{8}$'),
  -- The day (UTC) on which it was learned.
  day date not null,
  -- In force from here until the next one.
  at timestamptz not null,
  -- Null: the shipped table.
  artifact text check (length(artifact) <= 128),
  -- Waits for `weights release` and is in force nowhere.
  held boolean not null default false,
  details jsonb not null default '{}'
);
-- At most one version waits.
create unique index learned_version_held on learned_version (held) where held;

-- The table of the last run of each day with its memory and its nights, whether it came into force or not.
create table learned_run (
  day date primary key,
  at timestamptz not null,
  learned text not null check (length(learned) <= 16000000),
  -- Sources of which so many names are on top lists that they are weighed less.
  alarms text[] not null default '{}'
);

-- Verdicts of an installation in use were given by model 2 until now; an empty one never had another model.
insert into learned_version (version, digest, day, at)
  select 'shipped', '00000000', 'epoch', case when exists (select 1 from listing) then now() else 'epoch' end;

grant select on learned_version, learned_run to assay_app;
grant select, insert, update, delete on learned_version, learned_run to assay_system;
