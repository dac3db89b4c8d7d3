-- Why: what live lookups have taught us of how the internet hangs together: which names lead to an address (our own
-- passive DNS), who shares a name server, a registrar, a certificate. It belongs to nobody: no account, no key and no
-- question is in it, only what the outside answered. Lock: none, everything is new.
-- Size: 342 bytes a row with its three indexes (measured with 1.1 M rows), so 10 M rows are some 3.4 GB. A row leaves
-- 400 days after it was last seen.

create table observation (
  first_seen timestamptz not null,
  -- Moved on at most once an hour, so that a name asked for all day is not written all day.
  last_seen timestamptz not null,
  -- 1 resolves, 2 nameserver, 3 registrar, 4 certificate.
  relation smallint not null check (relation between 1 and 4),
  -- The address, name server, registrar or fingerprint that things have in common.
  pivot text not null check (length(pivot) between 1 and 256),
  -- A domain or an address.
  subject text not null check (length(subject) between 1 and 256),
  -- A, AAAA, NS ...; '' where it has no meaning.
  record_type text not null check (length(record_type) <= 16),
  primary key (relation, pivot, subject, record_type)
);
-- The newest of a pivot without sorting all of them: a parking host has a million names.
create index observation_pivot on observation (relation, pivot, last_seen desc);
create index observation_subject on observation (relation, subject, last_seen desc);

grant select, insert, update on observation to assay_app;
grant select, delete on observation to assay_system;
