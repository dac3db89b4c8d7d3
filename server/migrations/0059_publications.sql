-- Why: the blocklists, the TAXII collections and the address database are built in the background. When a build waits, fails or
-- is late, the freshness report, /health and the 503 of a file that is not there must say so, and say when it is tried again.
-- Size: three rows. Lock: a column with a constant default on a table of a few rows.
create table publication (
  name text primary key check (name in ('blocklists', 'taxii', 'mmdb')),
  -- True from the start of a first import, or once a build found entries: from then on files are missed while there are none.
  expected boolean not null default false,
  -- The last time that every file was known to be what it should be.
  current_at timestamptz,
  entries bigint,
  -- How the last run ended, and what is wrong or waited for.
  tried_at timestamptz,
  outcome text check (outcome in ('published', 'waiting', 'held', 'failed')),
  message text check (length(message) <= 500),
  -- When a failed run is tried again; null: at the next time of its schedule.
  retry_at timestamptz
);
insert into publication (name, current_at, expected)
select 'blocklists', min(checked_at), count(checked_at) > 0 from blocklist
 union all
select 'mmdb', checked_at, checked_at is not null from mmdb_state
 union all
select 'taxii', synced_at, synced_at is not null from taxii_state;
grant select on publication to assay_app;
grant select, update on publication to assay_system;

-- How far a reader of the change log is: keys that its walk read, or changes that it followed since it was last up to date.
alter table corpus_follower add column done bigint not null default 0;

-- Tables that were just filled have no statistics until autovacuum comes by, which may be off: plans then sort a table of
-- millions where an index would do. Only the owner of a table may analyze it.
create function analyze_group(tables text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  case tables
    when 'corpus' then analyze indicator, listing;
    when 'cves' then analyze cve_told, cve, cve_product, cve_package, cve_vendor_product, cve_cpe_name;
    when 'standings' then analyze standing, standing_class;
  end case;
end $$;
revoke all on function analyze_group(text) from public;
grant execute on function analyze_group(text) to assay_system;
