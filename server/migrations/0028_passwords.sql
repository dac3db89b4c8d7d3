-- Why: each node has its own copy of the breached passwords, and /platform/data-freshness says whether the copies differ.
-- Every API process notes the digest of the corpus it answers from; nothing of what callers ask is here.
-- Size: two rows for each API process, removed when it ends or a day after it was killed. Lock: none, the table is new.

create table password_corpus_use (
  process_id text not null check (length(process_id) = 16),
  hash_type text not null check (hash_type in ('sha1', 'ntlm')),
  -- SHA-256 over the buckets; null while the process has no corpus.
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  entries bigint not null check (entries >= 0),
  corpus_updated_at timestamptz,
  first_prefix text check (length(first_prefix) = 5),
  last_prefix text check (length(last_prefix) = 5),
  seen_at timestamptz not null,
  primary key (process_id, hash_type)
);
grant select on password_corpus_use to assay_app;
grant select, insert, update, delete on password_corpus_use to assay_system;
