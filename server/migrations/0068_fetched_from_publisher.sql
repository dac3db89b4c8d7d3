-- Why: `feeds list` says whether a publisher ever delivered a list. checked_at also counts attempts that failed, and an import
-- of files empties parts, so neither tells it.
-- Size: eight bytes in a few hundred rows. Lock: a column without a default is added without a rewrite; the update touches
-- the rows that have parts. The release before runs on this schema.

alter table feed_state add column fetched_at timestamptz;
update feed_state set fetched_at = checked_at where jsonb_array_length(parts) > 0;
