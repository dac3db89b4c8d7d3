-- Why: a listing must say what its date means (O55), and carry the family and the report that its source
-- names to every node, so that an answer needs no PostgreSQL (O52).
-- Size: 2 bytes a listing. malware_family some 3,000 rows, listing_reference one row per distinct web address that a
-- source gives, some 50,000 to 500,000 rows of 150 bytes with both indexes.
-- Lock: ACCESS EXCLUSIVE on the tables of listings for columns with a constant default (no rewrite); then one update of
-- the listings whose date is known to be more than the date of a first import, about 10 s for a million of them.

-- 0: the source's own date of the entry. 1: first sighting, the day we or the recorded history of the list first saw it.
-- 2: undated, it was there when its source was first read and nothing dates it; first_seen is then the date of the data.
alter table listing add column dated_by smallint not null default 2;
alter table listing_past add column dated_by smallint not null default 2;
alter table listing_fading add column dated_by smallint not null default 2;
-- Null: the row gives no date at all.
alter table corpus_load add column dated_by smallint;

-- A row without dates of its own got the date of the data of the merge that brought it, a window source that day. A date
-- that no merge of the source had is therefore the source's, and that of a later merge is a first sighting.
with first_read as (
  select distinct on (source_number) source_number, data_at from source_fetch order by source_number, fetched_at
)
update listing l
   set dated_by = case when exists (select 1 from source_fetch f
                                     where f.source_number = l.source_number
                                       and l.first_seen in (f.data_at, date_trunc('day', f.data_at, 'UTC')))
                       then 1 else 0 end
 where not exists (select 1 from first_read r
                    where r.source_number = l.source_number
                      and l.first_seen in (r.data_at, date_trunc('day', r.data_at, 'UTC')));

-- Numbers stand for the texts in replicas, and never change. A number too large for its bytes there is left out of them.
-- Unique by a hash index: it holds no text, and a look-up takes two thirds of the time of a btree.
create table malware_family (
  number integer generated always as identity primary key,
  -- As a source spells it.
  name text collate "C" not null check (length(name) between 1 and 80),
  exclude using hash (name with =)
);
-- Web addresses only. Texts of 1,024 characters may have been cut, so they lead elsewhere and stay with their listing.
create table listing_reference (
  number integer generated always as identity primary key,
  url text collate "C" not null check (url ~ '^https?://' and octet_length(url) < 1024),
  exclude using hash (url with =)
);
insert into malware_family (name)
  select distinct family from listing_past where family <> ''
  union select distinct family from listing where family <> '' order by 1;
insert into listing_reference (url)
  select distinct reference from listing_past where reference ~ '^https?://[!-~]+$' and octet_length(reference) < 1024
  union select distinct reference from listing where reference ~ '^https?://[!-~]+$' and octet_length(reference) < 1024
  order by 1;

-- By these a replica finds what the change log names.
create unique index malware_family_key on malware_family (int4send(number));
create unique index listing_reference_key on listing_reference (int4send(number));
create view corpus_family_entry with (security_invoker = true) as
  select int4send(number) as key, convert_to(name, 'UTF8') as value from malware_family;
create view corpus_reference_entry with (security_invoker = true) as
  select int4send(number) as key, convert_to(url, 'UTF8') as value from listing_reference;

create or replace view listing_period with (security_invoker = true) as
  select key, source_number, listed_from, null::timestamptz as listed_to, first_seen, last_seen, confidence, reference,
         family, rank, dated_by
    from listing
  union all
  select key, source_number, listed_from, listed_to, first_seen, last_seen, confidence, reference, family, rank, dated_by
    from listing_past;

-- Replica collection "listing": 12 bytes a listing, by source number: u16 source, u32 first seen, u32 last seen (0: the
-- source's date; a popularity entry has its rank there), u8 confidence (127: not given), u8 flags: 1 delisted and still
-- fading, 2 and 4 dated_by, 8 a u16 family number follows, 16 a u24 reference number follows (0: not in the dictionary). The same source is never
-- both listed and fading. Two index scans in key order are merged, so neither `order by key` nor `where key = any()`
-- sorts anything, and an aggregate keeps the order of its rows. The numbers of names are looked up by subquery, because
-- the result of a join has no order and all listings would be sorted once more.
create or replace view corpus_listing_entry with (security_invoker = true) as
  select key, string_agg(packed, ''::bytea) as value
    from (select key, packed
            from (select l.key, l.source_number,
                         int2send(l.source_number)
                           || int8send((date_part('epoch', l.first_seen)::bigint << 32)
                                       | coalesce(l.rank::bigint, date_part('epoch', l.last_seen)::bigint, 0))
                           || int2send((coalesce(l.confidence, 127::smallint) * 256 + l.dated_by * 2
                                        + case when l.family is null then 0 else 8 end
                                        + case when l.reference like 'http%' then 16 else 0 end)::smallint)
                           || case when l.family is null then ''::bytea
                                   else substring(int4send(coalesce(
                                          (select number from malware_family
                                            where name = l.family collate "C" and number < 65536), 0)) from 3) end
                           || case when l.reference like 'http%'
                                   then substring(int4send(coalesce(
                                          (select number from listing_reference
                                            where url = l.reference collate "C" and number < 16777216), 0)) from 2)
                                   else ''::bytea end as packed
                    from listing l
                  union all
                  select key, source_number,
                         int2send(source_number)
                           || int8send((date_part('epoch', first_seen)::bigint << 32)
                                       | date_part('epoch', last_seen)::bigint)
                           || int2send((coalesce(confidence, 127::smallint) * 256 + dated_by * 2 + 1)::smallint)
                    from listing_fading) as both_kinds
           order by key, source_number) as ordered
   group by key;

-- Replica collection "related": 13 bytes an entry, at most 64 entries: u8 kind (5 a name, 6 a page), then a listing without
-- names, folded as before; of the datings the best one counts.
create or replace view corpus_related_entry with (security_invoker = true) as
  select key, substring(string_agg(packed, ''::bytea) from 1 for 832) as value
    from (select i.parent_key as key,
                 substring(i.key from 1 for 1) || int2send(l.source_number)
                   || int8send((date_part('epoch', min(l.first_seen))::bigint << 32)
                               | case when bool_or(l.last_seen is null) then 0
                                      else date_part('epoch', max(l.last_seen))::bigint end)
                   || int2send((coalesce(max(l.confidence), 127::smallint) * 256 + min(l.dated_by) * 2)::smallint) as packed
            from indicator i
            join listing l on l.key = i.key
            join source s on s.number = l.source_number and s.threat_class = 'threat' and not s.ad_only
           where i.parent_key is not null
           group by i.parent_key, substring(i.key from 1 for 1), l.source_number
           order by i.parent_key, substring(i.key from 1 for 1), l.source_number) as ordered
   group by key;

grant select on malware_family, listing_reference, corpus_family_entry, corpus_reference_entry to assay_app;
grant select, insert on malware_family, listing_reference to assay_system;
grant select on corpus_family_entry, corpus_reference_entry to assay_system;
