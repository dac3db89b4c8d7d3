-- Why: figures and lists of large accounts read what they show.
-- The action center counts the findings of known and reported exploitation, and shows the oldest of each priority that are open
-- or acknowledged. Both read every finding of the account, with those that were patched long ago. The two facts that are counted
-- are in the index, so that the table is not read.
-- A list of alerts with several filters went through all alerts of one severity or type, which took longer than a request may
-- where few of a million fit. Now each state that alert_count has is one run of an index in the order of the list; two indexes
-- are not needed any more.
-- Size: 90 bytes for each finding that is open or acknowledged; 110 for each alert, and the dropped indexes had 200. Lock: both
-- tables are locked for writing while their index is built, some seconds for a million rows.
create index cve_watch_finding_active on cve_watch_finding (account_id, priority, created_at, id) include (is_kev, exploitation)
  where ended_at is null and status in ('OPEN', 'ACKNOWLEDGED');

create index alert_state on alert (account_id, status, severity, type, entity_type, updated_at desc, id desc);
drop index alert_severity;
drop index alert_type;
