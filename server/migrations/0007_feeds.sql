-- Why: a source becomes something that is fetched, judged and explained: what the catalogue says about it, how its last
-- runs went, what waits in quarantine, what users proposed, which sources copy each other. Lock: brief ACCESS EXCLUSIVE
-- on source and listing for added columns without rewrite (constant defaults only).
-- Size: some 300 sources; feed_run 300 rows a day kept 90 days (about 30,000 rows, 20 MB); lineage_overlap about 1,000
-- rows a night kept 90 days; file_digest one row a link, some 60,000.

alter table source
  -- Letter of the Admiralty scale the prior reliability comes from (scoring 7).
  add column letter text not null default 'F' check (letter in ('A', 'B', 'C', 'D', 'E', 'F')),
  add column tags text[] not null default '{}' check (cardinality(tags) <= 32),
  add column entity_types text[] not null default '{}' check (cardinality(entity_types) <= 16),
  -- Word of decisions 3.5: text, csv, json, hosts, stix.
  add column format text not null default 'text' check (format in ('text', 'csv', 'json', 'hosts', 'stix')),
  add column licence_mode text not null default 'free' check (licence_mode in ('free', 'api-key', 'commercial')),
  -- May its entries leave this deployment in blocklists and TAXII collections? Scoring may always use them.
  add column redistributable boolean not null default false,
  add column attribution text check (length(attribution) <= 500),
  add column retention_days integer not null default 90 check (retention_days between 1 and 3650),
  -- What a known-good or context list may do to a score (scoring ruling 9); null: nothing, its entries are labels.
  add column guard text check (guard in
    ('service', 'shared-egress', 'scanner', 'anonymity', 'known-good', 'popularity', 'platform')),
  -- A popularity list without ranks says "among the first N".
  add column rank_max integer check (rank_max > 0),
  -- Is it fetched by the worker? A source imported by hand counts without being scheduled.
  add column scheduled boolean not null default false,
  -- Result of the nightly lineage job: id of the cluster's source; null: the declared lineage, else the source alone.
  add column cluster text check (length(cluster) <= 64);

alter table listing
  add column family text check (length(family) <= 80),
  add column rank integer check (rank > 0);
alter table listing_past
  add column family text,
  add column rank integer;
-- For the nightly removal of what is older than 90 days: rows arrive in the order of this column, so a few pages do.
create index listing_past_listed_to on listing_past using brin (listed_to);

-- Merges, quarantine and rollback know a source's content by this number: it grows by one with each merge that changed
-- something, so a file of known values that belongs to another number is not used.
alter table source add column version integer not null default 0;

-- Digests of one file: any of them answers for the others (matchType alias). Facts about a file do not expire.
create table file_digest (
  key bytea not null,
  sibling bytea not null check (sibling <> key),
  source_number smallint not null,
  primary key (key, sibling)
);

drop view listing_period;
create view listing_period with (security_invoker = true) as
  select key, source_number, listed_from, null::timestamptz as listed_to, first_seen, last_seen, confidence, reference,
         family, rank
    from listing
  union all
  select key, source_number, listed_from, listed_to, first_seen, last_seen, confidence, reference, family, rank
    from listing_past;

-- As before, with one addition: a popularity entry has a rank instead of a date of its own, in the same four bytes.
create or replace view corpus_listing_entry with (security_invoker = true) as
  select key, string_agg(packed, ''::bytea) as value
    from (select key,
                 int2send(source_number)
                   || int8send((date_part('epoch', first_seen)::bigint << 32)
                               | coalesce(rank::bigint, date_part('epoch', last_seen)::bigint, 0))
                   || substring(int2send(coalesce(confidence, 127::smallint)) from 2) as packed
            from listing
           order by key, source_number) as ordered
   group by key;

create view corpus_alias_entry with (security_invoker = true) as
  select key, string_agg(sibling, ''::bytea) as value
    from (select key, sibling from file_digest order by key, sibling) as ordered
   group by key;

create or replace view corpus_source_entry with (security_invoker = true) as
  select int2send(number) as key,
         convert_to(json_build_object(
           'number', number, 'id', id, 'name', name, 'type', type, 'category', category,
           'categories', case when cardinality(categories) = 0 then array[category] else categories end,
           'threatClass', threat_class, 'fpRisk', fp_risk, 'signal', signal, 'adOnly', ad_only,
           'semantics', semantics, 'cidrSemantics', cidr_semantics, 'attributes', attributes,
           'reliability', reliability, 'letter', letter, 'lineage', lineage, 'aggregate', aggregate,
           'cluster', cluster, 'intervalS', interval_s, 'provider', provider, 'url', url, 'licence', licence,
           'licenceMode', licence_mode, 'redistributable', redistributable, 'attribution', attribution,
           'tags', tags, 'entityTypes', entity_types, 'format', format, 'retentionDays', retention_days,
           'guard', guard, 'rankMax', rank_max, 'scheduled', scheduled, 'enabled', enabled, 'version', version,
           'dataAtS', coalesce(date_part('epoch', data_at)::bigint, 0),
           'lastFetchAtS', coalesce(date_part('epoch', last_fetch_at)::bigint, 0),
           'entries', entries)::text, 'UTF8') as value
    from source;

-- First load of an empty corpus: sources are copied here without an index, then sorted into place in one statement.
-- Unlogged: a crash of PostgreSQL empties it and the load starts again; a killed process finds it and goes on.
create unlogged table corpus_load (
  source_number smallint not null,
  key bytea not null,
  value text not null,
  first_seen timestamptz,
  last_seen timestamptz,
  confidence smallint,
  reference text,
  family text,
  rank integer
);
create unlogged table corpus_load_digest (
  source_number smallint not null,
  key bytea not null,
  sibling bytea not null
);
create unlogged table corpus_load_source (
  source_number smallint primary key,
  -- What the file was, so that a load that goes on does not take another file for the same one.
  content_sha256 text not null,
  report jsonb not null
);

-- Where the next conditional request starts, and why the last one brought nothing. One row per fetched source.
create table feed_state (
  source_number smallint primary key,
  -- [{url, etag, lastModified, sha256, bytes, atMs}]: one a URL, as it was last downloaded whole.
  parts jsonb not null default '[]',
  -- Of the content that is listed now (all parts); it differs from that of `parts` after a rollback.
  content_sha256 text,
  -- Content an operator rolled back: the same bytes again are not taken again.
  held_sha256 text,
  checked_at timestamptz,
  next_run_at timestamptz,
  -- Handed to a worker and not back yet: bounds how many run at once. A worker that died gives it back by this time.
  claimed_until timestamptz,
  -- What the catalogue said when it was last applied: a setting that differs from it was changed by the operator.
  catalogue jsonb,
  failures integer not null default 0,
  -- The sentence data-freshness shows; null while all is well.
  problem text check (length(problem) <= 1000),
  problem_since timestamptz,
  -- Constant added to the dates of an offline data set so that its newest day is the day of import (--rebase).
  rebase_ms bigint not null default 0
);

create table feed_run (
  id text primary key,
  source_number smallint not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  status text not null check (status in ('running', 'succeeded', 'unchanged', 'quarantined', 'failed')),
  -- One sentence for people; null when it succeeded.
  reason text check (length(reason) <= 1000),
  -- Of the merge (listed_from and listed_to of what it wrote): names the content that a rollback returns to.
  merged_at timestamptz,
  data_at timestamptz,
  bytes bigint,
  content_sha256 text,
  -- Distinct indicators of the snapshot; lines, accepted and the rest count pieces.
  entries integer,
  lines bigint,
  accepted bigint,
  rejected bigint,
  unsupported bigint,
  -- [{kind: rejected|unsupported|disposed, reason, count, example}]
  reasons jsonb not null default '[]',
  added integer,
  removed integer,
  changed integer,
  -- [{id, status, durationMs, records}] in the words of decisions 3.14.
  phases jsonb not null default '[]',
  rebase_ms bigint not null default 0
);
create index feed_run_source on feed_run (source_number, started_at desc);
create index feed_run_started on feed_run (started_at desc);

-- A download that parsed but was out of its band, rejected too much or hit the canaries: an operator may release it.
create table feed_quarantine (
  source_number smallint primary key,
  run_id text not null,
  since timestamptz not null,
  gate text not null,
  reason text not null,
  -- Names in the artifact store, one a part, with spaces between; null when the gate is one that nobody may overrule
  -- (a web page, a cut-off file).
  artifact text,
  parts jsonb not null default '[]',
  content_sha256 text,
  data_at timestamptz
);

-- Sources that users proposed (decisions 3.5): nothing is fetched before an operator approves.
create table source_submission (
  id text primary key,
  account_id text not null,
  name text not null check (length(name) between 1 and 120),
  type text not null,
  url text not null unique check (length(url) <= 2048),
  category text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  submitted_at timestamptz not null,
  decided_at timestamptz,
  note text check (length(note) <= 500)
);
alter table source_submission enable row level security;
alter table source_submission force row level security;
create policy tenant on source_submission to assay_app using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on source_submission to assay_system using (true) with check (true);

-- Nightly: how much of the smaller source lies in the larger one. Pairs below one half are not kept.
create table lineage_overlap (
  day date not null,
  smaller smallint not null,
  larger smallint not null,
  -- Addresses for IP sources, entries otherwise.
  smaller_size double precision not null,
  larger_size double precision not null,
  shared double precision not null,
  -- Share of the smaller one, 0 to 1: addresses, IPv6 sites and names are weighed by entries, not added up.
  containment double precision not null,
  smaller_entries integer not null,
  primary key (day, smaller, larger)
);
create table lineage_cluster (
  computed_at timestamptz not null,
  source_number smallint not null,
  cluster text not null,
  -- With less than seven days of history all days are used and the answer is provisional (scoring ruling 4).
  is_provisional boolean not null,
  -- [{with, containment, days}]
  evidence jsonb not null,
  primary key (computed_at, source_number)
);

-- Counts that would take seconds at millions of rows, as of one position in the change log.
create table corpus_statistic (
  name text primary key,
  computed_at timestamptz not null,
  seq bigint not null,
  value jsonb not null
);

grant select on file_digest, listing_period, corpus_alias_entry, feed_state, feed_run, feed_quarantine, lineage_overlap,
  lineage_cluster, corpus_statistic to assay_app;
grant select, insert on source_submission to assay_app;
grant select, insert, update, delete on file_digest, feed_state, feed_run, feed_quarantine, source_submission,
  lineage_overlap, lineage_cluster, corpus_statistic to assay_system;
grant select, insert, update, delete, truncate on corpus_load, corpus_load_digest, corpus_load_source to assay_system;
grant select on listing_period, corpus_alias_entry, corpus_listing_entry, corpus_source_entry to assay_system;
