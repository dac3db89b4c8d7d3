-- Why: the last good answer of each live lookup that is worth keeping (registrations, certificates …): it stands in, and
-- is said to be stale, while the upstream fails, and spares it a question after Redis lost what it held. Nothing here
-- says who asked. Lock: none, the table is new.
-- Size: one row a question that had an answer, kept as long as its provider says (days to weeks): some 2 KB each, so
-- 100,000 names and addresses asked about in a month are 200 MB. Rows past keep_until are deleted in batches.

create table live_answer (
  provider text not null check (length(provider) <= 32),
  key text not null check (length(key) between 1 and 300),
  -- JSON as text: it is only ever read whole, through the provider's schema, and jsonb refuses some of what JSON allows.
  value text not null check (octet_length(value) <= 262144),
  -- When the upstream said so.
  fetched_at timestamptz not null,
  -- Believed until then without asking again.
  fresh_until timestamptz not null,
  keep_until timestamptz not null,
  primary key (provider, key)
);
create index live_answer_keep_until on live_answer (keep_until);

grant select, insert, update, delete on live_answer to assay_app;
grant select, delete on live_answer to assay_system;
