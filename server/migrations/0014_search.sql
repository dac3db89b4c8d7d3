-- Why: look-alikes of a brand among listed names (decisions 3.4). A projection of the corpus, kept by the worker from the
-- change log some seconds behind it, so that a merge pays nothing for it; it can be emptied and is filled again.
-- Size: 300 bytes a listed name with its indexes: 2.0 M names of the data set are 620 MB. Lock: none, everything is new.

-- A trusted extension: whoever owns the database may create it, where the server has it.
do $$
begin
  if not exists (select 1 from pg_available_extensions where name = 'pg_trgm') then
    raise exception 'This PostgreSQL has no pg_trgm, which the search for look-alikes needs.'
      using hint = 'Install the contrib package of the server (postgresql-contrib) and migrate again.';
  end if;
end
$$;
create extension if not exists pg_trgm;

-- One row per name that a threat source lists, and how it is read: from the name alone (domain/lookalike/trace.ts).
create table search_name (
  -- Canonical text is ASCII: in this order the names lie as the keys of listing do.
  name text collate "C" primary key check (length(name) <= 253),
  -- How strongly its sources accuse it together, in thousandths and without regard to age: which names of a popular
  -- brand are looked at when there are too many. What is answered is scored anew.
  danger smallint not null check (danger between 0 and 1000),
  spelling text not null,
  tokens text[] not null
);
-- Whole pieces: slips of a brand are asked for by the hundreds, each an equality.
create index search_name_tokens on search_name using gin (tokens);
-- A brand of six letters or more anywhere inside.
create index search_name_spelling on search_name using gin (spelling gin_trgm_ops);

create table search_state (
  only_row boolean primary key default true check (only_row),
  -- Of which rules the rows are; other rules read every name anew.
  format integer not null default 0,
  -- Position in the change log: everything before `seq` is done, and of `seq` the keys up to `key`.
  seq bigint not null default 0,
  key bytea not null default '\x',
  -- The last key of a walk over all listed names; null when none is under way.
  walk_key bytea,
  -- When the first walk ended; null: names are missing, so nothing may be answered.
  filled_at timestamptz,
  -- Numbers of the sources that were there, and of those that accused: one that changes sides changes what is listed.
  known smallint[] not null default '{}',
  accusing smallint[] not null default '{}',
  -- One run at a time; a run that died lets go by itself.
  claimed_by text,
  claimed_until timestamptz
);
insert into search_state default values;

-- New entries of such an index wait in a list that every search reads through; the owner of the index alone may sort
-- them in. After a walk the planner learns the table as well.
create function search_settle(after_walk boolean) returns void
  language plpgsql security definer set search_path = public, pg_temp
  as $$
  begin
    perform gin_clean_pending_list('search_name_tokens'), gin_clean_pending_list('search_name_spelling');
    if after_walk then analyze search_name; end if;
  end
  $$;

revoke all on function search_settle(boolean) from public;
grant execute on function search_settle(boolean) to assay_system;
grant select on search_name, search_state to assay_app;
grant select, insert, update, delete on search_name to assay_system;
grant select, update on search_state to assay_system;
