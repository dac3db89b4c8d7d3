-- Why: capabilities that must see every event read the outbox from a cursor of their own, which moves in the transaction of
-- what they write. Redis carries events for those who may miss some. Size: one row per reader, some ten.
-- Lock: none, the table is new.

create table event_reader (
  name text primary key check (length(name) between 1 and 64),
  -- Every event up to this number is handled.
  read_id bigint not null,
  -- The highest number that was deleted before it was read, because the reader was 7 days late; 0: none.
  lost_id bigint not null default 0,
  moved_at timestamptz not null default now()
);
grant select, insert, update, delete on event_reader to assay_system;
