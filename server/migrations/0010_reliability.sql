-- Why: what was learned about each source, night by night (scoring 7): the counts fade and are carried from one night to
-- the next, and an operator can see why a source is believed as much as it is. What the registry says, and since when,
-- stays in source and source_revision. Lock: none, everything is new.
-- Size: one row a judged source and night, kept 90 days: 300 sources are 27,000 rows, some 3 MB.

create table source_reliability_day (
  source_number smallint not null,
  day date not null,
  -- Of the entries first listed in the last 14 days: how many were looked at, confirmed, disputed.
  sampled integer not null,
  confirmed integer not null,
  disputed integer not null,
  -- Counts with a half-life of 90 days, this night included.
  seen double precision not null,
  conf double precision not null,
  disp double precision not null,
  -- What the registry said before this night, and what it was told; equal when the move was too small.
  previous real not null,
  reliability real not null,
  primary key (source_number, day)
);

grant select on source_reliability_day to assay_app;
grant select, insert, update, delete on source_reliability_day to assay_system;
