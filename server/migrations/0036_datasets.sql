-- Why: data sets that are no sources of listings (CVE catalogues, ransomware trackers) are fetched, judged, quarantined
-- and recorded by the pipeline of the feeds. Their state and runs are rows of feed_state, feed_run and feed_quarantine;
-- their numbers are negative, those of sources are positive.
-- Size: some 30 rows. Lock: none, the table and the view are new.

create table dataset (
  number smallint primary key check (number < 0),
  id text not null unique check (length(id) between 1 and 64),
  -- The capability that loads it.
  capability text not null check (length(capability) between 1 and 64),
  name text not null check (length(name) between 1 and 200),
  -- An operator may stop fetching one.
  scheduled boolean not null,
  entries integer not null default 0 check (entries >= 0),
  -- Date of the data by its publisher's account; null: never loaded.
  data_at timestamptz,
  -- Where the next download starts, for publishers that are asked for changes; its capability knows the shape.
  cursor jsonb
);

-- The names of sources and of data sets, by the number under which their runs are kept.
create view dataset_name as
  select number, id from source union all select number, id from dataset;

grant select on dataset, dataset_name to assay_app;
grant select, insert, update, delete on dataset to assay_system;
grant select on dataset_name to assay_system;
