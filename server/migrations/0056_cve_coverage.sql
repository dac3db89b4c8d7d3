-- Why: CVE watch says what it did not check, and reports the CVEs that may concern one component in one finding. Before, an
-- ecosystem counted as covered as soon as one row named it, and a component without a version had a finding for each CVE.
-- Size: some 300 bytes for each perimeter; cve_watch_possible has 60 bytes for each CVE that may concern a component, once for
-- equal components of all accounts. Lock: cve_watch_perimeter while its components are counted, 0.5 s for a million; the columns
-- of cve_watch_finding have constant defaults.

-- Components by ecosystem, as a list of {ecosystem, hasPackage, hasProduct, components, versionless}. It is written when the
-- components change and at the end of a scan, because counting a million components takes longer than a request may.
alter table cve_watch_perimeter add column watched jsonb not null default '[]' check (jsonb_typeof(watched) = 'array');
-- When components were added last. Null: not since this column is there.
alter table cve_watch_perimeter add column components_added_at timestamptz;
-- The first 100 watched products that no CVE named at the last scan, as [vendor, product, components], and how many there were.
alter table cve_watch_perimeter add column unknown_products jsonb not null default '[]'
  check (jsonb_typeof(unknown_products) = 'array');
alter table cve_watch_perimeter add column unknown_product_count integer not null default 0 check (unknown_product_count >= 0);

-- CVEs that may concern a component: its version is not known or cannot be compared, or the CVE states no versions.
create table cve_watch_possible (
  -- As cve_watch_component has it.
  match_key bytea not null check (length(match_key) = 16),
  cve_id text collate "C" not null,
  priority smallint not null check (priority between 1 and 3),
  is_kev boolean not null,
  -- As the table cve has it: 0 none, 1 poc, 2 active.
  exploitation smallint check (exploitation between 0 and 2),
  primary key (match_key, cve_id)
);
create index cve_watch_possible_cve on cve_watch_possible (cve_id);
grant select on cve_watch_possible to assay_app;
grant select, insert, update, delete on cve_watch_possible to assay_system;

-- The finding of all possible CVEs of a component has '*' as its cve_id, so that there is one for each component. These are the
-- most urgent CVE of it, and the numbers of its CVEs. Null and 1 in the finding of one CVE.
alter table cve_watch_finding add column lead_cve_id text collate "C";
alter table cve_watch_finding add column cve_count integer not null default 1 check (cve_count >= 1);
alter table cve_watch_finding add column kev_count integer not null default 0 check (kev_count >= 0);
alter table cve_watch_finding add column active_count integer not null default 0 check (active_count >= 0);

-- How often each source fills each field, as the worker counted it last: counting reads every record and takes seconds.
create table cve_quality_count (
  id smallint primary key default 1 check (id = 1),
  counted_at timestamptz not null,
  fields json not null
);
grant select, insert, update on cve_quality_count to assay_system;

-- An owner that is no superuser reads rows of all accounts only while row-level security is not forced.
alter table cve_watch_perimeter no force row level security;
alter table cve_watch_component no force row level security;
alter table cve_watch_account no force row level security;
update cve_watch_perimeter p set watched = c.watched
  from (select perimeter_id, jsonb_agg(jsonb_build_object(
                 'ecosystem', ecosystem, 'hasPackage', has_package, 'hasProduct', has_product, 'components', components,
                 'versionless', versionless)) as watched
          from (select perimeter_id, ecosystem, package_key is not null as has_package, product_key is not null as has_product,
                       count(*) as components, count(*) filter (where version is null) as versionless
                  from cve_watch_component group by 1, 2, 3, 4) g
         group by 1) c
 where c.perimeter_id = p.id;
-- Findings of versions that are not known become one for each component.
do $$
begin
  if exists (select 1 from cve_watch_account where components > 0) then
    perform enqueue_job('cve-watch.match-all', '{}', 'cve-watch.match-all', 'cve-watch.match', null, 5);
  end if;
end $$;
alter table cve_watch_perimeter force row level security;
alter table cve_watch_component force row level security;
alter table cve_watch_account force row level security;

-- Records of known exploited CVEs are made again, with the products that the catalogue states.
insert into cve_pending (cve_id) select id from cve where is_kev on conflict do nothing;
