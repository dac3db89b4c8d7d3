-- Why: the threat stream (contract 6.2, decisions 3.13). Its replay log is the outbox: 24 hours and at least the newest
-- 100,000 shared events, which the events of one account never push out (O40). Standings tell what changed, so a class
-- keeps which sources list its members; a first load and a release are told as one summary (O13).
-- Size: two indexes over a day of events, some 20 bytes a row; two columns of some 75,000 classes, 30 bytes each;
-- source_fold one row per source. Lock: SHARE on event_outbox while the indexes are built, a second for a million events;
-- ACCESS EXCLUSIVE on standing_class and event_relay for an instant, because new columns are null or constant.

-- No event up to this number is promised any more; a reader that resumes before it is told of a gap.
alter table event_relay add column trimmed_id bigint not null default 0;

-- One reader skips the events of all other accounts, which may be millions between two shared ones.
create index event_outbox_shared on event_outbox (id) where account_id is null;
create index event_outbox_account on event_outbox (account_id, id) where account_id is not null;

-- Numbers of the sources that accuse its members now, with commas, and a digest over all listings that stand now: a member
-- whose new class has the same digest only aged. Null: a class of before, until it is judged next.
alter table standing_class add column listed_sources text;
alter table standing_class add column listed bytea check (length(listed) = 8);

-- The last merge of a source that is told as one summary: changes up to this number of the change log.
create table source_fold (
  source_number smallint primary key references source (number) on delete cascade,
  reason text not null check (reason in ('first-load', 'release')),
  through_seq bigint not null,
  is_told boolean not null default false
);
grant select, insert, update on source_fold to assay_system;
