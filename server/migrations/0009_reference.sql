-- Why: local context (where an address is, whose network it is in, what ATT&CK calls a technique) comes from files that
-- an operator loads. Every version is kept for 180 days, so that a verdict of a past day can be replayed with what was
-- loaded then (scoring ruling 12). Lock: none on existing tables.
-- Size: three kinds, at most one version a day each: some 540 rows. The files lie in the artifact store under a name of
-- their own each: 14 MB a version of networks, 8 to 130 MB one of places, 0.13 MB one of ATT&CK.

create table reference_version (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('geo', 'asn', 'attack')),
  -- The first digits of the SHA-256 of what nodes open: the same content has the same version.
  version text not null check (version ~ '^[0-9a-f]{12}$'),
  artifact text not null check (length(artifact) <= 128),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null,
  -- Date of the data itself, never of our loading.
  data_at timestamptz not null,
  -- In force from here until the next one of its kind.
  loaded_at timestamptz not null,
  name text not null check (length(name) between 1 and 200),
  attribution text check (length(attribution) <= 2000),
  -- Counts by name: a version that holds less than half of what the one before held is not taken by itself.
  details jsonb not null default '{}'
);
create index reference_version_kind on reference_version (kind, id desc);

-- Where the next conditional request starts, and why the last one brought nothing. One row a configured URL.
create table reference_fetch (
  kind text not null check (kind in ('geo', 'asn', 'attack')),
  url text not null check (length(url) <= 2048),
  etag text check (length(etag) <= 1024),
  last_modified text check (length(last_modified) <= 256),
  checked_at timestamptz not null,
  problem text check (length(problem) <= 1000),
  primary key (kind, url)
);

grant select on reference_version, reference_fetch to assay_app;
grant select, insert, delete on reference_version to assay_system;
grant select, insert, update, delete on reference_fetch to assay_system;
