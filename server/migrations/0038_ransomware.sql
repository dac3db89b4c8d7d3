-- Why: what ransomware groups claim on their leak sites, as trackers report it, with what other sources say of the groups
-- and what the press says of the victims (decisions 3.7). Claims are about organisations, not about accounts: every caller
-- reads the same rows, only the system role writes them.
-- Size: some 25,000 posts a tracker and 10,000 more a year, 1 KB each with indexes; 3,000 groups; 5,000 articles.
-- Lock: new tables only. The release before does not read them.

-- How far a load of posts has come: the next one with the same file goes on there. Deleted when the load ends.
create table ransomware_load (
  dataset_id text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  rows_done integer not null check (rows_done >= 0),
  started_at timestamptz not null,
  -- The data set had no content before this load: its claims are history and no news.
  is_first boolean not null,
  -- So far in this load.
  claims integer not null default 0,
  events integer not null default 0,
  primary key (dataset_id, sha256)
);

create table ransomware_claim (
  id text primary key check (id ~ '^rcl_'),
  group_key text not null check (length(group_key) between 1 and 100),
  group_name text not null check (length(group_name) between 1 and 100),
  victim text not null check (length(victim) between 1 and 300),
  -- Null where the group hides the name.
  name_key text check (length(name_key) <= 301),
  domain text check (length(domain) <= 253),
  country text check (country ~ '^[A-Z]{2}$'),
  sector text check (length(sector) <= 40),
  -- Of the earliest post.
  discovered_at timestamptz not null,
  attacked_at timestamptz,
  -- Defanged.
  claim_url text check (length(claim_url) <= 500),
  description text check (length(description) <= 1000),
  -- Sources of its posts, and when each of them first had one.
  trackers jsonb not null,
  posts integer not null check (posts > 0),
  -- Set by an operator alone.
  confirmed_at timestamptz,
  reference text check (length(reference) <= 500),
  check ((confirmed_at is null) = (reference is null))
);
create index ransomware_claim_discovered on ransomware_claim (discovered_at desc, id);
create index ransomware_claim_group on ransomware_claim (group_key, discovered_at desc);
create index ransomware_claim_sector on ransomware_claim (sector, discovered_at desc) where sector is not null;
create index ransomware_claim_domain on ransomware_claim (domain) where domain is not null;
create index ransomware_claim_name on ransomware_claim (name_key) where name_key is not null;

-- What each tracker said, kept as it said it; a claim is made of these.
create table ransomware_post (
  dataset_id text not null,
  group_key text not null check (length(group_key) between 1 and 100),
  victim text not null check (length(victim) between 1 and 300),
  discovered_at timestamptz not null,
  group_name text not null check (length(group_name) between 1 and 100),
  name_key text check (length(name_key) <= 301),
  domain text check (length(domain) <= 253),
  country text check (country ~ '^[A-Z]{2}$'),
  sector text check (length(sector) <= 40),
  attacked_at timestamptz,
  claim_url text check (length(claim_url) <= 500),
  description text check (length(description) <= 1000),
  claim_id text references ransomware_claim (id),
  primary key (dataset_id, group_key, victim, discovered_at)
);
create index ransomware_post_group on ransomware_post (group_key);
create index ransomware_post_claim on ransomware_post (claim_id);

-- What a source says of a group; a source's rows are replaced together.
create table ransomware_group (
  dataset_id text not null,
  group_key text not null check (length(group_key) between 1 and 100),
  name text not null check (length(name) between 1 and 100),
  aliases text[] not null default '{}' check (cardinality(aliases) <= 100),
  alias_keys text[] not null default '{}' check (cardinality(alias_keys) <= 100),
  description text check (length(description) <= 2000),
  locations jsonb not null default '[]',
  techniques jsonb not null default '[]',
  reference_urls text[] not null default '{}' check (cardinality(reference_urls) <= 100),
  is_seized boolean not null default false,
  has_notes boolean not null default false,
  primary key (dataset_id, group_key)
);
create index ransomware_group_key on ransomware_group (group_key);
create index ransomware_group_aliases on ransomware_group using gin (alias_keys);

create table ransomware_press (
  dataset_id text not null,
  id text primary key check (id ~ '^rpr_'),
  victim text not null check (length(victim) between 1 and 300),
  name_key text check (length(name_key) <= 301),
  domain text check (length(domain) <= 253),
  country text check (country ~ '^[A-Z]{2}$'),
  title text not null check (length(title) between 1 and 300),
  url text not null check (length(url) <= 500),
  publisher text not null check (length(publisher) <= 253),
  published_at timestamptz not null
);
create index ransomware_press_published on ransomware_press (published_at desc, id);
create index ransomware_press_domain on ransomware_press (domain) where domain is not null;
create index ransomware_press_name on ransomware_press (name_key) where name_key is not null;

grant select on ransomware_claim, ransomware_post, ransomware_group, ransomware_press to assay_app;
grant select, insert, update, delete
  on ransomware_load, ransomware_claim, ransomware_post, ransomware_group, ransomware_press
  to assay_system;
