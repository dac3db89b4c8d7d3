-- Why: objects of shared collections gave the second of their publication as the start of validity and as the time of the
-- observation. Their times are now those of the sources (O69), so each object written before gets one new version.
-- Size: 2 bytes an object. Lock: ACCESS EXCLUSIVE on taxii_object for a column with a constant default (no rewrite).

-- The rule by which the times in the text were chosen. 0: our publication; 1: the dates of the sources.
alter table taxii_object add column time_rule smallint not null default 0;
