-- Why: the level of every accused indicator, true as it fades (docs/decisions/0015). What is stored of a verdict is its
-- class, everything the judge reads with "still listed" for the date of the source's data, and never a score per indicator:
-- an hour changes the score of most of 3.3 M indicators and the class of none. Readers of the change log share one table of
-- positions, because search was the first of several.
-- Lock: ACCESS EXCLUSIVE on search_state, which has one row and is replaced. The other tables are new.
-- Size: standing about 70 bytes a row and 45 in its indexes; standing_class some 30,000 rows of 200 bytes.

create table corpus_follower (
  name text primary key check (length(name) between 1 and 32),
  -- The rules under which the rows were written; the reader decides which difference means a walk over everything.
  rules jsonb not null default '{}',
  -- Position in the change log: everything before it is done. A collection 'zz' sorts last: all of `seq` is done.
  seq bigint not null default 0,
  collection text not null default '',
  key bytea not null default '\x',
  -- The last key of a walk over everything; null when none is under way.
  walk_key bytea,
  -- When the first walk ended; null: rows are missing, so nothing may be answered from them.
  filled_at timestamptz,
  -- One run at a time; the claim of a run that died expires.
  claimed_by text,
  claimed_until timestamptz
);
insert into corpus_follower (name, rules, seq, collection, key, walk_key, filled_at)
  select 'search', jsonb_build_object('format', format, 'known', to_jsonb(known), 'accusing', to_jsonb(accusing)),
         seq, case when key >= '\x06' then 'zz' else 'listing' end, key, walk_key, filled_at
    from search_state;
insert into corpus_follower (name) values ('standing');
drop table search_state;

create table standing_class (
  id integer generated always as identity primary key,
  -- The first 16 bytes of SHA-256 over the facts of the class.
  digest bytea not null unique,
  -- The first byte of the keys of its members.
  kind smallint not null,
  -- Null: not judged yet.
  judged_h integer,
  level text,
  word text,
  score smallint,
  shared_level text,
  shared_score smallint,
  -- Bits of the shared lists: with all sources, and with those that may be passed on.
  lists smallint not null default 0,
  shared_lists smallint not null default 0,
  withheld smallint not null default 0,
  shared_withheld smallint not null default 0,
  summary text,
  shared_summary text,
  -- Why a guard keeps its members from a list.
  withheld_reason text
);

create table standing (
  -- Of a name below its registrable domain: the first 8 bytes of SHA-256 over that domain. A listing of a parent changes
  -- the names below it.
  site bigint,
  class_id integer not null,
  key bytea primary key
);
create index standing_members on standing (class_id);
create index standing_site on standing (site) where site is not null;

create table standing_state (
  only_row boolean primary key default true check (only_row),
  -- What the classes were last judged with: the hour, the registry and its dates.
  judged_as text,
  judged_at timestamptz,
  -- A walk compares everything; what it found different was missed by the reader of the log.
  walked_at timestamptz,
  walked_keys bigint,
  walked_corrections bigint,
  walk_ms bigint
);
insert into standing_state default values;

-- When the content of a shared list last changed; the builder of the lists compares versions.
create table standing_list (
  list smallint primary key,
  version bigint not null default 0,
  changed_at timestamptz not null default now()
);
insert into standing_list (list) select generate_series(0, 7);

grant select on corpus_follower, standing, standing_class, standing_state, standing_list to assay_app;
grant select, insert, update, delete on corpus_follower, standing, standing_class, standing_state, standing_list
  to assay_system;
