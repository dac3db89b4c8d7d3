-- Why: what an account stores is limited in bytes over all tables, by plan, so that nobody fills the disk for everybody
-- (reliability 5.5). The tables count themselves: no writer can forget it. A reply kept for an Idempotency-Key is the id of
-- what was created, where the thing itself can be read again.
-- Size: seven rows for each account. Lock: the counted tables are locked for writing while the rows that exist are added
-- up: 10 GB of evidence take some 20 s.

create table account_storage (
  account_id account_ref not null,
  kind text not null check (kind in ('report', 'case', 'inventory', 'webhook', 'watch', 'reply', 'indicator')),
  -- What was sent, with a fixed figure for a row and its indexes; not what compression makes of it.
  bytes bigint not null,
  primary key (account_id, kind)
);
create index account_storage_largest on account_storage (bytes desc);

-- The size of a row is an expression, which each table gives to its triggers.
create function count_stored() returns trigger language plpgsql as $$
begin
  execute format('insert into account_storage as s (account_id, kind, bytes)
    select account_id, $1, sum(%s) from added group by 1 having sum(%1$s) <> 0 order by 1
    on conflict (account_id, kind) do update set bytes = s.bytes + excluded.bytes', tg_argv[1]) using tg_argv[0];
  return null;
end $$;
create function count_removed() returns trigger language plpgsql as $$
begin
  execute format('insert into account_storage as s (account_id, kind, bytes)
    select account_id, $1, -sum(%s) from removed group by 1 having sum(%1$s) <> 0 order by 1
    on conflict (account_id, kind) do update set bytes = s.bytes + excluded.bytes', tg_argv[1]) using tg_argv[0];
  return null;
end $$;

do $$
declare
  counted record;
begin
  for counted in
    select * from (values
      ('report', 'report', '500 + octet_length(result) + octet_length(entity_value) + coalesce(octet_length(note), 0)'),
      ('action_case', 'case', '1000 + octet_length(title) + coalesce(octet_length(description), 0)'),
      ('case_evidence', 'case',
       '500 + octet_length(payload) + octet_length(title) + coalesce(octet_length(description), 0)'),
      ('cve_watch_perimeter', 'inventory', '1000'),
      ('cve_watch_component', 'inventory', '1000'),
      ('webhook_endpoint', 'webhook', '2000'),
      ('watch_item', 'watch', '500'),
      ('org_indicator', 'indicator', '1500'),
      -- A key that is used for the first time is counted with its reply, at the end of its transaction.
      ('idempotency_key', 'reply',
       'case when status is null then 0 else 300 + octet_length(key) + coalesce(octet_length(response), 0) end')
    ) as t (name, kind, size)
  loop
    -- An owner that is no superuser reads rows of all accounts only while row-level security is not forced.
    execute format('alter table %I no force row level security', counted.name);
    execute format('insert into account_storage as s (account_id, kind, bytes)
      select account_id, %L, sum(%s) from %I group by 1 having sum(%2$s) <> 0
      on conflict (account_id, kind) do update set bytes = s.bytes + excluded.bytes',
      counted.kind, counted.size, counted.name);
    execute format('alter table %I force row level security', counted.name);
    execute format('create trigger count_stored after insert on %I referencing new table as added
      for each statement execute function count_stored(%L, %L)', counted.name, counted.kind, counted.size);
    execute format('create trigger count_removed after delete on %I referencing old table as removed
      for each statement execute function count_removed(%L, %L)', counted.name, counted.kind, counted.size);
  end loop;
end $$;

-- Rows that change in size.
create function count_case_rewritten() returns trigger language plpgsql as $$
begin
  insert into account_storage as s (account_id, kind, bytes)
  values (new.account_id, 'case', octet_length(new.title) - octet_length(old.title)
          + coalesce(octet_length(new.description), 0) - coalesce(octet_length(old.description), 0))
  on conflict (account_id, kind) do update set bytes = s.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_rewritten after update of title, description on action_case for each row
  when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function count_case_rewritten();
create function count_reply_rewritten() returns trigger language plpgsql as $$
begin
  insert into account_storage as s (account_id, kind, bytes)
  values (new.account_id, 'reply',
          case when new.status is null then 0
               else 300 + octet_length(new.key) + coalesce(octet_length(new.response), 0) end
          - case when old.status is null then 0
                 else 300 + octet_length(old.key) + coalesce(octet_length(old.response), 0) end)
  on conflict (account_id, kind) do update set bytes = s.bytes + excluded.bytes;
  return null;
end $$;
create trigger count_rewritten after update on idempotency_key for each row
  when (old.status is distinct from new.status or old.response is distinct from new.response)
  execute function count_reply_rewritten();

alter table account_storage enable row level security;
alter table account_storage force row level security;
create policy tenant on account_storage to assay_app
  using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on account_storage to assay_system using (true) with check (true);
grant select, insert, update on account_storage to assay_app;
grant select, insert, update, delete on account_storage to assay_system;

-- What a repeat reads again; null where the reply itself is kept, or nothing.
alter table idempotency_key add column created_id text check (length(created_id) between 1 and 100);
