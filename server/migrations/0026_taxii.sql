-- Why: indicators as STIX 2.1 over TAXII 2.1 (contract 4.7, decisions 3.6, docs/decisions/0016). A walk pages by the date added,
-- so that date, the text and the collections of each object are stored and change only when the object does.
-- Size: taxii_object about 1,000 bytes a row with its indexes, some 0.3 M rows for 3.3 M standings; taxii_class at most one row
-- for each standing class; taxii_url one row for each exported URL; org_indicator_object one row for each indicator of an
-- organization and each restore of it, kept 90 days after a revocation.
-- Lock: ACCESS EXCLUSIVE on org_indicator and blocklist_pull for a column without rewrite; the other tables are new.

-- Dates are microseconds since the epoch: STIX shows six digits, and each object has a date of its own.
create table taxii_state (
  only_row boolean primary key default true check (only_row),
  -- Part of the id of the identity object, so that two deployments are two identities.
  deployment uuid not null default gen_random_uuid(),
  deployed_us bigint not null default (extract(epoch from now()) * 1000000)::bigint,
  -- The newest date added that was given out. Its row is locked from the choice of a date to the commit, so dates grow in the
  -- order of commits.
  newest_us bigint not null default 0,
  -- What the collections were last compared with, and with which rules the classes were judged.
  synced_as text check (length(synced_as) <= 500),
  judged_as text check (length(judged_as) <= 200),
  synced_at timestamptz,
  rebuilt_at timestamptz,
  rebuild_ms bigint
);
insert into taxii_state default values;

-- What a standing class exports; classes that export nothing have a row too, so that they are not judged again each time.
create table taxii_class (
  class_id integer primary key,
  -- The judgement of the class that this row was made from.
  score_seen smallint not null,
  level text not null,
  score smallint not null,
  confidence smallint not null,
  sources smallint not null,
  categories text[] not null,
  -- Bits of the collections; 0: none.
  collections smallint not null,
  -- The hour in which its members leave if no source says anything new, and the hour in which that was found.
  until_h integer not null,
  computed_h integer not null
);

-- The same for each URL: URLs have no standing, because a replica knows only their digests.
create table taxii_url (
  key bytea primary key,
  level text not null,
  score smallint not null,
  confidence smallint not null,
  sources smallint not null,
  categories text[] not null,
  collections smallint not null,
  until_h integer not null,
  computed_h integer not null
);
insert into corpus_follower (name) values ('taxii');

-- One row for each object that was ever in a shared collection. A row without text remembers `created` of an indicator that
-- left long ago, because STIX forbids that it changes when the indicator comes back.
create table taxii_object (
  -- Date added and `modified`.
  added_us bigint not null,
  created_us bigint not null,
  until_us bigint not null,
  -- When it last left a collection.
  left_us bigint,
  collections smallint not null,
  -- Collections that it left less than 90 days ago; polls with `added_after` see it there (O39).
  left_collections smallint not null default 0,
  score smallint not null,
  level text not null,
  categories text[] not null,
  families text[] not null default '{}',
  id uuid not null,
  key bytea primary key,
  stix text
);
create index taxii_object_added_1 on taxii_object (added_us) where (collections | left_collections) & 1 <> 0;
create index taxii_object_added_2 on taxii_object (added_us) where (collections | left_collections) & 2 <> 0;
create index taxii_object_added_4 on taxii_object (added_us) where (collections | left_collections) & 4 <> 0;
create index taxii_object_added_8 on taxii_object (added_us) where (collections | left_collections) & 8 <> 0;
create index taxii_object_created_1 on taxii_object (created_us) where (collections | left_collections) & 1 <> 0;
create index taxii_object_created_2 on taxii_object (created_us) where (collections | left_collections) & 2 <> 0;
create index taxii_object_created_4 on taxii_object (created_us) where (collections | left_collections) & 4 <> 0;
create index taxii_object_created_8 on taxii_object (created_us) where (collections | left_collections) & 8 <> 0;
create index taxii_object_left on taxii_object (left_us) where left_collections <> 0;

-- What a comparison found different and is not published yet. It is made anew by each comparison, so it need not survive a
-- crash.
create unlogged table taxii_change (
  key bytea primary key,
  level text,
  score smallint,
  confidence smallint,
  sources smallint,
  categories text[],
  -- 0: it left all collections.
  collections smallint not null,
  until_h integer
);

create table taxii_count (
  collection smallint primary key,
  histogram integer[] not null check (cardinality(histogram) = 10),
  total integer not null,
  computed_at timestamptz not null
);

grant select on taxii_state, taxii_object, taxii_count to assay_app;
grant select, insert, update, delete, truncate on taxii_state, taxii_class, taxii_url, taxii_object, taxii_change, taxii_count
  to assay_system;

-- Tables that were just filled have no statistics, and without them a page sorts its whole collection (190 ms in place of 2).
-- Only the owner of a table may analyze it.
create function taxii_analyze(objects boolean) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if objects then analyze taxii_object; else analyze taxii_change; end if;
end $$;
revoke all on function taxii_analyze(boolean) from public;
grant execute on function taxii_analyze(boolean) to assay_system;

-- The STIX objects of organizations. A revocation is final, so a value that is reported again is a new object (O12).
create table org_indicator_object (
  account_id account_ref not null check (account_id ^@ 'org_'),
  indicator_id text not null references org_indicator (id),
  -- Counts the objects of the indicator from 0; part of the id.
  n integer not null,
  entity_type text not null,
  value text collate "C" not null,
  category text not null,
  ends_at timestamptz,
  created_us bigint not null,
  -- Date added and `modified`.
  changed_us bigint not null,
  is_revoked boolean not null default false,
  primary key (indicator_id, n)
);
create unique index org_indicator_object_changed on org_indicator_object (account_id, entity_type, changed_us);
create unique index org_indicator_object_created on org_indicator_object (account_id, entity_type, created_us);
create unique index org_indicator_object_open on org_indicator_object (indicator_id) where not is_revoked;
create index org_indicator_object_revoked on org_indicator_object (changed_us) where is_revoked;
alter table org_indicator_state add column stamped_us bigint not null default 0;

insert into org_indicator_object
       (account_id, indicator_id, n, entity_type, value, category, ends_at, created_us, changed_us, is_revoked)
select account_id, id, restores, entity_type, value, category, ends_at,
       (extract(epoch from created_at) * 1000000)::bigint + place, (extract(epoch from updated_at) * 1000000)::bigint + place,
       status = 'revoked'
  from (select i.*, row_number() over (partition by account_id order by created_at, id) as place from org_indicator i) i
 where disposition = 'block';
update org_indicator_state s
   set stamped_us = coalesce((select max(greatest(changed_us, created_us)) from org_indicator_object o
                               where o.account_id = s.account_id), 0);
alter table org_indicator drop column restores;

alter table org_indicator_object enable row level security;
alter table org_indicator_object force row level security;
create policy tenant on org_indicator_object to assay_app using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on org_indicator_object to assay_system using (true) with check (true);
grant select, insert, update on org_indicator_object to assay_app;
grant select, insert, update, delete on org_indicator_object to assay_system;

-- Pulls of collections are shown beside those of lists.
alter table blocklist_pull add column kind text not null default 'blocklist' check (kind in ('blocklist', 'taxii'));
alter table blocklist_pull add column objects integer;
alter table blocklist_pull add column more boolean;
