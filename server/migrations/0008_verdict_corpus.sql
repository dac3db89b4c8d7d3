-- Why: a verdict needs more of the corpus than what is listed now: what left a short while ago and still fades (scoring
-- ruling 5), what lies below a name or on a host (scoring 4), and which number of the change log belongs to a past
-- moment (ruling 12).
-- Size: listing_fading at most 90 days of delistings, about 120 bytes each: 1 % of 5 M listings a day is 4.5 M rows in the
-- worst case, some 0.3 M on real lists, because most fade within 3 weeks. indicator.parent_key 20 bytes for each URL and
-- each name below a registrable domain, and as much again in its index. replica_edition 40 bytes for each number drawn.
-- Lock: ACCESS EXCLUSIVE on indicator and corpus_load for a column without default (no rewrite), then SHARE on indicator
-- for one scan of it: the index of an old database starts empty (about 1 s for 3 M rows).

-- A threat listing that its source dropped, for as long as the score still feels it. Hashes are not here: a file does not
-- change, it is revoked. A row leaves when the source lists the value again, or when its time is over.
create table listing_fading (
  first_seen timestamptz not null,
  -- The source's own last sighting, else the moment it was delisted.
  last_seen timestamptz not null,
  -- When less than 2 % is left, and never more than 90 days after it was delisted.
  fades_until timestamptz not null,
  source_number smallint not null,
  confidence smallint,
  key bytea not null,
  primary key (key, source_number)
);
create index listing_fading_until on listing_fading (fades_until);

-- Of a URL the key of its host, of a name below its registrable domain the key of that domain; null for everything else
-- and where strangers get names (platforms). Written when a value is first listed: rows from before this migration stay
-- without one, so an old database is read anew from its lists (an empty one, then feeds import or the worker).
alter table indicator add column parent_key bytea;
create index indicator_parent on indicator (parent_key) where parent_key is not null;
alter table corpus_load add column parent_key bytea;

-- One of several equal keys; PostgreSQL before 18 has no min(bytea). A strict step is not called for the first value of a
-- group, and nearly all groups of a merge have one row.
create function one_of(bytea, bytea) returns bytea language sql immutable strict parallel safe as 'select $1';
create aggregate one_of(bytea) (sfunc = one_of, stype = bytea, parallel = safe);

-- As before, with what fades behind what is active: high bit of the last byte set. The same source is never in both.
-- Two index scans in key order are merged, so neither `order by key` nor `where key = any()` sorts anything.
create or replace view corpus_listing_entry with (security_invoker = true) as
  select key, string_agg(packed, ''::bytea) as value
    from (select key, packed
            from (select key, source_number,
                         int2send(source_number)
                           || int8send((date_part('epoch', first_seen)::bigint << 32)
                                       | coalesce(rank::bigint, date_part('epoch', last_seen)::bigint, 0))
                           || substring(int2send(coalesce(confidence, 127::smallint)) from 2) as packed
                    from listing
                  union all
                  select key, source_number,
                         int2send(source_number)
                           || int8send((date_part('epoch', first_seen)::bigint << 32)
                                       | date_part('epoch', last_seen)::bigint)
                           || substring(int2send(coalesce(confidence, 127::smallint) | 128::smallint) from 2)
                    from listing_fading) as both_kinds
           order by key, source_number) as ordered
   group by key;

-- Replica collection "related": by key of a host or of a registrable domain, what threat sources list on it or below it.
-- 12 bytes an entry, at most 64 entries: u8 kind (5 a name, 6 a page), then a listing as above, folded over everything
-- of that kind: earliest first sighting, latest last one (0 when any is still listed), highest confidence.
create view corpus_related_entry with (security_invoker = true) as
  select key, substring(string_agg(packed, ''::bytea) from 1 for 768) as value
    from (select i.parent_key as key,
                 substring(i.key from 1 for 1) || int2send(l.source_number)
                   || int8send((date_part('epoch', min(l.first_seen))::bigint << 32)
                               | case when bool_or(l.last_seen is null) then 0
                                      else date_part('epoch', max(l.last_seen))::bigint end)
                   || substring(int2send(coalesce(max(l.confidence), 127::smallint)) from 2) as packed
            from indicator i
            join listing l on l.key = i.key
            join source s on s.number = l.source_number and s.threat_class = 'threat' and not s.ad_only
           where i.parent_key is not null
           group by i.parent_key, substring(i.key from 1 for 1), l.source_number
           order by i.parent_key, substring(i.key from 1 for 1), l.source_number) as ordered
   group by key;

-- When each number of the change log was drawn, kept 180 days (the log itself 7): a past moment is answered as of the
-- newest number at or before it.
create table replica_edition (
  dataset text not null,
  seq bigint not null,
  at timestamptz not null,
  primary key (dataset, seq)
);
create index replica_edition_at on replica_edition (dataset, at);
-- What the log still knows.
insert into replica_edition (dataset, seq, at)
  select dataset, seq, min(at) from replica_change group by dataset, seq;

grant select on listing_fading, corpus_related_entry, replica_edition to assay_app;
grant insert on replica_edition to assay_app;
grant select, insert, update, delete on listing_fading to assay_system;
grant select on corpus_related_entry to assay_system;
grant select, insert, delete on replica_edition to assay_system;
