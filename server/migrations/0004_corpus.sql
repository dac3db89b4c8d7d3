-- Why: who says what about which indicator, and since when. Shared by all accounts: no row-level security; the service
-- reads, only the system role writes. Lock: none, everything is new.
-- Size: 3 M indicators with 5 M listings are about 1.0 GB with indexes; 1 % of change a day adds some 5 MB of history.
-- A listing carries the indicator's key rather than a number: diffing a refetched list of 1 M lines then needs no join
-- with indicator (measured at 3 M indicators: 1.2 s against 2.6 s, the same bytes in all), and at 100 M both tables
-- partition by hash (key), 32 ways, so that a merge, a replica bootstrap and a look-up by key each stay inside
-- partitions; listing_past then partitions by month of listed_to and old months are dropped whole.
-- Foreign keys to indicator and source are left out on purpose: a check per row would double the time of a merge, and
-- one function writes all of it in one transaction.

create table source (
  number smallint generated always as identity primary key,
  id text not null unique check (id ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  name text not null check (length(name) between 1 and 120),
  type text not null default 'mixed' check (length(type) between 1 and 32),
  category text not null default 'malicious-activity' check (length(category) between 1 and 64),
  categories text[] not null default '{}' check (cardinality(categories) <= 32),
  -- Defaults of contract 2.1 rule 2 and trap 5: an omitted class is a threat, an omitted risk is medium.
  threat_class text not null default 'threat' check (threat_class in ('threat', 'infrastructure', 'policy', 'allowlist')),
  fp_risk text not null default 'medium' check (fp_risk in ('low', 'medium', 'high')),
  signal text not null default 'feed' check (signal in ('feed', 'scanner')),
  ad_only boolean not null default false,
  -- What absence means: state and archive delist by it, window and delta never do.
  semantics text not null default 'state' check (semantics in ('state', 'window', 'delta', 'archive')),
  cidr_semantics text not null default 'observed' check (cidr_semantics in ('observed', 'owned')),
  -- Infrastructure words (decisions G7).
  attributes text[] not null default '{}' check (cardinality(attributes) <= 32),
  reliability real not null default 0.35 check (reliability between 0 and 1),
  -- Declared operator, for independence; an aggregate counts only where nobody else does.
  lineage text check (length(lineage) <= 64),
  aggregate boolean not null default false,
  interval_s integer not null default 86400 check (interval_s > 0),
  provider text check (length(provider) <= 120),
  url text check (length(url) <= 2048),
  licence text check (length(licence) <= 200),
  enabled boolean not null default true,
  -- The date of the data itself, never of our download; "still listed" means this date.
  data_at timestamptz,
  last_fetch_at timestamptz,
  entries integer not null default 0 check (entries >= 0),
  created_at timestamptz not null default now()
);

-- What the registry said about a source and when, so that a past verdict can be replayed.
create table source_revision (
  source_number smallint not null,
  valid_from timestamptz not null,
  settings jsonb not null,
  primary key (source_number, valid_from)
);

-- One row per merge: the date of the data at any past moment, and what came and went.
create table source_fetch (
  source_number smallint not null,
  fetched_at timestamptz not null,
  data_at timestamptz not null,
  entries integer not null,
  added integer not null,
  removed integer not null,
  changed integer not null,
  duplicates integer not null,
  rejected integer not null,
  primary key (source_number, fetched_at)
);

-- key = kind byte and payload (capabilities/corpus/indicator-key.ts); its first byte is the kind.
create table indicator (
  key bytea primary key,
  value text not null
);

-- Active listings only. A row appears, changes or leaves; a list that is fetched again unchanged writes nothing.
create table listing (
  listed_from timestamptz not null,
  first_seen timestamptz not null,
  -- Null: still listed, so the date is the source's.
  last_seen timestamptz,
  source_number smallint not null,
  confidence smallint check (confidence between 0 and 100),
  key bytea not null,
  reference text,
  primary key (key, source_number)
);
-- 7 bytes a listing: equal numbers are stored once per page. A merge reads its source through it.
create index listing_source on listing (source_number);

-- What was listed from when to when, before it left or changed.
create table listing_past (
  listed_from timestamptz not null,
  listed_to timestamptz not null check (listed_to > listed_from),
  first_seen timestamptz not null,
  last_seen timestamptz,
  source_number smallint not null,
  confidence smallint,
  key bytea not null,
  reference text,
  primary key (key, source_number, listed_from)
);

create view listing_period with (security_invoker = true) as
  select key, source_number, listed_from, null::timestamptz as listed_to, first_seen, last_seen, confidence, reference
    from listing
  union all
  select key, source_number, listed_from, listed_to, first_seen, last_seen, confidence, reference
    from listing_past;

-- Replica collection "listing": 11 bytes a listing, by source number: u16 source, u32 first seen, u32 last seen
-- (0: the source's date), u8 confidence (127: not given; the high bit is kept for delisted entries). The rows arrive
-- in order, which an aggregate keeps; ordering inside the aggregate took 22 s instead of 15 for 6 M listings.
create view corpus_listing_entry with (security_invoker = true) as
  select key, string_agg(packed, ''::bytea) as value
    from (select key,
                 int2send(source_number)
                   || int8send((date_part('epoch', first_seen)::bigint << 32)
                               | coalesce(date_part('epoch', last_seen)::bigint, 0))
                   || substring(int2send(coalesce(confidence, 127::smallint)) from 2) as packed
            from listing
           order by key, source_number) as ordered
   group by key;

-- Replica collection "source": the registry row as JSON.
create view corpus_source_entry with (security_invoker = true) as
  select int2send(number) as key,
         convert_to(json_build_object(
           'number', number, 'id', id, 'name', name, 'type', type, 'category', category,
           'categories', case when cardinality(categories) = 0 then array[category] else categories end,
           'threatClass', threat_class, 'fpRisk', fp_risk, 'signal', signal, 'adOnly', ad_only,
           'semantics', semantics, 'cidrSemantics', cidr_semantics, 'attributes', attributes,
           'reliability', reliability, 'lineage', lineage, 'aggregate', aggregate, 'intervalS', interval_s,
           'provider', provider, 'url', url, 'licence', licence, 'enabled', enabled,
           'dataAtS', coalesce(date_part('epoch', data_at)::bigint, 0),
           'lastFetchAtS', coalesce(date_part('epoch', last_fetch_at)::bigint, 0),
           'entries', entries)::text, 'UTF8') as value
    from source;

grant select on source, source_revision, source_fetch, indicator, listing, listing_past, listing_period,
  corpus_listing_entry, corpus_source_entry to assay_app;
grant select, insert, update, delete on source, source_revision, source_fetch, indicator, listing, listing_past
  to assay_system;
grant select on listing_period, corpus_listing_entry, corpus_source_entry to assay_system;
