-- Why: a value that is watched is judged at once, so a few places that are emptied and filled again would answer about any
-- number of values. On FREE a place stays taken for 24 hours after unwatching (O62).
-- Size: at most as many rows as an account has places, for accounts on FREE, for a day: some 60 bytes each. Lock: none on
-- existing tables.

create table watch_freed_place (
  account_id account_ref not null,
  target_key bytea not null check (length(target_key) between 2 and 300),
  freed_at timestamptz not null,
  primary key (account_id, target_key)
);

alter table watch_freed_place enable row level security;
alter table watch_freed_place force row level security;
create policy tenant on watch_freed_place to assay_app
  using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on watch_freed_place to assay_system using (true) with check (true);
grant select, insert, update, delete on watch_freed_place to assay_app;
grant select, insert, update, delete on watch_freed_place to assay_system;
