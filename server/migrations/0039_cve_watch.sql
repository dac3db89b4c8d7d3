-- Why: what an account watches (perimeters with their components) and which CVEs concern it (decisions 3.10, CVE watch).
-- Size: an account has at most 1 M components of some 400 bytes with their indexes, and a finding of some 350 bytes for
-- each CVE of each. 100 M components are 40 GB. Lock: the triggers lock cve, cve_epss and cve_link_vote for a moment.

-- One row per account: the lock of its writers, and what its plan counts.
create table cve_watch_account (
  account_id account_ref primary key,
  perimeters integer not null default 0 check (perimeters >= 0),
  components integer not null default 0 check (components >= 0)
);

create table cve_watch_perimeter (
  id text collate "C" primary key check (id ~ '^per_'),
  account_id account_ref not null,
  name text not null check (length(name) between 1 and 200),
  kind text not null check (kind in ('domain', 'dependencies', 'manual')),
  -- Of a domain perimeter: the name whose hosts are watched.
  domain text check (length(domain) <= 254),
  component_count integer not null default 0 check (component_count >= 0),
  -- Of a domain perimeter: why its hosts are not all known; null when they are.
  coverage_note text check (length(coverage_note) <= 200),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_scan_at timestamptz,
  check ((kind = 'domain') = (domain is not null))
);
create index cve_watch_perimeter_account on cve_watch_perimeter (account_id, created_at desc, id desc);
create index cve_watch_perimeter_domain on cve_watch_perimeter (last_scan_at nulls first) where kind = 'domain';

create table cve_watch_component (
  id text collate "C" primary key check (id ~ '^cmp_'),
  account_id account_ref not null,
  perimeter_id text collate "C" not null references cve_watch_perimeter (id) on delete cascade,
  -- The import that brought it; '' for one that was entered by hand, ' hosts' for what lookups found.
  origin text not null check (length(origin) <= 200),
  -- SHA-256 of everything that matching reads, 16 bytes: equal components of several accounts are matched once.
  match_key bytea not null check (length(match_key) = 16),
  vendor text not null check (length(vendor) <= 300),
  product text not null check (length(product) between 1 and 300),
  version text check (length(version) <= 256),
  cpe text check (length(cpe) <= 1000),
  purl text check (length(purl) <= 1000),
  ecosystem text check (length(ecosystem) <= 100),
  direct boolean not null,
  -- Names under which CVEs are looked up: vendor and product, ecosystem and package, joined by a line feed. A package has
  -- no product, unless it carries a CPE (O23).
  product_key text collate "C" check (length(product_key) <= 700),
  package_key text collate "C" check (length(package_key) <= 700),
  created_at timestamptz not null
);
create unique index cve_watch_component_once on cve_watch_component (perimeter_id, origin, match_key);
create index cve_watch_component_key on cve_watch_component (match_key);
create index cve_watch_component_product on cve_watch_component (product_key, match_key) where product_key is not null;
create index cve_watch_component_package on cve_watch_component (package_key, match_key) where package_key is not null;
create index cve_watch_component_account on cve_watch_component (account_id);
create index cve_watch_component_list on cve_watch_component (perimeter_id, id);

create table cve_watch_finding (
  id text collate "C" primary key check (id ~ '^xfnd_'),
  account_id account_ref not null,
  perimeter_id text collate "C" not null,
  -- Components go with their perimeter, and findings with their component.
  component_id text collate "C" not null references cve_watch_component (id) on delete cascade,
  cve_id text collate "C" not null,
  status text not null check (status in ('OPEN', 'ACKNOWLEDGED', 'PATCHED', 'NOT_AFFECTED', 'SNOOZED')),
  priority smallint not null check (priority between 1 and 3),
  -- False: no version is known, or it cannot be ordered (O24).
  is_confirmed boolean not null,
  is_kev boolean not null,
  -- As the table cve has it: 0 none, 1 poc, 2 active.
  exploitation smallint check (exploitation between 0 and 2),
  fixed_version text check (length(fixed_version) <= 256),
  snoozed_until timestamptz,
  -- When the CVE stopped to concern the component. The row stays, with what the account decided about it.
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'SNOOZED') = (snoozed_until is not null))
);
create unique index cve_watch_finding_once on cve_watch_finding (component_id, cve_id);
create index cve_watch_finding_cve on cve_watch_finding (cve_id);
create index cve_watch_finding_list on cve_watch_finding (account_id, priority, created_at desc, id desc)
  where ended_at is null;
create index cve_watch_finding_perimeter on cve_watch_finding (perimeter_id, status, priority) where ended_at is null;
create index cve_watch_finding_snoozed on cve_watch_finding (snoozed_until) where status = 'SNOOZED';

-- CVEs whose facts or ranges changed and whose components are not matched again yet. Rows are written in the transaction
-- of the change and deleted in that of the match. One CVE may stand here several times.
create table cve_watch_change (
  number bigint generated always as identity primary key,
  cve_id text collate "C" not null
);

-- A job for each statement that changes CVEs, where anything is watched. It has no key: the key of a job is locked until
-- the commit, and loaders would wait for each other. Jobs that find nothing left to do end at once.
create function cve_watch_wake() returns void language plpgsql as $$
begin
  if exists (select 1 from cve_watch_account where components > 0) then
    perform enqueue_job('cve-watch.match', '{}', null, 'cve-watch.match', null, 5);
  end if;
end $$;

create function cve_watch_note_ids() returns trigger language plpgsql as $$
begin
  insert into cve_watch_change (cve_id) select id from changed;
  perform cve_watch_wake();
  return null;
end $$;

-- A score decides a priority only where it crosses 0.1.
create function cve_watch_note_epss() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into cve_watch_change (cve_id)
    select after.cve_id from changed after join earlier before using (cve_id)
     where (after.score >= 0.1::real) is distinct from (before.score >= 0.1::real);
  else
    insert into cve_watch_change (cve_id) select cve_id from changed where score >= 0.1::real;
  end if;
  if found then
    perform cve_watch_wake();
  end if;
  return null;
end $$;

-- A vote that no other CVE gives may make two names one, or two of one: then all CVEs of both are matched again.
create function cve_watch_note_votes() returns trigger language plpgsql as $$
begin
  insert into cve_watch_change (cve_id)
  select distinct p.cve_id
    from (select distinct c.source, c.cna, c.cpe from changed c
           where not exists (
             select 1 from cve_link_vote v
              where v.source = c.source and v.cna = c.cna and v.cpe = c.cpe
                and (tg_op = 'DELETE' or not exists (
                      select 1 from changed o where o.cve_id = v.cve_id and o.source = v.source and o.cna = v.cna
                                                and o.cpe = v.cpe)))) n
   cross join lateral (values (n.cna), (n.cpe)) as k (key)
    join cve_product p on p.vendor = split_part(k.key, E'\n', 1) and p.product = split_part(k.key, E'\n', 2);
  if found then
    perform cve_watch_wake();
  end if;
  return null;
end $$;

create trigger cve_watch_inserted after insert on cve referencing new table as changed
  for each statement execute function cve_watch_note_ids();
create trigger cve_watch_updated after update on cve referencing new table as changed
  for each statement execute function cve_watch_note_ids();
create trigger cve_watch_deleted after delete on cve referencing old table as changed
  for each statement execute function cve_watch_note_ids();
create trigger cve_watch_inserted after insert on cve_epss referencing new table as changed
  for each statement execute function cve_watch_note_epss();
create trigger cve_watch_updated after update on cve_epss referencing new table as changed old table as earlier
  for each statement execute function cve_watch_note_epss();
create trigger cve_watch_deleted after delete on cve_epss referencing old table as changed
  for each statement execute function cve_watch_note_epss();

create trigger cve_watch_inserted after insert on cve_link_vote referencing new table as changed
  for each statement execute function cve_watch_note_votes();
create trigger cve_watch_deleted after delete on cve_link_vote referencing old table as changed
  for each statement execute function cve_watch_note_votes();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array
    array['cve_watch_account', 'cve_watch_perimeter', 'cve_watch_component', 'cve_watch_finding']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to assay_app
      using (account_id = current_setting(''assay.account'', true))
      with check (account_id = current_setting(''assay.account'', true))', tenant_table);
    execute format('create policy system on %I to assay_system using (true) with check (true)', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_app', tenant_table);
    execute format('grant select, insert, update, delete on %I to assay_system', tenant_table);
  end loop;
end $$;
grant select, insert, delete on cve_watch_change to assay_system;
