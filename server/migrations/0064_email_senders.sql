-- Why: an invitation goes to a stranger because one person asked for it. The row of an email names that person, so that
-- invitations have a budget for each person and day, and "no more emails of this kind" counts against the person who caused them.
-- Size: 40 bytes more in rows that live for 30 days. Lock: columns are added without a rewrite, with a moment's lock of app_user for the
-- reference; the indexes are empty when they are built, because older rows have no sender. The release before runs on this schema.

alter table letter add column sender_id text references app_user (id);
create index letter_sender on letter (sender_id, created_at desc) where sender_id is not null;
create index letter_caused on letter (kind, created_at desc) where sender_id is not null;

-- The email whose link was used; null for links of earlier releases.
alter table letter_suppression add column letter_id text check (letter_id ~ '^ltr_' and length(letter_id) <= 64);
create index letter_suppression_letter on letter_suppression (letter_id) where letter_id is not null;
