-- Why: three things that CVE watch did not follow.
-- Lock: cve for a moment. Writes of observation wait while its index is built; a node keeps 10,000 observations in memory
-- until then. Size: 16 bytes a CVE; 50 bytes an observation of relation 1, of which a million is indexed in 2 s.

-- A digest of the ranges and configurations that sources state. They are not part of the record, so a change of them alone left
-- the row of the CVE as it was, and what is watched was not matched again. Null counts as another digest.
alter table cve add column statements bytea check (length(statements) = 16);

-- A domain perimeter asks which names below a domain were seen. Names share their ends, so the index holds them reversed:
-- everything below example.com is one run of it. Byte order, because the run ends before the byte after the dot.
create index observation_below on observation (reverse(subject) collate "C") where relation = 1;

-- A vote may also end or make the link of a third name: where X is the only CPE name of a CNA name A, the first vote of A for Y takes
-- the link of A and X away, and components under A are not matched by CVEs of X any more. So CVEs of X are matched again too.
-- A name with two others had no link before and has none after.
create or replace function cve_watch_note_votes() returns trigger language plpgsql as $$
begin
  insert into cve_watch_change (cve_id)
  with news as (
    select distinct c.source, c.cna, c.cpe from changed c
     where not exists (
       select 1 from cve_link_vote v
        where v.source = c.source and v.cna = c.cna and v.cpe = c.cpe
          and (tg_op = 'DELETE' or not exists (
                select 1 from changed o where o.cve_id = v.cve_id and o.source = v.source and o.cna = v.cna
                                          and o.cpe = v.cpe)))
  ), key as (
    select cna as key from news union select cpe from news
    union
    select min(v.cpe) from (select distinct source, cna from news) n
      join cve_link_vote v on v.cna = n.cna and v.source = n.source
     where not exists (select 1 from news m where m.source = v.source and m.cna = v.cna and m.cpe = v.cpe)
     group by n.source, n.cna having min(v.cpe) = max(v.cpe)
    union
    select min(v.cna) from (select distinct source, cpe from news) n
      join cve_link_vote v on v.cpe = n.cpe and v.source = n.source
     where not exists (select 1 from news m where m.source = v.source and m.cna = v.cna and m.cpe = v.cpe)
     group by n.source, n.cpe having min(v.cna) = max(v.cna)
  )
  select distinct p.cve_id
    from key k
    join cve_product p on p.vendor = split_part(k.key, E'\n', 1) and p.product = split_part(k.key, E'\n', 2);
  if found then
    perform cve_watch_wake();
  end if;
  return null;
end $$;
