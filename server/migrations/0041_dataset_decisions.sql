-- Why: an operator releases or discards the quarantined download of a data set. Each decision is recorded; a released
-- download brings the cursor that it was made with; and the share of nulls that an operator accepted is the usual one from
-- then on.
-- Size: some decisions a month. Lock: two columns are added without a rewrite.

alter table feed_quarantine add column cursor jsonb;
alter table cve_quality add column is_released boolean not null default false;

create table dataset_decision (
  id text primary key,
  at timestamptz not null,
  -- A source (positive) or a data set (negative).
  source_number smallint not null,
  source_id text not null,
  action text not null check (action in ('release', 'discard')),
  -- The name that the operator gave, or the credential of a route.
  decided_by text not null check (length(decided_by) between 1 and 200),
  gate text not null,
  reason text not null,
  content_sha256 text
);
create index dataset_decision_at on dataset_decision (at desc);

grant select on dataset_decision to assay_app;
grant select, insert on dataset_decision to assay_system;
