-- Why: a session may be opened with an API key pair, and ends with it: revoking the key, or taking its secret out of use,
-- must end what was opened with it. Null: opened in another way, or before this column was there.
-- Size: sessions are few (some thousand rows) and live a week. Lock: the column is added without a rewrite; the index is
-- built on those rows, milliseconds.
alter table session add column key_id text references api_key (id);
create index session_key on session (key_id);
