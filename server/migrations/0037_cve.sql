-- Why: what publishers say about vulnerabilities, as they said it, and the record that is made of it (decisions 3.8).
-- Size at 350,000 CVEs: cve_told 1.1 M rows, 3 GB; cve 350,000 rows, 1.5 GB with its words; cve_product 1 M rows;
-- cve_cpe_name 1.2 M rows; cve_epss 350,000 rows of 40 bytes. Lock: none, everything is new.

-- One row for each document of each data set that names a CVE.
create table cve_told (
  cve_id text collate "C" not null check (cve_id ~ '^CVE-[0-9]{4}-[0-9]{4,19}$'),
  -- Number of the data set that brought it (dataset).
  dataset smallint not null,
  source text collate "C" not null,
  document text collate "C" not null check (length(document) <= 400),
  -- First 16 bytes of the SHA-256 of `told`: the same words again write nothing.
  digest bytea not null,
  told json not null,
  primary key (cve_id, dataset, source, document)
);
create index cve_told_dataset on cve_told (dataset);

-- A load in progress: documents that were read are not read again after a kill. Both are empty after a crash of
-- PostgreSQL, and the load starts again.
create unlogged table cve_stage (
  dataset smallint not null,
  place bigint not null,
  cve_id text collate "C" not null,
  source text collate "C" not null,
  document text collate "C" not null,
  digest bytea not null,
  told json not null,
  primary key (dataset, place)
);
create unlogged table cve_load (
  dataset smallint primary key,
  content_sha256 text not null,
  documents bigint not null,
  place bigint not null,
  counts json not null
);

-- CVEs whose told rows changed and whose record is not made yet; written in the transaction of the change.
create table cve_pending (
  cve_id text collate "C" primary key
);

create table cve_epss (
  cve_id text collate "C" primary key,
  score real not null check (score between 0 and 1),
  percentile real check (percentile between 0 and 1)
);
create index cve_epss_score on cve_epss (score desc, cve_id);

create table cve (
  id text collate "C" primary key,
  is_rejected boolean not null,
  -- 0 UNKNOWN, 1 NONE, 2 LOW, 3 MEDIUM, 4 HIGH, 5 CRITICAL
  severity smallint not null check (severity between 0 and 5),
  score real,
  is_kev boolean not null,
  kev_added date,
  -- 0 none, 1 poc, 2 active; null: not known
  exploitation smallint check (exploitation between 0 and 2),
  published timestamptz,
  modified timestamptz,
  cwes text[] not null,
  -- The title, or the beginning of the description: what stands beside its id in other answers.
  summary text not null check (length(summary) <= 300),
  -- As mergeCve made it; its EPSS is that of the merge, the present one is in cve_epss.
  record json not null,
  changes json not null default '[]',
  words tsvector not null
);
create index cve_key on cve (decode(id, 'escape'));
create index cve_published on cve (published desc nulls last, id desc) where not is_rejected;
create index cve_kev on cve (kev_added desc, id) where is_kev and not is_rejected;
create index cve_severity on cve (severity, published desc nulls last, id desc) where not is_rejected;
create index cve_cwes on cve using gin (cwes) where not is_rejected;
create index cve_words on cve using gin (words) where not is_rejected;

-- Products that a CVE names: by vulnerable CPEs and by the `affected` of its CNA. Names are in lower case.
create table cve_product (
  cve_id text collate "C" not null,
  vendor text collate "C" not null check (length(vendor) <= 300),
  product text collate "C" not null check (length(product) <= 300),
  primary key (cve_id, vendor, product)
);
create index cve_product_name on cve_product (vendor, product, cve_id);
create index cve_product_product on cve_product (product, cve_id);
create table cve_package (
  cve_id text collate "C" not null,
  ecosystem text collate "C" not null check (length(ecosystem) <= 100),
  name text collate "C" not null check (length(name) <= 300),
  primary key (cve_id, ecosystem, name)
);
create index cve_package_name on cve_package (ecosystem, name, cve_id);

-- Counts of CVEs that are not rejected, kept with every merge: counting them when asked would take seconds.
create table cve_vendor (
  vendor text collate "C" primary key,
  cves integer not null,
  products integer not null default 0
);
create index cve_vendor_cves on cve_vendor (cves desc, vendor);
create index cve_vendor_words on cve_vendor using gin (vendor gin_trgm_ops);
create table cve_vendor_product (
  vendor text collate "C" not null,
  product text collate "C" not null,
  cves integer not null,
  primary key (vendor, product)
);
create index cve_vendor_product_cves on cve_vendor_product (cves desc, product, vendor);
create index cve_vendor_product_words on cve_vendor_product using gin (product gin_trgm_ops);

create table cve_cpe_name (
  cpe text collate "C" primary key check (length(cpe) <= 1000),
  vendor text collate "C" not null,
  product text collate "C" not null,
  -- Null where the name is of every version.
  version text
);
create index cve_cpe_name_words on cve_cpe_name using gin ((vendor || ' ' || product) gin_trgm_ops);
create index cve_cpe_name_product on cve_cpe_name (vendor, product, version);

-- Records in which a CNA and the CPEs of a source name one product each: where all such records of either name agree, the
-- two names are one product. Names are those of cve_product, joined by a line feed.
create table cve_link_vote (
  cve_id text collate "C" not null,
  source text collate "C" not null,
  cna text collate "C" not null,
  cpe text collate "C" not null,
  primary key (cve_id, source, cna, cpe)
);
create index cve_link_vote_cna on cve_link_vote (cna, source, cpe);
create index cve_link_vote_cpe on cve_link_vote (cpe, source, cna);

-- How much of what a source tells is missing, by run: the alarm of a source that goes silent compares these.
create table cve_quality (
  dataset smallint not null,
  loaded_at timestamptz not null,
  source text not null,
  field text not null,
  records integer not null,
  nulls integer not null,
  primary key (dataset, loaded_at, source, field)
);

create view cve_fact_entry with (security_invoker = true) as
select decode(c.id, 'escape') as key,
       int2send((c.severity + (coalesce(c.exploitation, 3) << 3)
                 + (case when c.is_kev then 32 else 0 end)
                 + (case when c.is_rejected then 64 else 0 end))::int2)
       || float4send(coalesce(c.score, 'NaN'))
       || float4send(coalesce(e.score, 'NaN'))
       || float4send(coalesce(e.percentile, 'NaN'))
       || int4send(coalesce((extract(epoch from c.published) / 86400)::int, -2147483648)) as value
  from cve c left join cve_epss e on e.cve_id = c.id;

create view cve_summary_entry with (security_invoker = true) as
select decode(id, 'escape') as key, convert_to(summary, 'UTF8') as value from cve where not is_rejected;

grant select on cve_told, cve_epss, cve, cve_product, cve_package, cve_vendor, cve_vendor_product, cve_cpe_name,
  cve_quality, cve_pending, cve_link_vote, cve_fact_entry, cve_summary_entry to assay_app;
grant select, insert, update, delete on cve_told, cve_stage, cve_load, cve_pending, cve_epss, cve, cve_product,
  cve_package, cve_vendor, cve_vendor_product, cve_cpe_name, cve_link_vote, cve_quality to assay_system;
grant select on cve_fact_entry, cve_summary_entry to assay_system;
