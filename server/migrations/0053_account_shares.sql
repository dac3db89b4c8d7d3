-- Why: what one account can take from others is bounded. A counter of its cases and their evidence, endpoints of webhooks that
-- its plan no longer has, and lanes that wait for a slow receiver (docs/decisions/0020).
-- Size: case_account has one row for each account with a case, some 50 bytes. Lock: webhook_endpoint is locked while its check
-- is read and its index built, below a second for 100,000 endpoints (guess); webhook_delivery is locked for writing while its
-- rows are read once, some seconds for 10 M.

create table case_account (
  account_id account_ref primary key,
  cases integer not null default 0 check (cases >= 0),
  -- The sum of action_case.evidence_bytes.
  evidence_bytes bigint not null default 0 check (evidence_bytes >= 0)
);
-- An owner that is no superuser reads rows of all accounts only while row-level security is not forced.
alter table action_case no force row level security;
insert into case_account (account_id, cases, evidence_bytes)
select account_id, count(*), sum(evidence_bytes) from action_case group by account_id;
alter table action_case force row level security;

alter table case_account enable row level security;
alter table case_account force row level security;
create policy tenant on case_account to assay_app
  using (account_id = current_setting('assay.account', true))
  with check (account_id = current_setting('assay.account', true));
create policy system on case_account to assay_system using (true) with check (true);
grant select, insert, update on case_account to assay_app;
grant select, delete on case_account to assay_system;

alter table webhook_endpoint drop constraint webhook_endpoint_disabled_reason_check;
alter table webhook_endpoint add constraint webhook_endpoint_disabled_reason_check
  check (disabled_reason in ('paused', 'failing', 'gone', 'plan'));

-- How long answers take, smoothed; null before the first attempt. Prompt: not long, and the lane is not failing. Lanes of other
-- endpoints share a part of the places.
alter table webhook_endpoint add column answer_ms integer;
alter table webhook_endpoint add column prompt boolean not null default false;
alter table webhook_endpoint no force row level security;
update webhook_endpoint set prompt = true where last_status between 200 and 299 and lane_step = 0;
drop index webhook_endpoint_lane;
create index webhook_endpoint_lane on webhook_endpoint (prompt, lane_at) where lane_at is not null;

-- An endpoint has few of them waiting; its deliveries of a week may be many.
create index webhook_delivery_once on webhook_delivery (endpoint_id) where status = 'once';

-- Accounts whose plan was changed before changes of plans were told as events.
alter table event_outbox no force row level security;
insert into event_outbox (type, account_id, payload)
select distinct 'plan.changed', account_id, '{}'::jsonb from webhook_endpoint where enabled;
alter table event_outbox force row level security;
alter table webhook_endpoint force row level security;
