-- Why: signals (crowded networks, suspicious names, imitations) are trained every night from the corpus. Each version is
-- kept for as long as a verdict can be replayed (scoring ruling 12). Lock: none on existing tables.
-- Size: one row a night that changed something, about 100 rows; a file of 2 to 4 MB each in the artifact store.

create table signal_version (
  id bigint generated always as identity primary key,
  -- The first digits of the SHA-256 of the content: the same corpus has the same version.
  version text not null check (version ~ '^[0-9a-f]{8}$'),
  artifact text not null check (length(artifact) <= 128),
  bytes bigint not null,
  -- In force from here until the next one.
  trained_at timestamptz not null,
  details jsonb not null default '{}'
);

grant select on signal_version to assay_app;
grant select, insert, delete on signal_version to assay_system;
